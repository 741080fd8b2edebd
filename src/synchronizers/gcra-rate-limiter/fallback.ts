import type { GcraResult } from './gcra-rate-limiter.api.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import { isTransient } from '../../errors/transient.js'
import { Deadline } from '../../util/time/deadline.js'
import { warnOnce } from '../../util/warn-once.js'
import { shown } from '../shared/limits.js'
import { LocalLimiter, type Verdict } from './local-limiter.js'
import type { Settings } from './settings.js'

/** When a refused caller may try again, if only Redis knows, in milliseconds. */
const RETRY_MS = 1000

/** What decides while Redis cannot be reached. */
export class Fallback {
  readonly #name: string
  readonly #settings: Settings
  readonly #local: LocalLimiter | undefined
  /** Whether the last call found no Redis. */
  #isDown = false

  constructor(name: string, settings: Settings) {
    this.#name = name
    this.#settings = settings
    const { fallback } = settings
    this.#local = typeof fallback === 'string' ? undefined : new LocalLimiter(fallback)
  }

  /** Asks Redis, and decides instead of it where it cannot be reached in time. */
  async instead(
    key: string,
    cost: number,
    ask: (limits: RunOptions) => Promise<GcraResult>,
  ): Promise<GcraResult> {
    const { fallback, redisTimeoutMs } = this.#settings
    const options: RunOptions = {
      ...(redisTimeoutMs !== undefined && { replyBy: Deadline.after(redisTimeoutMs) }),
      ...(this.#isDown && { failFast: true }),
    }
    try {
      const result = await ask(options)
      this.#isDown = false
      return result
    } catch (error) {
      if (fallback === 'throw' || !isTransient(error)) throw error
      this.#isDown = true
      this.#warn(error.code)
      return this.#decide(key, cost)
    }
  }

  #decide(key: string, cost: number): GcraResult {
    if (this.#local !== undefined) return resultOf(this.#local.consume(key, cost))
    const allowed = this.#settings.fallback === 'allow'
    return {
      allowed,
      remaining: 0,
      retryAfterMs: allowed ? 0 : RETRY_MS,
      resetAfterMs: 0,
      refusedBy: undefined,
      degraded: true,
    }
  }

  /** The error itself names a key, which may be an address of a user. */
  #warn(code: string): void {
    const { fallback } = this.#settings
    const policy = typeof fallback === 'string' ? fallback : 'local'
    warnOnce(
      'REDISSON_LIMITER_DEGRADED',
      this.#name,
      `Rate limiter ${this.#name} decides without Redis (${policy}) until it can be reached (${code})`,
    )
  }
}

function resultOf({ allowed, left, retryMs, unusedMs, refusedBy }: Verdict): GcraResult {
  return {
    allowed,
    remaining: left,
    retryAfterMs: retryMs === Infinity ? RETRY_MS : retryMs,
    resetAfterMs: unusedMs,
    refusedBy: refusedBy && shown(refusedBy),
    degraded: true,
  }
}
