import type { CollectionObjects } from '../collections.api.js'
import type { Factory } from '../../core/context/factories.js'
import { multimapSettings } from '../multimap/multimap-options.js'
import { EntryRooms } from '../shared/entry-objects.js'
import { RedissonListMultimapCacheNative } from './list-multimap-cache-native.js'
import { RedissonSetMultimapCacheNative } from './set-multimap-cache-native.js'

/** How a client and a batch make one. */
export const getSetMultimapCacheNative: Factory<CollectionObjects['getSetMultimapCacheNative']> = (
  { context, shared },
  name,
  options,
) =>
  new RedissonSetMultimapCacheNative(
    context,
    name,
    multimapSettings(options, context),
    shared.get(EntryRooms),
  )

/** How a client and a batch make one. */
export const getListMultimapCacheNative: Factory<CollectionObjects['getListMultimapCacheNative']> = (
  { context, shared },
  name,
  options,
) =>
  new RedissonListMultimapCacheNative(
    context,
    name,
    multimapSettings(options, context),
    shared.get(EntryRooms),
  )
