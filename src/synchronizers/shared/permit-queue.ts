import type { Patience } from '../../core/arguments/arguments.js'
import type { LockContext } from '../../core/context/object-context.js'
import { isOutage } from '../../core/holds/outage.js'
import { unheard } from '../../core/context/still-wanted.js'
import { SubscriptionTimeoutError } from '../../errors/connection-errors.js'
import type { ChannelWaiter } from '../../pubsub/channel-waiter.js'
import type { Deadline } from '../../util/time/deadline.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { QueueReplies } from '../../waiting/queue-replies.js'
import { dismissOverdue, settleForAll } from '../../waiting/own-time.js'
import { PermitTurns } from './permit-turns.js'
import { initialOf, QueuedTakers, type Claim, type QueuedTaker } from './queued-takers.js'

/** A message wakes the queue. */
const wakeOne = (): number => 1

/** The result of a request for a queue. */
export interface Served<T> {
  /** What the first of the queue have got, in their order. */
  readonly got: readonly T[]
  /** A new request is useless for this number of milliseconds, unless a message comes. */
  readonly retryInMs: number
  /** Whether the semaphore was there, or is now. */
  readonly there: boolean
}

/** For how long a request is wanted. */
export type Until = Pick<Patience, 'deadline' | 'signal'>

/** Where permits come from. */
export interface PermitSource<C extends Claim, T> {
  readonly channel: string
  /** How many permits one request may ask for, unless one caller wants more. */
  readonly mostPermits: number
  /**
   * Asks once for all of them. Permits go to the first, then to the next, until there are too few.
   *
   * @param initial - how many permits there shall be where the semaphore is not there
   */
  readonly ask: (claims: readonly C[], initial: number | undefined, until: Until) => Promise<Served<T>>
  /** Releases in the background what reached no caller. */
  readonly giveBack: (got: readonly T[]) => void
}

/**
 * The waiters of this process for permits of one semaphore, first come, first served.
 *
 * They share one subscription and one request at a time, for as many of the first as it may serve. So a hundred waiters are one to the
 * server, and a waiter for many permits is not overtaken. If a request finds that Redis cannot be reached, all that waited when it began
 * reject. For the confirmation of the channel each has its own time.
 */
export class PermitQueue<C extends Claim, T extends object | number> {
  readonly #context: LockContext
  readonly #source: PermitSource<C, T>
  readonly #takers = new QueuedTakers<C, T>()
  /** The subscription of the queue, while it has waiters. */
  #channelWaiter: ChannelWaiter | undefined
  /** Whether the semaphore was there when it was last asked for; nothing else is known at first. */
  #there = true
  readonly #turns = new PermitTurns()
  /** Those whose time is over, and for whom the next request is the last. */
  readonly #late = new Set<QueuedTaker<C, T>>()
  /** The caller that opens the queue was refused before. */
  readonly #replies = new QueueReplies(true)

  constructor(context: LockContext, source: PermitSource<C, T>) {
    this.#context = context
    this.#source = source
  }

  get isEmpty(): boolean {
    return this.#takers.isEmpty
  }

  /** Notes that permits have gone to Redis, and how many clients received the message. */
  freed(heard: number): void {
    const { topology, wakeUps } = this.#context
    const own = wakeUps.isListening(this.#source.channel) ? 1 : 0
    this.#turns.begin(topology.countsAllListeners && heard === own)
  }

  /**
   * Serves the first of the queue without a request, if together they want exactly that many permits, and no other process waits. Returns
   * whether they have them now.
   *
   * @param shareOf - what each of them gets
   */
  passOn(permits: number, shareOf: (claim: C) => T): boolean {
    const before = this.#takers.first
    const takers = this.#takers.firstFor(permits)
    if (!this.#turns.any || !this.#there || before === undefined || takers === undefined) return false
    this.#turns.take()
    for (const taker of takers) this.#takers.serve(taker, shareOf(taker.claim))
    if (!this.#takers.isRefusedAs(before)) this.#channelWaiter?.set()
    return true
  }

  /** Where the semaphore is: its channel is in the same slot. */
  get #place(): string {
    return this.#context.topology.placeOf(this.#source.channel)
  }

  /**
   * Waits in the queue until there are permits; returns undefined when the time is over.
   *
   * @throws {@link ReplyTimeoutError} or {@link ConnectionLostError} if Redis has said nothing by then to those who stood before it
   */
  async wait(claim: C): Promise<T | undefined> {
    const taker = this.#takers.add(claim)
    if (this.#channelWaiter === undefined)
      void withoutAsyncContext(() => this.#serve()) // it may outlast the call that begins it
    else if (!this.#there && claim.initial !== undefined) this.#channelWaiter.set()
    try {
      await taker.served.wait(claim.deadline.within(Infinity), claim.signal)
      if (taker.got === undefined && claim.deadline.passedLongAgo) await this.#askOnceMore(taker)
      if (taker.got === undefined && this.#replies.isSilentFor(taker))
        throw unheard(this.#context, this.#place, taker.cameAt)
    } catch (error) {
      if (taker.got !== undefined) this.#source.giveBack([taker.got]) // it was served in the moment in which it gave up
      throw error
    } finally {
      this.#leave(taker)
    }
    return taker.got
  }

  /**
   * Tries once more for a waiter whose time is over, and which missed events because the process was
   * suspended.
   */
  async #askOnceMore(taker: QueuedTaker<C, T>): Promise<void> {
    this.#late.add(taker)
    this.#channelWaiter?.set()
    try {
      await taker.served.wait(this.#context.config.timeoutMs, taker.claim.signal)
    } finally {
      this.#late.delete(taker)
    }
  }

  /** Sends requests until no caller waits any more. Never rejects. */
  async #serve(): Promise<void> {
    const { subscriptionTimeoutMs } = this.#context.config
    const dismiss = (taker: QueuedTaker<C, T>, error: Error) => {
      this.#takers.dismiss([taker], error)
    }
    try {
      const channelWaiter = this.#context.wakeUps.join(this.#source.channel, wakeOne)
      this.#channelWaiter = channelWaiter
      await settleForAll(channelWaiter, this.#takers, subscriptionTimeoutMs, dismiss)
      while (!this.isEmpty) await this.#serveSome(channelWaiter)
    } catch (error) {
      if (error instanceof SubscriptionTimeoutError)
        dismissOverdue(this.#takers, subscriptionTimeoutMs, error, dismiss)
      else this.#takers.dismiss([...this.#takers], error as Error)
    } finally {
      this.#channelWaiter?.leave()
      this.#channelWaiter = undefined
    }
    if (!this.isEmpty) await this.#serve()
  }

  /** Sends one request for the first of the queue, and waits for a message if there is not enough for all of them. */
  async #serveSome(channelWaiter: ChannelWaiter): Promise<void> {
    const takers = this.#takers.firstWithin(this.#source.mostPermits)
    const claims = takers.map(({ claim }) => claim)
    const initial = initialOf(this.#there ? takers : this.#takers)
    const until = { deadline: latestOf(claims), signal: undefined }
    const { comers } = this.#takers
    const late = new Set(this.#late)
    let served: Served<T>
    try {
      served = await this.#replies.ask(() => this.#source.ask(claims, initial, until))
    } catch (error) {
      this.#takers.dismiss(isOutage(error, until) ? this.#takers.until(comers) : takers, error as Error)
      return
    }
    this.#there = served.there
    this.#handOut(takers, served.got)
    const isRefused = served.got.length < takers.length // and so are those behind them
    for (const taker of isRefused ? late : takers.filter((each) => late.has(each))) taker.served.set()
    const isBrought = !served.there && initialOf(this.#takers) !== undefined
    if (this.#takers.isRefusedAs(takers[served.got.length]) && !isBrought)
      await channelWaiter.wait(served.retryInMs)
  }

  /** Waiters that have left meanwhile get nothing. */
  #handOut(takers: readonly QueuedTaker<C, T>[], got: readonly T[]): void {
    const left: T[] = []
    for (const [index, each] of got.entries()) {
      const taker = takers[index]
      if (taker === undefined || !this.#takers.serve(taker, each)) left.push(each)
    }
    if (left.length > 0) this.#source.giveBack(left)
  }

  /** When the first has left, the next may have enough; when all have, there is nothing to listen for. */
  #leave(taker: QueuedTaker<C, T>): void {
    const wasFirst = this.#takers.first === taker
    if (this.#takers.delete(taker) && wasFirst) this.#channelWaiter?.set()
  }
}

/** When the last of them gives up. */
function latestOf(claims: readonly Claim[]): Deadline {
  return claims
    .map(({ deadline }) => deadline)
    .reduce((latest, each) => (each.within(Infinity) > latest.within(Infinity) ? each : latest))
}
