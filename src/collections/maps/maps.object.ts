import type { CollectionObjects } from '../collections.api.js'
import type { Factory } from '../../core/context/factories.js'
import { mapsSettings } from './maps-options.js'
import { RedissonMaps } from './maps.js'

/** How a client and a batch make one. */
export const getMaps: Factory<CollectionObjects['getMaps']> = ({ context }, options) =>
  new RedissonMaps(context, mapsSettings(options, context))
