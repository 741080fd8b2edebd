import type { ComputeContext, MapLoader } from './map.api.js'
import type { Argument } from '../../connection/connection.js'
import type { PendingWrites } from './behind/pending-writes.js'
import type { Computed, ComputedEntry } from './computations.js'
import { bytesOf, type EntryCodec } from './entry-codec.js'

/** Loads values of one map, each under the lock of its entry. What is not written behind yet is what a loader would have to return. */
export class EntryLoader<K, V> {
  readonly #loader: MapLoader<K, V>
  readonly #codec: EntryCodec<K, V>
  readonly #pending: PendingWrites | undefined

  constructor(loader: MapLoader<K, V>, codec: EntryCodec<K, V>, pending: PendingWrites | undefined) {
    this.#loader = loader
    this.#codec = codec
    this.#pending = pending
  }

  /** Puts the value of a key into the map that has none. Returns the bytes of what is there then. */
  async load(key: K, entry: ComputedEntry<V>, context: ComputeContext): Promise<Buffer | undefined> {
    const pending = await this.#pendingOf(key)
    const loaded = pending === undefined ? await this.#ask(key, context) : pending.value
    if (loaded === undefined) return undefined
    const isWritten = await entry.write(undefined, { value: undefined, bytes: loaded }, context)
    return isWritten ? bytesOf(loaded) : await entry.read(context)
  }

  /** The value that a key is to have, whichever it has; undefined for one that is known only to the map. */
  async reload(key: K, context: ComputeContext): Promise<Computed<V> | undefined> {
    const bytes = (await this.#pendingOf(key)) === undefined ? await this.#ask(key, context) : undefined
    return bytes === undefined ? undefined : { value: undefined, bytes }
  }

  /** @throws TypeError if the loader does not know them */
  allKeys(): Iterable<K> | AsyncIterable<K> {
    if (this.#loader.loadAllKeys !== undefined) return this.#loader.loadAllKeys()
    throw new TypeError('Expected `keys`, or a loader with a method loadAllKeys(), got neither')
  }

  async #ask(key: K, context: ComputeContext): Promise<Argument | undefined> {
    const value = await this.#loader.load(key, context)
    return value === undefined ? undefined : this.#codec.encodeValue(value, key)
  }

  async #pendingOf(key: K): ReturnType<PendingWrites['of']> {
    return await this.#pending?.of(this.#codec.encodeKey(key))
  }
}
