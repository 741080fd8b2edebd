import type { ComputeOptions, LoadOptions } from './map.api.js'
import { demandNoSignal, demandTurns } from '../../command/operation/command-executor.js'
import { keysOf, type Entries } from '../../core/entries.js'
import { sumScratch } from '../../core/context/names.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { EXACTLY_ONCE } from '../../core/redisson-object.js'
import { demandNoMore, refuseSurplus, ANY_NUMBER } from '../../core/arguments/options.js'
import { afterEffect, mayHaveTakenEffect } from '../../errors/after-effect.js'
import { inParallel } from '../../util/in-parallel.js'
import { untilAborted } from '../../util/abort/until-aborted.js'
import { asEnded } from '../../core/holds/ended-calls.js'
import { PendingWrites } from './behind/pending-writes.js'
import { WriteBehind } from './behind/write-behind.js'
import type { Backing, RetryingWriter } from './backing.js'
import { BulkChanges } from './bulk-changes.js'
import type { Computations, Computed, ComputedEntry } from './computations.js'
import { bytesOf, EntryCodec } from './entry-codec.js'
import { EntryLoader } from './entry-loader.js'
import { decimal, NO_TIME, RedissonMap, type MapServices } from './map.js'
import { loadSettings, type MapSettings } from './map-options.js'
import * as scripts from './map.scripts.js'

/** How many missing values one call has loaded at the same time. */
const PARALLELISM = 10

/** What a change makes of the value that is there, if anything. */
type Change<V> = (before: Buffer | undefined) => Computed<V> | undefined

/** The settings of a map with something behind it. */
export type BackedSettings<K, V> = MapSettings<K, V> & { readonly backing: Backing<K, V> }

/**
 * A map with something behind it: a loader, a writer, or both.
 *
 * Every change of it is a computation, under the lock of its entry. Writing through comes before the change of the map, so that what the writer
 * refuses is not there either; writing behind is noted together with it.
 */
export class RedissonBackedMap<K, V> extends RedissonMap<K, V> {
  static {
    refuseSurplus(this, {
      get: 'getAll() returns several values',
      getAll: 'the keys are one list',
      containsKey: 'it looks for one key',
      put: NO_TIME,
      fastPut: NO_TIME,
      putAll: NO_TIME,
      putIfAbsent: NO_TIME,
      putIfExists: NO_TIME,
      replace: ANY_NUMBER,
      remove: ANY_NUMBER,
      fastRemove: ANY_NUMBER,
      addAndGet: 'it adds to one value',
    })
  }

  readonly #codec: EntryCodec<K, V>
  readonly #computations: Computations
  readonly #loader: EntryLoader<K, V> | undefined
  /** Where changes are written at once. */
  readonly #through: RetryingWriter<K, V> | undefined
  /** Where they are written later. */
  readonly #behind: WriteBehind<K, V> | undefined
  readonly #bulk: BulkChanges<K, V>

  constructor(context: ObjectContext, name: string, settings: BackedSettings<K, V>, services: MapServices) {
    super(context, name, settings, services)
    demandTurns(context.executor, 'A map with a loader or a writer')
    if (settings.backing.behind !== undefined) demandNoSignal(context.executor, 'what is written behind')
    const { loader, writer, behind } = settings.backing
    this.#codec = new EntryCodec(name, settings.codec)
    this.#computations = services.computations
    const pending = behind && new PendingWrites(context.executor, this.key, behind.delayMs)
    this.#loader = loader && new EntryLoader(loader, this.#codec, pending)
    this.#through = behind === undefined ? writer : undefined
    if (writer !== undefined && behind !== undefined && pending !== undefined) {
      const deps = { name, pending, codec: this.#codec, writer, settings: behind, all: services.behind }
      this.#behind = new WriteBehind(deps)
    }
    this.#bulk = new BulkChanges({
      object: name,
      requests: super.requests,
      codec: this.#codec,
      computations: this.#computations,
      lockOf: (key) => this.getLock(key),
      isLoaded: loader !== undefined,
      through: this.#through,
      behind: this.#behind,
    })
  }

  override async get(key: K): Promise<V | undefined> {
    return (await super.get(key)) ?? (await this.#load(key))
  }

  override async getAll(keys: Iterable<K>): Promise<Map<K, V>> {
    const wanted = keysOf(keys)
    const found = await super.getAll(wanted)
    if (this.#loader === undefined) return found
    const loaded = new Map<K, V>()
    const missing = wanted.filter((key) => !found.has(key))
    await this.#loadEach(missing, PARALLELISM, async (key) => {
      const value = await this.#load(key)
      if (value !== undefined) loaded.set(key, value)
      return value !== undefined
    })
    return new Map(wanted.flatMap((key) => entryIn(found, key) ?? entryIn(loaded, key) ?? []))
  }

  override async containsKey(key: K): Promise<boolean> {
    return (await super.containsKey(key)) || (await this.#load(key)) !== undefined
  }

  override async loadAll(options?: LoadOptions<K>): Promise<void> {
    const { keys, replaces, parallelism } = loadSettings(options)
    const loader = this.#loader
    if (loader === undefined) throw new TypeError('Expected the map to have a `loader`, got none')
    const wanted = keys ?? loader.allKeys()
    const load = async (key: K) =>
      (await super.get(key)) === undefined && (await this.#load(key)) !== undefined
    await this.#loadEach(wanted, parallelism, (key) => (replaces ? this.#reload(key, loader) : load(key)))
  }

  override async flush(): Promise<void> {
    await this.#behind?.flush()
  }

  override async put(key: K, value: V): Promise<V | undefined> {
    const after = this.#valueOf(key, value)
    return this.#codec.decodeTakenValue(await this.#change(key, () => after), key)
  }

  override async fastPut(key: K, value: V): Promise<boolean> {
    const after = this.#valueOf(key, value)
    return (await this.#change(key, () => after)) === undefined
  }

  override async putAll(entries: Entries<K, V>): Promise<void> {
    await this.#bulk.putAll(entries)
  }

  override async putIfAbsent(key: K, value: V): Promise<V | undefined> {
    const after = this.#valueOf(key, value)
    const before = await this.#changeLoaded(key, (found) => (found === undefined ? after : undefined))
    return this.#codec.decodeFoundValue(before, key)
  }

  override async fastPutIfAbsent(key: K, value: V): Promise<boolean> {
    return (await this.putIfAbsent(key, value)) === undefined
  }

  override async putIfExists(key: K, value: V): Promise<V | undefined> {
    const after = this.#valueOf(key, value)
    const changed = await this.#changeLoaded(key, (before) => (before === undefined ? undefined : after))
    return this.#codec.decodeTakenValue(changed, key)
  }

  override async fastPutIfExists(key: K, value: V): Promise<boolean> {
    return (await this.putIfExists(key, value)) !== undefined
  }

  override replace(key: K, value: V): Promise<V | undefined>
  override replace(key: K, expected: V, value: V): Promise<boolean>
  override async replace(key: K, ...values: [V] | [V, V]): Promise<V | boolean | undefined> {
    demandNoMore((values as readonly unknown[])[2])
    if (values.length < 2) return await this.putIfExists(key, values[0])
    const [expected, value] = values as [V, V]
    const after = this.#valueOf(key, value)
    return await this.#changeIf(key, expected, after)
  }

  override remove(key: K): Promise<V | undefined>
  override remove(key: K, expected: V): Promise<boolean>
  override async remove(key: K, ...values: [] | [V]): Promise<V | boolean | undefined> {
    demandNoMore((values as readonly unknown[])[1], 'fastRemove() removes several keys')
    if (values.length > 0) return await this.#changeIf(key, values[0] as V, REMOVED)
    return this.#codec.decodeTakenValue(await this.#change(key, () => REMOVED), key)
  }

  override async fastRemove(...keys: K[]): Promise<number> {
    return await this.#bulk.removeAll(keys)
  }

  override async addAndGet(key: K, delta: number | bigint): Promise<V> {
    const difference = decimal(delta)
    const scratch = { scratch: sumScratch(this.key) }
    let sum: V | undefined
    await this.#computations.run(
      this.entryOf(key),
      async (before) => {
        const args = { before: before ?? '0', delta: difference }
        const bytes = await this.requests.run(scripts.sum, { keys: scratch, args }, EXACTLY_ONCE)
        sum = this.#codec.decodeValue(bytes, key)
        return { value: sum, bytes }
      },
      {},
    )
    return sum as V
  }

  /** Every call, also one that only reads, looks for changes that a process has noted and not written before it ended. */
  protected override get requests(): ObjectRequests {
    this.#behind?.lookLater()
    return super.requests
  }

  protected override entryOf(key: K, _options?: ComputeOptions): ComputedEntry<V> {
    const entry = this.#plainEntryOf(key)
    const loader = this.#loader
    if (loader === undefined) return entry
    let mayBeLoaded = false
    const bare = super.entryOf(key)
    const loaded: ComputedEntry<V> = {
      ...bare,
      write: (...change) => {
        mayBeLoaded = true
        return bare.write(...change)
      },
    }
    return {
      ...entry,
      mayBeLoaded: () => mayBeLoaded,
      read: async (context) => (await entry.read(context)) ?? (await loader.load(key, loaded, context)),
      write: async (before, after, context) =>
        (before === undefined && after.bytes === undefined) || (await entry.write(before, after, context)),
    }
  }

  protected override async mayHave(key: K): Promise<boolean> {
    return this.#loader !== undefined || (await super.mayHave(key))
  }

  /** An entry whose changes are written, but that is not loaded: if it is missing, a loader may have it all the same. */
  #plainEntryOf(key: K): ComputedEntry<V> {
    const entry = super.entryOf(key)
    const field = this.#codec.encodeKey(key)
    let isWritten = false
    return {
      ...entry,
      failure: (error) => (isWritten ? afterEffect(error) : error),
      write: async (before, after, context) => {
        const { value, bytes } = after
        if (before === undefined && bytes === undefined && this.#loader === undefined) return true
        if (this.#behind !== undefined)
          return await this.#behind.afterwards((pending) => pending.change(field, before, bytes))
        if (value === undefined) await this.#through?.delete([key], context)
        else await this.#through?.write(new Map([[key, value]]), context)
        isWritten = this.#through !== undefined
        return await entry.write(before, after, context)
      },
    }
  }

  /** Changes an entry under its lock, whatever it has. Returns the bytes that the map had before. */
  #change(key: K, change: Change<V>): Promise<Buffer | undefined> {
    return this.#changeEntry(this.#plainEntryOf(key), change)
  }

  /** Changes an entry under its lock, by what it has or a loader brings. Returns the bytes of that. */
  #changeLoaded(key: K, change: Change<V>): Promise<Buffer | undefined> {
    return this.#changeEntry(this.entryOf(key), change)
  }

  async #changeEntry(entry: ComputedEntry<V>, change: Change<V>): Promise<Buffer | undefined> {
    let found: Buffer | undefined
    await this.#computations.run<V>(
      entry,
      (before) => {
        found = before
        return Promise.resolve(change(before) ?? { value: undefined, bytes: before, isKept: true })
      },
      {},
    )
    return found
  }

  /** Changes an entry whose value is as expected, by its bytes. Returns whether it was. */
  async #changeIf(key: K, expected: V, after: Computed<V>): Promise<boolean> {
    const bytes = bytesOf(this.#codec.encodeValue(expected, key))
    const isExpected = (before: Buffer | undefined) => before?.equals(bytes) === true
    return isExpected(await this.#changeLoaded(key, (before) => (isExpected(before) ? after : undefined)))
  }

  /**
   * Loads many values.
   *
   * @param load - returns whether there was a value to load
   * @throws the first error, which has `mayHaveRun` if another value was loaded, or may have been
   */
  async #loadEach(
    keys: Iterable<K> | AsyncIterable<K>,
    parallelism: number,
    load: (key: K) => Promise<boolean>,
  ): Promise<void> {
    const outcome = { isChanged: false }
    const loadOne = async (key: K) => {
      try {
        if (await load(key)) outcome.isChanged = true
      } catch (error) {
        if (mayHaveTakenEffect(error)) outcome.isChanged = true
        throw error
      }
    }
    const { signal } = this.requests
    try {
      await inParallel(untilAborted(keys, signal), parallelism, loadOne)
    } catch (error) {
      const ended = asEnded(error, {
        signal,
        request: `loading ${this.name}`,
        mayHaveRun: () => outcome.isChanged,
      })
      throw outcome.isChanged ? afterEffect(ended) : ended
    }
  }

  /** Loads the value of a key that has none, under its lock. */
  async #load(key: K): Promise<V | undefined> {
    if (this.#loader === undefined) return undefined
    const entry = this.entryOf(key)
    if (this.#computations.isRunning(entry.lock.name)) return undefined // it was loaded before the function was called
    return await this.#computations.run<V>(
      entry,
      (before) =>
        Promise.resolve({ value: this.#codec.decodeFoundValue(before, key), bytes: before, isKept: true }),
      {},
    )
  }

  /**
   * Loads the value of a key, in the place of the one that it has. A key that has none behind the map keeps what it has. Returns whether there was a
   * value to load.
   */
  async #reload(key: K, loader: EntryLoader<K, V>): Promise<boolean> {
    let loaded: Computed<V> | undefined
    await this.#computations.run<V>(
      super.entryOf(key),
      async (before, context) => {
        loaded = await loader.reload(key, context)
        return loaded ?? { value: undefined, bytes: before, isKept: true }
      },
      {},
    )
    return loaded !== undefined
  }

  #valueOf(key: K, value: V): Computed<V> {
    return { value, bytes: this.#codec.encodeValue(value, key) }
  }
}

/** What is left of an entry that is removed. */
const REMOVED = { value: undefined, bytes: undefined }

function entryIn<K, V>(values: ReadonlyMap<K, V>, key: K): [[K, V]] | undefined {
  const value = values.get(key)
  return value === undefined ? undefined : [[key, value]]
}
