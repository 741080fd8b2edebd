import type { LockContext } from '../../core/context/object-context.js'
import { unheard } from '../../core/context/still-wanted.js'
import { isOutage } from '../../core/holds/outage.js'
import { SubscriptionTimeoutError } from '../../errors/connection-errors.js'
import type { ChannelWaiter } from '../../pubsub/channel-waiter.js'
import { Deadline } from '../../util/time/deadline.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { QueueReplies } from '../../waiting/queue-replies.js'
import type { WorkRequest } from './settings.js'
import { WaitingWork, WaitingWorks, type Granted } from './waiting-work.js'
import type { Served, WorkRequests } from './work-requests.js'

/** The queues of a client that Redis may call, by their names in Redis. */
export type CalledQueues = Map<string, WorkQueue>

/**
 * The functions of this client that wait for one limiter.
 *
 * They are one waiter in Redis, with one subscription and one request at a time, for as many of the first as may begin together. Redis calls
 * the queue when it is its turn, by a message with its name.
 */
export class WorkQueue {
  /** Its name in Redis. It ends with the queue, and with a request that has failed, so that no late request concerns the next one. */
  #waiter: string
  readonly #context: LockContext
  readonly #requests: WorkRequests
  readonly #called: CalledQueues
  readonly #works = new WaitingWorks()
  readonly #replies = new QueueReplies()
  #isServing = false
  /** Where it is called, once it has been refused. */
  #calls: ChannelWaiter | undefined
  /** Until when only the rate is in the way, on the monotonic clock. */
  #rateUntil = -Infinity
  /** In how many milliseconds the last call says to ask. */
  #calledInMs = 0
  /** Whether Redis has it wait. */
  #isEntered = false

  /** @param called - this queue and others: for a moment there may be two of one limiter, which hear the same messages */
  constructor(context: LockContext, requests: WorkRequests, called: CalledQueues) {
    this.#context = context
    this.#requests = requests
    this.#called = called
    this.#waiter = requests.newWaiter()
  }

  get size(): number {
    return this.#works.size
  }

  get isEmpty(): boolean {
    return this.size === 0
  }

  /** Whether it is known that its first function waits, and begins before a new one of this priority. */
  standsBefore(priority: number): boolean {
    const { first } = this.#works
    return first?.isRefused === true && first.request.priority >= priority
  }

  /** Its name in Redis. */
  get waiter(): string {
    return this.#waiter
  }

  /** Something may have changed: asks soon. A place that is free changes nothing while the rate is in the way. */
  placeFreed(): void {
    if (performance.now() >= this.#rateUntil) this.#calls?.set()
  }

  /** It is its turn to ask, in that number of milliseconds. */
  call(inMs: number): void {
    this.#calledInMs = inMs
    this.#calls?.set()
  }

  get #place(): string {
    return this.#context.topology.placeOf(this.#requests.key)
  }

  /**
   * Waits until a function may begin; returns undefined when the time is over.
   *
   * @throws {@link ReplyTimeoutError} or {@link ConnectionLostError} if Redis has said nothing by then
   */
  async wait(request: WorkRequest): Promise<Granted | undefined> {
    const { deadline, signal } = request
    const work = this.#works.add(new WaitingWork(request))
    if (!this.#isServing) void withoutAsyncContext(() => this.#serve())
    else if (this.#works.first === work) this.#calls?.set() // it comes before all others
    try {
      await work.turn.wait(deadline.within(Infinity), signal)
      if (work.granted === undefined && this.#replies.isSilentFor(work))
        throw unheard(this.#context, this.#place, work.cameAt)
    } catch (error) {
      if (work.granted !== undefined) this.#requests.giveBackUnused([work.granted], request.settings) // granted in the moment in which it gave up
      throw error
    } finally {
      this.#leave(work)
    }
    return work.granted
  }

  /** Sends requests until no function waits any more. Never rejects. */
  async #serve(): Promise<void> {
    this.#isServing = true
    await Promise.resolve() // calls of the same moment are asked for together
    while (!this.isEmpty) await this.#serveAll()
    this.#isServing = false
  }

  async #serveAll(): Promise<void> {
    try {
      while (!this.isEmpty) {
        const retryInMs = await this.#serveSome()
        if (retryInMs === 0) continue
        if (this.#calls === undefined) await this.#listen()
        else await this.#sleep(this.#calls, retryInMs)
      }
    } catch (error) {
      this.#dismiss(error as Error)
    } finally {
      this.#calls?.leave()
      this.#calls = undefined
      this.#beginAnew()
    }
  }

  /** Waits no more by its name, and has another one from now on. */
  #beginAnew(): void {
    if (this.#isEntered) this.#requests.leave(this.#waiter)
    this.#isEntered = false
    this.#called.delete(this.#waiter)
    this.#waiter = this.#requests.newWaiter()
    if (this.#calls !== undefined) this.#called.set(this.#waiter, this)
  }

  /** Sends one request for the first functions. Returns in how many milliseconds to ask again. */
  async #serveSome(): Promise<number> {
    const works = this.#works.together()
    const [first, ...others] = works.map(({ request }) => request)
    if (first === undefined) return 0
    const { latest } = this.#works
    const deadline = Deadline.latest([first, ...others])
    let served: Served
    this.#isEntered = true // unless its reply says something else
    try {
      served = await this.#replies.ask(() =>
        this.#requests.ask([first, ...others], this.#waiter, { enters: 1, replyBy: deadline }),
      )
    } catch (error) {
      const isForAll = isOutage(error, { deadline })
      this.#works.reject(isForAll ? this.#works.upTo(latest) : works, error as Error)
      this.#beginAnew()
      return 0
    }
    const { granted, retryInMs, byRate } = served
    this.#isEntered = granted.length < works.length
    this.#rateUntil = byRate ? performance.now() + retryInMs : -Infinity
    this.#handOut(works, granted)
    const refused = works[granted.length]
    if (refused !== undefined) refused.isRefused = true
    return refused === undefined || this.#works.first !== refused ? 0 : retryInMs
  }

  /** Those that have left meanwhile get nothing. */
  #handOut(works: readonly WaitingWork[], granted: readonly Granted[]): void {
    for (const [index, each] of granted.entries()) {
      const work = works[index]
      if (work !== undefined && !this.#works.serve(work, each))
        this.#requests.giveBackUnused([each], work.request.settings)
    }
  }

  /** Subscribes. It was refused before, and asks again once it hears. */
  async #listen(): Promise<void> {
    const { subscriptionTimeoutMs } = this.#context.config
    this.#called.set(this.#waiter, this)
    this.#calls = this.#context.wakeUps.join(this.#requests.channel, (message) => this.#onMessage(message))
    await this.#works.confirmed(this.#calls, subscriptionTimeoutMs)
  }

  /** Sleeps until it is called, and for as long as the call says, but no longer than that. */
  async #sleep(calls: ChannelWaiter, retryInMs: number): Promise<void> {
    this.#calledInMs = 0
    const until = Deadline.after(retryInMs)
    if (!(await calls.wait(until.within(Infinity))) || this.#calledInMs === 0) return
    this.#rateUntil = performance.now() + this.#calledInMs
    await calls.wait(Math.min(this.#calledInMs, until.within(Infinity)))
  }

  /** Passes a message on to the queue that it calls, and so wakes no other. */
  #onMessage(message: string): number {
    const [waiter = '', inMs = ''] = message.split(' ')
    const queue = this.#called.get(waiter)
    if (inMs === '') queue?.placeFreed()
    else queue?.call(Number(inMs))
    return 0
  }

  #leave(work: WaitingWork): void {
    const wasFirst = this.#works.first === work
    if (this.#works.delete(work) && wasFirst) this.#calls?.set()
  }

  #dismiss(error: Error): void {
    const { subscriptionTimeoutMs } = this.#context.config
    if (error instanceof SubscriptionTimeoutError) this.#works.rejectOverdue(error, subscriptionTimeoutMs)
    else this.#works.reject([...this.#works], error)
  }
}
