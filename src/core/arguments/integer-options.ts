import type { AtomicLongOptions } from '../../counters/atomic-long/atomic-long.api.js'
import type { IdGeneratorOptions } from '../../counters/id-generator/id-generator.api.js'
import type { BitSetOptions } from '../../objects/bit-set/bit-set.api.js'
import type { RunOptions } from '../../command/operation/command-executor.js'
import { flag } from './arguments.js'
import { runOptions } from './object-settings.js'
import { demandOptions, known } from './options.js'

const OPTIONS = known<AtomicLongOptions & BitSetOptions & IdGeneratorOptions>({
  exactlyOnce: true,
  bigint: true,
})

/** What the options of an object with integers mean. */
export interface IntegerSettings {
  readonly bigint: boolean
  readonly run: RunOptions
}

/** @throws TypeError for options that are unknown or wrong */
export function integerSettings(
  options: AtomicLongOptions | BitSetOptions | IdGeneratorOptions = {},
): IntegerSettings {
  demandOptions(options, OPTIONS)
  return { bigint: flag('bigint', options.bigint), run: runOptions(options) }
}
