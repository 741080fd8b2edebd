import type { RunOptions } from '../../command/operation/command-executor.js'
import { isTransient } from '../../errors/transient.js'
import type { Emitter } from '../../util/emitter.js'
import { Deadline } from '../../util/time/deadline.js'
import type { CacheEvents } from './cache.api.js'

/** How often Redis is asked while it is down, in milliseconds. */
const PROBE_MS = 1000

const FAIL_FAST: RunOptions = { failFast: true }

/** Whether Redis replies in time. */
export class Outage {
  readonly #events: Emitter<CacheEvents>
  #isDown = false
  #probeAt = 0

  constructor(events: Emitter<CacheEvents>) {
    this.#events = events
  }

  /** Whether Redis is not to be asked now: it was down a moment ago. Lets one call ask from time to time. */
  get skips(): boolean {
    if (!this.#isDown) return false
    const now = performance.now()
    if (now < this.#probeAt) return true
    this.#probeAt = now + PROBE_MS
    return false
  }

  /** How requests are made whose time is bounded otherwise. */
  get how(): RunOptions {
    return this.#isDown ? FAIL_FAST : {}
  }

  /** The options of a request whose caller waits no longer than this. */
  within(redisTimeoutMs: number): RunOptions {
    const replyBy = redisTimeoutMs === Infinity ? undefined : Deadline.after(redisTimeoutMs)
    return this.#isDown ? { replyBy, failFast: true } : { replyBy }
  }

  /** Takes note that Redis has replied. */
  over(): void {
    if (!this.#isDown) return
    this.#isDown = false
    this.#events.emit('redisUp', undefined)
  }

  /** Takes note of an error. Returns whether it means that Redis is down. */
  isDownBy(error: unknown): boolean {
    if (!isTransient(error)) return false
    this.#probeAt = performance.now() + PROBE_MS
    if (this.#isDown) return true
    this.#isDown = true
    this.#events.emit('redisDown', { error })
    return true
  }
}
