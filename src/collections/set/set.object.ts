import type { CollectionObjects } from '../collections.api.js'
import type { Factories } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { EntryRooms } from '../shared/entry-objects.js'
import { RedissonSet } from './set.js'

/** How a client and a batch make one. */
export const setFactories: Factories<Pick<CollectionObjects, 'getSet'>> = {
  getSet: ({ context, shared }, name, options) =>
    new RedissonSet(context, name, valueSettings(options, context), shared.get(EntryRooms)),
}
