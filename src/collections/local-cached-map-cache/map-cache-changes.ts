import type { Argument } from '../../connection/connection.js'
import type { CommandExecutor, RunOptions } from '../../command/operation/command-executor.js'
import * as expirable from '../../core/redisson-expirable.scripts.js'
import * as object from '../../core/redisson-object.scripts.js'
import type { CacheChanges } from '../local-cached-map/cache-changes.js'
import { entryOf, type CachedEntry } from '../local-cached-map/cache/cached-entry.js'
import type { LocalCache } from '../local-cached-map/cache/local-cache.js'
import type { AnyCall, Handler, Handlers } from '../local-cached-map/handlers.js'
import { expire } from '../local-cached-map/local-cached-map.scripts.js'
import { bytesOf } from '../map/entry-codec.js'
import { putWithLease, removeWithLease } from '../map-cache/lease.scripts.js'
import * as mapCache from '../map-cache/map-cache.scripts.js'
import { limit } from '../map-cache/option.scripts.js'
import { identityOf } from '../shared/identity-of.js'
import type { AnyScript } from '../shared/extended-script.js'
import { notifyingScript, type Notified } from './notifying.js'

type Args = AnyCall['args']

/** A script of a map cache that changes entries, and notifies the local caches. */
type Change = AnyScript<Notified<unknown>>

/** How a script changes entries. */
interface ChangeSettings {
  readonly entriesOf: (args: Args) => readonly CachedEntry[]
  /** What the entries are then; by default nothing is known of them. */
  readonly valuesOf?: (entries: readonly CachedEntry[], result: unknown) => readonly CachedEntry[]
}

const PUT: ChangeSettings = {
  entriesOf: ({ field, value }) => entriesOf([field as Argument, value as Argument]),
  valuesOf: (entries) => entries,
}
const PUT_ALL: ChangeSettings = {
  ...PUT,
  entriesOf: (args) => entriesOf(args['entries'] as readonly Argument[]),
}
const ADD: ChangeSettings = {
  entriesOf: ({ field }) => [entryOf(field as Argument, undefined)],
  valuesOf: (entries, sum) => entries.map((entry) => ({ ...entry, value: sum as Buffer })),
}
const REMOVE: ChangeSettings = { entriesOf: ({ field }) => [entryOf(field as Argument, undefined)] }
const CHANGE_ALL: ChangeSettings = { entriesOf: ({ fields }) => keysOf(fields as readonly Argument[]) }

/** Whether there were entries (1). */
const CLEAR: AnyScript<number> = {
  ...notifyingScript(mapCache.clear),
  reply: (reply) => (notifyingScript(mapCache.clear).reply(reply)[0] ? 1 : 0),
}

/** Changes entries of a map cache, or all of it, and notifies all local caches in the same step. */
export class MapCacheChanges {
  readonly handlers: Handlers
  readonly #executor: CommandExecutor
  readonly #changes: CacheChanges
  readonly #cache: LocalCache

  constructor(executor: CommandExecutor, changes: CacheChanges, cache: LocalCache) {
    this.#executor = executor
    this.#changes = changes
    this.#cache = cache
    const change = (script: Change, settings: ChangeSettings): Handler => {
      return (call, options) => this.#change(script, settings, call, options)
    }
    this.handlers = [
      [mapCache.put, change(notifyingScript(mapCache.put), PUT)],
      [mapCache.putIf, change(notifyingScript(mapCache.putIf), PUT)],
      [mapCache.fastPut, change(notifyingScript(mapCache.putIf), PUT)],
      [mapCache.putAll, change(notifyingScript(mapCache.putAll), PUT_ALL)],
      [mapCache.add, change(notifyingScript(mapCache.add), ADD)],
      [putWithLease, change(notifyingScript(putWithLease), PUT)],
      [mapCache.remove, change(notifyingScript(mapCache.remove), REMOVE)],
      [removeWithLease, change(notifyingScript(removeWithLease), REMOVE)],
      [mapCache.removeIf, change(notifyingScript(mapCache.removeIf), REMOVE)],
      [mapCache.fastRemove, change(notifyingScript(mapCache.fastRemove), CHANGE_ALL)],
      [mapCache.expireEntries, change(notifyingScript(mapCache.expireEntries), CHANGE_ALL)],
      [limit, (call, options) => this.#limit(call, options)],
      ...this.#changesOfAll(),
    ]
  }

  #changesOfAll(): Handlers {
    const changes = this.#changes
    return [
      [mapCache.clear, async (call, options) => (await changes.changeAll(CLEAR, call, options)) === 1],
      [object.remove, (call, options) => changes.changeAll(object.remove, call, options)],
      [object.move, (call, options) => changes.changeAll(object.move, call, options)],
      [object.rename, (call, options) => changes.rename(object.rename, call, options)],
      [object.copy, (call, options) => changes.copy(object.copy, call, options)],
      [expirable.expire, (call, options) => changes.changeAll(expire, call, options)],
    ]
  }

  #change(
    script: Change,
    { entriesOf, valuesOf = () => [] }: ChangeSettings,
    call: AnyCall,
    options: RunOptions,
  ): Promise<unknown> {
    const entries = entriesOf(call.args)
    return this.#changes.change(entriesInMessage(entries, call.args), async ({ channel, message }) => {
      const notices = { channel, message }
      const [result, isChanged, leftMs, entryLeftMs, evicted] = await this.#run(
        script,
        call,
        notices,
        options,
      )
      if (!isChanged) return { result }
      return { result, values: valuesOf(entries, result), leftMs, entryLeftMs, evicted }
    })
  }

  /** What it removes is not known before; the message that says it may be late. */
  async #limit(call: AnyCall, options: RunOptions): Promise<unknown> {
    try {
      return (
        await this.#run(
          notifyingScript(limit),
          call,
          { channel: this.#changes.channel, message: '' },
          options,
        )
      )[0]
    } finally {
      this.#cache.clear()
    }
  }

  #run(script: Change, call: AnyCall, notices: Args, options: RunOptions): Promise<Notified<unknown>> {
    return this.#executor.run(script, { ...call, args: { ...call.args, ...notices } } as never, options)
  }
}

/** The entries of a message. It has no value of one that expires, as it does not say when. */
function entriesInMessage(entries: readonly CachedEntry[], { ttlMs, idleMs }: Args): readonly CachedEntry[] {
  return ttlMs === 0 && idleMs === 0 ? entries : entries.map((entry) => ({ ...entry, value: undefined }))
}

/** @param words - keys, each followed by its value, the last of which counts */
function entriesOf(words: readonly Argument[]): readonly CachedEntry[] {
  const all = new Map<string, CachedEntry>()
  for (let at = 0; at < words.length; at += 2) {
    const field = words[at] as Argument
    all.set(identityOf(field), entryOf(field, bytesOf(words[at + 1] as Argument)))
  }
  return [...all.values()]
}

/** The entries of some keys, each of them once. */
function keysOf(fields: readonly Argument[]): readonly CachedEntry[] {
  return [...new Map(fields.map((field) => [identityOf(field), entryOf(field, undefined)])).values()]
}
