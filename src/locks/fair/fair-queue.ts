import type { LockContext } from '../../core/context/object-context.js'
import { isOutage, sameOutage } from '../../core/holds/outage.js'
import { demandStillWanted } from '../../core/context/still-wanted.js'
import { SubscriptionTimeoutError } from '../../errors/connection-errors.js'
import type { LockLossReason } from '../../errors/lock-errors.js'
import type { ChannelWaiter } from '../../pubsub/channel-waiter.js'
import type { LeaseHolder } from '../../renewal/lease.js'
import { dismissOverdue, OwnTimes, type Comer } from '../../waiting/own-time.js'
import { waitUntil, type Attempt } from '../../waiting/wait-until.js'
import { onAbort } from '../../util/abort/abort-listeners.js'
import { LinkedList } from '../../util/collections/linked-list.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
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
export class QueuedFairRequest implements Comer, LeaseHolder {
  readonly cameAt = performance.now()
  readonly claim: AcquireRequest
  readonly attempt: Attempting
  /** Wakes it while it does not listen. */
  readonly turn = new AutoResetEvent()
  /** How many have ever come, up to and including this one. */
  number = 0
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
    this.claim = claim
    this.attempt = attempt
  }

  get canTakeOver(): boolean {
    return canTakeOver(this.claim) && !this.asking && this.takingOver === undefined
  }

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
  readonly #facts: FairQueueOptions
  readonly #places = new LinkedList<QueuedFairRequest>()
  readonly #ownTimes = new OwnTimes()
  /** How many have ever come. */
  #comers = 0

  constructor(context: LockContext, facts: FairQueueOptions) {
    this.#context = context
    this.#facts = facts
  }

  get isEmpty(): boolean {
    return this.#places.size === 0
  }

  /** Waits in the queue, then for the lock. Returns undefined when the deadline has passed. */
  async wait(place: QueuedFairRequest): Promise<AcquireResult | undefined> {
    try {
      return (await this.#stand(place)) ?? (await wonLate(place))
    } catch (error) {
      const won = await wonLate(place)
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
    const { first } = this.#places
    if (first?.canTakeOver !== true) return
    first.takingOver = first.attempt(send)
    first.takingOver.catch(() => undefined) // the waiter awaits it, unless its signal has aborted
    first.wake()
  }

  /** Makes the first in the queue check whether this process still holds the lock, as soon as that is known. */
  look(): void {
    withoutAsyncContext(() => setImmediate(() => this.#places.first?.turn.set()))
  }

  async #stand(place: QueuedFairRequest): Promise<AcquireResult | undefined> {
    this.#append(place)
    const stopListening = onAbort(this.#context.closing, () => {
      place.turn.set()
    })
    try {
      return await this.#contend(place)
    } catch (error) {
      if (error instanceof SubscriptionTimeoutError) this.#dismissOverdue(error)
      else if (isOutage(error, place.claim)) this.#dismiss(place.last, error)
      throw error
    } finally {
      stopListening()
      this.#leave(place)
    }
  }

  async #contend(place: QueuedFairRequest): Promise<AcquireResult | undefined> {
    const { deadline, signal } = place.claim
    while (!place.called) {
      demandStillWanted(this.#context, signal)
      const { takingOver, discarded } = place
      if (takingOver !== undefined || discarded) {
        const next = await this.#try(place)
        if (next.done) return next.value
        if (takingOver !== undefined) break
      }
      const patienceMs = this.#places.first === place ? this.#facts.heldForMs() : Infinity
      if (patienceMs <= 0) break
      if (this.#places.first === place) this.#ownTimes.reset()
      if (deadline.passed) return undefined
      await place.turn.wait(deadline.within(patienceMs), signal)
    }
    return await this.#listen(place)
  }

  async #listen(place: QueuedFairRequest): Promise<AcquireResult | undefined> {
    const { owner, deadline, signal } = place.claim
    const { subscriptionTimeoutMs } = this.#context.config
    const channelWaiter = this.#context.wakeUps.join(this.#facts.channelOf(owner), wakeMe)
    place.channelWaiter = channelWaiter
    place.last = this.#comers
    const since = this.#ownTimes.begin(place)
    try {
      const attempt = () => this.#try(place)
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
  async #try(place: QueuedFairRequest): Promise<Attempt<AcquireResult>> {
    place.last = this.#comers
    const next = await place.try()
    if (next.done) return next
    const { refusal } = place.claim
    if (refusal?.placed === true) {
      this.#append(place)
      this.look()
    }
    if (refusal?.first !== undefined) this.#call(refusal.first)
    return next
  }

  #append(place: QueuedFairRequest): void {
    place.number = this.#comers += 1
    this.#places.delete(place)
    this.#places.add(place)
  }

  /** Rejects all waiters up to the last one given, because Redis cannot be reached, except those that find out themselves. */
  #dismiss(last: number, error: Error): void {
    for (const place of this.#places) {
      if (place.number > last) return
      if (!place.idle) continue
      this.#places.delete(place)
      place.turn.fail(sameOutage(error))
    }
  }

  /** Rejects those waiters whose time is over as well, because nothing is confirmed, except those that find out themselves. */
  #dismissOverdue(error: SubscriptionTimeoutError): void {
    const idle = [...this.#places].filter((place) => place.idle)
    dismissOverdue(idle, this.#context.config.subscriptionTimeoutMs, error, (place, same) => {
      this.#places.delete(place)
      place.turn.fail(same)
    })
  }

  /** Removes a waiter. The next in the queue tries a little later, when the hold of this one is recorded. */
  #leave(place: QueuedFairRequest): void {
    const wasFirst = this.#places.first === place
    this.#places.delete(place)
    if (wasFirst && !this.isEmpty) this.look()
    if (place.claim.holds === 0) this.#call(place.claim.owner) // another call for the same named thread has the place in Redis from now on
  }

  #call(owner: string): void {
    for (const place of this.#places) if (place.claim.owner === owner) return place.call()
  }
}
