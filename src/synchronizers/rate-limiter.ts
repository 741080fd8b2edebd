import { randomBytes } from 'node:crypto'
import type {
  RateAcquireOptions,
  RateAttempt,
  RateConfig,
  RateMode,
  RateOptions,
  RRateLimiter,
  TryRateAcquireOptions,
} from '../api/synchronizers/rate-limiter.js'
import type { CommandExecutor } from '../command/command-executor.js'
import { requestLifeMs } from '../config/request-life.js'
import { demandOptions, milliseconds, patienceOf, wholeNumber, type Patience } from '../core/arguments.js'
import { rateGrants, rateValue, requestKey } from '../core/names.js'
import type { ObjectContext } from '../core/object-context.js'
import { demandStillWanted } from '../core/still-wanted.js'
import { isRedissonError } from '../errors/redisson-error.js'
import { RateNotSetError, RateTooLowError } from '../errors/synchronizer-errors.js'
import type { Attempt } from '../pubsub/wait-until.js'
import { shown } from '../util/shown.js'
import type { RateLines } from './rate-lines.js'
import {
  acquire,
  available,
  config,
  NOT_SET,
  release,
  remove,
  setRate,
  TOO_LOW,
  undo,
} from './rate-limiter.scripts.js'
import { RECHECK_MS } from './recheck.js'
import type { Takings } from './takings.js'

/** What a rate limiter is made of. */
interface RateLimiterFacts {
  readonly context: ObjectContext
  readonly name: string
  readonly key: string
  /** Who asks, where the rate is meant for each client. */
  readonly clientId: string
  /** Those in this process who wait. */
  readonly lines: RateLines
  readonly takings: Takings
}

interface RateRequest extends Patience {
  readonly permits: number
}

/** In the order in which Redisson numbers them. */
const MODES: readonly RateMode[] = ['OVERALL', 'PER_CLIENT']

/** A grant has four bytes for the number of its permits. */
const MOST_PERMITS = 2 ** 32 - 1

/** What has been granted within the last interval, and what is left, in Redis. */
export class RedissonRateLimiter implements RRateLimiter {
  readonly name: string
  readonly #context: ObjectContext
  readonly #key: string
  readonly #clientId: string
  readonly #lines: RateLines
  readonly #takings: Takings

  constructor({ context, name, key, clientId, lines, takings }: RateLimiterFacts) {
    this.name = name
    this.#context = context
    this.#key = key
    this.#clientId = clientId
    this.#lines = lines
    this.#takings = takings
  }

  async trySetRate(mode: RateMode, rate: number, intervalMs: number, keepAliveMs = 0): Promise<boolean> {
    return await this.#setRate('absent', { mode, rate, intervalMs }, { keepAliveMs })
  }

  async setRate(mode: RateMode, rate: number, intervalMs: number, options: RateOptions = {}): Promise<void> {
    await this.#setRate('any', { mode, rate, intervalMs }, options)
  }

  async updateRate(
    mode: RateMode,
    rate: number,
    intervalMs: number,
    options: RateOptions = {},
  ): Promise<boolean> {
    return await this.#setRate('present', { mode, rate, intervalMs }, options)
  }

  async acquire(options: number | RateAcquireOptions = {}): Promise<void> {
    await this.#obtain(requestOf(typeof options === 'number' ? { permits: options } : options, Infinity))
  }

  async tryAcquire(options: number | TryRateAcquireOptions = 1, waitMs = 0): Promise<boolean> {
    const given = typeof options === 'number' ? { permits: options, waitMs } : options
    return await this.#obtain(requestOf(given, 0))
  }

  async attempt(permits = 1): Promise<RateAttempt> {
    return await this.#ask(requestOf({ permits }, 0))
  }

  async release(permits = 1): Promise<void> {
    const args = { permits: wholeNumber('permits', permits, 0) }
    if (permits === 0) return
    await this.#demandRate(this.#executor.run(release, { keys: this.#keys(), args }, { remember: true }))
    this.#lines.wake(this.#key)
  }

  async availablePermits(): Promise<number> {
    return await this.#demandRate(this.#executor.run(available, { keys: this.#keys(), args: {} }))
  }

  async getConfig(): Promise<RateConfig | null> {
    const reply = await this.#executor.run(config, { keys: this.#keys(), args: {} })
    const [mode, rate, intervalMs, keepAliveMs] = reply
    if (mode === undefined || rate === undefined || intervalMs === undefined) return null
    return { mode: MODES[mode] ?? 'OVERALL', rate, intervalMs, keepAliveMs: keepAliveMs ?? 0 }
  }

  async delete(): Promise<boolean> {
    return (await this.#executor.run(remove, { keys: this.#keys(), args: {} }, { remember: true })) === 1
  }

  async #setRate(
    onlyIf: 'absent' | 'present' | 'any',
    { mode, rate, intervalMs }: Pick<RateConfig, 'mode' | 'rate' | 'intervalMs'>,
    options: RateOptions,
  ): Promise<boolean> {
    demandOptions(options)
    const args = {
      mode: numberOf(mode),
      rate: wholeNumber('rate', rate, 1),
      intervalMs: wholeNumber('intervalMs', intervalMs, 1),
      keepAliveMs: keepAliveOf(options, intervalMs),
      onlyIf,
      keepState: options.keepState === true ? 1 : 0,
    }
    const set = await this.#executor.run(setRate, { keys: this.#keys(), args }, { remember: true })
    this.#lines.wake(this.#key)
    return set === 1
  }

  /** Whoever finds nobody in line asks at once, and so does whoever will not wait. */
  async #obtain(request: RateRequest): Promise<boolean> {
    request.signal?.throwIfAborted()
    const once = async (): Promise<Attempt<true>> => {
      const { allowed, retryAfterMs } = await this.#ask(request)
      return allowed
        ? { done: true, value: true }
        : { done: false, retryInMs: Math.min(retryAfterMs, RECHECK_MS) }
    }
    if (request.waitMs === 0) return (await once()).done
    return await this.#lines.wait(this.#key, once, request)
  }

  async #ask({ permits, deadline, signal }: RateRequest): Promise<RateAttempt> {
    demandStillWanted(this.#context, signal)
    const keys = this.#keys()
    const args = { permits, nonce: randomBytes(16) }
    const takeBack = () =>
      this.#executor.run(undo, { keys, args: { ...args, undoneMs: requestLifeMs(this.#context.config) } })
    const answer = this.#executor.run(acquire, { keys, args }, { deadline })
    const [granted, remaining, retryAfterMs] = await this.#demandRate(
      this.#takings.take({
        answer,
        signal,
        giveBack: async ([late]) => late === 1 && (await takeBack()),
        undo: takeBack,
      }),
      permits,
    )
    return { allowed: granted === 1, remaining, retryAfterMs }
  }

  /** Says in the words of this library why a request was refused. */
  async #demandRate<T>(answer: Promise<T>, permits = 0): Promise<T> {
    try {
      return await answer
    } catch (error) {
      if (!isRedissonError(error, 'SCRIPT')) throw error
      const options = { cause: error }
      if (error.message.includes(NOT_SET)) throw new RateNotSetError(this.name, options)
      if (error.message.includes(TOO_LOW)) throw new RateTooLowError(this.name, permits, options)
      throw error
    }
  }

  #keys() {
    return {
      limiter: this.#key,
      value: rateValue(this.#key),
      clientValue: rateValue(this.#key, this.#clientId),
      grants: rateGrants(this.#key),
      clientGrants: rateGrants(this.#key, this.#clientId),
      request: requestKey(this.#key, this.#context.requestIds.next()),
    }
  }

  get #executor(): CommandExecutor {
    return this.#context.executor
  }
}

function requestOf(options: TryRateAcquireOptions, defaultWaitMs: number): RateRequest {
  demandOptions(options, 'a number of permits')
  const permits = wholeNumber('permits', options.permits ?? 1, 1)
  if (permits > MOST_PERMITS) {
    throw new RangeError(`Expected \`permits\` to be no more than ${MOST_PERMITS}, got ${permits}`)
  }
  return { ...patienceOf(options, defaultWaitMs), permits }
}

function numberOf(mode: RateMode): number {
  const number = MODES.indexOf(mode)
  if (number >= 0) return number
  throw new TypeError(`Expected \`mode\` to be 'OVERALL' or 'PER_CLIENT', got ${shown(mode)}`)
}

function keepAliveOf({ keepAliveMs = 0 }: RateOptions, intervalMs: number): number {
  const keepAlive = Math.ceil(milliseconds('keepAliveMs', keepAliveMs))
  if (keepAlive === 0 || (keepAlive >= intervalMs && keepAlive <= Number.MAX_SAFE_INTEGER)) return keepAlive
  throw new RangeError(
    `Expected \`keepAliveMs\` to be 0, or at least the interval of ${intervalMs} ms, got ${shown(keepAliveMs)}`,
  )
}
