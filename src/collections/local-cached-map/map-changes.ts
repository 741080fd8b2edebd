import type { Argument } from '../../connection/connection.js'
import type { CommandExecutor, RunOptions } from '../../command/operation/command-executor.js'
import { localCacheLog } from '../../core/context/names.js'
import * as expirable from '../../core/redisson-expirable.scripts.js'
import * as object from '../../core/redisson-object.scripts.js'
import { bytesOf } from '../map/entry-codec.js'
import * as commands from '../map/map.commands.js'
import * as mapScripts from '../map/map.scripts.js'
import { identityOf } from '../shared/identity-of.js'
import type { CacheChanges } from './cache-changes.js'
import type { AnyCall, Handler, Handlers } from './handlers.js'
import { entryOf, type CachedEntry } from './cache/cached-entry.js'
import * as scripts from './local-cached-map.scripts.js'

/** How one entry is put. */
interface PutSettings {
  readonly condition: '' | 'absent' | 'present' | 'equal'
  readonly isReturned: boolean
  readonly resultOf: (
    reply: readonly [isSet: boolean, isNew: boolean, before: Buffer | undefined, leftMs: number],
  ) => unknown
}

/** Changes entries, or all of the map, and notifies all local caches in the same step. */
export class MapChanges {
  readonly handlers: Handlers
  readonly #executor: CommandExecutor
  readonly #changes: CacheChanges
  readonly #keys: { readonly map: string; readonly log: string }

  constructor(executor: CommandExecutor, changes: CacheChanges, map: string) {
    this.#executor = executor
    this.#changes = changes
    this.#keys = { map, log: localCacheLog(map) }
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
    const changes = this.#changes
    return [
      [object.remove, (call, options) => changes.changeAll(object.remove, call, options)],
      [object.restore, (call, options) => changes.changeAll(object.restore, call, options)],
      [object.move, (call, options) => changes.changeAll(scripts.move, call, options)],
      [object.rename, (call, options) => changes.rename(scripts.rename, call, options)],
      [object.copy, (call, options) => changes.copy(scripts.copy, call, options)],
      [expirable.expire, (call, options) => changes.changeAll(scripts.expire, call, options)],
    ]
  }

  #put({ args }: AnyCall, options: RunOptions, settings: PutSettings): Promise<unknown> {
    const { condition, isReturned, resultOf } = settings
    const { field, value, expected = '' } = args as Readonly<Record<string, Argument>>
    const bytes = bytesOf(value as Argument)
    const entry = { ...entryOf(field as Argument, bytes), value: bytes }
    return this.#changes.change([entry], async (notices) => {
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
    return this.#changes.change(entries, async (notices) => {
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
    return this.#changes.change([entry], async (notices) => {
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
    return this.#changes.change([entry], async (notices) => {
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
    return this.#changes.change(entries, async (notices) => {
      const removed = await this.#executor.run(
        scripts.removeAll,
        { keys: this.#keys, args: { ...notices, fields: entries.map(({ key }) => key) } },
        options,
      )
      return { result: removed, ...(removed > 0 ? { values: [] } : {}) }
    })
  }
}
