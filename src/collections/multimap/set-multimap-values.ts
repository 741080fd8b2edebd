import type { RSetMultimapValues } from './multimap.api.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { RedissonSet } from '../set/set.js'
import { placedKey, type ValuesContext } from './values-context.js'

/** The values of one key of a multimap, as a set. */
export class RedissonSetMultimapValues<V> extends RedissonSet<V> implements RSetMultimapValues<V> {
  protected override keyNamed(context: ObjectContext, name: string): string {
    return placedKey(context as ValuesContext, name) ?? super.keyNamed(context, name)
  }
}
