import type { CollectionObjects } from '../collections.api.js'
import type { Factory } from '../../core/context/factories.js'
import { Computations } from '../map/computations.js'
import { EntryRooms } from '../shared/entry-objects.js'
import { mapCacheNativeSettings } from './map-cache-native-options.js'
import { RedissonMapCacheNative } from './map-cache-native.js'

/** How a client and a batch make one. */
export const getMapCacheNative: Factory<CollectionObjects['getMapCacheNative']> = (
  { context, shared },
  name,
  options,
) =>
  new RedissonMapCacheNative(context, name, mapCacheNativeSettings(options, context), {
    rooms: shared.get(EntryRooms),
    computations: shared.get(Computations),
  })
