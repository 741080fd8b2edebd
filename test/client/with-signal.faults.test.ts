import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RMap } from '../../src/index.js'
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
  ['keys', (objects) => objects.getKeys().countExists('signal')],
  [
    'a walk over keys',
    (objects) => objects.getKeys().getKeys({ pattern: 'signal*' })[Symbol.asyncIterator]().next(),
  ],
  ['a script', (objects) => objects.getScript().eval('READ_WRITE', 'return 1', 'INTEGER', ['signal'])],
  ['a script for all masters', (objects) => objects.getScript().scriptLoad('return "signal"')],
  ['a function', (objects) => objects.getFunction().call('READ_WRITE', 'signal', 'INTEGER')],
]

const loader = { load: () => 1 }
const writer = { write: () => undefined, delete: () => undefined }

/** Calls that take the lock of an entry, or that of a sorted set. */
const locking: readonly (readonly [what: string, call: Call])[] = [
  ['compute', (objects) => objects.getMap('signal').compute('z', () => 2)],
  ['computeIfAbsent', (objects) => objects.getMap('signal').computeIfAbsent('z', () => 2)],
  ['merge', (objects) => objects.getMap('signal').merge('z', 1, () => 2)],
  ['a loader', (objects) => objects.getMap('signal', { loader }).get('z')],
  ['a writer', (objects) => objects.getMap('signal', { writer }).put('z', 1)],
  ['putAll with a writer', (objects) => objects.getMap('signal', { writer }).putAll([['z', 1]])],
  ['fastRemove with a writer', (objects) => objects.getMap('signal', { writer }).fastRemove('z')],
  ['a sorted set', (objects) => objects.getSortedSet('signal').add('z')],
]

describe('the objects of a client with a signal', () => {
  let door: Proxied<typeof single>
  let client: RedissonClient
  let straight: RedissonClient

  noLeaks(single)

  beforeAll(async () => {
    door = await proxied(single)
    client = await Redisson.create(door.options({ timeout: 600_000 }))
    straight = await Redisson.create(single.options())
  })

  const proxy = () => door.proxyOf(single.nodes[0])

  afterEach(async () => {
    await proxy().heal()
    await client.getKeys().deleteByPattern('*signal*')
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
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

  it('end the waiting for an id, and not the request that others wait for', async () => {
    const ended = new AbortController()
    const ids = client.withSignal(ended.signal).getIdGenerator('signal')
    using asked = proxy().onRequest('signal')
    proxy().stall('replies')
    const settled = expect(ids.nextId()).rejects.toMatchObject({ code: 'ABORTED', mayHaveRun: true })
    const other = client.getIdGenerator('signal').nextId()
    await asked.happened
    ended.abort(new Error('enough'))
    await settled
    await expect(ids.nextId()).rejects.toMatchObject({ code: 'ABORTED', mayHaveRun: false })
    await proxy().heal()
    expect(await other).toBeGreaterThan(0)
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

  it.each(locking)('end a call that waits for a lock: %s', async (_, call) => {
    const other = await Redisson.create(single.options())
    const locks = [other.getMap('signal').getLock('z'), other.getLock('redisson_sortedset_lock:{signal}')]
    const held = await Promise.all(locks.map((lock) => lock.acquire()))
    const ended = new AbortController()
    using listening = proxy().onRequest('redisson_lock__channel')
    const settled = expect(call(client.withSignal(ended.signal))).rejects.toMatchObject({
      code: 'ABORTED',
      mayHaveRun: false,
      cause: { message: 'enough' },
    })
    await listening.happened
    ended.abort(new Error('enough'))
    await settled
    await Promise.all(held.map((hold) => hold.unlock()))
    await other.shutdown()
  })

  /** A function of the program, which ends when it is told to. */
  const slow = () => {
    const begun = Promise.withResolvers<AbortSignal>()
    const end = Promise.withResolvers<number>()
    const run = (context: { readonly signal: AbortSignal }) => {
      begun.resolve(context.signal)
      return end.promise
    }
    return { begun: begun.promise, end: () => end.resolve(1), run }
  }

  it.each<
    [
      what: string,
      mayHaveRun: boolean,
      call: (...of: [...Parameters<Call>, ReturnType<typeof slow>]) => Promise<unknown>,
    ]
  >([
    [
      'compute',
      false,
      (objects, fn) => objects.getMap('signal').compute('z', (_key, _before, context) => fn.run(context)),
    ],
    [
      'a loader',
      false,
      (objects, fn) =>
        objects.getMap('signal', { loader: { load: (_, context) => fn.run(context) } }).get('z'),
    ],
    [
      'a writer',
      true,
      (objects, fn) =>
        objects
          .getMap('signal', { writer: { ...writer, write: (_, context) => fn.run(context) } })
          .put('z', 1),
    ],
    [
      'putAll with a writer',
      true,
      (objects, fn) =>
        objects
          .getMap('signal', { writer: { ...writer, write: (_, context) => fn.run(context) } })
          .putAll([['z', 1]]),
    ],
  ])(
    'end a call whose function runs, tell the function, and keep its lock until it has ended: %s',
    async (_, mayHaveRun, call) => {
      const ended = new AbortController()
      const fn = slow()
      const settled = expect(call(client.withSignal(ended.signal), fn)).rejects.toMatchObject({
        code: 'ABORTED',
        mayHaveRun,
      })
      const told = await fn.begun
      ended.abort(new Error('enough'))
      await settled
      expect(told.reason).toMatchObject({ message: 'enough' })
      const map = client.getMap('signal')
      const lock = map.getLock('z')
      expect(await lock.isLocked()).toBe(true)
      fn.end()
      await lock.withLock(() => undefined)
      expect(await map.size()).toBe(0) // what comes after the signal is not written
    },
  )

  it.each<[what: string, call: (map: RMap<string, unknown>) => Promise<unknown>]>([
    ['get', (map) => map.get('z')],
    ['getAll', (map) => map.getAll(['z'])],
    ['loadAll', (map) => map.loadAll({ keys: ['z'] })],
    ['compute', (map) => map.compute('z', () => 2)],
  ])('say that a loaded value may be in the map: %s', async (_, call) => {
    const map = client.getMap('signal', { loader: { load: () => 'loaded' } })
    await map.get('warm') // so that the server knows the scripts
    const ended = new AbortController()
    using written = proxy().onReply(
      (request) => request.includes('"loaded"'),
      (passing) => passing.freeze(),
    )
    const objects = client.withSignal(ended.signal)
    const settled = expect(
      call(objects.getMap('signal', { loader: { load: () => 'loaded' } })),
    ).rejects.toMatchObject({ code: 'ABORTED', mayHaveRun: true })
    await written.happened
    ended.abort()
    await settled
    proxy().cut()
    expect(await straight.getMap('signal').get('z')).toBe('loaded')
  })

  it('end a call whose loader looks for all keys', async () => {
    const begun = Promise.withResolvers<void>()
    const never = Promise.withResolvers<void>()
    const loadAllKeys = async function* () {
      yield 'a'
      begun.resolve()
      await never.promise
    }
    const ended = new AbortController()
    const map = client.withSignal(ended.signal).getMap('signal', { loader: { load: () => 1, loadAllKeys } })
    const settled = expect(map.loadAll()).rejects.toMatchObject({ code: 'ABORTED' })
    await begun.promise
    ended.abort(NaN) // which is not equal to itself
    await settled
    never.resolve()
  })

  it('end a change of a sorted set under its lock, although the lock cannot be released', async () => {
    const patient = await Redisson.create({ ...door.options({ timeout: 600_000 }), releaseWaitMs: 600_000 })
    const held = await straight.getLock('redisson_sortedset_lock:{signal}').acquire()
    await straight.getSortedSet('signal').isEmpty()
    const ended = new AbortController()
    using listening = proxy().onRequest('redisson_lock__channel')
    const adding = patient.withSignal(ended.signal).getSortedSet('signal').add('z')
    const settled = expect(adding).rejects.toMatchObject({ code: 'ABORTED', mayHaveRun: true })
    await listening.happened
    using changed = proxy().onReply('redisson_sortedset_comparator', (passing) => passing.freeze())
    await held.unlock()
    await changed.happened
    ended.abort()
    await settled
    proxy().cut()
    await proxy().heal()
    await patient.shutdown()
  })

  it('end an iteration over messages', async () => {
    const ended = new AbortController()
    const objects = client.withSignal(ended.signal)
    const topics = [objects.getTopic('signal'), objects.getPatternTopic('signal*')]
    const iterators = topics.map((topic) => topic.messages()[Symbol.asyncIterator]())
    const settled = iterators.map((iterator) =>
      expect(iterator.next()).rejects.toMatchObject({ code: 'ABORTED', mayHaveRun: false }),
    )
    ended.abort()
    await Promise.all(settled)
  })

  it('are those of the client', async () => {
    const objects = client.withSignal(new AbortController().signal)
    await objects.getMap<string, number>('signal').put('a', 1)
    expect(await client.getMap<string, number>('signal').get('a')).toBe(1)
    expect(await objects.getMap<string, number>('signal').compute('a', (_, before = 0) => before + 1)).toBe(2)
  })

  it('refuse what serves other calls as well', () => {
    const objects = client.withSignal(new AbortController().signal)
    expect(() => objects.getMap('signal', { writer, writeMode: 'WRITE_BEHIND' } as never)).toThrow(TypeError)
    expect(() => client.withSignal(undefined as never)).toThrow(TypeError)
  })
})
