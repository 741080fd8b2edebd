import { timerDelay } from './timers.js'

/**
 * Someone who sleeps until woken, and looks again.
 *
 * A wake-up that comes while nobody sleeps is kept, and ends the next sleep at once, so that none is lost.
 */
export class Sleeper {
  #woken = false
  #dismissed: Error | undefined
  #rouse: (() => void) | undefined

  /** Whether a wake-up has come that was not slept for. */
  get woken(): boolean {
    return this.#woken
  }

  /**
   * Sleeps until woken, but no longer than so many milliseconds. Answers whether it was woken; rejects with the signal's
   * reason when that aborts.
   */
  async sleep(timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    if (!this.#mustRise(signal)) await this.#rest(timeoutMs, signal)
    signal?.throwIfAborted()
    if (this.#dismissed !== undefined) throw this.#dismissed
    return this.takeWakeUp()
  }

  /** Wakes the sleeper, now or as soon as it goes to sleep. */
  wake(): void {
    this.#woken = true
    this.#rouse?.()
  }

  /** Ends this sleep and every later one with an error. */
  dismiss(error: Error): void {
    this.#dismissed = error
    this.#rouse?.()
  }

  /** Answers whether a wake-up was left over, and takes it. */
  takeWakeUp(): boolean {
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
    signal?.addEventListener('abort', rise)
    this.#rouse = rise
    await promise
    this.#rouse = undefined
    signal?.removeEventListener('abort', rise)
    clearTimeout(timer)
  }
}
