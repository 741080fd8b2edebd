import type { CollectionObjects } from '../collections.api.js'
import type { Factory } from '../../core/context/factories.js'
import { multimapSettings } from '../multimap/multimap-options.js'
import { EntryRooms } from '../shared/entry-objects.js'
import { RedissonListMultimapCache } from './list-multimap-cache.js'
import { MultimapCacheCleaning } from './multimap-cache-cleaning.js'
import { RedissonSetMultimapCache } from './set-multimap-cache.js'

/** How a client and a batch make one. */
export const getSetMultimapCache: Factory<CollectionObjects['getSetMultimapCache']> = (
  { context, shared },
  name,
  options,
) =>
  new RedissonSetMultimapCache(context, name, multimapSettings(options, context), {
    rooms: shared.get(EntryRooms),
    cleaning: shared.get(MultimapCacheCleaning),
  })

/** How a client and a batch make one. */
export const getListMultimapCache: Factory<CollectionObjects['getListMultimapCache']> = (
  { context, shared },
  name,
  options,
) =>
  new RedissonListMultimapCache(context, name, multimapSettings(options, context), {
    rooms: shared.get(EntryRooms),
    cleaning: shared.get(MultimapCacheCleaning),
  })
