import type { MapsImportOptions, MapsOptions, SetMapsOptions } from './maps.api.js'
import { mapCodecs, type KeyAndValue } from '../../codec/codecs.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import { wholeNumber } from '../../core/arguments/arguments.js'
import { runOptions } from '../../core/arguments/object-settings.js'
import { demandOptions, known, optionsOf } from '../../core/arguments/options.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { valuesOf } from '../../core/entries.js'

const MAPS = known<MapsOptions<unknown, unknown>>({ codec: true, validate: true, exactlyOnce: true })
const SET = known<SetMapsOptions>({ batchSize: true })
const IMPORT = known<MapsImportOptions<unknown>>({ fields: true, batchSize: true })

/** As many as Redisson sends together. */
const BATCH_SIZE = 500

const MOST_TOGETHER = 5_000

/** What the options of maps mean for their requests. */
export interface MapsSettings<K, V> {
  readonly codec: KeyAndValue<K, V>
  readonly run: RunOptions
}

/** @throws TypeError for options that are unknown or wrong */
export function mapsSettings<K, V>(
  options: MapsOptions<K, V> = {},
  { config }: ObjectContext,
): MapsSettings<K, V> {
  demandOptions(options, MAPS)
  // The program says by its type arguments what the codecs of the client make.
  const codec = mapCodecs(options.codec, config.codecs, options.validate) as KeyAndValue<K, V>
  return { codec, run: runOptions(options) }
}

/** How many maps are sent together. */
export function batchSizeOf(options: SetMapsOptions | undefined): number {
  return checkedSize(optionsOf(options, SET).batchSize)
}

/** What an import is made with. */
export function importSettings<K>(options: MapsImportOptions<K>): {
  readonly fields: readonly K[]
  readonly batchSize: number
} {
  demandOptions(options, IMPORT)
  return { fields: valuesOf('fields', options.fields), batchSize: checkedSize(options.batchSize) }
}

function checkedSize(batchSize = BATCH_SIZE): number {
  if (wholeNumber('batchSize', batchSize, 1) <= MOST_TOGETHER) return batchSize
  throw new RangeError(
    `Expected \`batchSize\` to be ${String(MOST_TOGETHER)} or less, got ${String(batchSize)}`,
  )
}
