import type { LockContext } from '../../core/context/object-context.js'
import { isOutage } from '../../core/holds/outage.js'
import { demandStillWanted } from '../../core/context/still-wanted.js'
import { SubscriptionTimeoutError } from '../../errors/connection-errors.js'
import type { LockLossReason } from '../../errors/lock-errors.js'
import type { ChannelWaiter } from '../../pubsub/channel-waiter.js'
import type { LeaseHolder } from '../../renewal/lease.js'
import { OwnTimes } from '../../waiting/own-time.js'
import { waitUntil, type Attempt } from '../../waiting/wait-until.js'
import { Waiter, Waiters } from '../../waiting/waiters.js'
import { onAbort } from '../../util/abort/abort-listeners.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import {
  canTakeOver,
  type Attempting,
  type AcquireRequest,
  type SendClaim,
  type AcquireResult,
} from '../shared/engine/lock-driver.js'
import { wonLate } from '../shared/queue/lock-queue.js'

/** Each message is for its only listener. */
const wakeMe = (): number => 1

/** A request that waits in the queue of a fair lock. */
export class QueuedFairRequest extends Waiter implements LeaseHolder {
  readonly claim: AcquireRequest
  readonly attempt: Attempting
  /** The number of the last one that came before it began to ask or to listen; 0 until then. */
  last = 0
  /** Its place at the channel, once it listens. */
  channelWaiter: ChannelWaiter | undefined
  /** Whether it sends its own request, even if others precede it in the queue. */
  called = false
  /** Whether Redis has discarded it, and it has not asked for a new place yet. */
  discarded = false
  /** Whether a request of its own is under way. */
  asking = false
  /** The attempt to take the lock over from its holder, until the waiter has seen it. */
  takingOver: Promise<Attempt<AcquireResult>> | undefined

  constructor(claim: AcquireRequest, attempt: Attempting) {
    super()
    this.claim = claim
    this.attempt = attempt
  }

  get canTakeOver(): boolean {
    return canTakeOver(this.claim) && !this.asking && this.takingOver === undefined
  }

  /** Wakes it, whether it listens or not. */
  wake(): void {
    ;(this.channelWaiter ?? this.turn).set()
  }

  /** Whether it leaves asking and listening to others. */
  get idle(): boolean {
    return this.channelWaiter === undefined && !this.called && !this.asking && this.takingOver === undefined
  }

  /** Makes it send its own request. */
  call(): void {
    this.called = true
    this.wake()
  }

  /** Makes it take a new place if Redis has discarded it. */
  onLeaseLost(reason: LockLossReason): void {
    if (reason !== 'not-held') return
    this.discarded = true
    this.wake()
  }

  /** Makes an attempt of its own, or awaits the one that was made for it. */
  async try(): Promise<Attempt<AcquireResult>> {
    const { takingOver } = this
    this.takingOver = undefined
    this.discarded &&= takingOver !== undefined
    this.asking = true
    try {
      return await (takingOver ?? this.attempt())
    } finally {
      this.asking = false
    }
  }
}

interface FairQueueOptions {
  readonly channelOf: (owner: string) => string
  /** Returns how long this process still holds the lock, in milliseconds; zero or less if it does not. */
  readonly heldForMs: () => number
}

/**
 * The waiters of this process in the queue of one fair lock, in the order in which they came.
 *
 * The first of them listens, unless this process holds the lock. Then the holder's release passes the lock on to it, or reports that
 * another process comes first. So a lock that only one process wants needs no messages. If the holder loses the lock without a release, the
 * waiter notices its turn at its next heartbeat. If a waiter finds that Redis cannot be reached, those that had come before it began to ask
 * are rejected as well. Each has its own time for the confirmation of its channel.
 */
export class FairQueue {
  readonly #context: LockContext
  readonly #options: FairQueueOptions
  readonly #waiters = new Waiters<QueuedFairRequest>()
  readonly #ownTimes = new OwnTimes()

  constructor(context: LockContext, options: FairQueueOptions) {
    this.#context = context
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#waiters.isEmpty
  }

  /** Waits in the queue, then for the lock. Returns undefined when the deadline has passed. */
  async wait(waiter: QueuedFairRequest): Promise<AcquireResult | undefined> {
    try {
      return (await this.#join(waiter)) ?? (await wonLate(waiter))
    } catch (error) {
      const won = await wonLate(waiter)
      if (won === undefined) throw error
      return won
    }
  }

  /**
   * Makes the first in the queue take the lock over from its holder, if it is ready and is the first in Redis as well.
   *
   * The request is the waiter's own acquisition, in the place of the holder. So a waiter that gives up, a reply that is lost and a shutdown
   * are handled as for any other acquisition.
   *
   * @param send - sends the request; called at most once, and before this returns
   */
  passOn(send: SendClaim): void {
    const { first } = this.#waiters
    if (first?.canTakeOver !== true) return
    first.takingOver = first.attempt(send)
    first.takingOver.catch(() => undefined) // the waiter awaits it, unless its signal has aborted
    first.wake()
  }

  /** Makes the first in the queue check whether this process still holds the lock, as soon as that is known. */
  look(): void {
    withoutAsyncContext(() => setImmediate(() => this.#waiters.first?.turn.set()))
  }

  async #join(waiter: QueuedFairRequest): Promise<AcquireResult | undefined> {
    this.#waiters.add(waiter)
    const stopListening = onAbort(this.#context.closing, () => {
      waiter.turn.set()
    })
    try {
      return await this.#contend(waiter)
    } catch (error) {
      this.#reject(error, waiter)
      throw error
    } finally {
      stopListening()
      this.#leave(waiter)
    }
  }

  async #contend(waiter: QueuedFairRequest): Promise<AcquireResult | undefined> {
    const { deadline, signal } = waiter.claim
    while (!waiter.called) {
      demandStillWanted(this.#context, signal)
      const { takingOver, discarded } = waiter
      if (takingOver !== undefined || discarded) {
        const next = await this.#try(waiter)
        if (next.done) return next.value
        if (takingOver !== undefined) break
      }
      const patienceMs = this.#waiters.first === waiter ? this.#options.heldForMs() : Infinity
      if (patienceMs <= 0) break
      if (this.#waiters.first === waiter) this.#ownTimes.reset()
      if (deadline.passed) return undefined
      await waiter.turn.wait(deadline.within(patienceMs), signal)
    }
    return await this.#listen(waiter)
  }

  async #listen(waiter: QueuedFairRequest): Promise<AcquireResult | undefined> {
    const { owner, deadline, signal } = waiter.claim
    const { subscriptionTimeoutMs } = this.#context.config
    const channelWaiter = this.#context.wakeUps.join(this.#options.channelOf(owner), wakeMe)
    waiter.channelWaiter = channelWaiter
    waiter.last = this.#waiters.latest
    const since = this.#ownTimes.begin(waiter)
    try {
      const attempt = () => this.#try(waiter)
      const won = await waitUntil(channelWaiter, { attempt, deadline, signal, subscriptionTimeoutMs, since })
      this.#ownTimes.end(channelWaiter)
      return won
    } catch (error) {
      this.#ownTimes.end(channelWaiter, error)
      throw error
    } finally {
      channelWaiter.leave()
    }
  }

  /**
   * Makes an attempt. A waiter with a new place in Redis gets one here as well, so that the lock is passed on to the first in Redis. If
   * that is another one nevertheless, because replies came in another order than the requests, it has to be called: it does not listen.
   */
  async #try(waiter: QueuedFairRequest): Promise<Attempt<AcquireResult>> {
    waiter.last = this.#waiters.latest
    const next = await waiter.try()
    if (next.done) return next
    const { refusal } = waiter.claim
    if (refusal?.placed === true) {
      this.#waiters.add(waiter)
      this.look()
    }
    if (refusal?.first !== undefined) this.#call(refusal.first)
    return next
  }

  /** Rejects those that leave asking and listening to others, because Redis cannot be reached. The others find out themselves. */
  #reject(error: unknown, { claim, last }: QueuedFairRequest): void {
    const idle = (number: number) => this.#waiters.upTo(number).filter((waiter) => waiter.idle)
    if (error instanceof SubscriptionTimeoutError)
      this.#waiters.rejectOverdue(error, this.#context.config.subscriptionTimeoutMs, idle(Infinity))
    else if (isOutage(error, claim)) this.#waiters.reject(idle(last), error)
  }

  /** Removes a waiter. The next in the queue tries a little later, when the hold of this one is recorded. */
  #leave(waiter: QueuedFairRequest): void {
    const wasFirst = this.#waiters.first === waiter
    this.#waiters.delete(waiter)
    if (wasFirst && !this.isEmpty) this.look()
    if (waiter.claim.holds === 0) this.#call(waiter.claim.owner) // another call for the same named thread has the place in Redis from now on
  }

  #call(owner: string): void {
    for (const waiter of this.#waiters) if (waiter.claim.owner === owner) return waiter.call()
  }
}
