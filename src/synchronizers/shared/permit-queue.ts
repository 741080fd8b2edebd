import type { Patience } from '../../core/arguments.js'
import type { LockContext } from '../../core/object-context.js'
import { isOutage, sameOutage } from '../../core/outage.js'
import { SubscriptionTimeoutError } from '../../errors/connection-errors.js'
import type { ChannelWaiter } from '../../pubsub/channel-waiter.js'
import type { Deadline } from '../../util/deadline.js'
import { LinkedList } from '../../util/linked-list.js'
import { dismissOverdue, settleForAll, type Comer } from '../../waiting/own-time.js'
import { withoutAsyncContext } from '../../util/without-async-context.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import { PermitTurns } from './permit-turns.js'

/** How many of a line one request asks for at most. */
const MOST_CLAIMS = 100

/** A message wakes the queue. */
const wakeOne = (): number => 1

/** What one caller wants. */
export interface Claim extends Patience {
  readonly permits: number
  /** How many permits the caller brings for a semaphore that is not there. */
  readonly initial: number | undefined
}

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

/** One waiter of the queue. */
class QueuedTaker<C, T> implements Comer {
  readonly cameAt = performance.now()
  readonly claim: C
  /** How many came before it and with it, ever. */
  readonly number: number
  /** Wakes when it has got what it waits for. */
  readonly served = new AutoResetEvent()
  got: T | undefined

  constructor(claim: C, number: number) {
    this.claim = claim
    this.number = number
  }
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
  readonly #places = new LinkedList<QueuedTaker<C, T>>()
  /** How many have ever joined. */
  #comers = 0
  /** The subscription of the queue, while it has waiters. */
  #channelWaiter: ChannelWaiter | undefined
  /** Whether the semaphore was there when it was last asked for; nothing else is known at first. */
  #there = true
  readonly #turns = new PermitTurns()

  constructor(context: LockContext, source: PermitSource<C, T>) {
    this.#context = context
    this.#source = source
  }

  get isEmpty(): boolean {
    return this.#places.size === 0
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
    const before = this.#places.first
    const places = this.#placesFor(permits)
    if (!this.#turns.any || !this.#there || before === undefined || places === undefined) return false
    this.#turns.take()
    for (const place of places) this.#serveOne(place, shareOf(place.claim))
    if (!this.#isRefusedAs(before)) this.#channelWaiter?.set()
    return true
  }

  /** Waits in the queue until there are permits; returns undefined when the time is over. */
  async wait(claim: C): Promise<T | undefined> {
    const place = new QueuedTaker<C, T>(claim, (this.#comers += 1))
    this.#places.add(place)
    if (this.#channelWaiter === undefined)
      void withoutAsyncContext(() => this.#serve()) // it may outlast the call that begins it
    else if (!this.#there && claim.initial !== undefined) this.#channelWaiter.set()
    try {
      await place.served.wait(claim.deadline.within(Infinity), claim.signal)
    } catch (error) {
      if (place.got !== undefined) this.#source.giveBack([place.got]) // it was served in the moment in which it gave up
      throw error
    } finally {
      this.#leave(place)
    }
    return place.got
  }

  /** Sends requests until no caller waits any more. Never rejects. */
  async #serve(): Promise<void> {
    const { subscriptionTimeoutMs } = this.#context.config
    const dismiss = (place: QueuedTaker<C, T>, error: Error) => {
      this.#dismiss([place], error)
    }
    try {
      const channelWaiter = this.#context.wakeUps.join(this.#source.channel, wakeOne)
      this.#channelWaiter = channelWaiter
      await settleForAll(channelWaiter, this.#places, subscriptionTimeoutMs, dismiss)
      while (!this.isEmpty) await this.#serveSome(channelWaiter)
    } catch (error) {
      if (error instanceof SubscriptionTimeoutError)
        dismissOverdue(this.#places, subscriptionTimeoutMs, error, dismiss)
      else this.#dismiss([...this.#places], error as Error)
    } finally {
      this.#channelWaiter?.leave()
      this.#channelWaiter = undefined
    }
    if (!this.isEmpty) await this.#serve()
  }

  /** Sends one request for the first of the queue, and waits for a message if there is not enough for all of them. */
  async #serveSome(channelWaiter: ChannelWaiter): Promise<void> {
    const places = this.#firstPlaces()
    const claims = places.map(({ claim }) => claim)
    const initial = this.#initialOf(this.#there ? places : this.#places)
    const until = { deadline: latestOf(claims), signal: undefined }
    const last = this.#comers
    let served: Served<T>
    try {
      served = await this.#source.ask(claims, initial, until)
    } catch (error) {
      this.#dismiss(isOutage(error, until) ? this.#placesUntil(last) : places, error as Error)
      return
    }
    this.#there = served.there
    this.#handOut(places, served.got)
    const isBrought = !served.there && this.#initialOf(this.#places) !== undefined
    if (this.#isRefusedAs(places[served.got.length]) && !isBrought) await channelWaiter.wait(served.retryInMs)
  }

  /** Whether what was too little for one waiter is too little for the first as well. */
  #isRefusedAs(other: QueuedTaker<C, T> | undefined): boolean {
    const { first } = this.#places
    return first !== undefined && other !== undefined && first.claim.permits >= other.claim.permits
  }

  #firstPlaces(): QueuedTaker<C, T>[] {
    const places: QueuedTaker<C, T>[] = []
    let permits = 0
    for (const place of this.#places) {
      permits += place.claim.permits
      if (places.length > 0 && permits > this.#source.mostPermits) break
      if (places.push(place) === MOST_CLAIMS) break
    }
    return places
  }

  /** The first waiters, who together want exactly that many permits; undefined where there are no such. */
  #placesFor(permits: number): QueuedTaker<C, T>[] | undefined {
    const places: QueuedTaker<C, T>[] = []
    let wanted = 0
    for (const place of this.#places) {
      if (wanted >= permits) break
      wanted += place.claim.permits
      places.push(place)
    }
    return wanted === permits ? places : undefined
  }

  /** The waiters up to the last one given. */
  #placesUntil(last: number): QueuedTaker<C, T>[] {
    return [...this.#places].filter(({ number }) => number <= last)
  }

  #initialOf(places: Iterable<QueuedTaker<C, T>>): number | undefined {
    for (const { claim } of places) if (claim.initial !== undefined) return claim.initial
    return undefined
  }

  /** Waiters that have left meanwhile get nothing. */
  #handOut(places: readonly QueuedTaker<C, T>[], got: readonly T[]): void {
    const left: T[] = []
    for (const [index, each] of got.entries()) {
      const place = places[index]
      if (place === undefined || !this.#serveOne(place, each)) left.push(each)
    }
    if (left.length > 0) this.#source.giveBack(left)
  }

  /** Returns false if the waiter has left. */
  #serveOne(place: QueuedTaker<C, T>, got: T): boolean {
    if (!this.#places.delete(place)) return false
    place.got = got
    place.served.set()
    return true
  }

  #dismiss(places: readonly QueuedTaker<C, T>[], error: Error): void {
    for (const place of places) {
      this.#places.delete(place)
      place.served.fail(sameOutage(error))
    }
  }

  /** When the first has left, the next may have enough; when all have, there is nothing to listen for. */
  #leave(place: QueuedTaker<C, T>): void {
    const wasFirst = this.#places.first === place
    if (this.#places.delete(place) && wasFirst) this.#channelWaiter?.set()
  }
}

/** When the last of them gives up. */
function latestOf(claims: readonly Claim[]): Deadline {
  return claims
    .map(({ deadline }) => deadline)
    .reduce((latest, each) => (each.within(Infinity) > latest.within(Infinity) ? each : latest))
}
