import type { ComputeOptions, LoadOptions, MapOptions, MapScanOptions } from './map.api.js'
import { mapCodecs, type KeyAndValue } from '../../codec/codecs.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import { demandFunction, flag, patienceOf } from '../../core/arguments/arguments.js'
import { keysOf } from '../../core/entries.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { runOptions } from '../../core/arguments/object-settings.js'
import { demandOptions, known } from '../../core/arguments/options.js'
import { checkedScan, type ScanSettings } from '../../core/arguments/scan-settings.js'
import { atMost, backingOf, type Backing } from './backing.js'

const MAP = known<MapOptions<unknown, unknown>>({
  codec: true,
  validate: true,
  exactlyOnce: true,
  loader: true,
  writer: true,
  writeMode: true,
  writeBehindDelayMs: true,
  writeBehindBatchSize: true,
  writerRetryAttempts: true,
  writerRetryIntervalMs: true,
})
const LOAD = known<LoadOptions<unknown>>({ keys: true, replaceExisting: true, parallelism: true })
const SCAN = known<MapScanOptions>({ pattern: true, count: true, onInvalid: true, signal: true })

/** How many values are loaded at the same time, unless the program says, and at most. */
const PARALLELISM = 10
const MOST_PARALLEL = 1_000

const COMPUTE = known<ComputeOptions>({ waitMs: true, signal: true })

/** What the options of a map mean for its requests. */
export interface MapSettings<K, V> {
  readonly codec: KeyAndValue<K, V>
  readonly run: RunOptions
  /** Undefined where nothing stands behind the map. */
  readonly backing: Backing<K, V> | undefined
}

/** @throws `TypeError` for options that are unknown or wrong */
export function mapSettings<K, V>(
  options: MapOptions<K, V> = {},
  { config }: ObjectContext,
): MapSettings<K, V> {
  demandOptions(options, MAP)
  const { codec, validate } = options
  // The program says by its type arguments what the codecs of the client make.
  const codecs = mapCodecs(codec, config.codecs, validate) as KeyAndValue<K, V>
  return { codec: codecs, run: runOptions(options), backing: backingOf(options) }
}

/** @throws `TypeError` for options that are unknown or wrong; `RangeError` for a count that is too small or too large */
export function scanSettings(options: MapScanOptions = {}): ScanSettings {
  demandOptions(options, SCAN)
  return checkedScan(options)
}

/** What is to be loaded, and how. */
export interface LoadSettings<K> {
  /** Undefined for all keys that the loader knows. */
  readonly keys: readonly K[] | undefined
  readonly replaces: boolean
  readonly parallelism: number
}

/** @throws `TypeError` for options that are unknown or wrong; `RangeError` for a number that is too small or too large */
export function loadSettings<K>(options: LoadOptions<K> = {}): LoadSettings<K> {
  demandOptions(options, LOAD)
  const { keys, replaceExisting, parallelism = PARALLELISM } = options
  return {
    keys: keys === undefined ? undefined : keysOf(keys),
    replaces: flag('replaceExisting', replaceExisting),
    parallelism: atMost('parallelism', parallelism, MOST_PARALLEL),
  }
}

/**
 * @param call - the options that there are
 * @throws `TypeError` or `RangeError` for what is no function, for options that are unknown or wrong, and for a further argument
 */
export function demandCompute(fn: unknown, options: ComputeOptions = {}, call = COMPUTE): void {
  demandFunction(fn)
  demandOptions(options, call)
  patienceOf(options, Infinity) // also where no lock is going to be needed
}

/** Those of the options that the lock takes. */
export function waitingOf({ waitMs, signal }: ComputeOptions): ComputeOptions {
  return { ...(waitMs === undefined ? {} : { waitMs }), ...(signal === undefined ? {} : { signal }) }
}
