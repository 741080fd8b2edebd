import { demandTurns, FROM_ANY_NODE, type RunOptions } from '../../command/operation/command-executor.js'
import type { Script } from '../../command/operation/script.js'
import type { Argument } from '../../connection/connection.js'
import { DEFAULT_COUNT } from '../../core/arguments/scan-settings.js'
import { mapCacheKeys, sumScratch } from '../../core/context/names.js'
import { sendInTurn } from '../../core/context/parts.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import type { Page } from '../../core/pages.js'
import { chunk } from '../../util/collections/chunk.js'
import { sumOf } from '../../util/collections/sum-of.js'
import type { EntryBytes } from '../map/entry-codec.js'
import { leaseOf } from './lease-requests.js'
import type { Life } from './map-cache-options.js'
import * as scripts from './map-cache.scripts.js'

/** How many bytes of a record come before the value: the idle time, and the length of the value. */
const RECORD_HEAD_BYTES = 16

/** An entry to set. */
export interface NewEntry {
  readonly field: Argument
  readonly value: Argument
  readonly life: Life
  /** What has to be there: nothing, anything, or the expected value; empty if that does not matter. */
  readonly condition?: 'absent' | 'present' | 'equal' | ''
  readonly expected?: Argument
}

/** Sends the requests about the entries of one map cache: about 1 000 at a time. */
export class CacheRequests {
  readonly #requests: ObjectRequests
  /** The keys beside the map. */
  readonly #keys: ReturnType<typeof mapCacheKeys>

  constructor(requests: ObjectRequests) {
    this.#requests = requests
    this.#keys = mapCacheKeys(requests.key)
  }

  /** Returns the value before. */
  put(entry: NewEntry, options?: RunOptions): Promise<Buffer | undefined> {
    return this.#put(scripts.put, entry, 0, options)
  }

  /** Returns whether it was set; without a condition, whether it is new. */
  putIf(entry: NewEntry, options?: RunOptions): Promise<boolean> {
    return this.#put(scripts.putIf, entry, 1, options)
  }

  /** The same where a copy of it does no harm. */
  fastPut(entry: NewEntry): Promise<boolean> {
    return this.#put(scripts.fastPut, entry, 1)
  }

  async putAll(entries: readonly (readonly [field: Argument, value: Argument])[], life: Life): Promise<void> {
    await this.#inParts('putAll()', entries, (part) => {
      const args = { ttlMs: life.ttlMs, idleMs: life.idleMs, entries: part.flat() }
      return this.#requests.ask(scripts.putAll, args, this.#keys)
    })
  }

  get(field: Argument, options?: RunOptions): Promise<Buffer | undefined> {
    return this.#requests.ask(scripts.get, { what: 'value', field }, this.#keys, options)
  }

  contains(field: Argument, options?: RunOptions): Promise<boolean> {
    return this.#requests.ask(scripts.contains, { what: 'there', field }, this.#keys, options)
  }

  valueSize(field: Argument): Promise<number> {
    return this.#requests.ask(scripts.valueSize, { what: 'size', field }, this.#keys)
  }

  async getAll(fields: readonly Argument[]): Promise<readonly (Buffer | undefined)[]> {
    const get = (part: readonly Argument[]) =>
      this.#requests.ask(scripts.getAll, { fields: part }, this.#keys)
    return (await Promise.all(chunk(fields, DEFAULT_COUNT).map(get))).flat()
  }

  /** The same by their time to live alone. */
  async look(fields: readonly Argument[]): Promise<readonly (Buffer | undefined)[]> {
    const { ttl } = this.#keys
    const look = (part: readonly Argument[]) =>
      this.#requests.ask(scripts.look, { fields: part }, { ttl }, FROM_ANY_NODE)
    return (await Promise.all(chunk(fields, DEFAULT_COUNT).map(look))).flat()
  }

  /** Returns the value before. */
  remove(field: Argument): Promise<Buffer | undefined> {
    const args = { condition: '', expected: '', silent: 0, field }
    return this.#requests.ask(scripts.remove, args, this.#keys)
  }

  removeIf(field: Argument, expected: Argument, options?: RunOptions): Promise<boolean> {
    const args = { condition: 'equal', expected, silent: 1, field }
    return this.#requests.ask(scripts.removeIf, args, this.#keys, options)
  }

  async removeAll(fields: readonly Argument[]): Promise<number> {
    const remove = (part: readonly Argument[]) =>
      this.#requests.ask(scripts.fastRemove, { fields: part }, this.#keys)
    return sumOf(await this.#inParts('fastRemove()', fields, remove))
  }

  add(field: Argument, delta: string): Promise<Buffer> {
    const others = { ...this.#keys, scratch: sumScratch(this.#requests.key) }
    return this.#requests.ask(scripts.add, { delta, field }, others)
  }

  /** Returns how many of them end then. */
  async expire(fields: readonly Argument[], life: Life, condition: 'unset' | ''): Promise<number> {
    const { ttlMs, idleMs } = life
    const expire = (part: readonly Argument[]) =>
      this.#requests.ask(scripts.expireEntries, { ttlMs, idleMs, condition, fields: part }, this.#keys)
    return sumOf(await this.#inParts('setting the end', fields, expire))
  }

  timeLeft(field: Argument): Promise<number> {
    return this.#requests.ask(scripts.timeLeft, { field }, this.#keys)
  }

  async clear(): Promise<void> {
    await this.#requests.ask(scripts.clear, {}, this.#keys)
  }

  size(): Promise<number> {
    return this.#swept(() => this.#requests.ask(scripts.size, { count: '', form: '' }, this.#keys))
  }

  randomKeys(count: number): Promise<readonly Buffer[]> {
    return this.#swept(() => this.#requests.ask(scripts.randomKeys, { count, form: '' }, this.#keys))
  }

  async randomEntries(count: number): Promise<readonly EntryBytes[]> {
    const args = { count, form: 'withvalues' }
    const found = await this.#swept(() => this.#requests.ask(scripts.randomEntries, args, this.#keys))
    return found.map(withValue)
  }

  /** Undefined if there are more than that, or more that have expired. */
  readKeys(most: number): Promise<readonly Buffer[] | undefined> {
    return this.#requests.ask(scripts.readAllKeys, { command: 'hkeys', most }, this.#keys)
  }

  /** The same with values. */
  async readEntries(most: number): Promise<readonly EntryBytes[] | undefined> {
    const found = await this.#requests.ask(scripts.readAllEntries, { command: 'hgetall', most }, this.#keys)
    return found?.map(withValue)
  }

  keyPage(cursor: string, pattern: string, count: number): Promise<Page<Buffer>> {
    return this.#requests.ask(scripts.keyPage, { cursor, pattern, count, form: 'keys' }, this.#keys)
  }

  async entryPage(cursor: string, pattern: string, count: number): Promise<Page<EntryBytes>> {
    const args = { cursor, pattern, count, form: 'entries' }
    const [next, found] = await this.#requests.ask(scripts.entryPage, args, this.#keys)
    return [next, found.map(withValue)]
  }

  valuePage(cursor: string, value: Argument): Promise<Page<boolean>> {
    return this.#requests.ask(scripts.containsValue, { cursor, count: DEFAULT_COUNT, value }, this.#keys)
  }

  #put<R>(
    script: PutScript<R>,
    { field, value, life, condition = '', expected = '' }: NewEntry,
    silent: 0 | 1,
    options?: RunOptions,
  ): Promise<R> {
    const { ttlMs, idleMs } = life
    const others = { ...this.#keys, lease: leaseOf(this.#requests.key, field) }
    return this.#requests.ask(
      script,
      { condition, expected, ttlMs, idleMs, silent, field, value },
      others,
      options,
    )
  }

  /** Asks until no expired entry is left. */
  async #swept<R>(ask: () => Promise<R | undefined>): Promise<R> {
    for (;;) {
      const found = await ask()
      if (found !== undefined) return found
      demandTurns(this.#requests, 'Counting so many entries that have expired')
    }
  }

  async #inParts<T, R>(
    what: string,
    all: readonly T[],
    send: (part: readonly T[]) => Promise<R>,
  ): Promise<readonly R[]> {
    const ofMany = `${what} of more than ${String(DEFAULT_COUNT)} entries`
    return await sendInTurn(this.#requests, ofMany, chunk(all, DEFAULT_COUNT), send)
  }
}

type Put = typeof scripts.put
type PutScript<R> = Script<Put['keys'][number], Put['args'][number], R, 'map'>

function withValue([field, record]: EntryBytes): EntryBytes {
  return [field, record.subarray(RECORD_HEAD_BYTES)]
}
