import { randomBytes } from 'node:crypto'
import type { Argument } from '../../connection/connection.js'
import type { CommandExecutor, RunOptions } from '../../command/operation/command-executor.js'
import { localCacheLog, localCacheTopic } from '../../core/context/names.js'
import * as expirable from '../../core/redisson-expirable.scripts.js'
import * as object from '../../core/redisson-object.scripts.js'
import { bytesOf } from '../map/entry-codec.js'
import * as commands from '../map/map.commands.js'
import * as mapScripts from '../map/map.scripts.js'
import { identityOf } from '../shared/identity-of.js'
import { clearMessage, ID_BYTES, invalidateMessage, updateMessage } from './cache/cache-messages.js'
import { recordsOf } from './cache/change-log.js'
import type { AnyCall, Handler, Handlers } from './handlers.js'
import { entryOf, type CachedEntry } from './cache/cached-entry.js'
import type { LocalCache, OpenChange } from './cache/local-cache.js'
import * as scripts from './local-cached-map.scripts.js'

const NOTHING = Buffer.alloc(0)

/** What a change of entries is to tell. */
interface Notices {
  readonly channel: string
  readonly message: Buffer
  readonly records: Buffer
}

/** What has become of a change: what its call returns, and what the entries are now; undefined if nothing has changed. */
interface Outcome {
  readonly result: unknown
  readonly values?: readonly CachedEntry[]
  readonly leftMs?: number
}

/** How one entry is put. */
interface PutSettings {
  readonly condition: '' | 'absent' | 'present' | 'equal'
  readonly isReturned: boolean
  readonly resultOf: (
    reply: readonly [isSet: boolean, isNew: boolean, before: Buffer | undefined, leftMs: number],
  ) => unknown
}

/** A script that changes all of the map. */
type ChangeOfAll =
  | typeof object.remove
  | typeof object.restore
  | typeof scripts.move
  | typeof scripts.rename
  | typeof scripts.expire

/** Changes entries, or all of the map, and notifies all local caches in the same step. */
export class CachedChanges {
  readonly handlers: Handlers
  readonly #executor: CommandExecutor
  readonly #cache: LocalCache
  readonly #keys: { readonly map: string; readonly log: string }
  readonly #channel: string
  /** Whether changes are noted, for clients that read that after they have missed messages. */
  readonly #isLogged: boolean

  constructor(executor: CommandExecutor, cache: LocalCache, map: string, isLogged: boolean) {
    this.#executor = executor
    this.#cache = cache
    this.#keys = { map, log: localCacheLog(map) }
    this.#channel = localCacheTopic(map)
    this.#isLogged = isLogged
    this.handlers = [...this.#puts(), ...this.#removals(), ...this.#changesOfAll()]
  }

  #puts(): Handlers {
    const put = (settings: PutSettings): Handler => {
      return (call, options) => this.#put(call, options, settings)
    }
    return [
      [mapScripts.put, put({ condition: '', isReturned: true, resultOf: ([, , before]) => before })],
      [commands.put, put({ condition: '', isReturned: false, resultOf: ([, isNew]) => isNew })],
      [
        mapScripts.putIfAbsent,
        put({ condition: 'absent', isReturned: true, resultOf: ([, , before]) => before }),
      ],
      [commands.putIfAbsent, put({ condition: 'absent', isReturned: false, resultOf: ([isSet]) => isSet })],
      [
        mapScripts.putIfExists,
        put({ condition: 'present', isReturned: true, resultOf: ([, , before]) => before }),
      ],
      [
        mapScripts.fastPutIfExists,
        put({ condition: 'present', isReturned: false, resultOf: ([isSet]) => isSet }),
      ],
      [mapScripts.replaceIf, put({ condition: 'equal', isReturned: false, resultOf: ([isSet]) => isSet })],
      [mapScripts.putAll, (call, options) => this.#putAll(call, options)],
      [commands.add, (call, options) => this.#add(call, options)],
    ]
  }

  #removals(): Handlers {
    return [
      [mapScripts.remove, (call, options) => this.#remove(call, options)],
      [mapScripts.removeIf, (call, options) => this.#remove(call, options)],
      [commands.remove, (call, options) => this.#removeAll(call, options)],
    ]
  }

  /** Scripts of all objects. Those that move one somewhere tell the local caches of the other name as well. */
  #changesOfAll(): Handlers {
    return [
      [object.remove, (call, options) => this.#changeAll(object.remove, call, options)],
      [object.restore, (call, options) => this.#changeAll(object.restore, call, options)],
      [object.move, (call, options) => this.#changeAll(scripts.move, call, options)],
      [
        object.rename,
        (call, options) => this.#changeAll(scripts.rename, call, options, this.#channelOfTarget(call)),
      ],
      [object.copy, (call, options) => this.#copy(call, options)],
      [expirable.expire, (call, options) => this.#changeAll(scripts.expire, call, options)],
    ]
  }

  #put({ args }: AnyCall, options: RunOptions, settings: PutSettings): Promise<unknown> {
    const { condition, isReturned, resultOf } = settings
    const { field, value, expected = '' } = args as Readonly<Record<string, Argument>>
    const bytes = bytesOf(value as Argument)
    const entry = { ...entryOf(field as Argument, bytes), value: bytes }
    return this.#change([entry], async (notices) => {
      const reply = await this.#executor.run(
        scripts.put,
        {
          keys: this.#keys,
          args: {
            field: entry.key,
            value: entry.value,
            condition,
            expected,
            isReturned: isReturned ? 1 : 0,
            ...notices,
          },
        },
        options,
      )
      const [isSet, , , leftMs] = reply
      return { result: resultOf(reply), ...(isSet ? { values: [entry], leftMs } : {}) }
    })
  }

  #putAll({ args }: AnyCall, options: RunOptions): Promise<unknown> {
    const words = args['entries'] as readonly Argument[]
    const all = new Map<string, CachedEntry & { readonly value: Buffer }>()
    for (let at = 0; at < words.length; at += 2) {
      const value = bytesOf(words[at + 1] as Argument)
      all.set(identityOf(words[at] as Argument), { ...entryOf(words[at] as Argument, value), value })
    }
    const entries = [...all.values()]
    return this.#change(entries, async (notices) => {
      const leftMs = await this.#executor.run(
        scripts.putAll,
        {
          keys: this.#keys,
          args: { ...notices, entries: entries.flatMap(({ key, value }) => [key, value]) },
        },
        options,
      )
      return { result: words.length / 2, values: entries, leftMs }
    })
  }

  #add({ args }: AnyCall, options: RunOptions): Promise<unknown> {
    const { field, delta } = args as Readonly<Record<string, Argument>>
    const entry = entryOf(field as Argument, undefined)
    return this.#change([entry], async (notices) => {
      const [sum, leftMs] = await this.#executor.run(
        scripts.add,
        { keys: this.#keys, args: { field: entry.key, delta: delta as Argument, ...notices } },
        options,
      )
      return { result: sum, values: [{ ...entry, value: sum }], leftMs }
    })
  }

  #remove({ args }: AnyCall, options: RunOptions): Promise<unknown> {
    const { field, expected } = args as Readonly<Record<string, Argument>>
    const entry = entryOf(field as Argument, undefined)
    const isCompared = expected !== undefined
    return this.#change([entry], async (notices) => {
      const [isRemoved, before] = await this.#executor.run(
        scripts.remove,
        {
          keys: this.#keys,
          args: {
            field: entry.key,
            isCompared: isCompared ? 1 : 0,
            expected: expected ?? '',
            isReturned: isCompared ? 0 : 1,
            ...notices,
          },
        },
        options,
      )
      return { result: isCompared ? isRemoved : before, ...(isRemoved ? { values: [] } : {}) }
    })
  }

  #removeAll({ args }: AnyCall, options: RunOptions): Promise<unknown> {
    const fields = args['fields'] as readonly Argument[]
    const all = new Map(fields.map((field) => [identityOf(field), entryOf(field, undefined)]))
    const entries = [...all.values()]
    return this.#change(entries, async (notices) => {
      const removed = await this.#executor.run(
        scripts.removeAll,
        { keys: this.#keys, args: { ...notices, fields: entries.map(({ key }) => key) } },
        options,
      )
      return { result: removed, ...(removed > 0 ? { values: [] } : {}) }
    })
  }

  /** Changes some entries, no two of which have the same key. */
  async #change(
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
    const { result, values, leftMs = 0 } = outcome
    if (values === undefined) cache.endUnchanged(change)
    else cache.endChange(change, values, leftMs)
    return result
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

  async #changeAll(
    operation: ChangeOfAll,
    call: AnyCall,
    options: RunOptions,
    newChannel = '',
  ): Promise<unknown> {
    const cache = this.#cache
    const change = cache.beginChangeOfAll()
    const message = cache.isShared ? clearMessage(change.sender, randomBytes(ID_BYTES), false) : NOTHING
    const channel = cache.isShared ? this.#channel : ''
    try {
      const args = { ...call.args, channel, newChannel, message }
      const reply = await this.#executor.run(operation, { ...call, args } as never, options)
      if (reply === 1) cache.endChangeOfAll()
      else cache.endUnchanged(change)
      return reply
    } catch (error) {
      cache.endUnknown(change)
      cache.dropAll()
      throw error
    }
  }

  /** Makes another map of this one, which stays as it is. All databases of a server share its channels. */
  #copy(call: AnyCall, options: RunOptions): Promise<unknown> {
    const message = clearMessage(randomBytes(ID_BYTES), randomBytes(ID_BYTES), false)
    const args = { ...call.args, message, newChannel: this.#channelOfTarget(call) }
    return this.#executor.run(scripts.copy, { ...call, args } as never, options)
  }

  #channelOfTarget({ keys }: AnyCall): string {
    return this.#cache.isShared ? localCacheTopic(String(keys['target'])) : ''
  }
}
