import type { CollectionObjects } from '../collections.api.js'
import type { Factory } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { EntryRooms } from '../shared/entry-objects.js'
import { SetCacheCleaning } from './set-cache-cleaning.js'
import { RedissonSetCache } from './set-cache.js'

/** How a client and a batch make one. */
export const getSetCache: Factory<CollectionObjects['getSetCache']> = ({ context, shared }, name, options) =>
  new RedissonSetCache(context, name, valueSettings(options, context), {
    rooms: shared.get(EntryRooms),
    cleaning: shared.get(SetCacheCleaning),
  })
