import { randomBytes } from 'node:crypto'
import type { CommandExecutor, RunOptions } from '../../command/operation/command-executor.js'
import type { Runnable } from '../../command/operation/script.js'
import { localCacheTopic } from '../../core/context/names.js'
import { clearMessage, ID_BYTES, invalidateMessage, updateMessage } from './cache/cache-messages.js'
import { chanceOfMark, recordsOf } from './cache/change-log.js'
import { hashOf, type CachedEntry } from './cache/cached-entry.js'
import type { Left, LocalCache, OpenChange } from './cache/local-cache.js'
import type { AnyCall } from './handlers.js'

const NOTHING = Buffer.alloc(0)

/** What a change of entries is to tell. */
export interface Notices {
  /** Empty for nothing. */
  readonly channel: string
  readonly message: Buffer
  /** What is added to the log. */
  readonly records: Buffer
}

/** What has become of a change: what its call returns, and what the entries are now; no values if nothing has changed. */
export interface Outcome extends Partial<Left> {
  readonly result: unknown
  readonly values?: readonly CachedEntry[]
  /** The keys of entries that were removed to make room. */
  readonly evicted?: readonly Buffer[]
}

/** A script that changes all of a map, and tells its local caches. */
export type ChangeOfAll = Runnable<string, string, number>

/** Changes entries of one map, or all of it, and notifies all local caches in the same step. */
export class CacheChanges {
  readonly #executor: CommandExecutor
  readonly #cache: LocalCache
  readonly #channel: string
  /** Whether changes are noted, for clients that read that after they have missed messages. */
  readonly #isLogged: boolean

  constructor(
    executor: CommandExecutor,
    cache: LocalCache,
    { map, isLogged }: { map: string; isLogged: boolean },
  ) {
    this.#executor = executor
    this.#cache = cache
    this.#channel = cache.isShared ? localCacheTopic(map) : ''
    this.#isLogged = isLogged
  }

  /** That of the map; empty where nothing is published. */
  get channel(): string {
    return this.#channel
  }

  /** Changes some entries, no two of which have the same key. Others may keep the values that are known before. */
  async change(
    entries: readonly CachedEntry[],
    send: (notices: Notices) => Promise<Outcome>,
  ): Promise<unknown> {
    const cache = this.#cache
    const change = cache.beginChange([...new Set(entries.map(({ hash }) => hash))])
    let outcome: Outcome
    try {
      outcome = await send(this.#noticesOf(change, entries))
    } catch (error) {
      cache.endUnknown(change)
      throw error
    }
    const { result, values, evicted = [], leftMs = 0, ...left } = outcome
    if (values === undefined) cache.endUnchanged(change)
    else cache.endChange(change, values, { ...left, leftMs })
    for (const key of evicted) cache.drop(hashOf(key))
    return result
  }

  /** Changes all of the map. */
  async changeAll(
    operation: ChangeOfAll,
    call: AnyCall,
    options: RunOptions,
    newChannel = '',
  ): Promise<number> {
    const cache = this.#cache
    const change = cache.beginChangeOfAll()
    const message = cache.isShared ? clearMessage(change.sender, randomBytes(ID_BYTES), false) : NOTHING
    try {
      const chance = chanceOfMark(this.#isLogged)
      const args = { ...call.args, channel: this.#channel, newChannel, message, chance }
      const reply = await this.#executor.run(operation, { ...call, args } as never, options)
      if (reply !== 1) cache.endUnchanged(change)
      cache.endChangeOfAll() // where Redis has no such map, nothing of it is kept either
      return reply
    } catch (error) {
      cache.endUnknown(change)
      cache.dropAll()
      throw error
    }
  }

  /** Gives the map another name, whose local caches are notified as well. */
  rename(operation: ChangeOfAll, call: AnyCall, options: RunOptions): Promise<number> {
    return this.changeAll(operation, call, options, this.#channelOfTarget(call))
  }

  /** Makes another map of this one, which stays as it is. All databases of a server share its channels. */
  copy(operation: ChangeOfAll, call: AnyCall, options: RunOptions): Promise<number> {
    const message = clearMessage(randomBytes(ID_BYTES), randomBytes(ID_BYTES), false)
    const args = { ...call.args, message, newChannel: this.#channelOfTarget(call) }
    return this.#executor.run(operation, { ...call, args } as never, options)
  }

  #noticesOf({ sender }: OpenChange, entries: readonly CachedEntry[]): Notices {
    const hashes = entries.map(({ hash }) => Buffer.from(hash, 'latin1'))
    return {
      channel: this.#channel,
      message: this.#cache.isShared ? this.#messageOf(sender, hashes, entries) : NOTHING,
      records: this.#isLogged ? recordsOf(hashes) : NOTHING,
    }
  }

  /** An update says the new values of all entries, where these are known before. */
  #messageOf(sender: Buffer, hashes: readonly Buffer[], entries: readonly CachedEntry[]): Buffer {
    if (!this.#cache.updates) return invalidateMessage(sender, hashes)
    const updates = entries.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value] as const]))
    return updates.length > 0 ? updateMessage(sender, updates) : invalidateMessage(sender, hashes)
  }

  #channelOfTarget({ keys }: AnyCall): string {
    return this.#cache.isShared ? localCacheTopic(String(keys['target'])) : ''
  }
}
