import type { CacheEntryOptions } from '../../api/cache-settings.js'
import { demandFunction } from '../../core/arguments/arguments.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import type { LockContext } from '../../core/context/object-context.js'
import { sendParts } from '../../core/context/parts.js'
import { entriesOf, keysOf, type Entries } from '../../core/entries.js'
import { Emitter } from '../../util/emitter.js'
import type { Mutable } from '../../util/mutable.js'
import { CLIENTS } from '../../util/refused-calls.js'
import { showOnly } from '../../util/show-only.js'
import type {
  CacheCallOptions,
  CacheEvents,
  CacheLoader,
  CacheStats,
  CacheWrapOptions,
  RCache,
} from './cache.api.js'
import { demandListener } from './cache-events.js'
import { CacheKeys, demandPart } from './cache-keys.js'
import { CacheMessages, type MessageKind } from './cache-messages.js'
import type { CacheParts } from './cache-parts.js'
import {
  callPolicyOf,
  entryPolicyOf,
  TOGETHER,
  wrapOptionsOf,
  type Policy,
  type Settings,
} from './cache-settings.js'
import { CacheStore } from './cache-store.js'
import { EntryReader } from './entry-reader.js'
import { EntryWriter, type Written } from './entry-writer.js'
import { LoadCalls } from './loading/load-calls.js'
import { Loads } from './loading/loads.js'
import { Outage } from './loading/outage.js'
import { LocalLevel } from './local-level.js'
import { ANYHOW, TagTimes } from './tag-times.js'

/** A cache, as one process has it. */
export class RedissonCache<V> implements RCache<V> {
  static {
    showOnly(this, 'RCache', ({ name }) => ({ name }))
    refuseSurplus(this, {
      set: 'ttlMs is an option',
      get: 'getMany() takes several keys',
      delete: 'deleteMany() takes several keys',
    })
  }

  readonly name: string
  readonly #policy: Policy
  readonly #messages: CacheMessages
  readonly #parts: CacheParts<V>
  readonly #reader: EntryReader<V>
  readonly #writer: EntryWriter<V>
  readonly #calls: LoadCalls<V>

  constructor(context: LockContext, name: string, { codec, policy, local }: Settings<V>) {
    this.name = name
    this.#policy = policy
    const keys = new CacheKeys(context, name)
    const receiver = {
      receive: (kind: MessageKind, isOwn: boolean, subject: string) => {
        this.#receive(kind, isOwn, subject)
      },
      missed: () => {
        this.#parts.local?.dropAll()
        this.#parts.times.forgetAll()
      },
    }
    const tokens = context.requestIds
    this.#messages = new CacheMessages(context, keys.channel, tokens.next(), receiver)
    const events = new Emitter<CacheEvents>()
    const store = new CacheStore(context, keys, this.#messages)
    const marks = new Outage({ topology: context.topology })
    this.#parts = {
      name,
      codec,
      keys,
      store,
      times: new TagTimes(context, keys, local?.tagTtlMs ?? 0),
      local: local && new LocalLevel<V>(local),
      redisTimeoutMs: policy.redisTimeoutMs,
      reads: new Outage({
        topology: context.topology,
        ask: (key, how) => store.ask(key, policy.redisTimeoutMs, how),
        begun: (error) => {
          events.emit('redisDown', { error })
        },
        ended: () => {
          events.emit('redisUp', undefined)
        },
        replied: (key) => {
          marks.heard(key)
        },
      }),
      marks,
      events,
      counts: zeros(),
      tokens,
      closing: context.closing,
    }
    this.#reader = new EntryReader(this.#parts)
    const loads = new Loads(this.#parts, this.#reader)
    this.#writer = new EntryWriter(this.#parts, loads)
    this.#calls = new LoadCalls(this.#parts, loads, this.#messages)
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#parts.closing]
  }

  get stats(): CacheStats {
    return { ...this.#parts.counts }
  }

  async getOrLoad<R extends V | undefined>(
    key: string,
    loader: CacheLoader<V, R>,
    options?: CacheCallOptions,
  ): Promise<V | R> {
    demandPart('key', key)
    demandFunction(loader, 'loader')
    const policy = callPolicyOf(options, this.#policy)
    policy.signal?.throwIfAborted()
    const local = this.#localHit(key)
    if (local !== undefined) return local.value as V | R
    const request = { key, loader, policy, startedAt: performance.now(), isOver: false }
    return (await this.#calls.load(request)) as V | R
  }

  async get(key: string): Promise<V | undefined> {
    demandPart('key', key)
    return (await this.#read(key))?.value
  }

  async has(key: string): Promise<boolean> {
    demandPart('key', key)
    return (await this.#read(key))?.value !== undefined
  }

  async set(key: string, value: V, options?: CacheEntryOptions): Promise<void> {
    demandPart('key', key)
    await this.#writer.put([this.#writer.encode(key, value)], entryPolicyOf(options, this.#policy))
  }

  async delete(key: string): Promise<boolean> {
    demandPart('key', key)
    return await this.#writer.remove(key)
  }

  async getMany(keys: Iterable<string>): Promise<Map<string, V>> {
    const found = new Map<string, V>()
    const asked = demandKeys(keys)
    const values = await sendParts(asked, (key) => this.#read(key), { together: TOGETHER, changes: 'never' })
    for (const [index, key] of asked.entries()) {
      const value = values[index]?.value
      if (value !== undefined) found.set(key, value)
    }
    return found
  }

  async setMany(values: Entries<string, V>, options?: CacheEntryOptions): Promise<void> {
    const policy = entryPolicyOf(options, this.#policy)
    const written = new Map<string, Written>() // a key that comes twice has its last value
    for (const [key, value] of entriesOf<string, V>('values', values)) {
      demandPart('key', key)
      written.set(key, this.#writer.encode(key, value))
    }
    await this.#writer.put([...written.values()], policy)
  }

  async deleteMany(keys: Iterable<string>): Promise<number> {
    const remove = (key: string) => this.#writer.remove(key)
    const removed = await sendParts(demandKeys(keys), remove, { together: TOGETHER, changes: 'perhaps' })
    return removed.filter((each) => each).length
  }

  async clear(): Promise<void> {
    await this.#writer.invalidate('', 'deleted')
  }

  async deleteTag(tag: string): Promise<void> {
    demandPart('tag', tag)
    await this.#writer.invalidate(tag, 'deleted')
  }

  async expireTag(tag: string): Promise<void> {
    demandPart('tag', tag)
    await this.#writer.invalidate(tag, 'expired')
  }

  wrap<A extends readonly unknown[], R extends V | undefined>(
    fn: (...args: A) => R | PromiseLike<R>,
    options: CacheWrapOptions<A>,
  ): (...args: A) => Promise<V | R> {
    demandFunction(fn)
    const { keyOf, call } = wrapOptionsOf(options, this.#policy)
    const getOrLoad = (key: string, loader: () => R | PromiseLike<R>) => this.getOrLoad<R>(key, loader, call)
    return async function (this: unknown, ...args) {
      return await getOrLoad(keyOf(...args), () =>
        Reflect.apply<unknown, A, R | PromiseLike<R>>(fn, this, args),
      )
    }
  }

  destroy(): void {
    const { local, times } = this.#parts
    local?.dropAll()
    times.forgetAll()
    this.#messages.release()
  }

  on<K extends keyof CacheEvents>(event: K, listener: (event: CacheEvents[K]) => void): this {
    demandListener(event, listener)
    this.#parts.events.on(event, listener)
    return this
  }

  once<K extends keyof CacheEvents>(event: K, listener: (event: CacheEvents[K]) => void): this {
    demandListener(event, listener)
    this.#parts.events.once(event, listener)
    return this
  }

  off<K extends keyof CacheEvents>(event: K, listener: (event: CacheEvents[K]) => void): this {
    demandListener(event, listener)
    this.#parts.events.off(event, listener)
    return this
  }

  #localHit(key: string) {
    const { local, counts, closing } = this.#parts
    if (local === undefined) return undefined
    closing.throwIfAborted() // it hears of no changes any more
    this.#messages.keep()
    const hit = local.get(key)
    if (hit !== undefined) counts.localHits += 1
    return hit
  }

  async #read(key: string): Promise<{ readonly value: V | undefined } | undefined> {
    const local = this.#localHit(key)
    if (local !== undefined) return local
    const [entry] = await this.#reader.read(key, { tags: [''], from: ANYHOW, purpose: 'get' })
    const isHit = entry !== undefined && entry.freshMs > 0
    this.#parts.counts[isHit ? 'remoteHits' : 'misses'] += 1
    return isHit ? entry : undefined
  }

  #receive(kind: MessageKind, isOwn: boolean, subject: string): void {
    if (isOwn) return
    if (kind === 'tag' || kind === 'clear') this.#writer.drop(kind === 'tag' ? subject : '')
    else this.#parts.local?.drop(subject)
  }
}

function zeros(): Mutable<CacheStats> {
  return { localHits: 0, remoteHits: 0, staleHits: 0, misses: 0, loads: 0, loadErrors: 0, coalesced: 0 }
}

function demandKeys(given: Iterable<string>): readonly string[] {
  const keys = [...new Set(keysOf(given))]
  for (const key of keys) demandPart('key', key)
  return keys
}
