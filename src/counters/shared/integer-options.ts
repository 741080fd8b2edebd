import type { AtomicLongOptions } from '../../api/counters/atomic-long.js'
import type { IdGeneratorOptions } from '../../api/counters/id-generator.js'
import type { RunOptions } from '../../command/command-executor.js'
import { flag } from '../../core/arguments.js'
import { runOptions } from '../../core/object-settings.js'
import { demandOptions, known } from '../../core/options.js'

const OPTIONS = known<AtomicLongOptions & IdGeneratorOptions>({ exactlyOnce: true, bigint: true })

/** What the options of an object with integers mean. */
export interface IntegerSettings {
  readonly bigint: boolean
  readonly run: RunOptions
}

/** @throws TypeError for options that are unknown or wrong */
export function integerSettings(options: AtomicLongOptions | IdGeneratorOptions): IntegerSettings {
  demandOptions(options, OPTIONS)
  return { bigint: flag('bigint', options.bigint), run: runOptions(options) }
}
