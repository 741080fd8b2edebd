import type { LocalCachedMapCacheObjects } from './local-cached-map-cache.api.js'
import type { Factory } from '../../core/context/factories.js'
import type { LockContext } from '../../core/context/object-context.js'
import { Confirmations } from '../local-cached-map/confirmations.js'
import { localCachedMapSettings } from '../local-cached-map/local-cached-map-options.js'
import { Computations } from '../map/computations.js'
import { MapCacheCleaning } from '../map-cache/map-cache-cleaning.js'
import { EntryRooms } from '../shared/entry-objects.js'
import { RedissonLocalCachedMapCache } from './local-cached-map-cache.js'

/** How a client makes one. */
export const getLocalCachedMapCache: Factory<
  LocalCachedMapCacheObjects['getLocalCachedMapCache'],
  LockContext
> = ({ context, shared }, name, options) =>
  new RedissonLocalCachedMapCache(
    context,
    name,
    localCachedMapSettings(options, context, ['CLEAR', 'NONE']),
    {
      rooms: shared.get(EntryRooms),
      computations: shared.get(Computations),
      cleaning: shared.get(MapCacheCleaning),
      confirmations: shared.get(Confirmations),
    },
  )
