import type { ComputeContext } from './map.api.js'
import type { RLock } from '../../locks/shared/lock.api.js'
import { FROM_MASTER } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { entriesOf, type Entries } from '../../core/entries.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { IN_TURN, sendParts } from '../../core/context/parts.js'
import { afterEffect } from '../../errors/after-effect.js'
import { withLocks } from '../../locks/multi/composite-lock.js'
import { chunk } from '../../util/collections/chunk.js'
import { eitherSignal } from '../../util/abort/either-signal.js'
import { sumOf } from '../../util/collections/sum-of.js'
import { untilEnded } from '../../core/holds/ended-calls.js'
import type { WriteBehind } from './behind/write-behind.js'
import type { RetryingWriter } from './backing.js'
import type { Computations } from './computations.js'
import type { EntryCodec } from './entry-codec.js'
import * as commands from './map.commands.js'
import * as scripts from './map.scripts.js'

/** How many entries are locked at a time, to be written through together. */
const MOST_LOCKED = 50

/** A key, and what is made of it. */
interface LockedKey<K> {
  readonly key: K
  readonly field: Argument
  readonly lock: RLock
}

/** An entry, and its value as it is in Redis. */
interface LockedEntry<K, V> extends LockedKey<K> {
  readonly value: V
  readonly bytes: Argument
}

/** A removal of several entries. No number, since one that has removed nothing may have had the writer delete what only the loader knows. */
interface Removal {
  /** How many of them the map had. */
  readonly removed: number
}

/** What changes of many entries need. */
export interface BulkDeps<K, V> {
  /** The name of the map. */
  readonly object: string
  readonly requests: ObjectRequests
  readonly codec: EntryCodec<K, V>
  readonly computations: Computations
  readonly lockOf: (key: K) => RLock
  /** Whether a loader may have what the map has not. */
  readonly isLoaded: boolean
  /** Where changes are written at once. */
  readonly through: RetryingWriter<K, V> | undefined
  /** Where they are written later. */
  readonly behind: WriteBehind<K, V> | undefined
}

/**
 * Changes many entries of a map with something behind it, some of them at a time, under the locks of all of these. They are not compared with
 * what they were, as computed ones are.
 */
export class BulkChanges<K, V> {
  readonly #deps: BulkDeps<K, V>

  constructor(deps: BulkDeps<K, V>) {
    this.#deps = deps
  }

  async putAll(entries: Entries<K, V>): Promise<void> {
    const { codec } = this.#deps
    const all = new Map<string, LockedEntry<K, V>>()
    for (const [key, value] of entriesOf('entries', entries))
      all.set(codec.identityOf(key), {
        ...this.#locked(key),
        value,
        bytes: codec.encodeValue(value, key),
      })
    await this.#inParts([...all.values()], (part) => this.#put(part))
  }

  /** Returns how many of them the map had. */
  async removeAll(keys: readonly K[]): Promise<number> {
    const { codec } = this.#deps
    const all = new Map(keys.map((key) => [codec.identityOf(key), this.#locked(key)]))
    const removals = await this.#inParts([...all.values()], (part) => this.#remove(part))
    return sumOf(removals.map(({ removed }) => removed))
  }

  #locked(key: K): LockedKey<K> {
    const { codec, lockOf } = this.#deps
    return { key, field: codec.encodeKey(key), lock: lockOf(key) }
  }

  async #inParts<T extends LockedKey<K>, R>(all: readonly T[], change: (part: T[]) => Promise<R>) {
    const { computations, object } = this.#deps
    for (const { lock } of all) computations.demandOther(object, lock)
    return await sendParts(chunk(all, MOST_LOCKED), change, IN_TURN)
  }

  async #put(part: readonly LockedEntry<K, V>[]): Promise<void> {
    const { behind, requests } = this.#deps
    const entries = part.flatMap(({ field, bytes }) => [field, bytes])
    await this.#change(part, (context) => {
      if (behind !== undefined) return behind.afterwards((pending) => pending.putAll(entries))
      const write = (writer: RetryingWriter<K, V>) =>
        writer.write(new Map(part.map(({ key, value }) => [key, value])), context)
      return this.#writeThrough(context, write, async () => {
        await requests.ask(scripts.putAll, { entries })
      })
    })
  }

  async #remove(part: readonly LockedKey<K>[]): Promise<Removal> {
    const { behind, isLoaded, requests } = this.#deps
    const fields = part.map(({ field }) => field)
    const removed = await this.#change(part, async (context) => {
      if (behind !== undefined)
        return await behind.afterwards((pending) => pending.removeAll(fields, isLoaded))
      const found = await requests.ask(commands.getAll, { fields }, {}, FROM_MASTER)
      const there = part.filter((_, index) => found[index] !== undefined)
      const gone = (isLoaded ? part : there).map(({ key }) => key)
      const write = (writer: RetryingWriter<K, V>) => writer.delete(gone, context)
      return await this.#writeThrough(context, write, () => this.#removeFields(there))
    })
    return { removed }
  }

  async #removeFields(keys: readonly LockedKey<K>[]): Promise<number> {
    const fields = keys.map(({ field }) => field)
    return fields.length === 0 ? 0 : await this.#deps.requests.ask(commands.remove, { fields })
  }

  /** Changes several entries, under the locks of all of them. */
  async #change<R>(
    part: readonly LockedKey<K>[],
    change: (context: ComputeContext) => Promise<R>,
  ): Promise<R> {
    const { behind, isLoaded, object, requests } = this.#deps
    if (behind !== undefined && !isLoaded) return await change(UNLOCKED)
    const done: R[] = []
    const locks = part.map(({ lock }) => lock)
    const { signal: ending } = requests
    let isChanging = false
    const underLocks = async (held: AbortSignal): Promise<void> => {
      const signal = eitherSignal(held, ending)
      signal.throwIfAborted()
      isChanging = true
      done.push(await change({ signal }))
    }
    const changed = untilEnded(withLocks(locks, underLocks, ending), {
      signal: ending,
      request: `a change of ${object}`,
      mayHaveRun: () => isChanging,
    })
    await changed.catch((error: unknown) => {
      if (done.length === 0) throw error // otherwise it is written, whatever has become of the locks
    })
    return done[0] as R
  }

  /**
   * Writes several entries through, and then changes the map. They are not changed there once their locks are lost.
   *
   * @throws why they were lost, or why the map was not changed, although the writer has finished
   */
  async #writeThrough<R>(
    { signal }: ComputeContext,
    write: (writer: RetryingWriter<K, V>) => Promise<void>,
    change: () => Promise<R>,
  ): Promise<R> {
    const { through } = this.#deps
    if (through === undefined) return await change()
    await write(through)
    try {
      signal.throwIfAborted()
      return await change()
    } catch (error) {
      throw afterEffect(error)
    }
  }
}

/** Of a change that needs no lock. */
const UNLOCKED: ComputeContext = { signal: new AbortController().signal }
