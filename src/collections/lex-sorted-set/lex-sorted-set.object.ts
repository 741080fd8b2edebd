import type { CollectionObjects } from '../collections.api.js'
import type { Factory } from '../../core/context/factories.js'
import { objectSettings } from '../../core/arguments/object-settings.js'
import { KeyWaiters } from '../../waiting/key-waiters.js'
import { RedissonLexSortedSet } from './lex-sorted-set.js'

/** How a client and a batch make one. */
export const getLexSortedSet: Factory<CollectionObjects['getLexSortedSet']> = (
  { context, shared },
  name,
  options,
) => new RedissonLexSortedSet(context, name, objectSettings(options), shared.get(KeyWaiters))
