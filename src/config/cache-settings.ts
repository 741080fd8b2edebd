import type { CacheLocalOptions, CacheSettings } from '../api/cache-settings.js'
import { ConfigError } from '../errors/client-errors.js'
import { LONGEST_LIFE_MS } from './duration.js'
import { isThere, readSettings, within } from './read-settings.js'
import { isRecord, listOf, optional, reader, wholeNumber, type Reader } from './readers.js'

/** For how long something is kept; 0 has a meaning of its own. */
const life = number(
  `a number of milliseconds from 0 to ${String(LONGEST_LIFE_MS)}`,
  (value) => value >= 0 && value <= LONGEST_LIFE_MS,
)
/** What Redis can have as a part of a name. */
const tag = reader(
  'a text of whole characters that is not empty',
  (value): value is string => typeof value === 'string' && value !== '' && value.isWellFormed(),
)
/** For how long something is waited for, or counts as known. */
const patience = number('a number of milliseconds, 0 or more', (value) => value >= 0)
const limit = number('a number of milliseconds above 0', (value) => value > 0)

/** How many entries a cache keeps in memory at most. */
export const MOST_ENTRIES = 16_000_000 // a map of JavaScript has no more than 2²⁴ keys

const localSettings = {
  maxEntries: wholeNumber(1, MOST_ENTRIES),
  ttlMs: limit,
  tagTtlMs: optional(patience, undefined),
} satisfies Record<keyof CacheLocalOptions, Reader<unknown>>

const cacheSettings = {
  ttlMs: optional(life, undefined),
  staleMs: optional(life, undefined),
  jitter: optional(
    number('a number from 0 to 1', (value) => value >= 0 && value <= 1),
    undefined,
  ),
  tags: optional(listOf(tag), undefined),
  negativeTtlMs: optional(life, undefined),
  earlyRefresh: optional(
    number('a number, 0 or more', (value) => value >= 0),
    undefined,
  ),
  softTimeoutMs: optional(patience, undefined),
  hardTimeoutMs: optional(limit, undefined),
  redisTimeoutMs: optional(limit, undefined),
  local: optional((value, key) => given(readSettings(value, key, localSettings)), undefined),
} satisfies Record<keyof CacheSettings, Reader<unknown>>

/** Reads the settings of caches by their names. */
export const readCaches: Reader<ReadonlyMap<string, CacheSettings>> = (value, key) => {
  if (!isRecord(value)) throw new ConfigError(key, 'a table', value)
  return new Map(Object.entries(value).map(([name, of]) => [name, readCache(of, within(key, name))]))
}

function readCache(value: unknown, key: string): CacheSettings {
  const settings: CacheSettings = given(readSettings(value, key, cacheSettings))
  const { ttlMs = 0, staleMs = 0 } = settings
  if (ttlMs > 0 && ttlMs + staleMs > LONGEST_LIFE_MS)
    throw new ConfigError(
      key,
      `settings with a \`ttlMs\` and a \`staleMs\` of at most ${String(LONGEST_LIFE_MS)} milliseconds together`,
      ttlMs + staleMs,
    )
  return settings
}

function number(expected: string, accepts: (value: number) => boolean): Reader<number> {
  return reader(expected, (value): value is number => typeof value === 'number' && accepts(value))
}

/** What the settings say, without those that say nothing. */
function given<T extends object>(settings: T): T {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => isThere(value))) as T
}
