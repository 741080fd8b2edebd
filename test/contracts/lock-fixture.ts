import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { CommonOptions, RedissonClient, RLock } from '../../src/index.js'
import type { KindName } from '../locks/fixtures/kinds.js'
import { LockUser } from '../locks/shared/lock-user.js'
import { askOwner } from '../support/ask-owner.js'
import { untilAwaited } from '../support/channels.js'
import { twoClients } from '../support/clients.js'
import { eventually } from '../support/eventually.js'
import type { ClientTopology, ServerNode } from '../support/launch/topology.js'
import { LeakCheck, type LeakOptions } from '../support/leak-check.js'

/** A kind of lock, and the servers to try it on. */
export interface LockKind {
  readonly topology: ClientTopology<ServerNode>
  /** Makes a lock of this kind. */
  readonly getLock: (client: RedissonClient, name: string) => RLock
  /**
   * Waits until a caller waits for a lock of this kind.
   *
   * @defaultValue until a channel with its name is subscribed
   */
  readonly untilWaiting?: (name: string) => Promise<void>
  /**
   * Which parts of the contract are run: all; those in which the servers have a part, where another topology runs all; or the same, but left to the
   * deep tests.
   *
   * @defaultValue 'all'
   */
  readonly parts?: 'all' | 'servers' | 'servers in deep'
  /**
   * Makes a lock of the same name that excludes those of this kind, where they do not exclude each other.
   *
   * @defaultValue none: they do
   */
  readonly getRival?: (client: RedissonClient, name: string) => RLock
  /**
   * What this kind is called where a process of its own makes such locks. Without it, no process ends with such locks.
   *
   * @defaultValue 'plain'
   */
  readonly kindName?: KindName
  /**
   * The fields and values of the hash that says that an owner keeps locks of this kind out.
   *
   * @defaultValue the owner, and 1
   */
  readonly heldBy?: (owner: string) => readonly (string | number)[]
  /**
   * The fields and values of a hash that is another kind of lock.
   *
   * @defaultValue a read-write lock
   */
  readonly anotherKind?: (owner: string) => readonly (string | number)[]
  /**
   * How its waiters learn that it is free: by a message on its channel, or by asking again and again.
   *
   * @defaultValue 'messages'
   */
  readonly waitsBy?: 'messages' | 'asking'
  /**
   * How many tasks a counter has to stand. Waiters that ask again and again get in each other's way.
   *
   * @defaultValue 1000
   */
  readonly tasks?: number
  /**
   * Whether its owner may come in again.
   *
   * @defaultValue true
   */
  readonly reentrant?: boolean
  /**
   * Whether it takes several requests to take it, so that its lease begins with the last of them.
   *
   * @defaultValue false
   */
  readonly inSteps?: boolean
  /**
   * Whether it is a hash of owner to hold count, which may have been left without an end.
   *
   * @defaultValue true
   */
  readonly ownersByField?: boolean
  /**
   * Keys that it leaves on purpose.
   *
   * @defaultValue none
   */
  readonly keeps?: RegExp
}

/** Short, so that tests which have to wait for the watchdog are quick. A busy machine may end such a lease, unless it is renewed. */
export const WATCHDOG_MS = 900

/** For all other tests: a busy machine ends no such lease. It differs from the library's default. */
export const PATIENT_WATCHDOG_MS = 20_000

/** So that a busy machine ends no lock in the middle, where exclusion is tested, and not the watchdog. */
export const LONG_MS = 60_000

/** A lease for tests that wait for its end. A busy machine may end it before it is handed over: see `take-briefly.ts`. */
export const BRIEFLY_MS = 400

/** A lock of its own for one test, as two clients see it. */
export interface Spot {
  readonly name: string
  readonly lock: RLock
  /** The same lock at the other client. */
  readonly theirs: RLock
  /** A lock at the other client that keeps this one out: the same, or the other side of it. */
  readonly rival: RLock
  /** Resolves when a caller waits for the lock. */
  readonly untilWaiting: () => Promise<void>
  /** Sends a command about the lock's key to its server, past the library. */
  readonly ask: (command: string, ...args: readonly (string | number)[]) => Promise<unknown>
}

let spots = 0

/** What the tests of a lock work with. It is a spot itself, another one for every test that runs alone. */
export class LockFixture implements Spot {
  /** The servers, and what their leak checks may find. */
  readonly topology: LockKind['topology'] & Pick<LockKind, 'keeps'>
  readonly waitsBy: 'messages' | 'asking'
  readonly tasks: number
  readonly reentrant: boolean
  readonly inSteps: boolean
  readonly ownersByField: boolean
  readonly #kind: LockKind
  readonly #clients: { readonly mine: RedissonClient; readonly other: RedissonClient }
  #spot: Spot | undefined

  constructor(kind: LockKind, settings: CommonOptions = {}) {
    this.#kind = kind
    this.topology = kind.keeps === undefined ? kind.topology : { ...kind.topology, keeps: kind.keeps }
    this.waitsBy = kind.waitsBy ?? 'messages'
    this.tasks = kind.tasks ?? 1_000
    this.ownersByField = kind.ownersByField ?? true
    this.inSteps = kind.inSteps ?? false
    this.reentrant = kind.reentrant ?? true
    this.#clients = twoClients(kind.topology, { lockWatchdogTimeout: PATIENT_WATCHDOG_MS, ...settings })
    beforeEach(() => {
      this.#spot = undefined
    })
  }

  /** The same kind of lock with two clients more, whose watchdog has another time. Call it inside a `describe`. */
  withWatchdog(lockWatchdogTimeout: number): LockFixture {
    return new LockFixture(this.#kind, { lockWatchdogTimeout })
  }

  get mine(): RedissonClient {
    return this.#clients.mine
  }

  get other(): RedissonClient {
    return this.#clients.other
  }

  /** Whether a process of its own can make such locks. */
  get isKnownToProcesses(): boolean {
    return this.#kind.kindName !== undefined
  }

  get kindName(): KindName {
    return this.#kind.kindName ?? 'plain'
  }

  /** The fields and values of the hash that says that an owner keeps locks of this kind out. */
  heldBy(owner: string): readonly (string | number)[] {
    return this.#kind.heldBy?.(owner) ?? asPlain(owner)
  }

  /** The fields and values of a hash that is another kind of lock. */
  anotherKind(owner: string): readonly (string | number)[] {
    return this.#kind.anotherKind?.(owner) ?? asWriter(owner)
  }

  get name(): string {
    return this.#current.name
  }

  get lock(): RLock {
    return this.#current.lock
  }

  get theirs(): RLock {
    return this.#current.theirs
  }

  get rival(): RLock {
    return this.#current.rival
  }

  /** Whether two may hold the lock at a time. */
  get shared(): boolean {
    return this.#kind.getRival !== undefined
  }

  get untilWaiting(): Spot['untilWaiting'] {
    return this.#current.untilWaiting
  }

  get ask(): Spot['ask'] {
    return this.#current.ask
  }

  /** A spot with a name of its own, for tests that run side by side. */
  spot(): Spot {
    spots += 1
    const name = `${this.topology.kind}-lock-${String(spots).padStart(4, '0')}`
    return {
      name,
      lock: this.lockOf(this.mine, name),
      theirs: this.lockOf(this.other, name),
      rival: this.rivalOf(this.other, name),
      untilWaiting: () => this.untilWaitingFor(name),
      ask: (command, ...args) => askOwner(this.topology, name, command, ...args),
    }
  }

  lockOf(client: RedissonClient, name: string): RLock {
    return this.#kind.getLock(client, name)
  }

  /** A lock that keeps out the one of a certain name. */
  rivalOf(client: RedissonClient, name: string): RLock {
    return (this.#kind.getRival ?? this.#kind.getLock)(client, name)
  }

  /** Resolves when a caller waits for the lock of a certain name. */
  untilWaitingFor(name: string): Promise<void> {
    return this.#kind.untilWaiting?.(name) ?? untilAwaited(this.topology, name)
  }

  /** Starts a process that has a client and locks of its own. */
  startUser(lockWatchdogTimeout = PATIENT_WATCHDOG_MS): Promise<LockUser> {
    const settings = { ...this.topology.options(), lockWatchdogTimeout }
    return LockUser.start(settings, this.kindName)
  }

  /** How many scripts the servers have been asked to run. */
  async countScripts(): Promise<number> {
    const stats = await Promise.all(
      this.topology.nodes.map(async (node) => (await node.command('INFO', 'commandstats')) as string),
    )
    return stats.reduce((sum, text) => sum + callsOf(text, 'evalsha') + callsOf(text, 'eval'), 0)
  }

  get #current(): Spot {
    this.#spot ??= this.spot()
    return this.#spot
  }
}

/** What a hash is whose owner holds an `RLock`, or one of its kin. */
export function asPlain(owner: string): readonly (string | number)[] {
  return [owner, 1]
}

/** What a hash is whose owner writes under a read-write lock. */
export function asWriter(owner: string): readonly (string | number)[] {
  return ['mode', 'write', `${owner}:write`, 1]
}

/** What {@link noLeaks} demands after every test, demanded once for all tests of a `describe`, since they run side by side. */
export function noLeaksAfterAll(topology: LockFixture['topology'], options: LeakOptions = {}): void {
  let check: LeakCheck | undefined
  beforeAll(() => {
    check = new LeakCheck()
  })
  afterAll(() => check?.finish(topology.nodes, { keeps: topology.keeps, ...options }))
}

/** Resolves when the watchdog has made a lease longer than it was. */
export async function untilRenewed(lock: RLock): Promise<void> {
  let leastMs = Infinity
  await eventually(
    async () => {
      const leftMs = await lock.remainTimeToLive()
      if (leftMs < 0) throw new Error('Expected the lock to be renewed, but it is free')
      const renewed = leftMs > leastMs
      leastMs = Math.min(leastMs, leftMs)
      return renewed
    },
    { what: 'a renewal' },
  )
}

/** Resolves when a lock is free. */
export async function untilFree(lock: RLock): Promise<void> {
  await eventually(async () => !(await lock.isLocked()), { what: 'the lock to be free' })
}

function callsOf(stats: string, command: string): number {
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0)
}
