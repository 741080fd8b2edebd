import type { ProbabilisticObjects } from '../probabilistic.api.js'
import type { Factory } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { RedissonBloomFilter } from './bloom-filter.js'

/** How a client and a batch make one. */
export const getBloomFilter: Factory<ProbabilisticObjects['getBloomFilter']> = ({ context }, name, options) =>
  new RedissonBloomFilter(context, name, valueSettings(options, context))
