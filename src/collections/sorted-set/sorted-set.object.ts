import type { CollectionObjects } from '../collections.api.js'
import type { Factory } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { KeyWaiters } from '../../waiting/key-waiters.js'
import { EntryRooms } from '../shared/entry-objects.js'
import { RedissonSortedSet } from './sorted-set.js'

/** How a client and a batch make one. */
export const getSortedSet: Factory<CollectionObjects['getSortedSet']> = (
  { context, shared },
  name,
  options,
) => {
  const services = { rooms: shared.get(EntryRooms), waiters: shared.get(KeyWaiters) }
  return new RedissonSortedSet(context, name, valueSettings(options, context), services)
}
