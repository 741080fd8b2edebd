import type { CollectionObjects } from '../collections.api.js'
import type { Factory } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { EntryRooms } from '../shared/entry-objects.js'
import { RedissonSet } from './set.js'

/** How a client and a batch make one. */
export const getSet: Factory<CollectionObjects['getSet']> = ({ context, shared }, name, options) =>
  new RedissonSet(context, name, valueSettings(options, context), shared.get(EntryRooms))
