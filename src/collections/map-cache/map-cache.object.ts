import type { CollectionObjects } from '../collections.api.js'
import type { Factory } from '../../core/context/factories.js'
import { Computations } from '../map/computations.js'
import { EntryRooms } from '../shared/entry-objects.js'
import { MapCacheCleaning } from './map-cache-cleaning.js'
import { mapCacheSettings } from './map-cache-options.js'
import { RedissonMapCache } from './map-cache.js'

/** How a client and a batch make one. */
export const getMapCache: Factory<CollectionObjects['getMapCache']> = ({ context, shared }, name, options) =>
  new RedissonMapCache(context, name, mapCacheSettings(options, context), {
    rooms: shared.get(EntryRooms),
    computations: shared.get(Computations),
    cleaning: shared.get(MapCacheCleaning),
  })
