import type { ValueObjects } from '../objects.api.js'
import type { Factories } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { RedissonBucket } from './bucket.js'

/** How a client and a batch make one. */
export const bucketFactories: Factories<Pick<ValueObjects, 'getBucket'>> = {
  getBucket: ({ context }, name, options) =>
    new RedissonBucket(context, name, valueSettings(options, context)),
}
