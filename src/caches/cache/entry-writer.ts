import { encodeAt } from '../../codec/encoding.js'
import { demandValue } from '../../core/arguments/arguments.js'
import { sendParts } from '../../core/context/parts.js'
import { inspectWord } from '../../util/inspect-short.js'
import type { CacheParts } from './cache-parts.js'
import { TOGETHER, type EntryPolicy } from './cache-settings.js'
import type { Loads } from './loading/loads.js'
import { lifeOf, livesOf, recordOf } from './record.js'

/** An entry that is to be written. */
export interface Written {
  readonly key: string
  readonly value: string | Buffer
}

/** Changes entries. What this process has of them does not count from the first to the last moment of a change. */
export class EntryWriter<V> {
  readonly #parts: CacheParts<V>
  readonly #loads: Loads<V>

  constructor(parts: CacheParts<V>, loads: Loads<V>) {
    this.#parts = parts
    this.#loads = loads
  }

  encode(key: string, value: V): Written {
    demandValue(value, `delete() of the key ${inspectWord(key)} removes an entry`)
    return { key, value: encodeAt(this.#parts.codec, value, { object: this.#parts.name, key }) }
  }

  /** Writes entries, each by itself. */
  async put(entries: readonly Written[], policy: EntryPolicy): Promise<void> {
    const { store, times } = this.#parts
    if (entries.length === 0) return
    const stamp = await times.now(['', ...policy.tags])
    const put = async ({ key, value }: Written) => {
      const header = { ...livesOf(policy), loadMs: 0, isAbsent: false, stamp }
      const stored = { record: recordOf(header, value), lifeMs: lifeOf(header) }
      await this.#change(key, () => store.put(key, stored))
    }
    await sendParts(entries, put, { together: TOGETHER, changes: 'always' })
  }

  /** Returns whether there was an entry. */
  async remove(key: string): Promise<boolean> {
    return await this.#change(key, () => this.#parts.store.remove(key))
  }

  /** @param tag - empty for all entries */
  async invalidate(tag: string, what: 'deleted' | 'expired'): Promise<void> {
    this.drop(tag)
    try {
      await this.#parts.store.invalidate(tag, what)
    } finally {
      this.drop(tag)
    }
  }

  /** Drops what this process has of the entries of a tag; of all entries for an empty one. */
  drop(tag: string): void {
    const { local, times } = this.#parts
    times.forget(tag)
    this.#loads.detachAll(tag === '' ? undefined : tag)
    if (tag === '') local?.dropAll()
    else local?.dropTag(tag)
  }

  async #change<T>(key: string, request: () => Promise<T>): Promise<T> {
    const { local } = this.#parts
    const drop = () => {
      local?.drop(key)
      this.#loads.detach(key)
    }
    drop()
    try {
      return await request()
    } finally {
      drop()
    }
  }
}
