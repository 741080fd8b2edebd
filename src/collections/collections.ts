import type { RGeo } from '../api/collections/geo.js'
import type { RLexSortedSet } from '../api/collections/lex-sorted-set.js'
import type { RList } from '../api/collections/list.js'
import type { CollectionObjects } from '../api/collections/objects.js'
import type { KeyedMapOptions, MapOptions, RMap } from '../api/collections/map.js'
import type {
  KeyedMultimapOptions,
  MultimapOptions,
  RListMultimap,
  RSetMultimap,
} from '../api/collections/multimap.js'
import type { RSet } from '../api/collections/set.js'
import type { RScoredSortedSet } from '../api/collections/scored-sorted-set.js'
import type { RSortedSet, SortedValue } from '../api/collections/sorted-set.js'
import type { ObjectOptions, ValueOptions } from '../api/object-options.js'
import type { ObjectContext } from '../core/object-context.js'
import { objectSettings, valueSettings } from '../core/object-settings.js'
import { refuseSurplus } from '../core/options.js'
import { KeyWaiters } from '../waiting/key-waiters.js'
import { RedissonGeo } from './geo/geo.js'
import { RedissonLexSortedSet } from './lex-sorted-set/lex-sorted-set.js'
import { RedissonList } from './list/list.js'
import { RedissonBackedMap } from './map/backed-map.js'
import { WriteBehinds } from './map/behind/write-behinds.js'
import { Computations } from './map/computations.js'
import { RedissonMap, type MapServices } from './map/map.js'
import { mapSettings } from './map/map-options.js'
import { RedissonListMultimap } from './multimap/list-multimap.js'
import { multimapSettings } from './multimap/multimap-options.js'
import { RedissonSetMultimap } from './multimap/set-multimap.js'
import { RedissonSet } from './set/set.js'
import type { EntryRooms } from './shared/entry-objects.js'
import { RedissonSortedSet } from './sorted-set/sorted-set.js'
import { RedissonScoredSortedSet } from './scored-sorted-set/scored-sorted-set.js'

/** Makes collections. */
export class Collections implements CollectionObjects {
  static {
    refuseSurplus(this)
  }

  readonly #context: ObjectContext
  readonly #maps: MapServices
  readonly #waiters: KeyWaiters

  /** @param others - those of the same client with which it has all in common but the context */
  constructor(context: ObjectContext, rooms: EntryRooms, others?: Collections) {
    this.#context = context
    this.#maps =
      others === undefined
        ? { rooms, computations: new Computations(), behind: new WriteBehinds(context) }
        : others.#maps
    this.#waiters = others === undefined ? new KeyWaiters(context) : others.#waiters
  }

  getMap<K, V>(name: string, options?: MapOptions<K, V> | KeyedMapOptions<K, V>): RMap<K, V> {
    const settings = mapSettings(options, this.#context)
    if (settings.backing === undefined) return new RedissonMap(this.#context, name, settings, this.#maps)
    return new RedissonBackedMap(this.#context, name, { ...settings, backing: settings.backing }, this.#maps)
  }

  getList<V>(name: string, options?: ValueOptions<V>): RList<V> {
    return new RedissonList(this.#context, name, valueSettings(options, this.#context))
  }

  getSet<V>(name: string, options?: ValueOptions<V>): RSet<V> {
    return new RedissonSet(this.#context, name, valueSettings(options, this.#context), this.#maps.rooms)
  }

  getScoredSortedSet<V>(name: string, options?: ValueOptions<V>): RScoredSortedSet<V> {
    return new RedissonScoredSortedSet(
      this.#context,
      name,
      valueSettings(options, this.#context),
      this.#waiters,
    )
  }

  getGeo<V>(name: string, options?: ValueOptions<V>): RGeo<V> {
    return new RedissonGeo(this.#context, name, valueSettings(options, this.#context), this.#waiters)
  }

  getLexSortedSet(name: string, options?: ObjectOptions): RLexSortedSet {
    return new RedissonLexSortedSet(this.#context, name, objectSettings(options), this.#waiters)
  }

  getSortedSet<V extends SortedValue>(name: string, options?: ValueOptions<V>): RSortedSet<V> {
    const services = { rooms: this.#maps.rooms, waiters: this.#waiters }
    return new RedissonSortedSet(this.#context, name, valueSettings(options, this.#context), services)
  }

  getSetMultimap<K, V>(
    name: string,
    options?: MultimapOptions<K, V> | KeyedMultimapOptions<K, V>,
  ): RSetMultimap<K, V> {
    const settings = multimapSettings(options, this.#context)
    return new RedissonSetMultimap(this.#context, name, settings, this.#maps.rooms)
  }

  getListMultimap<K, V>(
    name: string,
    options?: MultimapOptions<K, V> | KeyedMultimapOptions<K, V>,
  ): RListMultimap<K, V> {
    const settings = multimapSettings(options, this.#context)
    return new RedissonListMultimap(this.#context, name, settings, this.#maps.rooms)
  }
}
