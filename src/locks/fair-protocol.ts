import type { SyncedResult } from '../command/command-executor.js'
import type { Script } from '../command/script.js'
import { lockChannel, lockHeartbeats, lockQueue, lockTimeouts, requestKey } from '../core/names.js'
import type { ObjectContext } from '../core/object-context.js'
import type { Seat } from '../pubsub/seat.js'
import { waitUntil, type Attempt } from '../pubsub/wait-until.js'
import type { RenewalKind } from '../renewal/lease.js'
import type { Acquired } from './acquired.js'
import { WaitingLease } from './fair-lock.renewal.js'
import { forceRelease, leave, release, undo } from './fair-lock.scripts.js'
import {
  FREE,
  type Claim,
  type Inspection,
  type LockProtocol,
  type Return,
  type Won,
} from './lock-protocol.js'
import { inspect, relet } from './lock.scripts.js'
import type { QueuedWaiters } from './queued-waiters.js'

/** How long a waiter counts as alive without having said so again, in milliseconds. */
export const WAITER_ALIVE_MS = 3600

/** Every message is for the one who listens, alone. */
const wakeMe = (): number => 1

interface Variant {
  readonly renewal: RenewalKind
  readonly acquire: Script<
    'lock' | 'request' | 'queue' | 'timeouts' | 'heartbeats',
    'leaseMs' | 'owner' | 'holds' | 'patient' | 'aliveMs' | 'foreignWaitMs',
    Acquired
  >
  /** Tells Redis again and again that those who wait are alive. */
  readonly waiting: { readonly waiters: QueuedWaiters; readonly kind: RenewalKind }
}

/** The wire of a fair lock: that of an `RLock`, with a queue beside it and a channel for everybody who waits. */
export class FairProtocol implements LockProtocol {
  readonly renewal: RenewalKind
  readonly #context: ObjectContext
  readonly #keys: Readonly<Record<'lock' | 'queue' | 'timeouts' | 'heartbeats' | 'channel', string>>
  readonly #acquire: Variant['acquire']
  readonly #waiting: Variant['waiting']

  constructor(context: ObjectContext, lock: string, { renewal, acquire, waiting }: Variant) {
    this.renewal = renewal
    this.#context = context
    this.#acquire = acquire
    this.#waiting = waiting
    this.#keys = {
      lock,
      queue: lockQueue(lock),
      timeouts: lockTimeouts(lock),
      heartbeats: lockHeartbeats(lock),
      channel: lockChannel(lock),
    }
  }

  fieldOf(owner: string): string {
    return owner
  }

  acquire(claim: Claim, request: string, replicas: number): Promise<SyncedResult<Acquired>> {
    const { owner, holds, leaseMs, deadline } = claim
    const args = {
      leaseMs,
      owner,
      holds,
      patient: claim.waitMs > 0 ? 1 : 0,
      aliveMs: WAITER_ALIVE_MS,
      foreignWaitMs: this.#context.config.fairLockWaitTimeoutMs,
    }
    const call = { keys: { ...this.#keys, request }, args }
    const options = { deadline, remember: holds === 0 }
    const answer = this.#context.executor.runSynced(this.#acquire, call, replicas, options)
    return this.#waiting.waiters.asks(claim, answer)
  }

  async undo({ owner, holds }: Claim, request: string): Promise<void> {
    const call = { keys: { ...this.#keys, request }, args: { owner, holds, publish: this.#publish } }
    await this.#context.executor.run(undo, call, { remember: true, keep: true })
  }

  release({ owner, holds, leaseMs, request, again }: Return): Promise<number> {
    const args = { owner, holds, leaseMs, publish: this.#publish }
    const call = { keys: { ...this.#keys, request }, args }
    return this.#context.executor.run(release, call, { remember: holds === 0 || again })
  }

  async relet(owner: string, leaseMs: number): Promise<boolean> {
    const call = { keys: { lock: this.#keys.lock }, args: { owner, leaseMs } }
    return (await this.#context.executor.run(relet, call)) === 1
  }

  async forceRelease(): Promise<boolean> {
    const call = { keys: this.#requestKeys(), args: { publish: this.#publish } }
    return (await this.#context.executor.run(forceRelease, call, { remember: true })) === 1
  }

  async inspect(owner: string): Promise<Inspection> {
    const call = { keys: { lock: this.#keys.lock }, args: {} }
    const [leftMs, holder, holds] = await this.#context.executor.run(inspect, call)
    return leftMs === -2 ? FREE : { leftMs, holder, holds: holder === owner ? holds : 0 }
  }

  /** Whoever is ready to wait takes a place in the queue by its first attempt, which belongs to the waiting therefore. */
  triesFirst({ waitMs }: Claim): boolean {
    return waitMs === 0
  }

  /** Whoever gives up leaves the queue. */
  wait(claim: Claim, attempt: () => Promise<Attempt<Won>>): Promise<Won | undefined> {
    const wait = () => this.#waitInQueue(claim, attempt)
    const leave = () => this.#leave(claim.owner)
    return this.#waiting.waiters.visit(claim, { attempt, wait, leave })
  }

  async #waitInQueue(claim: Claim, attempt: () => Promise<Attempt<Won>>): Promise<Won | undefined> {
    const { owner, deadline, signal } = claim
    const seat = this.#context.wakeUps.sit(`${this.#keys.channel}:${owner}`, wakeMe)
    const lease = this.#leaseOf(owner, seat)
    const { subscriptionTimeoutMs } = this.#context.config
    const once = async () => {
      const next = await attempt()
      if (!next.done) this.#keep(lease) // it may have taken its place anew
      return next
    }
    this.#keep(lease)
    try {
      return await waitUntil(seat, { attempt: once, deadline, signal, subscriptionTimeoutMs })
    } finally {
      this.#waiting.waiters.drop(lease)
      seat.leave()
    }
  }

  #leaseOf(owner: string, seat: Seat): WaitingLease {
    const facts = {
      kind: this.#waiting.kind,
      name: this.#keys.lock,
      owner,
      slot: this.#context.servers.slotOf(this.#keys.lock),
      wake: () => {
        seat.wake()
      },
    }
    const lease: WaitingLease = new WaitingLease(facts, {
      onLeaseLost: (reason) => {
        if (reason === 'not-held') seat.wake() // it was discarded, and takes a new place
        if (reason === 'expired') this.#keep(lease) // Redis is silent; that is for Redis to judge
      },
    })
    return lease
  }

  #keep(lease: WaitingLease): void {
    lease.confirm(performance.now(), WAITER_ALIVE_MS)
    this.#waiting.waiters.keep(lease)
  }

  #leave(owner: string): Promise<number> {
    return this.#context.executor.run(leave, { keys: this.#keys, args: { owner, publish: this.#publish } })
  }

  #requestKeys() {
    return { ...this.#keys, request: requestKey(this.#keys.lock, this.#context.requestIds.next()) }
  }

  get #publish(): string {
    return this.#context.servers.publishCommand
  }
}
