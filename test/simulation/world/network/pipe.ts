import type { AsyncResource } from 'node:async_hooks'
import type { Clock } from '../clock.js'
import type { EventLoop } from '../event-loop.js'

/** What is under way. */
interface Item<T> {
  readonly content: T
  at: number
}

/** Where a pipe leads. */
export interface PipeEnd {
  readonly loop: EventLoop
  readonly resource?: AsyncResource | undefined
  /** A description for the message that lists the events that ran last. */
  readonly what: string
  /** Called when something has arrived, for {@link Pipe.take}. */
  readonly arrived: () => void
}

/** One direction of a connection: what is sent arrives later, and in order. */
export class Pipe<T> {
  readonly #clock: Clock
  readonly #end: PipeEnd
  readonly #items: Item<T>[] = []
  #lastAt = 0
  #isHeld = false
  #isBroken = false

  constructor(clock: Clock, end: PipeEnd) {
    this.#clock = clock
    this.#end = end
  }

  /** Whether what is sent is lost. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** Whether nothing is under way. */
  get isEmpty(): boolean {
    return this.#items.length === 0
  }

  /** Sends something that arrives at a time, but not before what was sent earlier. */
  send(content: T, at: number): void {
    if (this.#isBroken) return
    const item = { content, at: this.#isHeld ? Infinity : Math.max(at, this.#lastAt) }
    this.#items.push(item)
    if (!this.#isHeld) this.#announce(item.at)
  }

  /** Takes the next of what has arrived. */
  take(): T | undefined {
    const [first] = this.#items
    if (first === undefined || first.at > this.#clock.now) return undefined
    this.#items.shift()
    return first.content
  }

  /** Has something that was taken arrive at a later time, still before all that is under way. */
  putBack(content: T, until: number): void {
    this.#items.unshift({ content, at: until })
    this.delay(until)
  }

  /** Loses what is under way, and all that is sent later. */
  break(): void {
    this.#isBroken = true
    this.#items.length = 0
  }

  /** Loses what is sent later. What is under way arrives. */
  close(): void {
    this.#isBroken = true
  }

  /** Keeps what is under way until {@link release}. */
  hold(): void {
    this.#isHeld = true
    for (const item of this.#items) item.at = Infinity
  }

  /** Has what was kept arrive at a time. */
  release(at: number): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.delay(at)
  }

  /** Has everything that is under way arrive no earlier than at a time. */
  delay(until: number): void {
    for (const item of this.#items) item.at = item.at === Infinity ? until : Math.max(item.at, until)
    const arrivals = new Set(this.#items.map(({ at }) => at))
    for (const at of arrivals) this.#announce(at)
  }

  /** One event brings all that arrives at the same time. */
  #announce(at: number): void {
    if (at === this.#lastAt && at > this.#clock.now) return
    this.#lastAt = at
    const { loop, resource, what, arrived } = this.#end
    this.#clock.schedule({ at, loop, resource, kind: 'message', what, run: arrived })
  }
}
