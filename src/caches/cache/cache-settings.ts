import type { CacheEntryOptions, CacheLocalOptions } from '../../api/cache-settings.js'
import type { CacheCallOptions, CacheOptions, CacheWrapOptions } from './cache.api.js'
import type { Codec } from '../../api/codec.js'
import { MOST_ENTRIES } from '../../config/cache-settings.js'
import { LONGEST_LIFE_MS } from '../../config/duration.js'
import {
  checkedSignal,
  demandFunction,
  milliseconds,
  optionalLifeTime,
  wholeNumber,
} from '../../core/arguments/arguments.js'
import { codecSettings } from '../../core/arguments/object-settings.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { inspectShort } from '../../util/inspect-short.js'
import { demandPart } from './cache-keys.js'

/** For how long the times of a tag are kept: longer than any entry that has it. */
export const TAG_LIFE_MS = 64 * 24 * 3_600_000

/** How many requests of one call leave together. */
export const TOGETHER = 1000

/** How long Redis may take. */
const REDIS_TIMEOUT_MS = 200

/** How entries are stored, checked. `Infinity` for what does not end. */
export interface EntryPolicy {
  readonly ttlMs: number
  readonly staleMs: number
  readonly jitter: number
  readonly tags: readonly string[]
}

/** How a value is loaded, checked. */
export interface Policy extends EntryPolicy {
  readonly negativeTtlMs: number
  readonly earlyRefresh: number
  readonly softTimeoutMs: number
  readonly hardTimeoutMs: number
  readonly redisTimeoutMs: number
  readonly signal: AbortSignal | undefined
}

/** What a program has said of a cache, checked. */
export interface Settings<V> {
  readonly codec: Codec<V>
  /** What the program gave for it: a schema becomes another codec at each call. */
  readonly given: Pick<CacheOptions<V>, 'codec' | 'validate'>
  readonly policy: Policy
  readonly local: LocalSettings | undefined
}

/** Checked. */
export interface LocalSettings {
  readonly maxEntries: number
  readonly ttlMs: number
  readonly tagTtlMs: number
}

const ENTRY = { ttlMs: true, staleMs: true, jitter: true, tags: true } as const
const LOADING = {
  ...ENTRY,
  negativeTtlMs: true,
  earlyRefresh: true,
  softTimeoutMs: true,
  hardTimeoutMs: true,
  redisTimeoutMs: true,
} as const

const SET = known<CacheEntryOptions>(ENTRY)
const CALL = known<CacheCallOptions>({ ...LOADING, signal: true })
const WRAP = known<CacheWrapOptions<[]>>({ ...LOADING, signal: true, key: true })
const CACHE = known<CacheOptions<unknown>>({ ...LOADING, codec: true, validate: true, local: true })
const LOCAL = known<CacheLocalOptions>({ maxEntries: true, ttlMs: true, tagTtlMs: true })

const DEFAULTS: Policy = {
  ttlMs: Infinity,
  staleMs: 0,
  jitter: 0,
  tags: [],
  negativeTtlMs: 0,
  earlyRefresh: 0,
  softTimeoutMs: 0,
  hardTimeoutMs: Infinity,
  redisTimeoutMs: REDIS_TIMEOUT_MS,
  signal: undefined,
}

/** What a program has said of a cache of a name, and what the settings of the client say besides. */
export function settingsOf<V>(
  name: string,
  options: CacheOptions<V> = {},
  context: ObjectContext,
): Settings<V> {
  demandOptions(options, CACHE)
  const byName = context.config.caches.get(name)
  const { codec, validate, local = byName?.local, ...loading } = options
  const given = { ...(codec !== undefined && { codec }), ...(validate !== undefined && { validate }) }
  return {
    codec: codecSettings<V>(given, context),
    given,
    policy: loadingOf(loading, byName === undefined ? DEFAULTS : loadingOf(byName, DEFAULTS)),
    local: local === undefined ? undefined : localOf(local),
  }
}

/** How a call stores a value. */
export function entryPolicyOf(options: CacheEntryOptions | undefined, base: Policy): EntryPolicy {
  if (options === undefined) return base
  demandOptions(options, SET)
  return entryOf(options, base)
}

/** How a call loads one. */
export function callPolicyOf(options: CacheCallOptions | undefined, base: Policy): Policy {
  if (options === undefined) return base
  demandOptions(options, CALL)
  const { signal, ...loading } = options
  return { ...loadingOf(loading, base), signal: checkedSignal(signal) }
}

/** The options of a wrapped function: how it makes keys, and those of each call. */
export function wrapOptionsOf<A extends readonly unknown[]>(
  options: CacheWrapOptions<A>,
  base: Policy,
): { readonly keyOf: (...args: A) => string; readonly call: CacheCallOptions } {
  demandOptions(options, WRAP)
  const { key: keyOf, ...call } = options
  demandFunction(keyOf, 'key')
  callPolicyOf(call, base)
  return { keyOf, call }
}

function loadingOf(options: Omit<CacheCallOptions, 'signal'>, base: Policy): Policy {
  const { negativeTtlMs, earlyRefresh, softTimeoutMs, hardTimeoutMs, redisTimeoutMs } = options
  const entry = entryOf(options, base)
  return {
    ...entry,
    negativeTtlMs: negativeOf(negativeTtlMs, base),
    earlyRefresh: notNegative('earlyRefresh', earlyRefresh, base.earlyRefresh),
    softTimeoutMs: notNegative('softTimeoutMs', softTimeoutMs, base.softTimeoutMs),
    hardTimeoutMs: positive('hardTimeoutMs', hardTimeoutMs, base.hardTimeoutMs),
    redisTimeoutMs: positive('redisTimeoutMs', redisTimeoutMs, base.redisTimeoutMs),
    signal: undefined,
  }
}

function negativeOf(negativeTtlMs: number | undefined, base: Policy): number {
  if (negativeTtlMs === undefined) return base.negativeTtlMs
  return optionalLifeTime(negativeTtlMs, 'negativeTtlMs', '') ?? 0
}

function entryOf({ ttlMs, staleMs, jitter, tags }: CacheEntryOptions, base: EntryPolicy): EntryPolicy {
  const policy = {
    ttlMs: ttlMs === undefined ? base.ttlMs : (optionalLifeTime(ttlMs) ?? Infinity),
    staleMs: staleMs === undefined ? base.staleMs : (optionalLifeTime(staleMs, 'staleMs', '') ?? 0),
    jitter: shareOf(jitter, base.jitter),
    tags: tags === undefined ? base.tags : tagsOf(tags),
  }
  if (policy.ttlMs !== Infinity && policy.ttlMs + policy.staleMs > LONGEST_LIFE_MS)
    throw new RangeError(
      `Expected \`ttlMs\` and \`staleMs\` to be at most ${String(LONGEST_LIFE_MS)} milliseconds together, ` +
        `got ${String(policy.ttlMs + policy.staleMs)}`,
    )
  return policy
}

function tagsOf(tags: unknown): readonly string[] {
  if (!Array.isArray(tags))
    throw new TypeError(
      `Expected \`tags\` to be a list of texts, got ${inspectShort(tags)}${typeof tags === 'string' ? ': put it in a list' : ''}`,
    )
  for (const tag of tags as readonly unknown[]) demandPart('tag', tag)
  return [...new Set(tags as readonly string[])]
}

function shareOf(jitter: number | undefined, byDefault: number): number {
  if (jitter === undefined) return byDefault
  if (milliseconds('jitter', jitter) >= 0 && jitter <= 1) return jitter
  throw new RangeError(`Expected \`jitter\` to be from 0 to 1, got ${inspectShort(jitter)}`)
}

function localOf(local: CacheLocalOptions): LocalSettings {
  demandOptions(local, LOCAL, '`local`')
  const maxEntries = wholeNumber('local.maxEntries', local.maxEntries, 1)
  if (maxEntries > MOST_ENTRIES)
    throw new RangeError(
      `Expected \`local.maxEntries\` to be at most ${String(MOST_ENTRIES)}, got ${String(maxEntries)}`,
    )
  const ttlMs = positive('local.ttlMs', local.ttlMs, undefined)
  return { maxEntries, ttlMs, tagTtlMs: notNegative('local.tagTtlMs', local.tagTtlMs, ttlMs) }
}

function notNegative(name: string, given: number | undefined, byDefault: number): number {
  if (given === undefined) return byDefault
  if (milliseconds(name, given) >= 0) return given
  throw new RangeError(`Expected \`${name}\` to be 0 or more, got ${inspectShort(given)}`)
}

function positive(name: string, given: number | undefined, byDefault: number | undefined): number {
  const value = (given === undefined ? byDefault : given) as number
  if (milliseconds(name, value) > 0) return value
  throw new RangeError(`Expected \`${name}\` to be more than 0, got ${inspectShort(given)}`)
}
