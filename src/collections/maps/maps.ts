import type { MapEntries } from '../map/map.api.js'
import type { MapsImportOptions, NamedMaps, RMaps, RMapsImport, SetMapsOptions } from './maps.api.js'
import { demandTurns } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { keyOf } from '../../core/arguments/arguments.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { sendParts } from '../../core/context/parts.js'
import { entriesOf } from '../../core/entries.js'
import { inspectWord } from '../../util/inspect-short.js'
import { CLIENTS } from '../../util/refused-calls.js'
import { EntryCodec } from '../map/entry-codec.js'
import { MapWrites, type EncodedMap } from './map-writes.js'
import { RedissonMapsImport } from './maps-import.js'
import { batchSizeOf, importSettings, type MapsSettings } from './maps-options.js'

/** How many entries one script writes at most: Redis does nothing else meanwhile. */
const MOST_ENTRIES = 100_000

/** Replaces whole maps under many names. */
export class RedissonMaps<K, V> implements RMaps<K, V> {
  static {
    refuseSurplus(this, {
      set: '`batchSize` is an option',
      createImport: 'the fields are one list, and `batchSize` is an option',
    })
  }

  readonly #context: ObjectContext
  readonly #settings: MapsSettings<K, V>
  readonly #writes: MapWrites

  constructor(context: ObjectContext, settings: MapsSettings<K, V>) {
    this.#context = context
    this.#settings = settings
    this.#writes = new MapWrites(context, settings.run)
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#context.closing]
  }

  async set(maps: NamedMaps<K, V>, options?: SetMapsOptions): Promise<void> {
    const batchSize = batchSizeOf(options)
    const all = this.#encoded(maps)
    const together = this.#context.executor.isBatch ? Math.max(1, all.length) : batchSize
    await sendParts(all, (map) => this.#writes.write(map), { together, changes: 'always' })
  }

  createImport(options: MapsImportOptions<K>): RMapsImport<V> {
    demandTurns(this.#context.executor, 'createImport()')
    const { fields, batchSize } = importSettings(options)
    const { codec } = this.#settings
    return new RedissonMapsImport(this.#context, { fields, batchSize, codec }, this.#writes)
  }

  /** Everything is written before anything is sent. Of a name that comes twice, the last map is there. */
  #encoded(maps: NamedMaps<K, V>): readonly EncodedMap[] {
    const all = new Map<string, EncodedMap>()
    for (const [name, map] of entriesOf<string, MapEntries<K, V>>('maps', maps)) {
      const key = keyOf(this.#context, name)
      all.set(key, { key, entries: this.#entriesOf(name, map) })
    }
    return [...all.values()]
  }

  #entriesOf(name: string, map: MapEntries<K, V>): readonly Argument[] {
    const codec = new EntryCodec(name, this.#settings.codec)
    const entries: Argument[] = []
    for (const [key, value] of entriesOf<K, V>(`the map ${inspectWord(name)}`, map))
      entries.push(codec.encodeKey(key), codec.encodeValue(value, key))
    if (entries.length <= 2 * MOST_ENTRIES) return entries
    const most = String(MOST_ENTRIES)
    throw new RangeError(
      `Expected the map ${inspectWord(name)} to have at most ${most} entries, got more: putAll() of a map writes them in parts`,
    )
  }
}
