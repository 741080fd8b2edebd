import type { GcraResult } from './gcra-rate-limiter.api.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import { isTransient } from '../../errors/transient.js'
import { Deadline } from '../../util/time/deadline.js'
import { warnOnce } from '../../util/warn-once.js'
import { resultOf, type Rest, type Verdict } from './decision.js'
import { LocalLimiter } from './local-limiter.js'
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
    if (this.#local !== undefined)
      return resultOf(verdictOf(this.#local, key, cost), this.#local.limits, true)
    const { fallback, limits } = this.#settings
    const passes = fallback === 'allow'
    const rests = limits.map((): Rest => [0, 0])
    return resultOf({ passes, retryMs: passes ? 0 : RETRY_MS, refusing: 0, rests }, limits, true)
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

function verdictOf(local: LocalLimiter, key: string, cost: number): Verdict {
  const verdict = local.consume(key, cost)
  return verdict.retryMs === Infinity ? { ...verdict, retryMs: RETRY_MS } : verdict
}
