import type { ComputeContext, LoadOptions } from '../../api/collections/map.js'
import { demandTurns, type CommandExecutor } from '../../command/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { entriesOf, keysOf, type Entries } from '../../core/entries.js'
import { sumScratch } from '../../core/names.js'
import type { ObjectContext } from '../../core/object-context.js'
import { ALONE, demandNoMore } from '../../core/options.js'
import { IN_TURN, sendParts } from '../../core/parts.js'
import { afterEffect } from '../../errors/after-effect.js'
import { multiLock } from '../../locks/multi/composite-lock.js'
import { chunk } from '../../util/chunk.js'
import { inParallel } from '../../util/in-parallel.js'
import { sumOf } from '../../util/sum-of.js'
import { PendingWrites } from './behind/pending-writes.js'
import { WriteBehind } from './behind/write-behind.js'
import type { Backing, RetryingWriter } from './backing.js'
import type { Computations, Computed, ComputedEntry } from './computations.js'
import { EntryCodec } from './entry-codec.js'
import { EntryLoader } from './entry-loader.js'
import { decimal, NO_TIME, RedissonMap, type MapServices } from './map.js'
import { loadSettings, type MapSettings } from './map-options.js'
import * as commands from './map.commands.js'
import * as scripts from './map.scripts.js'

/** How many entries are locked at a time, to be written through together. */
const MOST_LOCKED = 50

/** How many missing values one call has loaded at the same time. */
const PARALLELISM = 10

/** An entry, and its value as it is in Redis. */
interface EncodedEntry<K, V> {
  readonly key: K
  readonly value: V
  readonly bytes: Argument
}

/** A removal of several entries. No number, since one that has removed nothing may have had the writer delete what only the loader knows. */
interface Removal {
  /** How many of them the map had. */
  readonly removed: number
}

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
  readonly #codec: EntryCodec<K, V>
  readonly #computations: Computations
  readonly #loader: EntryLoader<K, V> | undefined
  /** Where changes are written at once. */
  readonly #through: RetryingWriter<K, V> | undefined
  /** Where they are written later. */
  readonly #behind: WriteBehind<K, V> | undefined

  constructor(context: ObjectContext, name: string, settings: BackedSettings<K, V>, services: MapServices) {
    super(context, name, settings, services)
    demandTurns(context.executor, 'A map with a loader or a writer')
    const { loader, writer, behind } = settings.backing
    this.#codec = new EntryCodec(name, settings.codec)
    this.#computations = services.computations
    const pending = behind && new PendingWrites(context.executor, this.key, behind.delayMs)
    this.#loader = loader && new EntryLoader(loader, this.#codec, pending)
    this.#through = behind === undefined ? writer : undefined
    if (writer === undefined || behind === undefined || pending === undefined) return
    const deps = { name, pending, codec: this.#codec, writer, settings: behind, all: services.behind }
    this.#behind = new WriteBehind(deps)
  }

  override async get(key: K, surplus?: unknown): Promise<V | undefined> {
    demandNoMore(surplus, 'getAll() returns several values')
    return (await super.get(key)) ?? (await this.#load(key))
  }

  override async getAll(keys: Iterable<K>, surplus?: unknown): Promise<Map<K, V>> {
    demandNoMore(surplus, 'the keys are one list')
    const wanted = keysOf(keys)
    const found = await super.getAll(wanted)
    if (this.#loader === undefined) return found
    const loaded = new Map<K, V>()
    await inParallel(
      wanted.filter((key) => !found.has(key)),
      PARALLELISM,
      async (key) => {
        const value = await this.#load(key)
        if (value !== undefined) loaded.set(key, value)
      },
    )
    return new Map(wanted.flatMap((key) => entryIn(found, key) ?? entryIn(loaded, key) ?? []))
  }

  override async containsKey(key: K, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, 'it looks for one key')
    return (await super.containsKey(key)) || (await this.#load(key)) !== undefined
  }

  override async loadAll(options: LoadOptions<K> = {}, surplus?: unknown): Promise<void> {
    demandNoMore(surplus)
    const { keys, replaces, parallelism } = loadSettings(options)
    const loader = this.#loader
    if (loader === undefined) throw new TypeError('Expected the map to have a `loader`, got none')
    const wanted = keys ?? loader.allKeys()
    await inParallel(wanted, parallelism, (key) => (replaces ? this.#reload(key, loader) : this.get(key)))
  }

  override async flush(surplus?: unknown): Promise<void> {
    demandNoMore(surplus, ALONE)
    await this.#behind?.flush()
  }

  override async put(key: K, value: V, surplus?: unknown): Promise<V | undefined> {
    demandNoMore(surplus, NO_TIME)
    const after = this.#valueOf(key, value)
    return this.#codec.decodeTakenValue(await this.#change(key, () => after), key)
  }

  override async fastPut(key: K, value: V, surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, NO_TIME)
    const after = this.#valueOf(key, value)
    return (await this.#change(key, () => after)) === undefined
  }

  override async putAll(entries: Entries<K, V>, surplus?: unknown): Promise<void> {
    demandNoMore(surplus, NO_TIME)
    const all = new Map<string, EncodedEntry<K, V>>()
    for (const [key, value] of entriesOf('entries', entries))
      all.set(this.#codec.identityOf(key), { key, value, bytes: this.#codec.encodeValue(value, key) })
    const parts = chunk([...all.values()], MOST_LOCKED)
    await sendParts(parts, (part) => this.#putTogether(part), IN_TURN)
  }

  override async putIfAbsent(key: K, value: V, surplus?: unknown): Promise<V | undefined> {
    demandNoMore(surplus, NO_TIME)
    const after = this.#valueOf(key, value)
    const before = await this.#changeLoaded(key, (found) => (found === undefined ? after : undefined))
    return this.#codec.decodeFoundValue(before, key)
  }

  override async fastPutIfAbsent(key: K, value: V, surplus?: unknown): Promise<boolean> {
    return (await this.putIfAbsent(key, value, surplus)) === undefined
  }

  override async putIfExists(key: K, value: V, surplus?: unknown): Promise<V | undefined> {
    demandNoMore(surplus, NO_TIME)
    const after = this.#valueOf(key, value)
    const changed = await this.#changeLoaded(key, (before) => (before === undefined ? undefined : after))
    return this.#codec.decodeTakenValue(changed, key)
  }

  override async fastPutIfExists(key: K, value: V, surplus?: unknown): Promise<boolean> {
    return (await this.putIfExists(key, value, surplus)) !== undefined
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
    const all = new Map(keys.map((key) => [this.#codec.identityOf(key), key]))
    const parts = chunk([...all.values()], MOST_LOCKED)
    const removals = await sendParts(parts, (part) => this.#removeTogether(part), IN_TURN)
    return sumOf(removals.map(({ removed }) => removed))
  }

  override async addAndGet(key: K, delta: number | bigint, surplus?: unknown): Promise<V> {
    demandNoMore(surplus, 'it adds to one value')
    const difference = decimal(delta)
    const scratch = { scratch: sumScratch(this.key) }
    let sum: V | undefined
    await this.#computations.run(
      this.entryOf(key),
      async (before) => {
        const args = { before: before ?? '0', delta: difference }
        const bytes = await this.executor.run(scripts.sum, { keys: scratch, args }, { exactlyOnce: true })
        sum = this.#codec.decodeValue(bytes, key)
        return { value: sum, bytes }
      },
      {},
    )
    return sum as V
  }

  /** Every call, also one that only reads, looks for changes that a process has noted and not written before it ended. */
  protected override get executor(): CommandExecutor {
    this.#behind?.lookLater()
    return super.executor
  }

  protected override entryOf(key: K): ComputedEntry<V> {
    const entry = this.#plainEntryOf(key)
    const loader = this.#loader
    if (loader === undefined) return entry
    const bare = super.entryOf(key)
    return {
      ...entry,
      read: async (context) => (await entry.read(context)) ?? (await loader.load(key, bare, context)),
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
    let isWritten = false
    return {
      ...entry,
      failure: (error) => (isWritten ? afterEffect(error) : error),
      write: async (before, after, context) => {
        const { value, bytes } = after
        if (before === undefined && bytes === undefined && this.#loader === undefined) return true
        const field = this.#codec.encodeKey(key)
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
    const wanted = this.#codec.encodeValue(expected, key)
    const bytes = typeof wanted === 'string' ? Buffer.from(wanted) : Buffer.from(wanted as Buffer)
    const isExpected = (before: Buffer | undefined) => before?.equals(bytes) === true
    return isExpected(await this.#changeLoaded(key, (before) => (isExpected(before) ? after : undefined)))
  }

  async #putTogether(part: readonly EncodedEntry<K, V>[]): Promise<void> {
    const keys = part.map(({ key }) => key)
    const entries = part.map(({ key, value }) => [key, value] as const)
    await this.#changeTogether(keys, (context) => {
      const write = (writer: RetryingWriter<K, V>) => writer.write(new Map(entries), context)
      if (this.#behind === undefined) return this.#writeTogether(context, write, () => super.putAll(entries))
      const fields = part.flatMap(({ key, bytes }) => [this.#codec.encodeKey(key), bytes])
      return this.#behind.afterwards((pending) => pending.putAll(fields))
    })
  }

  async #removeTogether(keys: readonly K[]): Promise<Removal> {
    const fields = keys.map((key) => this.#codec.encodeKey(key))
    const removed = await this.#changeTogether(keys, async (context) => {
      if (this.#behind !== undefined)
        return await this.#behind.afterwards((pending) =>
          pending.removeAll(fields, this.#loader !== undefined),
        )
      const call = { keys: { map: this.key }, args: { fields } }
      const found = await this.executor.send(commands.getAll, call)
      const there = keys.filter((_, index) => found[index] !== undefined)
      const gone = this.#loader === undefined ? there : keys
      const write = (writer: RetryingWriter<K, V>) => writer.delete(gone, context)
      return await this.#writeTogether(context, write, async () =>
        there.length === 0 ? 0 : await super.fastRemove(...there),
      )
    })
    return { removed }
  }

  /** Changes several entries, under the locks of all of them. */
  async #changeTogether<R>(keys: readonly K[], change: (context: ComputeContext) => Promise<R>): Promise<R> {
    if (this.#behind !== undefined && this.#loader === undefined) return await change(UNLOCKED)
    const done: R[] = []
    const lock = multiLock(keys.map((key) => this.getLock(key)))
    const changed = lock.withLock(async (context) => {
      done.push(await change(context))
    })
    await changed.catch((error: unknown) => {
      if (done.length === 0) throw error // otherwise it is written, whatever has become of the locks
    })
    return done[0] as R
  }

  /**
   * Writes several entries through, and then changes the map. They are not compared with what they were, and so are not changed in the map once
   * their locks are lost.
   *
   * @throws why they were lost, or why the map was not changed, although the writer has finished
   */
  async #writeTogether<R>(
    { signal }: ComputeContext,
    write: (writer: RetryingWriter<K, V>) => Promise<void>,
    change: () => Promise<R>,
  ): Promise<R> {
    if (this.#through === undefined) return await change()
    await write(this.#through)
    try {
      signal.throwIfAborted()
      return await change()
    } catch (error) {
      throw afterEffect(error)
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

  /** Loads the value of a key, in the place of the one that it has. A key that has none behind the map keeps what it has. */
  async #reload(key: K, loader: EntryLoader<K, V>): Promise<void> {
    await this.#computations.run<V>(
      super.entryOf(key),
      async (before, context) =>
        (await loader.reload(key, context)) ?? { value: undefined, bytes: before, isKept: true },
      {},
    )
  }

  #valueOf(key: K, value: V): Computed<V> {
    return { value, bytes: this.#codec.encodeValue(value, key) }
  }
}

/** What is left of an entry that is removed. */
const REMOVED = { value: undefined, bytes: undefined }

/** Of a change that needs no lock. */
const UNLOCKED: ComputeContext = { signal: new AbortController().signal }

function entryIn<K, V>(values: ReadonlyMap<K, V>, key: K): [[K, V]] | undefined {
  const value = values.get(key)
  return value === undefined ? undefined : [[key, value]]
}
