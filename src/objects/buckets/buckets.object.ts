import type { ValueObjects } from '../objects.api.js'
import type { Factory } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { RedissonBuckets } from './buckets.js'

/** How a client and a batch make one. */
export const getBuckets: Factory<ValueObjects['getBuckets']> = ({ context }, options) =>
  new RedissonBuckets(context, valueSettings(options, context))
