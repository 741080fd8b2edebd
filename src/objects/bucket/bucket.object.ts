import type { ValueObjects } from '../objects.api.js'
import type { Factory } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { RedissonBucket } from './bucket.js'

/** How a client and a batch make one. */
export const getBucket: Factory<ValueObjects['getBucket']> = ({ context }, name, options) =>
  new RedissonBucket(context, name, valueSettings(options, context))
