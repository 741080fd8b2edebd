import type { Cluster, Redis } from 'ioredis'
import type { Config, Delay } from '../../config/config.js'
import { afterRunning } from '../../util/time/after-running.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import type { Attempts, Failures } from './failures.js'

/** The longest pause between attempts to reach a server that may not have started yet, in milliseconds. */
const LONGEST_PAUSE_MS = 1000

type Settings = Pick<Config, 'lazy' | 'connectWaitMs' | 'retryAttempts' | 'reconnectionDelay'>

/** Makes the first connection to the servers, and limits how long that is tried. */
export class InitialConnection {
  readonly #settings: Settings
  readonly #failures: Failures
  #made = false

  constructor(settings: Settings, failures: Failures) {
    this.#settings = settings
    this.#failures = failures
  }

  /** The pause before the next attempt to connect. It stays short until the first connection is made. */
  get delay(): Delay {
    const { lazy, connectWaitMs, reconnectionDelay } = this.#settings
    if (!lazy && connectWaitMs === undefined) return reconnectionDelay
    return (attempt) => {
      const delayMs = reconnectionDelay(attempt)
      return this.#made ? delayMs : Math.min(delayMs, LONGEST_PAUSE_MS)
    }
  }

  /**
   * Connects for the first time. For a lazy client it tries until the connection is closed.
   *
   * @throws {@link AuthenticationError} as soon as a server refuses us
   * @throws {@link ConnectionLostError} when the servers cannot be reached in time, or within the number of attempts
   */
  async make(redis: Redis | Cluster): Promise<void> {
    const { lazy, connectWaitMs } = this.#settings
    const startedAt = performance.now()
    const { promise, resolve } = Promise.withResolvers<Attempts | undefined>()
    const failed = { error: 0, close: 0 }
    const succeed = () => {
      resolve(undefined)
    }
    const giveUp = () => {
      const attempts = Math.max(failed.error, failed.close, 1)
      resolve({ attempts, elapsedMs: performance.now() - startedAt })
    }
    const fail = (event: 'error' | 'close') => {
      failed[event] += 1
      if (!lazy && (failed[event] > this.#retries || this.#failures.final)) giveUp()
    }
    // A failed attempt emits one event or the other, or both.
    const listeners = {
      ready: succeed,
      close: () => {
        fail('close')
      },
      error: () => {
        fail('error')
      },
      end: giveUp, // ioredis does not try again, as where a socket cannot even be made with the settings
    }
    for (const [event, listener] of Object.entries(listeners)) redis.on(event, listener)
    const stopTimer = connectWaitMs === undefined ? undefined : afterRunning(connectWaitMs, giveUp)
    try {
      if (redis.status === 'ready') succeed()
      else if (redis.status === 'end') giveUp()
      else withoutAsyncContext(() => redis.connect()).catch(() => undefined) // ioredis repeats it; its attempts are counted here
      const failure = await promise
      if (failure !== undefined) throw await this.#failures.toError(failure)
      this.#made = true
    } finally {
      stopTimer?.()
      for (const [event, listener] of Object.entries(listeners)) redis.off(event, listener)
    }
  }

  /** How many attempts may fail after the first. */
  get #retries(): number {
    return this.#settings.connectWaitMs === undefined ? this.#settings.retryAttempts : Infinity
  }
}
