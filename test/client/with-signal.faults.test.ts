import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../src/index.js'
import { noLeaks } from '../support/no-leaks.js'
import { proxied, type Proxied } from '../support/proxied.js'
import { single } from '../support/topologies.js'

type Call = (objects: ReturnType<RedissonClient['withSignal']>) => Promise<unknown>

const calls: readonly (readonly [what: string, call: Call])[] = [
  ['a bucket', (objects) => objects.getBucket('signal').set(1)],
  ['several buckets', (objects) => objects.getBuckets().get('signal', 'signal-too')],
  ['a counter', (objects) => objects.getAtomicLong('signal').incrementAndGet()],
  ['a map', (objects) => objects.getMap<string, number>('signal').put('a', 1)],
  [
    'the values of a multimap',
    (objects) => objects.getSetMultimap<string, string>('signal').get('a').add('b'),
  ],
  ['a walk', (objects) => objects.getSet('signal')[Symbol.asyncIterator]().next()],
  ['a poll that waits', (objects) => objects.getScoredSortedSet('signal').pollFirst({ waitMs: 600_000 })],
  ['a Bloom filter', (objects) => objects.getBloomFilter('signal').tryInit(100, 0.01)],
  ['a topic', (objects) => objects.getTopic('signal').publish(1)],
]

describe('the objects of a client with a signal', () => {
  let door: Proxied<typeof single>
  let client: RedissonClient

  noLeaks(single, { except: /^redisson__once:/ })

  beforeAll(async () => {
    door = await proxied(single)
    client = await Redisson.create(door.options({ timeout: 600_000 }))
  })

  const proxy = () => door.proxyOf(single.nodes[0])

  afterEach(async () => {
    await proxy().heal()
    await client.getKeys().deleteByPattern('*signal*')
  })

  afterAll(async () => {
    await client.shutdown()
    await door.stop()
  })

  it.each(calls)('have a call end when it aborts, and say whether it was sent: %s', async (_, call) => {
    const ended = new AbortController()
    const objects = client.withSignal(ended.signal)
    using asked = proxy().onRequest('signal')
    proxy().stall('replies')
    const settled = expect(call(objects)).rejects.toMatchObject({
      name: 'AbortError',
      code: 'ABORTED',
      mayHaveRun: true,
      cause: { message: 'enough' },
    })
    await asked.happened
    ended.abort(new Error('enough'))
    await settled
    await expect(call(objects)).rejects.toMatchObject({ code: 'ABORTED', mayHaveRun: false })
  })

  it('end a poll that waits for a value, and nothing of the client itself', async () => {
    const ended = new AbortController()
    const set = client.withSignal(ended.signal).getScoredSortedSet<string>('signal')
    using looked = proxy().onRequest('signal')
    const polled = expect(set.pollFirst({ waitMs: 600_000 })).rejects.toMatchObject({ code: 'ABORTED' })
    await looked.happened
    ended.abort()
    await polled
    expect(await client.getScoredSortedSet('signal').size()).toBe(0)
  })

  it('are those of the client', async () => {
    const objects = client.withSignal(new AbortController().signal)
    await objects.getMap<string, number>('signal').put('a', 1)
    expect(await client.getMap<string, number>('signal').get('a')).toBe(1)
    expect(await objects.getMap<string, number>('signal').compute('a', (_, before = 0) => before + 1)).toBe(2)
  })

  it('refuse what serves other calls as well', async () => {
    const objects = client.withSignal(new AbortController().signal)
    await expect(objects.getIdGenerator('signal').nextId()).rejects.toThrow(TypeError)
    const writer = { write: () => undefined, delete: () => undefined }
    expect(() => objects.getMap('signal', { writer, writeMode: 'WRITE_BEHIND' } as never)).toThrow(TypeError)
    expect(() => client.withSignal(undefined as never)).toThrow(TypeError)
  })
})
