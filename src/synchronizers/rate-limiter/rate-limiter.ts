import { randomBytes } from 'node:crypto'
import type {
  RateAcquireOptions,
  RateAttempt,
  RateConfig,
  RateLimiterSettings,
  RateMode,
  RateOptions,
  RRateLimiter,
  TryRateAcquireOptions,
} from './rate-limiter.api.js'
import { requestLifeMs } from '../../config/request-life.js'
import { demandAtMost, flag, milliseconds, wholeNumber } from '../../core/arguments/arguments.js'
import { rateGrants, rateValue, idempotencyKey } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import { demandOptions, known, refuseSurplus } from '../../core/arguments/options.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKeys, ObjectKind } from '../../core/redisson-object.js'
import { demandReachable, demandStillWanted } from '../../core/context/still-wanted.js'
import { followed, traced } from '../../core/holds/traced-acquisition.js'
import { hasReturned, repliedWords } from '../../errors/lasting-failure.js'
import { RateNotSetError, RateTooLowError } from '../../errors/synchronizer-errors.js'
import type { Attempt } from '../../waiting/wait-until.js'
import { showOnly } from '../../util/show-only.js'
import { inspectShort, inspectWord } from '../../util/inspect-short.js'
import { permitsRequest, releasedPermits, type PermitsRequest } from '../../core/arguments/permits-request.js'
import type { RateQueues } from './rate-queues.js'
import {
  acquire,
  available,
  config,
  NOT_SET,
  release,
  setRate,
  TOO_LOW,
  undo,
} from './rate-limiter.scripts.js'
import { RECHECK_MS } from '../../waiting/recheck.js'
import { UNDO_WITHIN_MS, type Compensations } from '../../waiting/compensations.js'

/** What a rate limiter is made of. */
interface RateLimiterDeps {
  readonly context: LockContext
  readonly name: string
  /** The client, where the rate is for each client. */
  readonly clientId: string
  /** The waiters of this process. */
  readonly queues: RateQueues
  readonly compensations: Compensations
  /** What the limiter is set to by the first request, if it is not there. */
  readonly settings: RateLimiterSettings
}

const shortForm = 'a number of permits'

const ACQUIRE = {
  call: known<RateAcquireOptions>(
    { permits: true, signal: true },
    { shortForm, elsewhere: { waitMs: 'tryAcquire()' } },
  ),
  least: 1,
  defaultWaitMs: Infinity,
}

const ATTEMPT = { ...ACQUIRE, defaultWaitMs: 0 }

const TRY_ACQUIRE = {
  call: known<TryRateAcquireOptions>({ permits: true, waitMs: true, signal: true }, { shortForm }),
  least: 1,
  defaultWaitMs: 0,
}

const GCRA = "a limiter with `algorithm: 'gcra'`"

const SETTINGS = known<RateLimiterSettings>(
  { mode: true, rate: true, intervalMs: true, keepAliveMs: true },
  { elsewhere: { limit: GCRA, limits: GCRA, perMs: GCRA, burst: GCRA } },
)

const SET_RATE = known<RateOptions>({ keepAliveMs: true, keepState: true })

/** In the order in which Redisson numbers them. */
const MODES: readonly RateMode[] = ['OVERALL', 'PER_CLIENT']

/** A grant has four bytes for the number of its permits. */
const MOST_PERMITS = 2 ** 32 - 1

/** What has been granted within the last interval, and what is left, in Redis. */
export class RedissonRateLimiter extends RedissonExpirable implements RRateLimiter {
  static {
    showOnly(this, 'RRateLimiter', ({ name }) => ({ name }))
    refuseSurplus(this)
  }

  readonly #context: LockContext
  readonly #clientId: string
  readonly #queues: RateQueues
  readonly #compensations: Compensations
  readonly #initial: RateArguments

  /** @throws `TypeError` or `RangeError` for settings that are no rate */
  constructor({ context, name, clientId, queues, compensations, settings }: RateLimiterDeps) {
    super(context, name)
    this.#context = context
    this.#clientId = clientId
    this.#queues = queues
    this.#compensations = compensations
    this.#initial = initialOf(settings)
  }

  async trySetRate(mode: RateMode, rate: number, intervalMs: number, keepAliveMs?: number): Promise<boolean> {
    const options = keepAliveMs === undefined ? {} : { keepAliveMs }
    return await this.#setRate('absent', { mode, rate, intervalMs }, options)
  }

  async setRate(mode: RateMode, rate: number, intervalMs: number, options?: RateOptions): Promise<void> {
    await this.#setRate('any', { mode, rate, intervalMs }, options)
  }

  async updateRate(
    mode: RateMode,
    rate: number,
    intervalMs: number,
    options?: RateOptions,
  ): Promise<boolean> {
    return await this.#setRate('present', { mode, rate, intervalMs }, options)
  }

  async acquire(options?: number | RateAcquireOptions): Promise<void> {
    await this.#obtain(grantable(permitsRequest(options, undefined, ACQUIRE)))
  }

  async tryAcquire(options?: number | TryRateAcquireOptions, waitMs?: number): Promise<boolean> {
    return await this.#obtain(grantable(permitsRequest(options, waitMs, TRY_ACQUIRE)))
  }

  async attempt(options?: number | RateAcquireOptions): Promise<RateAttempt> {
    const asked = grantable(permitsRequest(options, undefined, ATTEMPT))
    const request = traced(asked, 'rate', this.key)
    return await followed(request, this.#ask(request, { exact: 1 }), isAllowed)
  }

  async release(permits?: number): Promise<void> {
    const args = { permits: releasedPermits(permits) }
    if (args.permits === 0) return
    await this.#demandRate(this.executor.run(release, { keys: this.#keys(), args }, { remember: true }))
    this.#queues.wake(this.key)
  }

  async availablePermits(): Promise<number> {
    return await this.#demandRate(this.executor.run(available, { keys: this.#keys(), args: {} }))
  }

  async getConfig(): Promise<RateConfig | undefined> {
    const reply = await this.executor.run(config, { keys: this.#keys(), args: {} })
    const [mode, rate, intervalMs, keepAliveMs] = reply
    if (mode === undefined || rate === undefined || intervalMs === undefined) return undefined
    return { mode: MODES[mode] ?? 'OVERALL', rate, intervalMs, keepAliveMs: keepAliveMs ?? 0 }
  }

  protected override keysOf(key: string): ObjectKeys {
    const { limiter, value, clientValue, grants, clientGrants } = this.#keysAt(key)
    return [limiter, value, clientValue, grants, clientGrants]
  }

  protected override get kind(): ObjectKind {
    return 'hash rate'
  }

  /** What belongs to one client alone goes on to end by itself, because the client may never come back. */
  protected override keysToPersist() {
    const { limiter, value, grants } = this.#keysAt(this.key)
    return { object: limiter, others: [value, grants] }
  }

  async #setRate(
    onlyIf: 'absent' | 'present' | 'any',
    { mode, rate, intervalMs }: Pick<RateConfig, 'mode' | 'rate' | 'intervalMs'>,
    options: RateOptions = {},
  ): Promise<boolean> {
    demandOptions(options, SET_RATE)
    const wanted = rateArguments({ mode, rate, intervalMs, ...options })
    const args = { ...wanted, onlyIf, keepState: flag('keepState', options.keepState) ? 1 : 0 }
    const set = await this.executor.run(setRate, { keys: this.#keys(), args }, { remember: true })
    this.#queues.wake(this.key)
    return set === 1
  }

  #obtain(asked: PermitsRequest): Promise<boolean> {
    const request = traced(asked, 'rate', this.key)
    return followed(request, this.#wait(request))
  }

  /** A call tries at once where the queue is empty, and where it does not wait. */
  async #wait(request: PermitsRequest): Promise<boolean> {
    request.signal?.throwIfAborted()
    const once = async (): Promise<Attempt<true>> => {
      const { allowed, retryAfterMs } = await this.#ask(request)
      return allowed
        ? { done: true, value: true }
        : { done: false, retryInMs: Math.min(retryAfterMs, RECHECK_MS) }
    }
    if (request.waitMs === 0) return (await once()).done
    const granted = await this.#queues.wait(this.key, once, request)
    if (!granted) demandReachable(this.#context)
    return granted
  }

  /** Asks once. Only where it is to be `exact` does what remains count everything that has ended. */
  async #ask(
    { permits, deadline, signal, trace }: PermitsRequest,
    { exact }: { readonly exact: 0 | 1 } = { exact: 0 },
  ): Promise<RateAttempt> {
    demandStillWanted(this.#context, signal)
    trace?.attempt()
    const keys = this.#keys()
    const args = { permits, nonce: randomBytes(16) }
    const undoing = { keys, args: { ...args, undoneMs: requestLifeMs(this.#context.config) } }
    const takeBack = () => this.executor.run(undo, undoing, { insistMs: UNDO_WITHIN_MS })
    const options = { replyBy: deadline, endOfWaiting: this.#context.closing }
    const answer = this.executor.run(acquire, { keys, args: { ...args, exact, ...this.#initial } }, options)
    const [granted, remaining, retryAfterMs] = await this.#demandRate(
      this.#compensations.acquireOrCompensate({
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
      const options = { cause: error }
      if (hasReturned(error, NOT_SET)) throw new RateNotSetError(this.name, options)
      if (hasReturned(error, TOO_LOW))
        throw new RateTooLowError(this.name, { permits, ...rateIn(error) }, options)
      throw error
    }
  }

  #keys() {
    const request = idempotencyKey(this.key, this.#context.requestIds.next())
    return { ...this.#keysAt(this.key), request }
  }

  #keysAt(key: string) {
    return {
      limiter: key,
      value: rateValue(key),
      clientValue: rateValue(key, this.#clientId),
      grants: rateGrants(key),
      clientGrants: rateGrants(key, this.#clientId),
    }
  }
}

/** The rate that an error of `acquire.lua` names. */
function rateIn(error: unknown) {
  const [, rate, intervalMs] = /(\d+) in (\d+) ms/.exec(repliedWords(error)) ?? []
  return { rate: Number(rate), intervalMs: Number(intervalMs) }
}

function isAllowed({ allowed }: RateAttempt): boolean {
  return allowed
}

function grantable(request: PermitsRequest): PermitsRequest {
  const { permits } = request
  if (permits <= MOST_PERMITS) return request
  throw new RangeError(`Expected \`permits\` to be at most ${MOST_PERMITS}, got ${permits}`)
}

/** A rate, as the scripts take it. */
type RateArguments = Readonly<Record<'mode' | 'rate' | 'intervalMs' | 'keepAliveMs', number>>

/** What the scripts take for no rate. */
const NO_RATE: RateArguments = { mode: 0, rate: 0, intervalMs: 0, keepAliveMs: 0 }

function initialOf(settings: RateLimiterSettings): RateArguments {
  demandOptions(settings, SETTINGS)
  if (Object.values(settings).every((each) => each === undefined)) return NO_RATE
  const { mode = 'OVERALL', rate, intervalMs, keepAliveMs } = settings
  return rateArguments({ mode, rate: rate as number, intervalMs: intervalMs as number, keepAliveMs })
}

function rateArguments({
  mode,
  rate,
  intervalMs,
  keepAliveMs,
}: Pick<RateConfig, 'mode' | 'rate' | 'intervalMs'> & {
  readonly keepAliveMs?: number | undefined
}): RateArguments {
  return {
    mode: numberOf(mode),
    rate: wholeNumber('rate', rate, 1),
    intervalMs: wholeNumber('intervalMs', intervalMs, 1),
    keepAliveMs: keepAliveOf(keepAliveMs, intervalMs),
  }
}

function numberOf(mode: RateMode): number {
  const number = MODES.indexOf(mode)
  if (number >= 0) return number
  throw new TypeError(`Expected \`mode\` to be 'OVERALL' or 'PER_CLIENT', got ${inspectWord(mode)}`)
}

function keepAliveOf(keepAliveMs = 0, intervalMs: number): number {
  const keepAlive = Math.ceil(milliseconds('keepAliveMs', keepAliveMs))
  demandAtMost('keepAliveMs', keepAlive, Number.MAX_SAFE_INTEGER)
  if (keepAlive === 0 || keepAlive >= intervalMs) return keepAlive
  throw new RangeError(
    `Expected \`keepAliveMs\` to be 0, or at least the interval of ${intervalMs} ms, got ${inspectShort(keepAliveMs)}`,
  )
}
