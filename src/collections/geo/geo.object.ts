import type { CollectionObjects } from '../collections.api.js'
import type { Factory } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { KeyWaiters } from '../../waiting/key-waiters.js'
import { RedissonGeo } from './geo.js'

/** How a client and a batch make one. */
export const getGeo: Factory<CollectionObjects['getGeo']> = ({ context, shared }, name, options) =>
  new RedissonGeo(context, name, valueSettings(options, context), shared.get(KeyWaiters))
