import type { LockContext } from '../../../core/context/object-context.js'
import { isOverdue } from '../../../core/holds/outage.js'
import { unheard } from '../../../core/context/still-wanted.js'
import { QueueReplies } from '../../../waiting/queue-replies.js'
import { QueuedWaiter, WaitQueue } from '../../../waiting/wait-queue.js'
import type { WaitQueues } from '../../../waiting/wait-queues.js'
import type { Attempt } from '../../../waiting/wait-until.js'
import type { WakeCountOf } from '../../../pubsub/wake-ups.js'
import {
  canTakeOver,
  type Attempting,
  type AcquireRequest,
  type SendClaim,
  type AcquireResult,
} from '../engine/lock-driver.js'
import type { Outcome, Turns } from './turns.js'

/** A message on the lock's channel wakes one of the waiters. */
const wakeOne = (message: string): number => (message === '0' ? 1 : 0)

/** A claim that waits for a lock. */
class QueuedLockRequest extends QueuedWaiter {
  readonly claim: AcquireRequest
  readonly attempt: Attempting
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
    if (this.channelWaiter === undefined || this.asking || this.takingOver !== undefined) return false
    return canTakeOver(this.claim)
  }
}

interface LockQueueOptions {
  /** What distinguishes the lock from others of this process. */
  readonly lock: string
  readonly channel: string
  readonly turns: Turns
  /** How many waiters a message wakes; one, where not said. */
  readonly wakesOf?: WakeCountOf
  /** Whether several processes may have it, or parts of it, at a time, so that a refusal names one of them. */
  readonly isShared?: boolean
}

/** The queues of this client, by what distinguishes the lock. */
export type LockQueues = WaitQueues<LockQueue>

/** The waiters of this process for one lock, first come, first served. */
export class LockQueue {
  readonly #lock: string
  readonly #channel: string
  readonly #turns: Turns
  readonly #isShared: boolean
  readonly #context: LockContext
  readonly #replies = new QueueReplies()
  readonly #queue: WaitQueue<QueuedLockRequest>

  constructor(
    context: LockContext,
    { lock, channel, turns, wakesOf = wakeOne, isShared = false }: LockQueueOptions,
  ) {
    this.#lock = lock
    this.#channel = channel
    this.#turns = turns
    this.#isShared = isShared
    this.#context = context
    const heard = (message: string) => {
      const wakes = wakesOf(message)
      if (wakes > 0) turns.heard(lock)
      return wakes
    }
    this.#queue = new WaitQueue(context.config, () => context.wakeUps.join(channel, heard))
  }

  get isEmpty(): boolean {
    return this.#queue.isEmpty
  }

  /**
   * Waits in the queue, then for the lock. Where the queue is empty and the lock is not left to other processes, the waiting begins with a
   * request, and without a subscription.
   *
   * @param asksAtOnce - whether it sends a request as soon as it is the first in the queue
   * @returns undefined when its time is over
   * @throws {@link ReplyTimeoutError} or {@link ConnectionLostError} if Redis has said nothing by then, neither to it nor to those before it
   */
  wait(
    claim: AcquireRequest,
    attempt: Attempting,
    { asksAtOnce = false }: { readonly asksAtOnce?: boolean } = {},
  ): Promise<AcquireResult | undefined> {
    const waiter = new QueuedLockRequest(claim, attempt)
    const isBehind = !this.isEmpty
    const { deadline, signal, leaseMs } = claim
    const waiting = this.#queue.wait(waiter, {
      deadline,
      signal,
      attempt: () => this.#try(waiter),
      asksAtOnce,
      tryFirst: this.#turns.yieldMs(this.#lock) === 0 ? () => this.#ask(attempt()) : undefined,
      retryNextInMs: () => leaseMs,
    })
    return waiting.then(
      (won) => won ?? this.#wonAtTheEnd(waiter),
      (error: unknown) => this.#wonAfter(error, waiter, isBehind),
    )
  }

  /** Makes the first in the queue check again. */
  wake(): void {
    this.#queue.first?.channelWaiter?.set()
  }

  /**
   * Makes the first in the queue take the lock over from its holder, if it is ready, and if it is this process's turn.
   *
   * The request is the waiter's own acquisition, in the place of the holder. So a waiter that gives up, a reply that is lost and a
   * shutdown are what they are for any other acquisition.
   *
   * @param heldSince - when the holder got the lock, on the monotonic clock
   * @param send - sends the request; called at most once, and before this returns
   */
  passOn(heldSince: number, send: SendClaim): void {
    const { first } = this.#queue
    if (first?.canTakeOver !== true || !this.#turns.passOn(this.#lock, heldSince, this.#queue.length)) return
    first.takingOver = first.attempt(send)
    first.takingOver.catch(() => undefined) // the waiter sees it, unless it has gone by its signal
    first.channelWaiter?.set()
  }

  async #try(waiter: QueuedLockRequest): Promise<Attempt<AcquireResult>> {
    const { takingOver } = waiter
    const yieldMs = takingOver === undefined ? this.#turns.yieldMs(this.#lock) : 0
    if (yieldMs > 0) return { done: false, retryInMs: yieldMs }
    waiter.takingOver = undefined
    waiter.asking = true
    try {
      const next = await this.#ask(takingOver ?? waiter.attempt())
      if (takingOver === undefined) this.#turns.asked(this.#lock, this.#outcomeOf(waiter.claim, next))
      return next
    } finally {
      waiter.asking = false
    }
  }

  async #wonAtTheEnd(waiter: QueuedLockRequest): Promise<AcquireResult | undefined> {
    const won = await wonLate(waiter)
    if (won === undefined && waiter.claim.refused !== true && this.#replies.isSilentFor(waiter))
      throw unheard(this.#context, this.#context.topology.placeOf(this.#channel), waiter.cameAt)
    return won
  }

  async #wonAfter(
    error: unknown,
    waiter: QueuedLockRequest,
    isBehind: boolean,
  ): Promise<AcquireResult | undefined> {
    const won = await wonLate(waiter)
    if (won !== undefined) return won
    // Others before it were refused, and its time is over: that is all that can be said of the lock.
    if (isBehind && isOverdue(error, waiter.claim) && !this.#replies.isSilentFor(waiter)) return undefined
    throw error
  }

  #ask(attempt: Promise<Attempt<AcquireResult>>): Promise<Attempt<AcquireResult>> {
    return this.#replies.ask(
      () => attempt,
      (next) => next.done || next.unanswered !== true,
    )
  }

  /** A refusal that names no holder says nothing of others. */
  #outcomeOf({ refusedFor }: AcquireRequest, { done }: Attempt<AcquireResult>): Outcome {
    if (done) return 'taken'
    if (refusedFor === undefined || this.#context.owners.includes(refusedFor.owner)) return 'held here'
    return { heldBy: this.#isShared ? undefined : clientOf(refusedFor.owner) }
  }
}

/** What a waiter gets that left at the moment when the lock was passed on to it. */
export async function wonLate({
  takingOver,
}: {
  readonly takingOver: Promise<Attempt<AcquireResult>> | undefined
}): Promise<AcquireResult | undefined> {
  const next = await takingOver
  return next?.done === true ? next.value : undefined
}

/** The client of an owner, which is `clientId:threadId`. */
function clientOf(owner: string): string {
  return owner.slice(0, owner.lastIndexOf(':'))
}
