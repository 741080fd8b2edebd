import { beforeEach } from 'vitest'
import type { CommonOptions, RedissonClient, RLock } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { untilSomebodyWaits } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import type { ClientTopology, ServerNode } from '../../support/launch/topology.js'

/** A kind of lock, and the servers to try it on. */
export interface LockKind {
  readonly topology: ClientTopology<ServerNode>
  /** Makes a lock of this kind. */
  readonly getLock: (client: RedissonClient, name: string) => RLock
  /**
   * Waits until somebody waits for a lock of this kind.
   *
   * @defaultValue until a channel is subscribed
   */
  readonly untilWaiting?: () => Promise<void>
}

/** Short, so that tests which have to wait for the watchdog are quick; long enough for a busy machine. */
export const WATCHDOG_MS = 1_200

/**
 * What a request leaves behind for a while that counts and cannot tell by the hold count whether it has run before: one
 * with an explicit thread, a forced release, or one whose answer got lost.
 */
export const LATCHES = { except: /^redisson_unlock_latch:/ }

/** What the tests of a lock work with: a new name for every test, and the lock of that name at two clients. */
export class Bench {
  readonly topology: ClientTopology<ServerNode>
  readonly #kind: LockKind
  readonly #clients: { readonly mine: RedissonClient; readonly other: RedissonClient }
  #tests = 0

  constructor(kind: LockKind, settings: CommonOptions = {}) {
    this.#kind = kind
    this.topology = kind.topology
    this.#clients = twoClients(kind.topology, { lockWatchdogTimeout: WATCHDOG_MS, ...settings })
    beforeEach(() => {
      this.#tests += 1
    })
  }

  get mine(): RedissonClient {
    return this.#clients.mine
  }

  get other(): RedissonClient {
    return this.#clients.other
  }

  /** The name of this test's lock. */
  get name(): string {
    return `lock-${String(this.#tests)}`
  }

  /** This test's lock. */
  get lock(): RLock {
    return this.lockOf(this.mine)
  }

  /** The same lock at the other client. */
  get theirs(): RLock {
    return this.lockOf(this.other)
  }

  lockOf(client: RedissonClient, name = this.name): RLock {
    return this.#kind.getLock(client, name)
  }

  /** Resolves when somebody waits for this test's lock. */
  async untilWaiting(): Promise<void> {
    await (this.#kind.untilWaiting?.() ?? untilSomebodyWaits(this.topology))
  }

  /** Sends a command about this test's lock to its server, past the library. */
  ask(command: string, ...args: readonly (string | number)[]): Promise<unknown> {
    return askOwner(this.topology, this.name, command, ...args)
  }

  /** How many scripts the servers have been asked to run. */
  async countScripts(): Promise<number> {
    const stats = await Promise.all(
      this.topology.nodes.map(async (node) => (await node.command('INFO', 'commandstats')) as string),
    )
    return stats.reduce((sum, text) => sum + callsOf(text, 'evalsha') + callsOf(text, 'eval'), 0)
  }
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

/** Resolves when nobody holds a lock. */
export async function untilFree(lock: RLock): Promise<void> {
  await eventually(async () => !(await lock.isLocked()), { what: 'the lock to be free' })
}

function callsOf(stats: string, command: string): number {
  return Number(new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(stats)?.[1] ?? 0)
}
