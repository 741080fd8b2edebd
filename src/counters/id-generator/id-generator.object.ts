import type { RIdGenerator } from './id-generator.api.js'
import type { CounterObjects } from '../counters.api.js'
import type { Factory } from '../../core/context/factories.js'
import { integerSettings } from '../../core/arguments/integer-options.js'
import { bigints, numbers } from '../../core/arguments/integers.js'
import { IdBlocks } from './id-blocks.js'
import { RedissonIdGenerator } from './id-generator.js'

/** How a client and a batch make one. */
export const getIdGenerator: Factory<CounterObjects['getIdGenerator']> = (
  { context, shared },
  name,
  options,
) => {
  const { bigint, run } = integerSettings(options)
  const deps = { context, name, options: run, blocks: shared.get(IdBlocks) }
  const made = bigint
    ? new RedissonIdGenerator({ ...deps, integers: bigints })
    : new RedissonIdGenerator({ ...deps, integers: numbers })
  return made as RIdGenerator // the type of the method says which it is
}
