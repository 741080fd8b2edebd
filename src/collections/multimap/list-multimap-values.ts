import type { RListMultimapValues } from './multimap.api.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { RedissonList } from '../list/list.js'
import { placedKey, type ValuesContext } from './values-context.js'

/** The values of one key of a multimap, as a list. */
export class RedissonListMultimapValues<V> extends RedissonList<V> implements RListMultimapValues<V> {
  protected override keyNamed(context: ObjectContext, name: string): string {
    return placedKey(context as ValuesContext, name) ?? super.keyNamed(context, name)
  }
}
