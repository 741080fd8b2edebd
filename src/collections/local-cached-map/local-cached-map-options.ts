import type { LocalCachedMapOptions } from './local-cached-map.api.js'
import { mapCodecs, type KeyAndValue } from '../../codec/codecs.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import { flag, optionalLifeTime, wholeNumber } from '../../core/arguments/arguments.js'
import { runOptions } from '../../core/arguments/object-settings.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { inspectWord } from '../../util/inspect-short.js'
import type { LocalLimits } from './cache/bounded-entries.js'
import type { Optional } from '../../util/option-types.js'

const LOCAL = known<LocalCachedMapOptions<unknown, unknown>>({
  codec: true,
  validate: true,
  exactlyOnce: true,
  cacheSize: true,
  evictionPolicy: true,
  ttlMs: true,
  maxIdleMs: true,
  syncStrategy: true,
  reconnectionStrategy: true,
  storeCacheMiss: true,
})

/** What the options of a local cached map mean. */
export interface LocalCachedMapSettings<K, V> {
  readonly codec: KeyAndValue<K, V>
  readonly run: RunOptions
  readonly limits: LocalLimits
  readonly sync: 'INVALIDATE' | 'UPDATE' | 'NONE'
  readonly reconnection: 'CLEAR' | 'LOAD' | 'NONE'
  readonly storesMisses: boolean
}

/** @throws `TypeError` for options that are unknown or wrong; `RangeError` for a number that is too small */
export function localCachedMapSettings<K, V>(
  options: LocalCachedMapOptions<K, V> = {},
  { config }: ObjectContext,
  reconnections: readonly LocalCachedMapSettings<K, V>['reconnection'][] = ['CLEAR', 'LOAD', 'NONE'],
): LocalCachedMapSettings<K, V> {
  demandOptions(options, LOCAL)
  const { codec, validate, storeCacheMiss } = options
  const { syncStrategy = 'INVALIDATE', reconnectionStrategy = 'CLEAR' } = options
  return {
    // The program says by its type arguments what the codecs of the client make.
    codec: mapCodecs(codec, config.codecs, validate) as KeyAndValue<K, V>,
    run: runOptions(options),
    limits: localLimits(options),
    sync: oneOf('syncStrategy', ['INVALIDATE', 'UPDATE', 'NONE'], syncStrategy),
    reconnection: oneOf('reconnectionStrategy', reconnections, reconnectionStrategy),
    storesMisses: flag('storeCacheMiss', storeCacheMiss),
  }
}

/** @throws `TypeError` for an option that is wrong; `RangeError` for a number that is too small */
export function localLimits({
  cacheSize = 0,
  evictionPolicy = 'NONE',
  ttlMs,
  maxIdleMs,
}: Optional<LocalLimits>): LocalLimits {
  return {
    cacheSize: wholeNumber('cacheSize', cacheSize, -1),
    evictionPolicy: oneOf('evictionPolicy', ['NONE', 'LRU', 'LFU'], evictionPolicy),
    ttlMs: optionalLifeTime(ttlMs),
    maxIdleMs: optionalLifeTime(maxIdleMs, 'maxIdleMs'),
  }
}

function oneOf<T extends string>(name: string, words: readonly T[], word: T): T {
  if (words.includes(word)) return word
  const expected = `${words.slice(0, -1).map(inspectWord).join(', ')} or ${inspectWord(words.at(-1))}`
  throw new TypeError(`Expected \`${name}\` to be ${expected}, got ${inspectWord(word)}`)
}
