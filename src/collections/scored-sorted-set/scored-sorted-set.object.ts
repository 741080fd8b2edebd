import type { CollectionObjects } from '../collections.api.js'
import type { Factory } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { KeyWaiters } from '../../waiting/key-waiters.js'
import { RedissonScoredSortedSet } from './scored-sorted-set.js'

/** How a client and a batch make one. */
export const getScoredSortedSet: Factory<CollectionObjects['getScoredSortedSet']> = (
  { context, shared },
  name,
  options,
) => new RedissonScoredSortedSet(context, name, valueSettings(options, context), shared.get(KeyWaiters))
