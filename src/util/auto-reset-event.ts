import { onAbort } from './abort/abort-listeners.js'
import { Deadline } from './time/deadline.js'
import { timerDelay } from './time/timers.js'

/** Timers count whole milliseconds: one that fires no later than this was not held up. */
const IN_TIME_MS = 1

/**
 * A waiter that sleeps until woken, and checks again.
 *
 * A wake-up that comes while no waiter sleeps is kept, and ends the next sleep at once, so that none is lost.
 */
export class AutoResetEvent {
  #woken = false
  #dismissed: Error | undefined
  #rouse: (() => void) | undefined

  /** Whether a wake-up has come that was not slept for. */
  get isSet(): boolean {
    return this.#woken
  }

  /**
   * Sleeps until woken, but no longer than that number of milliseconds. Returns whether it was woken; rejects with the signal's
   * reason when that aborts.
   */
  async wait(timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (!this.#mustRise(signal)) await this.#rest(timeoutMs, signal)
    signal?.throwIfAborted()
    if (this.#dismissed !== undefined) throw this.#dismissed
    return this.takeSignal()
  }

  /**
   * The same for what Redis has to say: while the program does not let the event loop run, that cannot be read. So a sleep that ends late
   * begins once more, at most for as long again, unless the deadline of the caller has passed.
   */
  async waitToHear(timeoutMs: number, signal?: AbortSignal, deadline = Deadline.never): Promise<boolean> {
    const dueAt = performance.now() + timeoutMs
    if (await this.wait(timeoutMs, signal)) return true
    const lateMs = performance.now() - dueAt
    if (lateMs <= IN_TIME_MS || deadline.passed) return false
    return await this.wait(Math.min(lateMs, timeoutMs), signal)
  }

  /** Wakes the sleeper, now or as soon as it goes to sleep. */
  set(): void {
    this.#woken = true
    this.#rouse?.()
  }

  /** Ends this sleep and every later one with an error. */
  fail(error: Error): void {
    this.#dismissed = error
    this.#rouse?.()
  }

  /** Returns whether a wake-up was left over, and takes it. */
  takeSignal(): boolean {
    const woken = this.#woken
    this.#woken = false
    return woken
  }

  #mustRise(signal: AbortSignal | undefined): boolean {
    return this.#woken || this.#dismissed !== undefined || signal?.aborted === true
  }

  async #rest(timeoutMs: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const rise = () => {
      resolve()
    }
    const timer = timeoutMs === Infinity ? undefined : setTimeout(rise, timerDelay(timeoutMs))
    const stopListening = signal && onAbort(signal, rise)
    this.#rouse = rise
    await promise
    this.#rouse = undefined
    stopListening?.()
    clearTimeout(timer)
  }
}
