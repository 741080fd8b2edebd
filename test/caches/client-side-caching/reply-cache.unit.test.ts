import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { copyOf, ReplyCache, type Asking } from '../../../src/caches/client-side-caching/reply-cache.js'
import { leftMs } from '../../../src/caches/client-side-caching/client-side-caching.commands.js'
import { openReplyCache } from '../../../src/caches/client-side-caching/open-reply-cache.js'
import { CommandError } from '../../../src/errors/reply-errors.js'
import type { LocalLimits } from '../../../src/collections/local-cached-map/cache/bounded-entries.js'
import type { Reply } from '../../../src/connection/connection.js'
import { size } from '../../../src/objects/bucket/bucket.commands.js'
import { FROM_ANY_NODE } from '../../../src/command/operation/command-executor.js'
import { Subscriptions } from '../../../src/pubsub/subscriptions.js'
import { FakeSubscriber } from '../../engine/pubsub/fake-subscriber.js'
import { collectGarbage } from '../../support/collect-garbage.js'
import { eventually } from '../../support/eventually.js'

const LIMITS: LocalLimits = { cacheSize: 0, evictionPolicy: 'NONE', ttlMs: undefined, maxIdleMs: undefined }

/** A request that the test replies to. */
class Asked implements Asking {
  readonly got = Promise.withResolvers<Reply>()
  readonly left = Promise.withResolvers<number>()
  readonly sent: string[] = []
  readonly reply = () => {
    this.sent.push('read')
    return this.got.promise
  }
  readonly leftMs = () => {
    this.sent.push('pttl')
    return this.left.promise
  }

  answer(reply: Reply, leftMs = -1): this {
    this.got.resolve(reply)
    this.left.resolve(leftMs)
    return this
  }
}

/** Lets all that has settled be heard of. */
const settled = async () => {
  for (let turns = 0; turns < 20; turns += 1) await Promise.resolve()
}

describe('the replies that are kept', () => {
  let subscriber: FakeSubscriber
  let owner: string
  let closing: AbortController
  let tasks: (() => Promise<unknown>)[]
  let open: ReplyCache[]

  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['performance', 'setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'],
    })
    vi.advanceTimersByTime(1)
    subscriber = new FakeSubscriber()
    owner = 'one'
    closing = new AbortController()
    tasks = []
    open = []
  })

  afterEach(() => {
    for (const cache of open) cache.destroy()
    vi.useRealTimers()
  })

  const cachesOf = (keyChanges: Subscriptions) => (limits: Partial<LocalLimits>) => {
    const eviction = {
      hold: (_: string, task: () => Promise<unknown>) => (tasks.push(task), () => tasks.pop()),
    }
    const services = { keyChanges, eviction, closing: closing.signal, topology: { ownerOf: () => owner } }
    const cache = new ReplyCache(services as never, { ...LIMITS, ...limits })
    open.push(cache)
    return cache
  }
  const cacheOf = (limits: Partial<LocalLimits> = {}) => cachesOf(new Subscriptions(subscriber))(limits)
  const request = (key: string, id = 'get') => ({ key, id: `${key} ${id}` })
  /** Reads, with the reply at once. */
  const read = async (cache: ReplyCache, key: string, reply: Reply, { id = 'get', leftMs = -1 } = {}) => {
    const before = subscriber.asked.length
    const reading = cache.read(request(key, id), new Asked().answer(reply, leftMs))
    if (subscriber.asked.length > before) subscriber.confirm(key)
    return await reading
  }
  const kept = (cache: ReplyCache, key: string, id = 'get') => cache.find(request(key, id))?.reply

  it('have memory of their own, and no more than they need', () => {
    const reply = Buffer.from('abc')
    const [copy] = copyOf([reply, 1]) as [Buffer, number]
    reply.fill('x')
    expect(copy.toString()).toBe('abc')
    expect(copy.buffer.byteLength).toBe(3)
  })

  it('are asked for when Redis tracks the key, and not before', async () => {
    const cache = cacheOf()
    const asked = new Asked()
    const reading = cache.read(request('k'), asked)
    await settled()
    expect(subscriber.asked).toEqual(['+k'])
    expect(asked.sent).toEqual([])
    subscriber.confirm('k')
    await settled()
    expect(asked.sent).toEqual(['pttl', 'read'])
    expect(await (asked.answer('a'), reading)).toBe('a')
    expect(kept(cache, 'k')).toBe('a')
    const other = new Asked().answer('b')
    expect(await cache.read(request('k', 'other'), other)).toBe('b')
    expect(other.sent).toEqual(['read']) // it is tracked already
    expect(subscriber.asked).toEqual(['+k'])
  })

  it('are all dropped by a change of the key, which is then tracked no more', async () => {
    const cache = cacheOf()
    await read(cache, 'k', 'a')
    await read(cache, 'k', 'b', { id: 'other' })
    await read(cache, 'l', 'c')
    subscriber.interrupt('k')
    expect([kept(cache, 'k'), kept(cache, 'k', 'other'), kept(cache, 'l')]).toEqual([
      undefined,
      undefined,
      'c',
    ])
    expect(subscriber.asked).toEqual(['+k', '+l', '-k'])
    await read(cache, 'k', 'd')
    expect(kept(cache, 'k')).toBe('d')
  })

  it.each([
    [
      'a change',
      () => {
        subscriber.interrupt('k')
      },
    ],
    [
      'a change, after which another listener had Redis track the key again',
      () => {
        subscriber.interrupt('k')
        subscriber.confirm('k')
      },
    ],
    [
      'the end of tracking',
      () => {
        subscriber.refuse('k', new Error('no'))
      },
    ],
    [
      'a slot that has moved',
      () => {
        owner = 'two'
      },
    ],
  ])('are not those that were read before %s', async (_, happen) => {
    const cache = cacheOf()
    const asked = new Asked()
    const reading = cache.read(request('k'), asked)
    subscriber.confirm('k')
    await settled()
    happen()
    expect(await (asked.answer('old'), reading)).toBe('old')
    expect(kept(cache, 'k')).toBeUndefined()
  })

  it('are not those that were read before a change, once the key is tracked again', async () => {
    const cache = cacheOf()
    const asked = new Asked()
    const reading = cache.read(request('k'), asked)
    subscriber.confirm('k')
    await settled()
    subscriber.interrupt('k')
    await read(cache, 'k', 'new', { id: 'other' })
    await (asked.answer('old'), reading)
    expect([kept(cache, 'k'), kept(cache, 'k', 'other')]).toEqual([undefined, 'new'])
  })

  it('are not those of a key that has changed while it was not tracked yet', async () => {
    const cache = cacheOf()
    const asked = new Asked().answer('a')
    const reading = cache.read(request('k'), asked)
    subscriber.interrupt('k')
    expect(await reading).toBe('a')
    expect(asked.sent).toEqual(['read'])
    expect(kept(cache, 'k')).toBeUndefined()
  })

  it('are not served once another request has shown that the slot has moved', async () => {
    const cache = cacheOf()
    await read(cache, 'k', 'a')
    owner = 'two'
    expect(kept(cache, 'k')).toBeUndefined()
  })

  it('are dropped by a change of this process, and none is kept until it has ended', async () => {
    const cache = cacheOf()
    await read(cache, 'k', 'old')
    const early = new Asked()
    const reading = cache.read(request('k', 'early'), early)
    await settled()
    const done = Promise.withResolvers<string>()
    const changing = cache.change(['k'], () => done.promise)
    expect(kept(cache, 'k')).toBeUndefined()
    await cache.read(request('k'), new Asked().answer('either'))
    expect(kept(cache, 'k')).toBeUndefined()
    done.resolve('done')
    expect(await changing).toBe('done')
    await (early.answer('old'), reading)
    expect(kept(cache, 'k', 'early')).toBeUndefined()
    await read(cache, 'k', 'new')
    expect(kept(cache, 'k')).toBe('new')
  })

  it('are none of a key until the last of its changes has ended, also by an error', async () => {
    const cache = cacheOf()
    const first = Promise.withResolvers<never>()
    const second = Promise.withResolvers<undefined>()
    const changes = [cache.change(['k', 'k'], () => first.promise), cache.change(['k'], () => second.promise)]
    first.reject(new Error('lost'))
    await expect(changes[0]).rejects.toThrow('lost')
    await cache.read(request('k'), new Asked().answer('either'))
    expect(kept(cache, 'k')).toBeUndefined()
    second.resolve(undefined)
    await changes[1]
    await read(cache, 'k', 'new')
    expect(kept(cache, 'k')).toBe('new')
  })

  it('do not outlive their key', async () => {
    const cache = cacheOf()
    const asked = new Asked()
    const reading = cache.read(request('k'), asked)
    subscriber.confirm('k')
    await settled()
    vi.advanceTimersByTime(30) // the reply says what was left when it was sent, or later
    await (asked.answer('a', 100), reading)
    vi.advanceTimersByTime(69)
    expect(kept(cache, 'k')).toBe('a')
    vi.advanceTimersByTime(1)
    expect(kept(cache, 'k')).toBeUndefined()
    expect(tasks).toHaveLength(1)
  })

  it('are returned and not kept if it is not known when the key expires', async () => {
    const cache = cacheOf()
    const asked = new Asked()
    asked.left.reject(new Error('NOPERM'))
    asked.got.resolve('a')
    const reading = cache.read(request('k'), asked)
    subscriber.confirm('k')
    expect(await reading).toBe('a')
    expect(kept(cache, 'k')).toBeUndefined()
  })

  it('leave no key tracked that has none, also after an error', async () => {
    const cache = cacheOf({ cacheSize: 1, evictionPolicy: 'LRU' })
    await read(cache, 'k', 'a')
    await read(cache, 'l', 'b')
    vi.runAllTimers()
    expect(subscriber.asked).toEqual(['+k', '+l', '-k'])
    expect([kept(cache, 'k'), kept(cache, 'l')]).toEqual([undefined, 'b'])
    const asked = new Asked()
    asked.got.reject(new Error('WRONGTYPE'))
    asked.left.resolve(-1)
    const reading = cache.read(request('m'), asked)
    subscriber.confirm('m')
    await expect(reading).rejects.toThrow('WRONGTYPE')
    vi.runAllTimers()
    expect(subscriber.asked.slice(3)).toEqual(['+m', '-m'])
  })

  it.each([
    ['none may be kept', { cacheSize: -1 }],
    ['there is no room', { cacheSize: 1 }],
  ])('track no key where %s', async (_, limits) => {
    const cache = cacheOf(limits)
    await read(cache, 'k', 'a')
    const before = subscriber.asked.length
    const asked = new Asked().answer('b')
    expect(await cache.read(request('l'), asked)).toBe('b')
    expect(asked.sent).toEqual(['read'])
    expect(subscriber.asked).toHaveLength(before)
  })

  it('end after their time, and after a time without use', async () => {
    const cache = cacheOf({ ttlMs: 100 })
    await read(cache, 'k', 'a')
    vi.advanceTimersByTime(100)
    expect(kept(cache, 'k')).toBeUndefined()
    const idle = cacheOf({ maxIdleMs: 100 })
    await read(idle, 'l', 'a')
    for (let uses = 0; uses < 3; uses += 1) {
      vi.advanceTimersByTime(99)
      expect(kept(idle, 'l')).toBe('a')
    }
    vi.advanceTimersByTime(101)
    await tasks.at(-1)?.()
    vi.runAllTimers()
    expect(subscriber.asked).toContain('-l')
  })

  it('are not waited for where Redis does not track keys', async () => {
    const cache = cacheOf()
    subscriber.delay('k', new Error('NOPERM'))
    const asked = new Asked().answer('a')
    expect(await cache.read(request('k'), asked)).toBe('a')
    expect(kept(cache, 'k')).toBeUndefined()
    const before = subscriber.asked.length
    await cache.read(request('l'), new Asked().answer('b'))
    expect(subscriber.asked).toHaveLength(before) // after a refusal, other keys are not tried for a while
    vi.advanceTimersByTime(1_000)
    await read(cache, 'l', 'b')
    expect(kept(cache, 'l')).toBe('b')
  })

  it('are kept of other keys where the user may not read one', async () => {
    const cache = cacheOf()
    subscriber.delay(
      'k',
      new CommandError('client tracking', { cause: new Error('NOPERM No permissions to access a key') }),
    )
    const asked = new Asked().answer('a')
    expect(await cache.read(request('k'), asked)).toBe('a')
    expect(kept(cache, 'k')).toBeUndefined()
    await read(cache, 'l', 'b')
    expect(kept(cache, 'l')).toBe('b')
  })

  it('are not waited for once the shutdown has begun', async () => {
    const cache = cacheOf()
    const asked = new Asked().answer('a')
    const reading = cache.read(request('k'), asked).catch((error: unknown) => (error as Error).message)
    await settled()
    closing.abort(new Error('closed'))
    expect(await Promise.race([reading, settled()])).toBe('closed')
    expect(asked.sent).toEqual([])
  })

  it('are not waited for longer than a second', async () => {
    const cache = cacheOf()
    const asked = new Asked().answer('a')
    const reading = cache.read(request('k'), asked)
    await settled()
    await vi.advanceTimersByTimeAsync(1_100)
    expect(await reading).toBe('a')
    expect(kept(cache, 'k')).toBeUndefined()
    vi.runAllTimers()
    expect(subscriber.asked).toEqual(['+k', '-k'])
  })

  it('belong to one cache each, of which another one leaves the keys tracked', async () => {
    const cacheWith = cachesOf(new Subscriptions(subscriber))
    const [one, other] = [cacheWith({}), cacheWith({})]
    await read(one, 'k', 'a')
    const asked = new Asked().answer('b')
    await other.read(request('k'), asked)
    expect(asked.sent).toEqual(['pttl', 'read'])
    one.destroy()
    one.destroy()
    vi.runAllTimers()
    expect([kept(one, 'k'), kept(other, 'k')]).toEqual([undefined, 'b'])
    expect(subscriber.asked).toEqual(['+k'])
    await one.read(request('k'), new Asked().answer('c'))
    expect(kept(one, 'k')).toBeUndefined()
    other.destroy()
    vi.runAllTimers()
    expect(subscriber.asked).toEqual(['+k', '-k'])
  })

  it('are not served after the shutdown', async () => {
    const cache = cacheOf()
    await read(cache, 'k', 'a')
    closing.abort(new Error('closed'))
    expect(() => kept(cache, 'k')).toThrow('closed')
  })

  it('are bytes of their own', async () => {
    const cache = cacheOf()
    const bytes = Buffer.from('abc')
    const reading = cache.read(request('k'), new Asked().answer([bytes, null, 7]))
    subscriber.confirm('k')
    const given = (await reading) as Buffer[]
    given[0]?.fill(0)
    expect(kept(cache, 'k')).toEqual([Buffer.from('abc'), null, 7])
  })
})

describe('the replies of objects that nothing refers to any more', () => {
  it('are dropped, and their keys are left', async () => {
    const subscriber = new FakeSubscriber()
    const context = {
      keyChanges: new Subscriptions(subscriber),
      topology: { ownerOf: () => 'one' },
      closing: new AbortController().signal,
      executor: { run: (operation: object) => Promise.resolve(operation === leftMs ? -1 : 'a') },
    }
    const readOnce = async () => {
      const { cache, executor } = openReplyCache(context as never, LIMITS)
      const reading = executor.run(size, { keys: { bucket: 'k' }, args: {} }, FROM_ANY_NODE)
      subscriber.confirm('k')
      await reading.catch(() => undefined) // what a codec thinks of it is not the question
      return cache
    }
    const cache = await readOnce()
    expect(subscriber.asked).toEqual(['+k'])
    await eventually(() => {
      collectGarbage()
      return subscriber.asked.length === 2
    })
    expect(subscriber.asked).toEqual(['+k', '-k'])
    cache.destroy()
  })
})
