import type {
  GcraAcquireOptions,
  GcraConsumeOptions,
  GcraRateLimiterSettings,
  GcraResult,
  RGcraRateLimiter,
} from './gcra-rate-limiter.api.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import { demandName, mappedName, patienceOf, type Patience } from '../../core/arguments/arguments.js'
import { demandOptions, known, optionsOf, refuseSurplus } from '../../core/arguments/options.js'
import type { LockContext } from '../../core/context/object-context.js'
import { demandStillWanted, endOfWaiting } from '../../core/context/still-wanted.js'
import { followed, traced } from '../../core/holds/traced-acquisition.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import { CLIENTS } from '../../util/refused-calls.js'
import { showOnly } from '../../util/show-only.js'
import { Deadline } from '../../util/time/deadline.js'
import type { Compensations } from '../../waiting/compensations.js'
import { restAfter, resultOf, type Decision } from './decision.js'
import { Fallback } from './fallback.js'
import * as scripts from './gcra-rate-limiter.scripts.js'
import { SEPARATOR, settingsOf, type Settings } from './settings.js'
import { asArguments, boundsOf, lowestOf, withinBound, type Bound, type Limit } from '../shared/limits.js'

/** What such a limiter is made of. */
interface GcraRateLimiterDeps {
  readonly context: LockContext
  readonly name: string
  readonly compensations: Compensations
  readonly settings: GcraRateLimiterSettings
}

const CONSUME = known<GcraConsumeOptions>(
  { cost: true },
  { elsewhere: { waitMs: 'acquire()', signal: 'acquire()' } },
)

const ACQUIRE = known<GcraAcquireOptions>({ cost: true, waitMs: true, signal: true })

/** No caller waits for longer, in microseconds: 30 years. */
const LONGEST_WAIT_US = 1e15

/** A request that waits for its turn. */
interface Waiting extends Patience {
  readonly key: string
  readonly cost: number
}

/** Limits for many keys, in Redis. */
export class RedissonGcraRateLimiter implements RGcraRateLimiter {
  static {
    showOnly(this, 'RGcraRateLimiter', ({ name }) => ({ name }))
    refuseSurplus(this)
  }

  readonly name: string
  readonly #context: LockContext
  readonly #compensations: Compensations
  readonly #settings: Settings
  readonly #limits: readonly number[]
  readonly #most: Bound
  readonly #prefix: string
  readonly #run: RunOptions
  /** What bounds the time to reach Redis; undefined where nothing does. */
  readonly #fallback: Fallback | undefined

  /** @throws `TypeError` or `RangeError` for settings that are no limits */
  constructor({ context, name, compensations, settings }: GcraRateLimiterDeps) {
    this.name = name
    this.#context = context
    this.#compensations = compensations
    this.#settings = settingsOf(settings)
    this.#limits = asArguments(this.#settings.limits)
    this.#most = lowestOf(boundsOf(this.#settings.limits))
    this.#prefix = prefixOf(mappedName(context, name))
    const { exactlyOnce, fallback, redisTimeoutMs } = this.#settings
    this.#run = { exactlyOnce }
    if (fallback !== 'throw' || redisTimeoutMs !== undefined)
      this.#fallback = new Fallback(name, this.#settings)
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#context.closing]
  }

  async consume(key: string, options?: GcraConsumeOptions): Promise<GcraResult> {
    const cost = this.#costOf(options)
    if (this.#fallback === undefined) return await this.#consume(key, cost, this.#run)
    return await this.#fallback.instead(key, cost, (how) =>
      this.#consume(key, cost, { ...this.#run, ...how }),
    )
  }

  async acquire(key: string, options?: GcraAcquireOptions): Promise<GcraResult> {
    const given = optionsOf<GcraAcquireOptions>(options, ACQUIRE)
    const cost = this.#demandPossible(given.cost)
    const state = this.#stateOf(key)
    const request = traced({ ...patienceOf(given, Infinity), key, cost }, 'rate', state)
    return await followed(request, this.#wait(request), ({ allowed }) => allowed)
  }

  async peek(key: string, options?: GcraConsumeOptions): Promise<GcraResult> {
    const call = this.#callOf(key, { cost: this.#costOf(options) })
    return this.#resultOf(await this.#context.executor.run(scripts.peek, call))
  }

  async refund(key: string, options?: GcraConsumeOptions): Promise<GcraResult> {
    const call = this.#callOf(key, { cost: this.#costOf(options) })
    return this.#resultOf(await this.#context.executor.run(scripts.refund, call, { exactlyOnce: true }))
  }

  async reset(key: string): Promise<boolean> {
    return await this.#context.executor.run(scripts.reset, { keys: { state: this.#stateOf(key) }, args: {} })
  }

  async #consume(key: string, cost: number, how: RunOptions): Promise<GcraResult> {
    const { executor } = this.#context
    const keys = { state: this.#stateOf(key) }
    const [only, ...others] = this.#settings.limits
    if (only === undefined || others.length > 0)
      return this.#resultOf(
        await executor.run(scripts.consume, { keys, args: { cost, limits: this.#limits } }, how),
      )
    const { limit, perMs, burst } = only
    return this.#resultOf(
      await executor.run(scripts.consumeOne, { keys, args: { cost, limit, perMs, burst } }, how),
    )
  }

  /** Reserves a turn, and waits for it. */
  async #wait(request: Waiting): Promise<GcraResult> {
    const decision = await this.#reserve(request)
    const { passes, retryMs, rests } = decision
    if (!passes || retryMs === 0) return this.#resultOf(decision)
    const turn = Deadline.after(retryMs)
    try {
      const signal = endOfWaiting(this.#context, request.signal)
      const sleeper = new AutoResetEvent()
      while (!turn.passed) await sleeper.wait(turn.within(Infinity), signal)
    } catch (error) {
      this.#compensations.compensate(() => this.#giveBack(request, decision))
      throw error
    }
    const restsThen = rests.map((rest, index) =>
      restAfter(rest, this.#settings.limits[index] as Limit, retryMs),
    )
    return this.#resultOf({ ...decision, retryMs: 0, rests: restsThen })
  }

  /** Asks for a turn. One that reaches no caller is given back; where no reply says which it is, it passes unused. */
  async #reserve(request: Waiting): Promise<Decision> {
    const { key, cost, waitMs, deadline, signal, trace } = request
    demandStillWanted(this.#context, signal)
    trace?.attempt()
    const mostUs = Math.min(Math.floor(waitMs * 1000), LONGEST_WAIT_US)
    const options = {
      exactlyOnce: true,
      withdrawable: true,
      endOfWaiting: this.#context.closing,
      ...(waitMs > 0 && { replyBy: deadline }),
    }
    return await this.#compensations.acquireOrCompensate({
      answer: this.#context.executor.run(scripts.acquire, this.#callOf(key, { cost, mostUs }), options),
      signal,
      giveBack: async (decision) => decision.passes && (await this.#giveBack(request, decision)),
      undo: () => Promise.resolve(),
    })
  }

  async #giveBack({ key, cost }: Waiting, { turn }: Decision): Promise<void> {
    const call = this.#callOf(key, { turn, cost })
    await this.#context.executor.run(scripts.giveBack, call, { exactlyOnce: true })
  }

  #resultOf(decision: Decision): GcraResult {
    return resultOf(decision, this.#settings.limits, false)
  }

  #costOf(options: GcraConsumeOptions | undefined): number {
    if (options === undefined) return 1
    demandOptions(options, CONSUME)
    return this.#demandPossible(options.cost)
  }

  #demandPossible(given = 1): number {
    return withinBound('cost', given, this.#most)
  }

  #callOf<A extends object>(key: string, args: A) {
    return { keys: { state: this.#stateOf(key) }, args: { ...args, limits: this.#limits } }
  }

  #stateOf(key: string): string {
    demandName('`key` to be', key)
    return this.#prefix + key
  }
}

/** Begins the keys of a limiter. No key of another one begins so. */
function prefixOf(name: string): string {
  if (!name.includes(SEPARATOR)) return name + SEPARATOR
  throw new TypeError(`Expected \`name\` to have no '${SEPARATOR}' in it`)
}
