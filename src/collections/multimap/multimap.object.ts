import type { CollectionObjects } from '../collections.api.js'
import type { Factory } from '../../core/context/factories.js'
import { EntryRooms } from '../shared/entry-objects.js'
import { RedissonListMultimap } from './list-multimap.js'
import { multimapSettings } from './multimap-options.js'
import { RedissonSetMultimap } from './set-multimap.js'

/** How a client and a batch make one. */
export const getSetMultimap: Factory<CollectionObjects['getSetMultimap']> = (
  { context, shared },
  name,
  options,
) => new RedissonSetMultimap(context, name, multimapSettings(options, context), shared.get(EntryRooms))

/** How a client and a batch make one. */
export const getListMultimap: Factory<CollectionObjects['getListMultimap']> = (
  { context, shared },
  name,
  options,
) => new RedissonListMultimap(context, name, multimapSettings(options, context), shared.get(EntryRooms))
