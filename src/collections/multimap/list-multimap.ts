import type { RListMultimap, RListMultimapValues } from './multimap.api.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { listPage } from '../list/list-page.js'
import { RedissonListMultimapValues } from './list-multimap-values.js'
import { ofValues } from './list-multimap.scripts.js'
import { RedissonMultimap } from './multimap.js'
import type { ValuesPage } from './multimap-reader.js'
import type { ScriptsOfValues } from './multimap.scripts.js'
import type { ValuesContext } from './values-context.js'

/** A multimap that has the values of a key in the order in which they were put. */
export class RedissonListMultimap<K, V>
  extends RedissonMultimap<K, V, RListMultimapValues<V>>
  implements RListMultimap<K, V>
{
  protected override valuesIn(context: ValuesContext, settings: ValueSettings<V>): RListMultimapValues<V> {
    return new RedissonListMultimapValues(context, context.place.name, settings)
  }

  protected override get valueScripts(): ScriptsOfValues {
    return ofValues
  }

  protected override get valuesPage(): ValuesPage {
    return (values, cursor, count) => listPage(this.requests.at(values), { from: Number(cursor), count })
  }
}
