import type { LockContext } from '../../core/context/object-context.js'
import { isOutage } from '../../core/holds/outage.js'
import { unheard } from '../../core/context/still-wanted.js'
import { SubscriptionTimeoutError } from '../../errors/connection-errors.js'
import type { ChannelWaiter } from '../../pubsub/channel-waiter.js'
import { Deadline } from '../../util/time/deadline.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { QueueReplies } from '../../waiting/queue-replies.js'
import type { Until } from '../../waiting/settled-in-time.js'
import { PermitTurns } from './permit-turns.js'
import { initialOf, PermitWaiter, PermitWaiters, type Claim } from './permit-waiters.js'

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
  readonly compensate: (got: readonly T[]) => void
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
  readonly #waiters = new PermitWaiters<C, T>()
  /** The subscription of the queue, while it has waiters. */
  #channelWaiter: ChannelWaiter | undefined
  /** Whether the semaphore was there when it was last asked for; nothing else is known at first. */
  #there = true
  readonly #turns = new PermitTurns()
  /** Those whose time is over, and for whom the next request is the last. */
  readonly #late = new Set<PermitWaiter<C, T>>()
  /** The caller that opens the queue was refused before. */
  readonly #replies = new QueueReplies(true)

  constructor(context: LockContext, source: PermitSource<C, T>) {
    this.#context = context
    this.#source = source
  }

  get isEmpty(): boolean {
    return this.#waiters.isEmpty
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
    const before = this.#waiters.first
    const waiters = this.#waiters.firstFor(permits)
    if (!this.#turns.any || !this.#there || before === undefined || waiters === undefined) return false
    this.#turns.take()
    for (const waiter of waiters) this.#waiters.serve(waiter, shareOf(waiter.claim))
    if (!this.#waiters.isRefusedAs(before)) this.#channelWaiter?.set()
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
    const waiter = this.#waiters.add(new PermitWaiter<C, T>(claim))
    if (this.#channelWaiter === undefined)
      void withoutAsyncContext(() => this.#serve()) // it may outlast the call that begins it
    else if (!this.#there && claim.initial !== undefined) this.#channelWaiter.set()
    try {
      await waiter.turn.wait(claim.deadline.within(Infinity), claim.signal)
      if (waiter.got === undefined && claim.deadline.passedLongAgo) await this.#askOnceMore(waiter)
      if (waiter.got === undefined && this.#replies.isSilentFor(waiter))
        throw unheard(this.#context, this.#place, waiter.cameAt)
    } catch (error) {
      if (waiter.got !== undefined) this.#source.compensate([waiter.got]) // it was served in the moment in which it gave up
      throw error
    } finally {
      this.#leave(waiter)
    }
    return waiter.got
  }

  /**
   * Tries once more for a waiter whose time is over, and which missed events because the process was
   * suspended.
   */
  async #askOnceMore(waiter: PermitWaiter<C, T>): Promise<void> {
    this.#late.add(waiter)
    this.#channelWaiter?.set()
    try {
      await waiter.turn.wait(this.#context.config.timeoutMs, waiter.claim.signal)
    } finally {
      this.#late.delete(waiter)
    }
  }

  /** Sends requests until no caller waits any more. Never rejects. */
  async #serve(): Promise<void> {
    const { subscriptionTimeoutMs } = this.#context.config
    try {
      const channelWaiter = this.#context.wakeUps.join(this.#source.channel, wakeOne)
      this.#channelWaiter = channelWaiter
      await this.#waiters.confirmed(channelWaiter, subscriptionTimeoutMs)
      while (!this.isEmpty) await this.#serveSome(channelWaiter)
    } catch (error) {
      if (error instanceof SubscriptionTimeoutError) this.#waiters.rejectOverdue(error, subscriptionTimeoutMs)
      else this.#waiters.reject([...this.#waiters], error as Error)
    } finally {
      this.#channelWaiter?.leave()
      this.#channelWaiter = undefined
    }
    if (!this.isEmpty) await this.#serve()
  }

  /** Sends one request for the first of the queue, and waits for a message if there is not enough for all of them. */
  async #serveSome(channelWaiter: ChannelWaiter): Promise<void> {
    const waiters = this.#waiters.firstWithin(this.#source.mostPermits)
    const claims = waiters.map(({ claim }) => claim)
    const initial = initialOf(this.#there ? waiters : this.#waiters)
    const until = { deadline: Deadline.latest(claims), signal: undefined }
    const { latest } = this.#waiters
    const late = new Set(this.#late)
    let served: Served<T>
    try {
      served = await this.#replies.ask(() => this.#source.ask(claims, initial, until))
    } catch (error) {
      this.#waiters.reject(isOutage(error, until) ? this.#waiters.upTo(latest) : waiters, error as Error)
      return
    }
    this.#there = served.there
    this.#handOut(waiters, served.got)
    const isRefused = served.got.length < waiters.length // and so are those behind them
    for (const waiter of isRefused ? late : waiters.filter((each) => late.has(each))) waiter.turn.set()
    const isBrought = !served.there && initialOf(this.#waiters) !== undefined
    if (this.#waiters.isRefusedAs(waiters[served.got.length]) && !isBrought)
      await channelWaiter.wait(served.retryInMs)
  }

  /** Waiters that have left meanwhile get nothing. */
  #handOut(waiters: readonly PermitWaiter<C, T>[], got: readonly T[]): void {
    const left: T[] = []
    for (const [index, each] of got.entries()) {
      const waiter = waiters[index]
      if (waiter === undefined || !this.#waiters.serve(waiter, each)) left.push(each)
    }
    if (left.length > 0) this.#source.compensate(left)
  }

  /** When the first has left, the next may have enough; when all have, there is nothing to listen for. */
  #leave(waiter: PermitWaiter<C, T>): void {
    const wasFirst = this.#waiters.first === waiter
    if (this.#waiters.delete(waiter) && wasFirst) this.#channelWaiter?.set()
  }
}
