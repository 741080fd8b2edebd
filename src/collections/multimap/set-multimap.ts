import type { RSetMultimap, RSetMultimapValues } from './multimap.api.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { SetReader } from '../set/set-reader.js'
import type { EntryRooms } from '../shared/entry-objects.js'
import type { MultimapSettings } from './multimap-options.js'
import { RedissonMultimap } from './multimap.js'
import type { ValuesPage } from './multimap-reader.js'
import type { ScriptsOfValues } from './multimap.scripts.js'
import { RedissonSetMultimapValues } from './set-multimap-values.js'
import { ofValues } from './set-multimap.scripts.js'
import type { ValuesContext } from './values-context.js'

/** A multimap that has each value of a key once. */
export class RedissonSetMultimap<K, V>
  extends RedissonMultimap<K, V, RSetMultimapValues<V>>
  implements RSetMultimap<K, V>
{
  readonly #rooms: EntryRooms

  constructor(context: ObjectContext, name: string, settings: MultimapSettings<K, V>, rooms: EntryRooms) {
    super(context, name, settings, rooms)
    this.#rooms = rooms
  }

  protected override valuesIn(context: ValuesContext, settings: ValueSettings<V>): RSetMultimapValues<V> {
    return new RedissonSetMultimapValues(context, context.place.name, settings, this.#rooms)
  }

  protected override get valueScripts(): ScriptsOfValues {
    return ofValues
  }

  protected override get valuesPage(): ValuesPage {
    return (values, cursor, count) =>
      new SetReader(this.requests.at(values)).page(cursor, { pattern: '*', count })
  }
}
