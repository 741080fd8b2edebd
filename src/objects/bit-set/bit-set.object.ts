import type { ValueObjects } from '../objects.api.js'
import type { RBitSet } from './bit-set.api.js'
import type { Factory } from '../../core/context/factories.js'
import { integerSettings } from '../../core/arguments/integer-options.js'
import { bigints, numbers } from '../../core/arguments/integers.js'
import { RedissonBitSet } from './bit-set.js'

/** How a client and a batch make one. */
export const getBitSet: Factory<ValueObjects['getBitSet']> = ({ context }, name, options) => {
  const { bigint, run } = integerSettings(options)
  const made = bigint
    ? new RedissonBitSet(context, name, bigints, run)
    : new RedissonBitSet(context, name, numbers, run)
  return made as RBitSet // the type of the method says which it is
}
