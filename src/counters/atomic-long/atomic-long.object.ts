import type { CounterObjects } from '../counters.api.js'
import type { RAtomicLong } from './atomic-long.api.js'
import type { Factory } from '../../core/context/factories.js'
import { integerSettings } from '../../core/arguments/integer-options.js'
import { bigints, numbers } from '../../core/arguments/integers.js'
import { RedissonAtomicLong } from './atomic-long.js'

/** How a client and a batch make one. */
export const getAtomicLong: Factory<CounterObjects['getAtomicLong']> = ({ context }, name, options) => {
  const { bigint, run } = integerSettings(options)
  const made = bigint
    ? new RedissonAtomicLong(context, name, bigints, run)
    : new RedissonAtomicLong(context, name, numbers, run)
  return made as RAtomicLong // the type of the method says which it is
}
