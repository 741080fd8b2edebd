import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  clearMessage,
  invalidateMessage,
  readCacheMessage,
  updateMessage,
} from '../../../src/collections/local-cached-map/cache/cache-messages.js'
import { CacheChanges } from '../../../src/collections/local-cached-map/cache-changes.js'
import { MapChanges } from '../../../src/collections/local-cached-map/map-changes.js'
import { CachedReads } from '../../../src/collections/local-cached-map/cached-reads.js'
import {
  cachedReadsOfMap,
  MapEntrySource,
} from '../../../src/collections/local-cached-map/map-entry-source.js'
import { CachingExecutor } from '../../../src/collections/local-cached-map/caching-executor.js'
import { entryOf } from '../../../src/collections/local-cached-map/cache/cached-entry.js'
import { LocalCache } from '../../../src/collections/local-cached-map/cache/local-cache.js'
import { databaseOfSender, SenderIds } from '../../../src/collections/local-cached-map/cache/sender-ids.js'
import type { LocalCachedMapSettings } from '../../../src/collections/local-cached-map/local-cached-map-options.js'
import * as scripts from '../../../src/collections/local-cached-map/local-cached-map.scripts.js'
import * as commands from '../../../src/collections/map/map.commands.js'
import * as mapScripts from '../../../src/collections/map/map.scripts.js'
import * as object from '../../../src/core/redisson-object.scripts.js'
import type { ChannelListener } from '../../../src/pubsub/subscriptions.js'

type Settings = Pick<
  LocalCachedMapSettings<unknown, unknown>,
  'limits' | 'sync' | 'reconnection' | 'storesMisses'
>

const SETTINGS: Settings = {
  limits: { cacheSize: 0, evictionPolicy: 'NONE', ttlMs: undefined, maxIdleMs: undefined },
  sync: 'INVALIDATE',
  reconnection: 'CLEAR',
  storesMisses: false,
}

/** A request that Redis has not replied to. */
interface Sent {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  reply(reply: unknown): Promise<void>
  fail(): Promise<void>
}

const OTHER = Buffer.alloc(16, 7)

const bytes = (text: string) => Buffer.from(text)
const hash = (key: string) => Buffer.from(entryOf(key, undefined).hash, 'latin1')

/** A turn in which everything goes on that can. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A local cache whose Redis is the test: it replies, and publishes, when the test says so. */
class Bench {
  readonly cache: LocalCache
  readonly sent: Sent[] = []
  readonly confirmed: string[] = []
  standing = true
  #listener: ChannelListener | undefined
  readonly #executor: CachingExecutor

  constructor(settings: Partial<Settings> = {}) {
    const run = (operation: { readonly name: string }, call: { readonly args: object }) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      this.sent.push({
        name: operation.name.replace('local-cached-map/', ''),
        args: call.args as Readonly<Record<string, unknown>>,
        reply: async (reply) => {
          resolve(reply)
          await turn()
        },
        fail: async () => {
          reject(new Error('lost'))
          await turn()
        },
      })
      return promise
    }
    const executor = { isBatch: false, run } as never
    const subscriptions = {
      joinAnnouncements: (_: string, listener: ChannelListener) => {
        this.#listener = listener
        const standing = () => this.standing
        return {
          get standing() {
            return standing()
          },
          leave: () => undefined,
        }
      },
    }
    const closing = new AbortController().signal
    const eviction = { hold: () => () => undefined }
    this.cache = new LocalCache({
      context: {
        executor,
        subscriptions,
        closing,
        eviction,
        config: { server: { mode: 'single', database: 0 } },
      } as never,
      map: 'm',
      settings: { ...SETTINGS, ...settings },
      confirm: (requestId) => this.confirmed.push(requestId),
    })
    const isLogged = settings.reconnection === 'LOAD'
    const reads = new CachedReads(this.cache, new MapEntrySource(executor, 'm'))
    const changes = new CacheChanges(executor, this.cache, { map: 'm', isLogged })
    this.#executor = new CachingExecutor(executor, {
      reads: cachedReadsOfMap(executor, this.cache, reads),
      changes: new MapChanges(executor, changes, 'm').handlers,
    })
    this.cache.find('nothing') // so that it listens
    this.sent.splice(0).forEach((each) => void each.reply(-1))
  }

  get(key: string): Promise<Buffer | undefined> {
    return this.#executor.run(commands.get, { keys: { map: 'm' }, args: { field: key } }, { from: 'anyNode' })
  }

  put(key: string, value: string): Promise<Buffer | undefined> {
    return this.#executor.run(mapScripts.put, { keys: { map: 'm' }, args: { field: key, value } })
  }

  remove(key: string): Promise<Buffer | undefined> {
    return this.#executor.run(mapScripts.remove, { keys: { map: 'm' }, args: { field: key } })
  }

  add(key: string, delta: string): Promise<Buffer> {
    return this.#executor.run(commands.add, { keys: { map: 'm' }, args: { field: key, delta } })
  }

  copy(database: string): Promise<number> {
    const args = { database, home: 0, replace: 1, kind: 'hash', newChannel: '', message: '' }
    return this.#executor.run(object.copy, { keys: { object: 'm', target: 'n', others: [] }, args })
  }

  delete(): Promise<number> {
    const args = { command: 'del', kind: 'hash', channel: '', message: '' }
    return this.#executor.run(object.remove, { keys: { object: 'm', others: [] }, args })
  }

  publish(message: Buffer): void {
    this.#listener?.message(message, '')
  }

  /** Publishes the message of a request that was sent. */
  echo({ args }: Sent): void {
    this.publish(args['message'] as Buffer)
  }

  gap(): void {
    this.standing = true
    this.#listener?.gap()
  }

  /** The next request. */
  next(): Sent {
    const sent = this.sent.shift()
    if (sent === undefined) throw new Error('Expected a request, got none')
    return sent
  }

  /** What is served of a key, as a text; undefined if Redis is asked. */
  served(key: string): string | undefined {
    return this.cache.find(key)?.value?.toString()
  }

  /** Has a value kept. */
  async keep(key: string, value: string): Promise<void> {
    const reading = this.get(key)
    await this.next().reply([bytes(value), -1])
    await reading
  }
}

/** The reply to a put that has set a value. */
const SET = [true, true, undefined, -1]

const invalidate = (...keys: string[]) => invalidateMessage(OTHER, keys.map(hash))
const update = (key: string, value: string) => updateMessage(OTHER, [[bytes(key), bytes(value)]])
const clear = () => clearMessage(OTHER, Buffer.alloc(16), false)

describe('a read of a local cache', () => {
  it('is kept, and served from then on', async () => {
    const bench = new Bench()
    await bench.keep('k', 'v')
    expect(bench.served('k')).toBe('v')
    expect((await bench.get('k'))?.toString()).toBe('v')
    expect(bench.sent).toEqual([])
  })

  it.each([
    ['the key is invalidated', invalidate('k')],
    ['the key is updated', update('k', 'w')],
    ['all is cleared', clear()],
    ['a message arrives that cannot be read', Buffer.from('?')],
  ])('is not kept if %s meanwhile', async (_, message) => {
    const bench = new Bench()
    const reading = bench.get('k')
    bench.publish(message)
    await bench.next().reply([bytes('v'), -1])
    expect((await reading)?.toString()).toBe('v')
    expect(bench.served('k')).toBeUndefined()
  })

  it('is kept if another key is invalidated meanwhile', async () => {
    const bench = new Bench()
    const reading = bench.get('k')
    bench.publish(invalidate('other'))
    await bench.next().reply([bytes('v'), -1])
    await reading
    expect(bench.served('k')).toBe('v')
  })

  it('is not kept if the subscription was interrupted meanwhile, or does not stand', async () => {
    const bench = new Bench()
    const reading = bench.get('k')
    bench.standing = false
    bench.gap()
    await bench.next().reply([bytes('v'), -1])
    await reading
    expect(bench.served('k')).toBeUndefined()
    bench.standing = false
    await bench.keep('k', 'v')
    bench.standing = true
    expect(bench.served('k')).toBeUndefined()
  })

  it('is not served while the subscription does not stand', async () => {
    const bench = new Bench({ reconnection: 'NONE' })
    await bench.keep('k', 'v')
    bench.standing = false
    expect(bench.served('k')).toBeUndefined()
    bench.gap()
    expect(bench.served('k')).toBe('v')
  })

  it('is not kept if it began, or ended, while this process changed the key', async () => {
    const bench = new Bench()
    const before = bench.get('k')
    const putting = bench.put('k', 'new')
    const during = bench.get('k')
    const [first, put, second] = [bench.next(), bench.next(), bench.next()]
    await put.reply(SET)
    await putting
    await first.reply([bytes('old'), -1])
    await second.reply([bytes('old'), -1])
    await Promise.all([before, during])
    expect(bench.served('k')).toBe('new')
  })

  it('is replaced if it ended before this process has changed the key', async () => {
    const bench = new Bench()
    const putting = bench.put('k', 'new')
    const reading = bench.get('k')
    const put = bench.next()
    await bench.next().reply([bytes('old'), -1])
    await reading
    await put.reply(SET)
    await putting
    expect(bench.served('k')).toBe('new')
  })

  it('is found by the bytes of its key, and not by a hash', () => {
    const { cache } = new Bench()
    const [one, two] = [entryOf('one', bytes('1')), entryOf('two', bytes('2'))]
    const read = { isStale: false, leftMs: -1, startedAt: 0 }
    cache.keep(one, read)
    cache.keep({ ...two, hash: one.hash }, read)
    expect(cache.find('one')).toBeUndefined()
    expect(cache.find('two')?.value?.toString()).toBe('2')
  })
})

describe('what is read to be kept', () => {
  it('comes from the master: a replica may not have what a message has said', async () => {
    const run = vi.fn((operation: unknown) =>
      Promise.resolve(
        operation === scripts.getAll ? [-1, []] : operation === scripts.page ? ['0', [], -1] : [],
      ),
    )
    const source = new MapEntrySource({ run } as never, 'm')
    await source.get(bytes('k'), { from: 'anyNode' })
    await source.getAll([bytes('k')], { from: 'anyNode' })
    await source.page('0', 1)
    const options = run.mock.calls.map((call: readonly unknown[]) => call[2])
    expect(options).toEqual([{ from: 'master' }, { from: 'master' }, { from: 'master' }])
  })
})

describe('what is kept', () => {
  it('is a copy of what was read, which may be a part of all that a connection has received', async () => {
    const bench = new Bench()
    const received = Buffer.concat([Buffer.alloc(60_000), bytes('value')])
    const reading = bench.get('a')
    await bench.next().reply([received.subarray(-5), -1])
    await reading
    expect(bench.cache.find('a')?.value?.buffer).not.toBe(received.buffer)
    received.fill(0)
    expect(bench.served('a')).toBe('value')
  })

  it('is no sum that a call hands out', async () => {
    const bench = new Bench()
    const adding = bench.add('a', '1')
    await bench.next().reply([bytes('5'), -1])
    const sum = await adding
    expect(sum.toString()).toBe('5')
    sum.fill('9')
    expect(bench.served('a')).toBe('5')
  })
})

describe('an entry with an end of its own', () => {
  const keep = (bench: Bench, left: { leftMs: number; entryLeftMs?: number }) => {
    const entry = { ...entryOf('k', undefined), value: bytes('v') }
    bench.cache.keep(entry, { ...left, isStale: false, startedAt: performance.now() })
    return bench.served('k')
  }

  it('is not kept for longer than until then, nor than the map', () => {
    expect(keep(new Bench(), { leftMs: -1 })).toBe('v')
    expect(keep(new Bench(), { leftMs: -1, entryLeftMs: -1 })).toBe('v')
    expect(keep(new Bench(), { leftMs: 60_000, entryLeftMs: 60_000 })).toBe('v')
    expect(keep(new Bench(), { leftMs: -1, entryLeftMs: 0 })).toBeUndefined()
    expect(keep(new Bench(), { leftMs: 60_000, entryLeftMs: 0 })).toBeUndefined()
    expect(keep(new Bench(), { leftMs: 0, entryLeftMs: 60_000 })).toBeUndefined()
    expect(keep(new Bench(), { leftMs: 0, entryLeftMs: -1 })).toBeUndefined()
  })

  it('does not end other entries: those that messages set live as long as the map', () => {
    const bench = new Bench({ sync: 'UPDATE' })
    expect(keep(bench, { leftMs: -1, entryLeftMs: 0 })).toBeUndefined()
    bench.publish(update('a', '1'))
    expect(bench.served('a')).toBe('1')
  })
})

describe('entries that were removed to make room', () => {
  const evict = Buffer.concat([Buffer.of(0x80), bytes('\0\0\0\x01k'), bytes('\0\0\0\x01l')])

  it('are dropped, and not kept of a read that is under way', async () => {
    const bench = new Bench()
    await bench.keep('k', '1')
    await bench.keep('m', '1')
    const reading = bench.get('l')
    bench.publish(evict)
    await bench.next().reply([bytes('1'), -1])
    await reading
    expect(['k', 'l', 'm'].map((key) => bench.served(key))).toEqual([undefined, undefined, '1'])
    bench.publish(evict.subarray(0, 7)) // a part of a message
    expect(bench.served('m')).toBeUndefined()
  })
})

describe('a copy of all of the map', () => {
  it.each(['', '1'])('is published to the caches of its name, in database %j', async (database) => {
    const bench = new Bench()
    void bench.copy(database)
    const { args } = bench.next()
    expect(args).toMatchObject({ newChannel: '{n}:topic', message: expect.any(Buffer) as Buffer })
    await Promise.resolve()
  })
})

describe('a change with INVALIDATE', () => {
  it('is kept once it is confirmed, and its own message changes nothing', async () => {
    for (const echoIsFirst of [true, false]) {
      const bench = new Bench()
      const putting = bench.put('k', 'v')
      expect(bench.served('k')).toBeUndefined()
      const put = bench.next()
      if (echoIsFirst) bench.echo(put)
      await put.reply(SET)
      await putting
      if (!echoIsFirst) bench.echo(put)
      expect(bench.served('k')).toBe('v')
    }
  })

  it('is not kept if another client has changed the key meanwhile', async () => {
    const bench = new Bench()
    await bench.keep('k', 'old')
    const putting = bench.put('k', 'v')
    bench.publish(invalidate('k'))
    await bench.next().reply(SET)
    await putting
    expect(bench.served('k')).toBeUndefined()
  })

  it('is not kept if this process changes the key at the same time', async () => {
    const bench = new Bench()
    const both = [bench.put('k', 'one'), bench.put('k', 'two')]
    const [first, second] = [bench.next(), bench.next()]
    await second.reply(SET)
    await first.reply(SET)
    await Promise.all(both)
    expect(bench.served('k')).toBeUndefined()
  })

  it('leaves nothing if it is not known what became of it, and its late message counts', async () => {
    const bench = new Bench()
    await bench.keep('k', 'old')
    const putting = bench.put('k', 'v')
    const put = bench.next()
    await Promise.all([expect(putting).rejects.toThrow('lost'), put.fail()])
    expect(bench.served('k')).toBeUndefined()
    await bench.keep('k', 'old')
    bench.echo(put) // it has run only now
    expect(bench.served('k')).toBeUndefined()
  })

  it('of which a copy has run later drops what was read in between', async () => {
    const bench = new Bench()
    const putting = bench.put('k', 'v')
    const put = bench.next()
    bench.echo(put)
    await put.reply(SET)
    await putting
    bench.echo(put)
    expect(bench.served('k')).toBeUndefined()
  })

  it('that has changed nothing leaves what is there', async () => {
    const bench = new Bench()
    await bench.keep('k', 'old')
    const removing = bench.remove('k')
    await bench.next().reply([false, undefined])
    await removing
    expect(bench.served('k')).toBe('old')
  })

  it('of all of the map drops everything, also what is read or put at the same time', async () => {
    const bench = new Bench()
    await bench.keep('a', '1')
    const reading = bench.get('b')
    const putting = bench.put('c', '3')
    const deleting = bench.delete()
    const [get, put, remove] = [bench.next(), bench.next(), bench.next()]
    await remove.reply(1)
    await deleting
    await get.reply([bytes('2'), -1])
    await put.reply(SET)
    await Promise.all([reading, putting])
    for (const key of ['a', 'b', 'c']) expect(bench.served(key)).toBeUndefined()
    bench.echo(remove)
    await bench.keep('a', '1')
    expect(bench.served('a')).toBe('1')
  })
})

describe('a change with UPDATE', () => {
  const benchOf = async () => {
    const bench = new Bench({ sync: 'UPDATE' })
    await bench.keep('other', '') // so that it is known when the map expires
    return bench
  }

  it('is kept when its message arrives', async () => {
    for (const echoIsFirst of [true, false]) {
      const bench = await benchOf()
      const putting = bench.put('k', 'v')
      const put = bench.next()
      if (echoIsFirst) bench.echo(put)
      await put.reply(SET)
      await putting
      expect(bench.served('k')).toBe(echoIsFirst ? 'v' : undefined)
      if (!echoIsFirst) bench.echo(put)
      expect(bench.served('k')).toBe('v')
    }
  })

  it('wins over one of another client that came before it, in the order of the messages', async () => {
    const bench = await benchOf()
    const putting = bench.put('k', 'mine')
    const put = bench.next()
    await put.reply(SET)
    await putting
    bench.publish(update('k', 'theirs'))
    expect(bench.served('k')).toBeUndefined() // Redis has 'mine'
    bench.echo(put)
    expect(bench.served('k')).toBe('mine')
    bench.publish(update('k', 'theirs'))
    expect(bench.served('k')).toBe('theirs')
  })

  it('is not kept of another database, and drops what is kept', async () => {
    const bench = await benchOf()
    const updateFrom = (database: number, value: string) =>
      updateMessage(new SenderIds(database).next(), [[bytes('k'), bytes(value)]])
    bench.publish(updateFrom(0, 'here'))
    expect(bench.served('k')).toBe('here')
    bench.publish(updateFrom(1, 'elsewhere'))
    expect(bench.served('k')).toBeUndefined()
    bench.publish(updateFrom(0, 'here again'))
    expect(bench.served('k')).toBe('here again')
  })

  it('that removes a key, or all, waits for its message in the same way', async () => {
    for (const change of [(bench: Bench) => bench.remove('k'), (bench: Bench) => bench.delete()]) {
      const bench = await benchOf()
      const changing = change(bench)
      const sent = bench.next()
      await sent.reply(sent.name === 'remove' ? [true, undefined] : 1)
      await changing
      bench.publish(update('k', 'theirs'))
      expect(bench.served('k')).toBeUndefined()
      bench.echo(sent)
      bench.sent.splice(0).forEach((each) => void each.reply(-1))
      await turn()
      bench.publish(update('k', 'theirs'))
      expect(bench.served('k')).toBe('theirs')
    }
  })

  it('of which nothing is known waits for no message', async () => {
    const bench = await benchOf()
    const putting = bench.put('k', 'mine')
    const put = bench.next()
    await Promise.all([expect(putting).rejects.toThrow('lost'), put.fail()])
    bench.publish(update('k', 'theirs'))
    expect(bench.served('k')).toBe('theirs')
    bench.echo(put)
    expect(bench.served('k')).toBe('mine')
  })

  it('is not kept while it is not known when the map expires', async () => {
    const bench = await benchOf()
    bench.publish(clear())
    bench.publish(update('k', 'theirs'))
    expect(bench.served('k')).toBeUndefined()
    await bench.next().reply(600_000)
    bench.publish(update('k', 'theirs'))
    expect(bench.served('k')).toBe('theirs')
  })

  it('leaves nothing behind that was read before its message, if that was lost', async () => {
    const bench = await benchOf()
    const putting = bench.put('k', 'mine')
    const put = bench.next()
    bench.standing = false
    bench.gap()
    bench.sent.splice(0).forEach((each) => void each.reply(-1))
    await bench.keep('k', 'old')
    await put.reply(SET)
    await putting
    expect(bench.served('k')).toBeUndefined()
  })
})

describe('the log of a map', () => {
  const benchOf = async () => {
    const bench = new Bench({ reconnection: 'LOAD' })
    bench.gap()
    await bench.next().reply([bytes('server+log'), []])
    await bench.keep('a', '1')
    await bench.keep('b', '2')
    bench.standing = false
    bench.gap()
    return bench
  }

  const record = (key: string) => Buffer.concat([hash(key), bytes(':12345678')])

  it('says what to drop after an interruption, and nothing is served until then', async () => {
    const bench = await benchOf()
    expect(bench.served('b')).toBeUndefined()
    await bench.next().reply([bytes('server+log'), [record('a'), record('x')]])
    expect(bench.served('a')).toBeUndefined()
    expect(bench.served('b')).toBe('2')
  })

  it.each([
    ['it is another log, or another server', [bytes('server+other'), []]],
    ['nothing is known', undefined],
  ])('drops all if %s', async (_, reply) => {
    const bench = await benchOf()
    await bench.next().reply(reply)
    expect(bench.served('b')).toBeUndefined()
    await bench.keep('b', '2')
    expect(bench.served('b')).toBe('2')
  })

  it('drops all if it cannot be read', async () => {
    const bench = await benchOf()
    await bench.next().fail()
    expect(bench.served('b')).toBeUndefined()
  })

  it('counts as it was read last, if there was one more interruption', async () => {
    const bench = await benchOf()
    const early = bench.next()
    bench.gap()
    await early.reply([bytes('server+log'), []])
    expect(bench.served('b')).toBeUndefined()
    await bench.next().reply([bytes('server+log'), [record('b')]])
    expect(bench.served('a')).toBe('1')
    expect(bench.served('b')).toBeUndefined()
  })
})

describe('the log of a map after a long interruption', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('says too little, also if there is one more interruption before it was read', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const bench = new Bench({ reconnection: 'LOAD' })
    bench.gap()
    await bench.next().reply([bytes('server+log'), []])
    await bench.keep('a', '1')
    bench.standing = false
    vi.advanceTimersByTime(900_000)
    bench.gap()
    const early = bench.next()
    expect(bench.served('a')).toBeUndefined() // it listens, and knows nothing yet
    bench.gap()
    await early.reply([bytes('server+log'), []])
    await bench.next().reply([bytes('server+log'), []])
    expect(bench.served('a')).toBeUndefined()
  })
})

describe('transactions of Redisson for Java', () => {
  const message = (type: number, ...parts: Buffer[]) =>
    Buffer.concat([Buffer.of(type, 3), bytes('tx1'), ...parts])
  const list = (...keys: string[]) => {
    const count = Buffer.alloc(4)
    count.writeInt32BE(keys.length)
    return Buffer.concat([count, ...keys.map(hash)])
  }
  const timeout = (ms: number) => {
    const value = Buffer.alloc(8)
    value.writeBigInt64BE(BigInt(ms))
    return value
  }

  it('keep their keys out of the cache until they end, as a message says', async () => {
    const bench = new Bench()
    await bench.keep('a', '1')
    bench.publish(message(3, timeout(60_000), Buffer.of(0), list('a')))
    expect(bench.served('a')).toBeUndefined()
    expect(bench.next()).toMatchObject({ name: 'PUBLISH', args: { message: Buffer.of(4) } })
    await bench.keep('a', '1')
    expect(bench.served('a')).toBeUndefined()
    await bench.keep('b', '2')
    expect(bench.served('b')).toBe('2')
    bench.publish(message(5, Buffer.of(0), list('a')))
    await bench.keep('a', '1')
    expect(bench.served('a')).toBe('1')
  })

  it('keep all keys out of it, and no longer than they say', async () => {
    const bench = new Bench()
    await bench.keep('a', '1')
    bench.publish(message(3, timeout(0), Buffer.of(1), list()))
    expect(bench.served('a')).toBeUndefined()
    bench.next()
    await bench.keep('a', '1')
    expect(bench.served('a')).toBe('1')
  })
})

describe('ids of senders', () => {
  it('are different, and say the database', () => {
    for (const database of [0, 1, 300, 2 ** 24 - 1]) {
      const ids = new SenderIds(database)
      const some = [ids.next(), ids.next(), new SenderIds(database).next()].map((id) => id.toString('latin1'))
      expect(new Set(some).size).toBe(3)
      expect(some.map(databaseOfSender)).toEqual([database, database, database])
    }
    expect(databaseOfSender(OTHER.toString('latin1'))).toBeUndefined()
  })
})

describe('messages of local caches', () => {
  const id = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex')
  const request = Buffer.alloc(16, 0xab)
  const idHex = id.toString('hex')

  it('are those of Redisson', () => {
    expect(clearMessage(id, request, true).toString('hex')).toBe(`00${idHex}${'ab'.repeat(16)}01`)
    expect(clearMessage(id, request, false).toString('hex')).toBe(`00${idHex}${'ab'.repeat(16)}00`)
    expect(invalidateMessage(id, [hash('hello'), hash('a')]).toString('hex')).toBe(
      `01${idHex}00000002` + '7fd1d0bcd0c085e170f5d2de26f6a7d9' + 'ab0bc04b5da94740a0462b5aca912353',
    )
    expect(updateMessage(id, [[bytes('a'), bytes('"é"')]]).toString('hex')).toBe(
      `02${idHex}00000001` + '61' + '00000004' + '22c3a922',
    )
  })

  it('are read as they were written', () => {
    const sender = id.toString('latin1')
    expect(readCacheMessage(clearMessage(id, request, true))).toEqual({
      type: 'clear',
      sender,
      requestId: 'ab'.repeat(16),
      isConfirmed: true,
    })
    expect(readCacheMessage(invalidateMessage(id, [hash('a')]))).toEqual({
      type: 'invalidate',
      sender,
      hashes: [entryOf('a', undefined).hash],
    })
    const entries = [
      [bytes('a'), bytes('')],
      [bytes(''), bytes('b')],
    ] as const
    expect(readCacheMessage(updateMessage(id, entries))).toEqual({ type: 'update', sender, entries })
    expect(readCacheMessage(Buffer.of(4))).toBeUndefined()
  })

  it('are refused if a part is missing', () => {
    for (const whole of [clearMessage(id, request, true), invalidate('a'), update('a', 'b')])
      for (let length = 0; length < whole.length; length += 1) {
        if (length === 17 && whole[0] === 2) continue // an update of nothing
        expect(() => readCacheMessage(whole.subarray(0, length))).toThrow(RangeError)
      }
    expect(() => readCacheMessage(Buffer.of(9))).toThrow(RangeError)
    const huge = invalidateMessage(id, [])
    huge.writeInt32BE(2 ** 31 - 1, 17)
    expect(() => readCacheMessage(huge)).toThrow(RangeError)
    huge.writeInt32BE(-1, 17)
    expect(() => readCacheMessage(huge)).toThrow(RangeError)
  })
})

describe('the limits of a local cache', () => {
  it('uses no more messages of its own than it can wait for', async () => {
    const bench = new Bench()
    const puts = Array.from({ length: 10_001 }, (_, n) => bench.put(`k${String(n)}`, 'v'))
    const sent = bench.sent.splice(0)
    await Promise.all(sent.map((each) => each.reply(SET)))
    await Promise.all(puts)
    for (const each of sent) bench.echo(each)
    expect(bench.served('k0')).toBeUndefined() // its message counts as one of others
    expect(bench.served('k10000')).toBe('v')
  })
})
