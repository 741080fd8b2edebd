import type { MultimapOptions } from './multimap.api.js'
import { mapCodecs, type KeyAndValue } from '../../codec/codecs.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { runOptions } from '../../core/arguments/object-settings.js'
import { demandOptions, known } from '../../core/arguments/options.js'

const MULTIMAP = known<MultimapOptions<unknown, unknown>>({ codec: true, validate: true, exactlyOnce: true })

/** What the options of a multimap mean for its requests. */
export interface MultimapSettings<K, V> {
  readonly codec: KeyAndValue<K, V>
  readonly run: RunOptions
}

/** @throws `TypeError` for options that are unknown or wrong */
export function multimapSettings<K, V>(
  options: MultimapOptions<K, V> = {},
  { config }: ObjectContext,
): MultimapSettings<K, V> {
  demandOptions(options, MULTIMAP)
  // The program says by its type arguments what the codecs of the client make.
  const codec = mapCodecs(options.codec, config.codecs, options.validate) as KeyAndValue<K, V>
  return { codec, run: runOptions(options) }
}
