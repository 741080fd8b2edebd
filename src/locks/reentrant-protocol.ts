import type { SyncedResult } from '../command/command-executor.js'
import type { Script } from '../command/script.js'
import { lockChannel, lockToken, requestKey } from '../core/names.js'
import type { Lines } from '../core/lines.js'
import type { ObjectContext } from '../core/object-context.js'
import type { Attempt } from '../pubsub/wait-until.js'
import type { RenewalKind } from '../renewal/lease.js'
import type { Acquired } from './acquired.js'
import { LockLine, type Heir } from './lock-line.js'
import {
  FREE,
  passesBy,
  type Claim,
  type Inspection,
  type LockProtocol,
  type Return,
  type Won,
} from './lock-protocol.js'
import { forceRelease, inspect, relet, undo } from './lock.scripts.js'
import type { Unsettled } from './unsettled.js'

/** The lines of waiters that this client has, by the name of the lock. */
export type LockLines = Lines<LockLine>

/** The scripts in which locks that are a hash of owner to hold count differ. */
export interface LockScripts {
  readonly acquire: Script<'lock' | 'request' | 'token', 'leaseMs' | 'owner' | 'holds', Acquired>
  readonly release: Script<
    'lock' | 'channel' | 'request' | 'token',
    'owner' | 'holds' | 'leaseMs' | 'heir' | 'heirLeaseMs' | 'publish',
    number[]
  >
}

export interface Variant {
  readonly renewal: RenewalKind
  readonly lines: LockLines
  readonly scripts: LockScripts
  readonly unsettled: Unsettled
}

/** The wire of an `RLock` and its kin: a hash of owner to hold count, and one channel for all who wait. */
export class ReentrantProtocol implements LockProtocol {
  readonly renewal: RenewalKind
  protected readonly context: ObjectContext
  protected readonly lock: string
  readonly #lines: LockLines
  readonly #scripts: LockScripts
  readonly #unsettled: Unsettled

  constructor(context: ObjectContext, lock: string, { renewal, lines, scripts, unsettled }: Variant) {
    this.renewal = renewal
    this.context = context
    this.lock = lock
    this.#lines = lines
    this.#scripts = scripts
    this.#unsettled = unsettled
  }

  fieldOf(owner: string): string {
    return owner
  }

  acquire(claim: Claim, request: string, replicas: number): Promise<SyncedResult<Acquired>> {
    const { owner, holds, leaseMs, deadline } = claim
    const keys = { lock: this.lock, request, token: this.#token }
    const call = { keys, args: { leaseMs, owner, holds } }
    // Where the count cannot tell whether a request has run, it leaves its answer in Redis from the first time on.
    const options = { deadline, remember: holds === 0 }
    return this.context.executor.runSynced(this.#scripts.acquire, call, replicas, options)
  }

  async undo({ owner, holds }: Claim, request: string): Promise<void> {
    const keys = { lock: this.lock, channel: this.#channel, request }
    const call = { keys, args: { owner, holds, publish: this.publish } }
    await this.context.executor.run(undo, call, { remember: true, keep: true })
  }

  async release(given: Return): Promise<number> {
    const line = this.#lines.of(this.lock)
    const heir = given.holds === 1 ? line?.heir() : undefined
    const sentAt = performance.now()
    try {
      const options = { remember: given.holds === 0 || given.again }
      const reply = await this.context.executor.run(
        this.#scripts.release,
        this.#returning(given, heir),
        options,
      )
      const [remaining = -1, handedOver, heard = 0, token] = reply
      const inherited = handedOver === 1
      if (heir !== undefined && inherited) this.#handOver(heir, { sentAt, holds: 1, token })
      else heir?.disinherit()
      if (remaining === 0 && !inherited) line?.freed(heard)
      return remaining
    } catch (error) {
      heir?.disinherit() // it asks for itself, and finds the lock its own if it came to that
      throw error
    }
  }

  async relet(owner: string, leaseMs: number): Promise<boolean> {
    const call = { keys: { lock: this.lock }, args: { owner, leaseMs } }
    return (await this.context.executor.run(relet, call)) === 1
  }

  async forceRelease(): Promise<boolean> {
    const keys = { lock: this.lock, channel: this.#channel, request: this.#newRequest() }
    const call = { keys, args: { publish: this.publish } }
    return (await this.context.executor.run(forceRelease, call, { remember: true })) === 1
  }

  async inspect(owner: string): Promise<Inspection> {
    const call = { keys: { lock: this.lock }, args: {} }
    const [leftMs, holder, holds] = await this.context.executor.run(inspect, call)
    return leftMs === -2 ? FREE : { leftMs, holder, holds: holder === owner ? holds : 0 }
  }

  triesFirst(claim: Claim): boolean {
    return passesBy(claim) || this.#lines.of(this.lock) === undefined
  }

  wait(claim: Claim, attempt: () => Promise<Attempt<Won>>): Promise<Won | undefined> {
    const open = () => new LockLine(this.context, this.#channel)
    return this.#lines.stand(this.lock, open, (line) => line.wait(claim, attempt))
  }

  /** The command by which waiters are told; empty where nobody listens. */
  protected get publish(): string {
    return this.context.servers.publishCommand
  }

  // Made when they are needed: a lock may be held for long, and there may be many.

  get #channel(): string {
    return lockChannel(this.lock)
  }

  get #token(): string {
    return lockToken(this.lock)
  }

  #returning({ owner, holds, leaseMs, request }: Return, heir: Heir | undefined) {
    return {
      keys: { lock: this.lock, channel: this.#channel, request, token: this.#token },
      args: {
        owner,
        holds,
        leaseMs,
        heir: heir?.owner ?? '',
        heirLeaseMs: heir?.leaseMs ?? 0,
        publish: this.publish,
      },
    }
  }

  #handOver(heir: Heir, won: Won): void {
    if (heir.inherit(won)) return
    // Nobody is waiting any more. What cannot be given back now ends with its lease, since nobody renews it.
    const { owner } = heir
    const given = { owner, holds: 1, leaseMs: 0, request: this.#newRequest(), again: false }
    this.#unsettled.add(this.lock, owner, this.release(given))
  }

  #newRequest(): string {
    return requestKey(this.lock, this.context.requestIds.next())
  }
}
