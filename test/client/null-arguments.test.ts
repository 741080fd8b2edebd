import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Redisson, type RedissonClient } from '../../src/index.js'
import { Monitor } from '../support/monitor.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'

/** As a program without types calls. */
type Untyped = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

/** A method of an object, and arguments of which one is null. */
type Call = readonly [
  what: string,
  make: (client: RedissonClient) => unknown,
  method: string,
  args: readonly unknown[],
]

const fn = vi.fn()
const id = '0'.repeat(32)

const lock = (client: RedissonClient) => client.getLock('a')
const fenced = (client: RedissonClient) => client.getFencedLock('a')
const several = (client: RedissonClient) => client.getMultiLock(client.getLock('a'), client.getLock('b'))
const semaphore = (client: RedissonClient) => client.getSemaphore('a')
const permits = (client: RedissonClient) => client.getPermitExpirableSemaphore('a')
const latch = (client: RedissonClient) => client.getCountDownLatch('a')
const limiter = (client: RedissonClient) => client.getRateLimiter('a')
const long = (client: RedissonClient) => client.getAtomicLong('a')
const double = (client: RedissonClient) => client.getAtomicDouble('a')
const adder = (client: RedissonClient) => client.getLongAdder('a')
const ids = (client: RedissonClient) => client.getIdGenerator('a')
const flake = (client: RedissonClient) => client.getSnowflake('a')
const bucket = (client: RedissonClient) => client.getBucket('a')
const bits = (client: RedissonClient) => client.getBitSet('a')
const bytes = (client: RedissonClient) => client.getBinaryStream('a')
const log = (client: RedissonClient) => client.getHyperLogLog('a')
const filter = (client: RedissonClient) => client.getBloomFilter('a')
const map = (client: RedissonClient) => client.getMap('a')
const list = (client: RedissonClient) => client.getList('a')
const set = (client: RedissonClient) => client.getSet('a')
const multimap = (client: RedissonClient) => client.getListMultimap('a')
const scored = (client: RedissonClient) => client.getScoredSortedSet('a')
const geo = (client: RedissonClient) => client.getGeo('a')
const near = { from: { longitude: 1, latitude: 2 }, radius: 3, unit: 'm' }
const lex = (client: RedissonClient) => client.getLexSortedSet('a')
const sorted = (client: RedissonClient) => client.getSortedSet('a')
const once = (client: RedissonClient) => client.getOnce('a', { ttlMs: 1000 })
const election = (client: RedissonClient) => client.getLeaderElection('a')
const itself = (client: RedissonClient) => client

/** Each with one option, or one number, that is null. */
const calls: readonly Call[] = [
  ...['waitMs', 'leaseMs', 'signal'].flatMap((name): Call[] => [
    ['lock', lock, 'lock', [{ [name]: null }]],
    ['lock', lock, 'tryLock', [{ [name]: null }]],
    ['lock', lock, 'acquire', [{ [name]: null }]],
    ['lock', lock, 'tryAcquire', [{ [name]: null }]],
    ['lock', lock, 'withLock', [fn, { [name]: null }]],
    ['fenced lock', fenced, 'lockAndGetToken', [{ [name]: null }]],
    ['fenced lock', fenced, 'tryLockAndGetToken', [{ [name]: null }]],
    ['fenced lock', fenced, 'withLock', [fn, { [name]: null }]],
    ['multi-lock', several, 'withLock', [fn, { [name]: null }]],
    ['multi-lock', several, 'tryLock', [{ [name]: null }]],
    ['permits', permits, 'tryAcquire', [{ [name]: null }]],
    ['permits', permits, 'tryAcquireMany', [1, { [name]: null }]],
    ['permits', permits, 'tryAcquirePermit', [{ [name]: null }]],
    ['permits', permits, 'withPermit', [fn, { [name]: null }]],
  ]),
  ['lock', lock, 'lock', [null]],
  ['lock', lock, 'tryLock', [null]],
  ['lock', lock, 'tryLock', [1, null]],
  ['lock', lock, 'unlock', [{ threadId: null }]],
  ...['permits', 'waitMs', 'signal'].flatMap((name): Call[] => [
    ['semaphore', semaphore, 'tryAcquire', [{ [name]: null }]],
    ['semaphore', semaphore, 'withPermit', [fn, { [name]: null }]],
    ['rate limiter', limiter, 'tryAcquire', [{ [name]: null }]],
  ]),
  ...[semaphore, limiter].flatMap((make): Call[] => [
    ['permits', make, 'acquire', [null]],
    ['permits', make, 'acquire', [{ permits: null }]],
    ['permits', make, 'acquire', [{ signal: null }]],
    ['permits', make, 'tryAcquire', [null]],
    ['permits', make, 'tryAcquire', [1, null]],
    ['permits', make, 'release', [null]],
  ]),
  ['semaphore', semaphore, 'releaseIfExists', [null]],
  ['semaphore', semaphore, 'addPermits', [null]],
  ['semaphore', semaphore, 'trySetPermits', [null]],
  ['semaphore', semaphore, 'trySetPermits', [1, null]],
  ['permits', permits, 'acquire', [null]],
  ['permits', permits, 'acquire', [{ leaseMs: null }]],
  ['permits', permits, 'tryAcquire', [1, null]],
  ['permits', permits, 'acquireMany', [null]],
  ['permits', permits, 'updateLeaseTime', [id, null]],
  ['latch', latch, 'await', [null]],
  ['latch', latch, 'await', [{ waitMs: null }]],
  ['latch', latch, 'await', [{ signal: null }]],
  ['latch', latch, 'trySetCount', [null]],
  ['rate limiter', limiter, 'attempt', [null]],
  ['rate limiter', limiter, 'trySetRate', ['OVERALL', 1, 1000, null]],
  ['rate limiter', limiter, 'setRate', ['OVERALL', 1, 1000, { keepAliveMs: null }]],
  ...[long, double].flatMap((make): Call[] => [
    ['counter', make, 'incrementAndGet', [null]],
    ...['by', 'lowerBound', 'upperBound', 'saturate', 'expire', 'expireIfNotSet', 'clearExpire'].map(
      (name): Call => ['counter', make, 'incrementAndGet', [{ [name]: null }]],
    ),
    ['counter', make, 'addAndGet', [null]],
    ['counter', make, 'getAndAdd', [null]],
    ['counter', make, 'set', [null]],
    ['counter', make, 'expire', [null]],
    ['counter', make, 'copy', ['b', null]],
    ['counter', make, 'copy', ['b', { database: null }]],
    ['counter', make, 'copy', ['b', { replace: null }]],
    ['counter', make, 'restore', [Buffer.from('x'), null]],
    ['counter', make, 'addListener', ['deleted', fn, null]],
    ['counter', make, 'addListener', ['deleted', fn, { signal: null }]],
  ]),
  ['adder', adder, 'sum', [null]],
  ['adder', adder, 'sum', [{ waitMs: null }]],
  ['adder', adder, 'reset', [{ waitMs: null }]],
  ['adder', adder, 'add', [null]],
  ['ids', ids, 'tryInit', [1, null]],
  ['snowflake', flake, 'nextId', [{ waitMs: null }]],
  ['snowflake', flake, 'nextIds', [null]],
  ['snowflake', flake, 'nextIds', [1, { signal: null }]],
  ['bucket', bucket, 'set', ['v', null]],
  ['bucket', bucket, 'setIfAbsent', ['v', null]],
  ['bucket', bucket, 'getAndExpire', [null]],
  ...['waitMs', 'signal'].flatMap((name): Call[] => [
    ['map', map, 'compute', ['k', fn, { [name]: null }]],
    ['map', map, 'computeIfAbsent', ['k', fn, { [name]: null }]],
    ['map', map, 'computeIfPresent', ['k', fn, { [name]: null }]],
    ['map', map, 'merge', ['k', 1, fn, { [name]: null }]],
  ]),
  ['map', map, 'compute', ['k', fn, null]],
  ['map', map, 'addAndGet', ['k', null]],
  ['map', map, 'randomKeys', [null]],
  ['map', map, 'keys', [null]],
  ...['pattern', 'count', 'onInvalid', 'signal'].map((name): Call => [
    'map',
    map,
    'keys',
    [{ [name]: null }],
  ]),
  ['list', list, 'get', [null]],
  ['list', list, 'add', [null, 'v']],
  ['list', list, 'remove', ['v', null]],
  ['list', list, 'range', [0, null]],
  ['list', list, 'values', [null]],
  ...['count', 'onInvalid', 'signal'].map((name): Call => ['list', list, 'values', [{ [name]: null }]]),
  ...['count', 'onInvalid', 'signal', 'iteratorName'].map((name): Call => [
    'list',
    list,
    'distributedIterator',
    [{ [name]: null }],
  ]),
  ...['distributedIterator', 'readSort', 'readSortAlpha'].map((name): Call => ['list', list, name, [null]]),
  ['list', list, 'sortTo', ['b', null]],
  ['set', set, 'addAll', [null]],
  ['set', set, 'random', [null]],
  ['set', set, 'removeRandom', [null]],
  ['set', set, 'union', [null]],
  ['set', set, 'countIntersection', [['b'], null]],
  ['set', set, 'countIntersection', [['b'], { limit: null }]],
  ...['values', 'distributedIterator', 'readSort', 'readSortAlpha'].map((name): Call => [
    'set',
    set,
    name,
    [null],
  ]),
  ...['pattern', 'count', 'onInvalid', 'signal'].flatMap((name): Call[] => [
    ['set', set, 'values', [{ [name]: null }]],
    ['set', set, 'distributedIterator', [{ [name]: null }]],
  ]),
  ['set', set, 'distributedIterator', [{ iteratorName: null }]],
  ...['order', 'by', 'offset', 'count', 'get'].map((name): Call => [
    'set',
    set,
    'readSort',
    [{ [name]: null }],
  ]),
  ['multimap', multimap, 'putAll', ['k', null]],
  ['multimap', multimap, 'replaceValues', ['k', null]],
  ['multimap', multimap, 'fastReplaceValues', ['k', null]],
  ...['keys', 'values', 'entries'].map((name): Call => ['multimap', multimap, name, [null]]),
  ['set', set, 'sortTo', ['b', null]],
  ...['pollFirst', 'pollLast', 'pollFirstEntry', 'takeFirst'].map((name): Call => [
    'scored sorted set',
    scored,
    name,
    [{ signal: null }],
  ]),
  ['bit set', bits, 'get', [null]],
  ['bit set', bits, 'getEach', [null]],
  ['bit set', bits, 'set', [1, null]],
  ['bit set', bits, 'setAll', [[1], null]],
  ['bit set', bits, 'setRange', [1, null]],
  ['bit set', bits, 'setByteArray', [null]],
  ['bit set', bits, 'indexes', [null]],
  ['bit set', bits, 'indexes', [{ signal: null }]],
  ['bit set', bits, 'and', [null]],
  ['bit set', bits, 'bitField', [[null]]],
  ['bit set', bits, 'bitField', [[{ increment: 'u8', offset: 0, by: 1, overflow: null }]]],
  ['bit set', bits, 'setByte', [0, null]],
  ...['createReadStream', 'createWriteStream', 'readable', 'writable'].flatMap((name): Call[] => [
    ['binary stream', bytes, name, [null]],
    ['binary stream', bytes, name, [{ start: null }]],
    ['binary stream', bytes, name, [{ highWaterMark: null }]],
    ['binary stream', bytes, name, [{ signal: null }]],
  ]),
  ['binary stream', bytes, 'createReadStream', [{ end: null }]],
  ['binary stream', bytes, 'createWriteStream', [{ flags: null }]],
  ['binary stream', bytes, 'read', [null, 1]],
  ['binary stream', bytes, 'read', [0, null]],
  ['binary stream', bytes, 'write', [null, Buffer.of(1)]],
  ['binary stream', bytes, 'truncate', [null]],
  ['HyperLogLog', log, 'addAll', [null]],
  ['HyperLogLog', log, 'countWith', [null]],
  ['HyperLogLog', log, 'mergeWith', [null]],
  ['scored sorted set', scored, 'pollFirst', [null]],
  ['scored sorted set', scored, 'pollFirst', [1, null]],
  ['scored sorted set', scored, 'pollFirst', [{ waitMs: null }]],
  ['scored sorted set', scored, 'takeFirst', [null]],
  ['scored sorted set', scored, 'add', [null, 'a']],
  ['scored sorted set', scored, 'addScore', ['a', null]],
  ['scored sorted set', scored, 'random', [null]],
  ['scored sorted set', scored, 'valueRange', [null]],
  ['scored sorted set', scored, 'valueRange', [0, null]],
  ...['min', 'minInclusive', 'max', 'maxInclusive', 'offset', 'count'].map((name): Call => [
    'scored sorted set',
    scored,
    'valueRange',
    [{ [name]: null }],
  ]),
  ['scored sorted set', scored, 'union', [['a'], null]],
  ['scored sorted set', scored, 'union', [['a'], { aggregate: null }]],
  ['scored sorted set', scored, 'countIntersection', [['a'], { limit: null }]],
  ['scored sorted set', scored, 'values', [{ pattern: null }]],
  ...['add', 'tryAdd', 'addIfExists'].flatMap((name): Call[] => [
    ['geo', geo, name, [null]],
    ['geo', geo, name, [null, 2, 'v']],
    ['geo', geo, name, [1, null, 'v']],
    ['geo', geo, name, [{ longitude: null, latitude: 2, member: 'v' }]],
  ]),
  ['geo', geo, 'dist', ['v', 'w', null]],
  ['geo', geo, 'search', [null]],
  ['geo', geo, 'storeSearchTo', [null, near]],
  ['geo', geo, 'search', [{ ...near, from: { longitude: 1, latitude: null } }]],
  ['geo', geo, 'search', [{ ...near, radius: undefined, box: { width: null, height: 1 } }]],
  ...['from', 'radius', 'box', 'unit', 'order', 'count', 'countAny'].map((name): Call => [
    'geo',
    geo,
    'searchWithDistance',
    [{ ...near, [name]: null }],
  ]),
  ['lex sorted set', lex, 'pollFirst', [null]],
  ['lex sorted set', lex, 'pollLast', [1, null]],
  ['lex sorted set', lex, 'random', [null]],
  ['lex sorted set', lex, 'range', [null]],
  ['lex sorted set', lex, 'range', [0, null]],
  ...['from', 'fromInclusive', 'to', 'toInclusive', 'offset', 'count'].map((name): Call => [
    'lex sorted set',
    lex,
    'range',
    [{ from: 'a', to: 'b', [name]: null }],
  ]),
  ['lex sorted set', lex, 'values', [null]],
  ['lex sorted set', lex, 'distributedIterator', [null]],
  ['lex sorted set', lex, 'values', [{ from: null }]],
  ['lex sorted set', lex, 'values', [{ count: null }]],
  ['sorted set', sorted, 'add', [null]],
  ['sorted set', sorted, 'pollFirst', [null]],
  ['sorted set', sorted, 'pollLast', [1, null]],
  ['sorted set', sorted, 'values', [null]],
  ['sorted set', sorted, 'values', [{ count: null }]],
  ['sorted set', sorted, 'values', [{ signal: null }]],
  ['sorted set', sorted, 'distributedIterator', [null]],
  ['sorted set', sorted, 'distributedIterator', [{ iteratorName: null }]],
  ['once', once, 'run', [fn, null]],
  ...['fire', 'retry', 'signal'].map((name): Call => ['once', once, 'run', [fn, { [name]: null }]]),
  ['election', election, 'run', [fn, null]],
  ...['signal', 'requeue'].map((name): Call => ['election', election, 'run', [fn, { [name]: null }]]),
  ['client', itself, 'getOnce', ['a', { ttlMs: null }]],
  ['client', itself, 'getLeaderElection', ['a', { leaseMs: null }]],
  ['client', itself, 'getSemaphore', ['a', { permits: null }]],
  ['client', itself, 'getPermitExpirableSemaphore', ['a', { permits: null }]],
  ['client', itself, 'getLock', ['a', { syncedReplicas: null }]],
  ['client', itself, 'getReadWriteLock', ['a', { prefer: null }]],
  ['client', itself, 'getSpinLock', ['a', { backoff: null }]],
  ['client', itself, 'getSpinLock', ['a', { backoff: { type: 'constant', delayMs: null } }]],
  ['client', itself, 'getSpinLock', ['a', { backoff: { type: 'exponential', multiplier: null } }]],
  ['client', itself, 'getAtomicLong', ['a', { bigint: null }]],
  ['client', itself, 'getSnowflake', ['a', { nodeBits: null }]],
  ['client', itself, 'getSnowflake', ['a', { sequenceBits: null }]],
  ['client', itself, 'getSnowflake', ['a', { epochMs: null }]],
  ['client', itself, 'getAtomicLong', ['a', { exactlyOnce: null }]],
  ['bloom filter', filter, 'tryInit', [null, 0.1]],
  ['bloom filter', filter, 'tryInit', [1, null]],
  ['bloom filter', filter, 'addAll', [null]],
  ['client', itself, 'getBloomFilter', ['a', null]],
  ['client', itself, 'getBucket', ['a', null]],
  ['client', itself, 'getBitSet', ['a', { bigint: null }]],
  ['client', itself, 'getBinaryStream', ['a', null]],
  ['client', itself, 'getHyperLogLog', ['a', null]],
  ['client', itself, 'getList', ['a', null]],
  ['client', itself, 'getMap', ['a', null]],
  ['client', itself, 'getSet', ['a', null]],
  ['client', itself, 'getScoredSortedSet', ['a', null]],
  ['client', itself, 'getGeo', ['a', null]],
  ['client', itself, 'getLexSortedSet', ['a', null]],
  ['client', itself, 'getSortedSet', ['a', null]],
  ['client', itself, 'getSetMultimap', ['a', null]],
  ['client', itself, 'getListMultimap', ['a', null]],
  ['client', itself, 'batch', [fn, null]],
  ['client', itself, 'batch', [fn, { responseTimeoutMs: null }]],
  ['client', itself, 'runAsThread', [fn, { threadId: null }]],
  ['client', itself, 'shutdown', [{ drainMs: null }]],
]

describe('null', () => {
  noLeaks(single)

  let client: RedissonClient
  let monitor: Monitor
  beforeAll(async () => {
    client = await Redisson.create(single.options())
    monitor = await Monitor.of(single.nodes)
  })
  afterAll(async () => {
    await monitor[Symbol.asyncDispose]()
    await client.shutdown()
  })

  it.each(calls)(
    'is not left out, but refused, and nothing is sent: %s %o %s %j',
    async (_, make, method, args) => {
      const object = make(client) as Untyped
      const { length } = await monitor.deeds()
      const call = async () => await object[method]?.(...args)
      const error: unknown = await call().catch((reason: unknown) => reason)
      expect((error as Error).message).toMatch(/^Expected .*(, got null|, got \{.*null)/)
      expect([TypeError, RangeError]).toContain((error as Error).constructor)
      expect((await monitor.deeds()).slice(length)).toEqual([])
      expect(fn).not.toHaveBeenCalled()
    },
  )
})
