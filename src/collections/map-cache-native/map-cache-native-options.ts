import type {
  EntryTtlOptions,
  ExpireEntryOptions,
  MapCacheNativeComputeOptions,
  MapCacheNativeOptions,
} from './map-cache-native.api.js'
import { mapCodecs, type KeyAndValue } from '../../codec/codecs.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import { demandAtMost, lifeTime, optionalLifeTime } from '../../core/arguments/arguments.js'
import { runOptions } from '../../core/arguments/object-settings.js'
import { demandOptions, known, optionsOf } from '../../core/arguments/options.js'
import type { ObjectContext } from '../../core/context/object-context.js'

const CACHE = known<MapCacheNativeOptions<unknown, unknown>>({
  codec: true,
  validate: true,
  exactlyOnce: true,
})
const TTL = known<EntryTtlOptions>({ ttlMs: true })

export const COMPUTE = known<MapCacheNativeComputeOptions>({ waitMs: true, signal: true, ttlMs: true })

/** Redis 7.4 refuses ends from the year 4199 on. */
const LONGEST_MS = 6e13

/** What the options of a native map cache mean for its requests. */
export interface MapCacheNativeSettings<K, V> {
  readonly codec: KeyAndValue<K, V>
  readonly run: RunOptions
}

/** @throws TypeError for options that are unknown or wrong */
export function mapCacheNativeSettings<K, V>(
  options: MapCacheNativeOptions<K, V> = {},
  { config }: ObjectContext,
): MapCacheNativeSettings<K, V> {
  demandOptions(options, CACHE)
  // The program says by its type arguments what the codecs of the client make.
  const codec = mapCodecs(options.codec, config.codecs, options.validate) as KeyAndValue<K, V>
  return { codec, run: runOptions(options) }
}

/**
 * How long an entry that is put lasts; undefined for as long as it is not removed.
 *
 * @throws TypeError for options that are unknown; RangeError for a time that is negative, too long, or none
 */
export function ttlOf(options: EntryTtlOptions | undefined): number | undefined {
  return timeOf(optionsOf(options, TTL))
}

/** The same of options that have other times as well, and were checked. */
export function timeOf({ ttlMs }: EntryTtlOptions = {}): number | undefined {
  const ttl = optionalLifeTime(ttlMs)
  return ttl === undefined ? undefined : notTooLong(ttl)
}

/** How long an entry that is there lasts from now on. */
export function newTtl(options: ExpireEntryOptions): number {
  demandOptions(options, TTL)
  return notTooLong(lifeTime(options.ttlMs))
}

function notTooLong(ttlMs: number): number {
  demandAtMost('ttlMs', ttlMs, LONGEST_MS)
  return ttlMs
}
