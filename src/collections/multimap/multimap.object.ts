import type { CollectionObjects } from '../collections.api.js'
import type { Factories } from '../../core/context/factories.js'
import { EntryRooms } from '../shared/entry-objects.js'
import { RedissonListMultimap } from './list-multimap.js'
import { multimapSettings } from './multimap-options.js'
import { RedissonSetMultimap } from './set-multimap.js'

/** How a client and a batch make one. */
export const multimapFactories: Factories<Pick<CollectionObjects, 'getSetMultimap' | 'getListMultimap'>> = {
  getSetMultimap: ({ context, shared }, name, options) =>
    new RedissonSetMultimap(context, name, multimapSettings(options, context), shared.get(EntryRooms)),
  getListMultimap: ({ context, shared }, name, options) =>
    new RedissonListMultimap(context, name, multimapSettings(options, context), shared.get(EntryRooms)),
}
