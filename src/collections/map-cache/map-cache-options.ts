import type {
  EntryLifeOptions,
  MapCacheComputeOptions,
  MapCacheOptions,
  MaxSizeOptions,
} from './map-cache.api.js'
import { mapCodecs, type KeyAndValue } from '../../codec/codecs.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import { optionalLifeTime, wholeNumber } from '../../core/arguments/arguments.js'
import { runOptions } from '../../core/arguments/object-settings.js'
import { demandOptions, known, optionsOf } from '../../core/arguments/options.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { inspectWord } from '../../util/inspect-short.js'

const CACHE = known<MapCacheOptions<unknown, unknown>>({ codec: true, validate: true, exactlyOnce: true })
const LIFE = known<EntryLifeOptions>({ ttlMs: true, maxIdleMs: true })
const MAX_SIZE = known<MaxSizeOptions>({ mode: true })

export const COMPUTE = known<MapCacheComputeOptions>({
  waitMs: true,
  signal: true,
  ttlMs: true,
  maxIdleMs: true,
})

const MODES: readonly unknown[] = ['LRU', 'LFU']

/** What the options of a map cache mean for its requests. */
export interface MapCacheSettings<K, V> {
  readonly codec: KeyAndValue<K, V>
  readonly run: RunOptions
}

/** When an entry ends, as it is sent: each 0 for never, or both as they are. */
export interface Life {
  readonly ttlMs: number | 'keep'
  readonly idleMs: number
}

/** The end of an entry stays as it is. */
export const KEPT: Life = Object.freeze({ ttlMs: 'keep', idleMs: 0 })

/** @throws TypeError for options that are unknown or wrong */
export function mapCacheSettings<K, V>(
  options: MapCacheOptions<K, V> = {},
  { config }: ObjectContext,
): MapCacheSettings<K, V> {
  demandOptions(options, CACHE)
  // The program says by its type arguments what the codecs of the client make.
  const codec = mapCodecs(options.codec, config.codecs, options.validate) as KeyAndValue<K, V>
  return { codec, run: runOptions(options) }
}

/** @throws TypeError for options that are unknown; RangeError for a time that is negative, or none */
export function lifeOf(options: EntryLifeOptions | undefined): Life {
  return timesOf(optionsOf(options, LIFE))
}

/** The same of options that have other times as well, and were checked. */
export function timesOf({ ttlMs, maxIdleMs }: EntryLifeOptions = {}): Life {
  return { ttlMs: optionalLifeTime(ttlMs) ?? 0, idleMs: optionalLifeTime(maxIdleMs, 'maxIdleMs') ?? 0 }
}

/** The options of a limit as they are in Redis. */
export function limitFields(maxSize: number, options?: MaxSizeOptions): readonly (string | number)[] {
  const { mode = 'LRU' } = optionsOf(options, MAX_SIZE)
  if (!MODES.includes(mode))
    throw new TypeError(`Expected \`mode\` to be 'LRU' or 'LFU', got ${inspectWord(mode)}`)
  return ['max-size', wholeNumber('maxSize', maxSize, 0), 'mode', mode]
}
