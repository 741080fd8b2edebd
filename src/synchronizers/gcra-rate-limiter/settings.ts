import type {
  GcraFallback,
  GcraLimit,
  GcraLocalLimits,
  GcraRateLimiterSettings,
} from './gcra-rate-limiter.api.js'
import { flag, milliseconds } from '../../core/arguments/arguments.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { inspectShort, inspectWord } from '../../util/inspect-short.js'
import { isPlain } from '../../util/is-plain.js'
import { limitsOf, type Limit } from '../shared/limits.js'

/** Stands between the name of a limiter and a key. It ends otherwise than it begins, so that no name can bring a part of it. */
export const SEPARATOR = ':gcra/'

/** For how long a call waits for Redis if it has a fallback, in milliseconds. */
const REDIS_TIMEOUT_MS = 500

/** What the program has set, checked. */
export interface Settings {
  readonly limits: readonly Limit[]
  readonly fallback: 'throw' | 'allow' | 'deny' | readonly Limit[]
  /** Milliseconds; undefined for as long as the client waits. */
  readonly redisTimeoutMs: number | undefined
  readonly exactlyOnce: boolean
}

const COMMON = { algorithm: true, onRedisDown: true, redisTimeoutMs: true, exactlyOnce: true } as const

const ONE = known({ ...COMMON, limit: true, perMs: true, burst: true })

const SEVERAL = known({ ...COMMON, limits: true })

const LOCAL = known<GcraLocalLimits>({ local: true })

export function settingsOf(given: GcraRateLimiterSettings): Settings {
  const isOne = !('limits' in given)
  demandOptions(given, isOne ? ONE : SEVERAL)
  const { algorithm, onRedisDown, exactlyOnce } = given
  if ((algorithm as unknown) !== 'gcra')
    throw new TypeError(`Expected \`algorithm\` to be 'gcra', got ${inspectWord(algorithm)}`)
  const fallback = fallbackOf(onRedisDown)
  return {
    limits: isOne ? limitsOf(limitIn(given)) : limitsOf(listOf('limits', given.limits)),
    fallback,
    redisTimeoutMs: timeoutOf(given.redisTimeoutMs, fallback === 'throw' ? undefined : REDIS_TIMEOUT_MS),
    exactlyOnce: flag('exactlyOnce', exactlyOnce),
  }
}

function limitIn({ limit, perMs, burst }: GcraLimit): GcraLimit {
  return { limit, perMs, ...(burst !== undefined && { burst }) }
}

function listOf(name: string, limits: readonly GcraLimit[]): readonly GcraLimit[] {
  const isList: boolean = Array.isArray(limits)
  if (isList) return limits
  throw new TypeError(`Expected \`${name}\` to be a list of limits, got ${inspectShort(limits)}`)
}

function fallbackOf(given: GcraFallback = 'throw'): Settings['fallback'] {
  if (given === 'throw' || given === 'allow' || given === 'deny') return given
  if (!isPlain(given))
    throw new TypeError(
      `Expected \`onRedisDown\` to be 'throw', 'allow', 'deny' or { local }, got ${inspectShort(given)}`,
    )
  demandOptions(given, LOCAL)
  return limitsOf(given.local, 'local')
}

function timeoutOf(given: number | undefined, byDefault: number | undefined): number | undefined {
  if (given === undefined) return byDefault
  const timeoutMs = milliseconds('redisTimeoutMs', given)
  if (timeoutMs > 0) return timeoutMs
  throw new RangeError(
    `Expected \`redisTimeoutMs\` to be more than 0 milliseconds, got ${inspectShort(given)}`,
  )
}
