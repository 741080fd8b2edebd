import type { CollectionObjects } from '../collections.api.js'
import type { Factories } from '../../core/context/factories.js'
import { objectSettings } from '../../core/arguments/object-settings.js'
import { KeyWaiters } from '../../waiting/key-waiters.js'
import { RedissonLexSortedSet } from './lex-sorted-set.js'

/** How a client and a batch make one. */
export const lexSortedSetFactories: Factories<Pick<CollectionObjects, 'getLexSortedSet'>> = {
  getLexSortedSet: ({ context, shared }, name, options) =>
    new RedissonLexSortedSet(context, name, objectSettings(options), shared.get(KeyWaiters)),
}
