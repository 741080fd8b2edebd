import { AsyncResource } from 'node:async_hooks'
import type { Clock, ClockEvent } from '../clock.js'
import type { EventLoop } from '../event-loop.js'

export type Callback = (...args: unknown[]) => unknown

/** Longer delays fire at once, as in Node. */
const LONGEST_MS = 2 ** 31 - 1

/** What `setTimeout()` and `setInterval()` return in a simulation. */
export class Timer {
  readonly #clock: Clock
  readonly #loop: EventLoop
  readonly #callback: Callback
  readonly #args: readonly unknown[]
  readonly #delayMs: number
  readonly #repeats: 'once' | 'again'
  readonly #resource = new AsyncResource('SIMULATEDTIMER', { requireManualDestroy: true })
  #event: ClockEvent | undefined
  /** On the monotonic clock of its process. */
  #dueAt = 0
  #isRef = true
  #isClosed = false
  #id: number | undefined

  constructor(
    clock: Clock,
    callback: Callback,
    args: readonly unknown[],
    delay: unknown,
    repeats: 'once' | 'again',
  ) {
    this.#clock = clock
    this.#loop = clock.current
    this.#callback = callback
    this.#args = args
    this.#delayMs = delayOf(delay)
    this.#repeats = repeats
    this.#start()
  }

  ref(): this {
    return this.#setRef(true)
  }

  unref(): this {
    return this.#setRef(false)
  }

  hasRef(): boolean {
    return this.#isRef
  }

  /** Starts it anew. */
  refresh(): this {
    if (this.#isClosed) return this
    this.#cancel()
    this.#start()
    return this
  }

  close(): this {
    this.#isClosed = true
    this.#cancel()
    if (this.#id !== undefined) timersById.delete(this.#id)
    return this
  }

  /** A number by which `clearTimeout()` knows it. */
  [Symbol.toPrimitive](): number {
    this.#id ??= ids += 1
    timersById.set(this.#id, this)
    return this.#id
  }

  [Symbol.dispose](): void {
    this.close()
  }

  /** Node counts whole milliseconds of the monotonic clock, so that a timer may fire up to one before its time. */
  #start(): void {
    const { time } = this.#loop
    this.#dueAt = Math.floor(time.monotonicAt(this.#clock.now)) + this.#delayMs
    this.#event = this.#clock.schedule({
      at: time.trueTimeOf(this.#dueAt),
      loop: this.#loop,
      resource: this.#resource,
      kind: 'timer',
      what: this.#callback.name,
      run: this.#fire,
      isRef: this.#isRef,
    })
  }

  readonly #fire = (): void => {
    this.#event = undefined
    this.#loop.time.reach(this.#dueAt)
    try {
      this.#callback.apply(this, [...this.#args])
    } finally {
      this.#repeat()
    }
  }

  /** The callback may have closed or restarted it. */
  #repeat(): void {
    if (this.#repeats === 'again' && !this.#isClosed && this.#event === undefined) this.#start()
  }

  #cancel(): void {
    if (this.#event !== undefined) this.#clock.cancel(this.#event)
    this.#event = undefined
  }

  #setRef(isRef: boolean): this {
    this.#isRef = isRef
    if (this.#event !== undefined) this.#clock.setRef(this.#event, isRef)
    return this
  }
}

let ids = 0

/** Those that were taken for numbers. */
const timersById = new Map<number, Timer>()

/** The timer that `clearTimeout()` was given, as itself or as its number. */
export function timerOf(handle: unknown): Timer | undefined {
  if (handle instanceof Timer) return handle
  return typeof handle === 'number' || typeof handle === 'string' ? timersById.get(Number(handle)) : undefined
}

function delayOf(delay: unknown): number {
  const ms = Math.trunc(Number(delay))
  return ms >= 1 && ms <= LONGEST_MS ? ms : 1
}

/** What `setImmediate()` returns in a simulation. */
export class Immediate {
  readonly #clock: Clock
  readonly #event: ClockEvent

  constructor(clock: Clock, callback: Callback, args: readonly unknown[]) {
    this.#clock = clock
    this.#event = clock.schedule({
      at: clock.now,
      loop: clock.current,
      resource: new AsyncResource('SIMULATEDIMMEDIATE', { requireManualDestroy: true }),
      kind: 'immediate',
      what: callback.name,
      run: () => callback.apply(this, [...args]),
    })
  }

  ref(): this {
    return this.#setRef(true)
  }

  unref(): this {
    return this.#setRef(false)
  }

  hasRef(): boolean {
    return this.#event.isRef
  }

  close(): void {
    this.#clock.cancel(this.#event)
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #setRef(isRef: boolean): this {
    this.#clock.setRef(this.#event, isRef)
    return this
  }
}
