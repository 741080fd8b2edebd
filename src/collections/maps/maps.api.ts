import type { EntryCodecOptions, ObjectOptions } from '../../api/object-options.js'
import type { KeyedMapCodec, MapEntries } from '../map/map.api.js'

/** How several maps are written. */
export interface MapsOptions<K, V> extends EntryCodecOptions<K, V>, ObjectOptions {}

/** The options of maps whose keys are no texts: they need a codec. */
export interface KeyedMapsOptions<K, V> extends MapsOptions<K, V> {
  readonly codec: KeyedMapCodec<K, V>
}

/** Options of `set()` of {@link RMaps}. */
export interface SetMapsOptions {
  /**
   * How many maps are sent together, from 1 to 5 000. The next ones follow when all of them are written. A batch sends all of them together.
   *
   * @defaultValue 500
   */
  readonly batchSize?: number | undefined
}

/** What {@link RMaps.createImport} takes. */
export interface MapsImportOptions<K> {
  /** The keys of each map: at least one, and each of them once. */
  readonly fields: Iterable<K>
  /**
   * How many maps wait until they are written, from 1 to 5 000.
   *
   * @defaultValue 500
   */
  readonly batchSize?: number | undefined
}

/** Maps by their names; where the keys of the maps are texts, they may be objects, too. */
export type NamedMaps<K, V> =
  Iterable<readonly [string, MapEntries<K, V>]> | Readonly<Record<string, MapEntries<K, V>>>

/** Maps that may be rows of an interface, which TypeScript takes for no record of its keys. */
export type NamedRows<K, V, M> =
  M extends Iterable<readonly [string, infer R]>
    ? Iterable<readonly [string, MapRow<K, V, R>]>
    : { readonly [N in keyof M]: MapRow<K, V, M[N]> }

/** The same row, if its members are entries of such a map. */
export type MapRow<K, V, R> =
  R extends MapEntries<K, V>
    ? R
    : K extends string
      ? { readonly [P in keyof R]: P extends K ? (R[P] extends V ? R[P] : never) : never }
      : never

/**
 * Replaces whole maps under many names. They are read and changed by `getMap()`.
 *
 * Each map is replaced in one step: no one sees a part of it. What the map had before is gone, its time to live too. Other maps are replaced before or
 * after it. In a cluster, the names may belong to any slots.
 *
 * A request takes O(n) for a map of n entries, and is sent again if its reply is lost. It may then overwrite what another client has written in between.
 *
 * Local caches of such maps are not notified, and writers are not called: see `getLocalCachedMap()` and {@link MapWriter}.
 *
 * @example
 * ```ts
 * const users = client.getMaps<string, string>()
 * await users.set({ 'user:1': { name: 'Ada' }, 'user:2': { name: 'Alan', town: 'London' } })
 * console.log(await client.getMap('user:2').get('town')) // London
 * ```
 */
export interface RMaps<K, V> {
  /**
   * Replaces maps. One without entries is removed. Of a name that comes twice, the last map counts.
   *
   * Everything is written by the codecs before the first request is sent. If the call rejects, some of the maps may have been replaced, and
   * its error has `mayHaveRun` then.
   *
   * @param maps - a `Map`, any other iterable of pairs, or a plain object
   * @throws TypeError for anything else, and for `undefined` as key or value
   * @throws RangeError for a map of more than 100 000 entries
   * @throws {@link WrongTypeError} if a name belongs to another kind of object, which stays
   * @throws {@link CodecError} if a codec cannot write a key or a value
   */
  set(maps: NamedMaps<K, V>, options?: SetMapsOptions): Promise<void>

  /** Replaces maps that are rows of an interface, in the same way. */
  set<M extends Iterable<readonly [string, object]> | Readonly<Record<string, object>>>(
    maps: M & NamedRows<K, V, M>,
    options?: SetMapsOptions,
  ): Promise<void>

  /**
   * Makes an import of many maps with the same keys, which need not fit into memory together. Nothing is sent until maps are added. It cannot
   * be part of a batch.
   *
   * @throws TypeError for fields that are missing or come twice, and for an option that is unknown or wrong
   * @throws {@link CodecError} if the codec cannot write a field
   * @example
   * ```ts
   * await using users = client.getMaps<string, string>().createImport({ fields: ['name', 'town'] })
   * await users.add('user:1', ['Ada', 'London'])
   * await users.add('user:2', ['Alan', 'Manchester'])
   * ```
   */
  createImport(options: MapsImportOptions<K>): RMapsImport<V>
}

/**
 * An import of maps with the same keys: see {@link RMaps.createImport}.
 *
 * Maps that were added wait until there are {@link MapsImportOptions.batchSize} of them, and are written then. The rest is written by
 * {@link RMapsImport.flush}, or when the import is disposed of, as `await using` does. What waits is in this process alone.
 *
 * A map that could not be written waits on, and the next flush writes it.
 */
export interface RMapsImport<V> extends AsyncDisposable {
  /** How many maps were written so far. One that was replaced by another before it was written does not count. */
  readonly importedCount: number

  /**
   * Adds a map. Of a name that comes twice, the last map counts. Resolves at once, or, with the last map of a part, when that part is written:
   * await it, or all of the maps wait in memory.
   *
   * @param values - as many as there are fields, in their order
   * @throws RangeError for another number of values
   * @throws TypeError for `undefined` as value, and if the import was disposed of
   * @throws {@link CodecError} if the codec cannot write a value; nothing of this map is written then
   */
  add(name: string, values: Iterable<V>): Promise<void>

  /** Writes all maps that wait. Rejects with the first error, once the others of the same part are written. */
  flush(): Promise<void>

  /** Writes all maps that wait, and ends the import. */
  [Symbol.asyncDispose](): Promise<void>
}
