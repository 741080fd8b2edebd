import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Redisson, type RedissonClient } from '../../src/index.js'
import { Monitor } from '../support/monitor.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'

/** As a program without types calls. */
type Untyped = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>

/** With what each method is called: all that it takes. */
type Calls = Readonly<Record<string, readonly unknown[]>>

/** An object that a client hands out, and what ends it. */
interface Given {
  readonly object: unknown
  readonly end?: () => Promise<void>
}

type Walk = readonly [what: string, make: (client: RedissonClient) => Given | Promise<Given>, calls: Calls]

/** Whatever a method is given to call. */
const fn = vi.fn()

const id = '0'.repeat(32)
const bytes = Buffer.from('x')
const wait = { waitMs: 1 }
const lease = { waitMs: 1, leaseMs: 1000 }

/** Methods that take any number of arguments, each of which counts. */
const VARIADIC: Readonly<Record<string, string>> = {
  'buckets.get': 'any number of names',
  'client.getRedLock': 'any number of locks',
  'fencing guard.run': 'any number of operands',
  'function.call': 'any number of values, after the keys',
  'geo.hash': 'any number of members',
  'geo.pos': 'any number of members',
  'keys.countExists': 'any number of names',
  'keys.delete': 'any number of names',
  'keys.touch': 'any number of names',
  'keys.unlink': 'any number of names',
  'map with a writer.fastRemove': 'any number of keys',
  'map.fastRemove': 'any number of keys',
  'list multimap.fastRemove': 'any number of keys',
  'list multimap.fastRemoveValue': 'any number of values',
  'multimap.fastRemove': 'any number of keys',
  'multimap.fastRemoveValue': 'any number of values',
  'set.tryAdd': 'any number of values',
  'script.eval': 'any number of values, after the keys',
  'script.evalSha': 'any number of values, after the keys',
  'script.scriptExists': 'any number of hashes',
}

/**
 * What no program calls: what is protected or left out of the public type, which only the compiler knows, and what
 * `JSON.stringify` calls, with a key.
 */
const INNER: readonly string[] = [
  'constructor',
  'entryBytes',
  'entryOf',
  'mayHave',
  'keyInSlot',
  'keyNamed',
  'keysOf',
  'valuesIn',
  'keysToPersist',
  'ask',
  'objectKeys',
  'subscription.confirmed',
  'subscription.endWith',
  'subscription.fail',
  'subscription.gap',
  'subscription.message',
  'subscription.refused',
  'subscription.subscribed',
  'toJSON',
  'wakeUpOf',
]

const plain: Calls = {
  addListener: ['deleted', fn, {}],
  copy: ['b', { replace: true }],
  delete: [],
  dump: [],
  getIdleTime: [],
  isExists: [],
  move: [4],
  rename: ['b'],
  renamenx: ['b'],
  restore: [bytes, 1000],
  restoreAndReplace: [bytes, 1000],
  sizeInMemory: [],
  touch: [],
  unlink: [],
}

const expirable: Calls = {
  ...plain,
  clearExpire: [],
  expire: [1000],
  expireIfGreater: [1000],
  expireIfLess: [1000],
  expireIfNotSet: [1000],
  expireIfSet: [1000],
  getExpireTime: [],
  remainTimeToLive: [],
}

const lock: Calls = {
  acquire: [lease],
  forceUnlock: [],
  getHoldCount: [],
  isHeldByCurrentThread: [],
  isHeldByThread: [7],
  isLocked: [],
  lock: [1000],
  remainTimeToLive: [],
  tryAcquire: [lease],
  tryLock: [1, 1000],
  unlock: [{}],
  withLock: [fn, lease],
}

const hold: Calls = { extend: [1000], unlock: [] }

const counter: Calls = {
  ...expirable,
  addAndGet: [1],
  compareAndDelete: ['<', 1],
  compareAndSet: [1, 2],
  decrementAndGet: [],
  get: [],
  getAndAdd: [1],
  getAndDecrement: [],
  getAndDelete: [],
  getAndIncrement: [],
  getAndSet: [1],
  incrementAndGet: [{ by: 2 }],
  set: [1],
  setIfGreater: [1, 2],
  setIfLess: [1, 2],
}

const adder: Calls = {
  ...expirable,
  add: [1],
  decrement: [],
  destroy: [],
  increment: [],
  reset: [wait],
  sum: [wait],
}

const patternTopic: Calls = {
  addListener: [fn, {}],
  countListeners: [],
  getActiveTopics: [],
  messages: [{}],
  removeAllListeners: [],
  removeListener: [fn],
}

const topic: Calls = {
  addListener: [fn, {}],
  countListeners: [],
  countSubscribers: [],
  messages: [{}],
  publish: ['m'],
  removeAllListeners: [],
  removeListener: [fn],
}

const map: Calls = {
  ...expirable,
  addAndGet: ['k', 1],
  clear: [],
  compute: ['k', fn, wait],
  computeIfAbsent: ['k', fn, wait],
  computeIfPresent: ['k', fn, wait],
  containsKey: ['k'],
  containsValue: ['v'],
  entries: [{}],
  fastPut: ['k', 'v'],
  fastPutIfAbsent: ['k', 'v'],
  fastPutIfExists: ['k', 'v'],
  fastReplace: ['k', 'v'],
  flush: [],
  get: ['k'],
  getAll: [['k']],
  getCountDownLatch: ['k'],
  getFairLock: ['k', {}],
  getLock: ['k', {}],
  getPermitExpirableSemaphore: ['k', {}],
  getReadWriteLock: ['k', {}],
  getSemaphore: ['k', {}],
  isEmpty: [],
  keys: [{}],
  loadAll: [{}],
  merge: ['k', 1, fn, wait],
  put: ['k', 'v'],
  putAll: [{ k: 'v' }],
  putIfAbsent: ['k', 'v'],
  putIfExists: ['k', 'v'],
  randomEntries: [1],
  randomKeys: [1],
  readAllEntrySet: [],
  readAllKeySet: [],
  readAllMap: [],
  readAllValues: [],
  remove: ['k', 'v'],
  replace: ['k', 'v', 'w'],
  size: [],
  valueSize: ['k'],
  values: [{}],
}

const list: Calls = {
  ...expirable,
  add: [0, 'v'],
  addAfter: ['v', 'w'],
  addAll: [0, ['v']],
  addBefore: ['v', 'w'],
  clear: [],
  contains: ['v'],
  containsAll: [['v']],
  distributedIterator: [{}],
  fastRemove: [0],
  fastSet: [0, 'v'],
  get: [0],
  getAll: [[0]],
  indexOf: ['v'],
  isEmpty: [],
  lastIndexOf: ['v'],
  range: [0, 1],
  readAll: [],
  readSort: [{}],
  readSortAlpha: [{}],
  remove: ['v', 1],
  removeAll: [['v']],
  removeAt: [0],
  retainAll: [['v']],
  set: [0, 'v'],
  size: [],
  sortTo: ['b', {}],
  trim: [0, 1],
  values: [{}],
}

const set: Calls = {
  ...expirable,
  add: ['v'],
  addAll: [['v']],
  addAllCounted: [['v']],
  clear: [],
  contains: ['v'],
  containsAll: [['v']],
  containsEach: [['v']],
  countIntersection: [['b'], {}],
  diff: [['b']],
  distributedIterator: [{}],
  getCountDownLatch: ['v'],
  getFairLock: ['v', {}],
  getLock: ['v', {}],
  getPermitExpirableSemaphore: ['v', {}],
  getReadWriteLock: ['v', {}],
  getSemaphore: ['v', {}],
  intersection: [['b']],
  isEmpty: [],
  move: ['b', 'v'],
  random: [1],
  readAll: [],
  readDiff: [['b']],
  readIntersection: [['b']],
  readSort: [{}],
  readSortAlpha: [{}],
  readUnion: [['b']],
  remove: ['v'],
  removeAll: [['v']],
  removeAllCounted: [['v']],
  removeRandom: [1],
  retainAll: [['v']],
  size: [],
  sortTo: ['b', {}],
  union: [['b']],
  values: [{}],
}

const multimap: Calls = {
  ...expirable,
  clear: [],
  containsEntry: ['k', 'v'],
  containsKey: ['k'],
  containsValue: ['v'],
  entries: [{}],
  fastReplaceValues: ['k', ['v']],
  get: ['k'],
  getAll: ['k'],
  getCountDownLatch: ['k'],
  getFairLock: ['k', {}],
  getLock: ['k', {}],
  getPermitExpirableSemaphore: ['k', {}],
  getReadWriteLock: ['k', {}],
  getSemaphore: ['k', {}],
  isEmpty: [],
  keySize: [],
  keys: [{}],
  put: ['k', 'v'],
  putAll: ['k', ['v']],
  readAllKeySet: [],
  remove: ['k', 'v'],
  removeAll: ['k'],
  replaceValues: ['k', ['v']],
  size: [],
  values: [{}],
}

const names = ['b']
const scoredSet: Calls = {
  ...expirable,
  add: [1, 'v'],
  addAll: [{ v: 1 }],
  addAllAndGetRevRank: [{ v: 1 }],
  addAllIfAbsent: [{ v: 1 }],
  addAllIfExist: [{ v: 1 }],
  addAllIfGreater: [{ v: 1 }],
  addAllIfLess: [{ v: 1 }],
  addAndGetRank: [1, 'v'],
  addAndGetRevRank: [1, 'v'],
  addIfAbsent: [1, 'v'],
  addIfExists: [1, 'v'],
  addIfGreater: [1, 'v'],
  addIfLess: [1, 'v'],
  addScore: ['v', 1],
  addScoreAndGetRank: ['v', 1],
  addScoreAndGetRevRank: ['v', 1],
  clear: [],
  contains: ['v'],
  containsAll: [names],
  count: [{}],
  countIntersection: [names, {}],
  diff: [names],
  distributedIterator: [{}],
  entries: [{}],
  entryRange: [0, 1],
  entryRangeReversed: [0, 1],
  first: [],
  firstEntry: [],
  firstScore: [],
  getScore: ['v'],
  getScores: [names],
  intersection: [names, {}],
  isEmpty: [],
  last: [],
  lastEntry: [],
  lastScore: [],
  pollFirst: [1, wait],
  pollFirstEntries: [1, wait],
  pollFirstEntriesFromAny: [names, 1, wait],
  pollFirstEntry: [wait],
  pollFirstFromAny: [names, 1, wait],
  pollLast: [1, wait],
  pollLastEntries: [1, wait],
  pollLastEntriesFromAny: [names, 1, wait],
  pollLastEntry: [wait],
  pollLastFromAny: [names, 1, wait],
  random: [1],
  randomEntries: [1],
  rangeTo: ['a', 0, 1],
  rank: ['v'],
  rankEntry: ['v'],
  readAll: [],
  readAllEntries: [],
  readDiff: [names],
  readDiffEntries: [names],
  readIntersection: [names, {}],
  readIntersectionEntries: [names, {}],
  readSort: [{}],
  readSortAlpha: [{}],
  readUnion: [names, {}],
  readUnionEntries: [names, {}],
  remove: ['v'],
  removeAll: [names],
  removeRangeByRank: [0, 1],
  removeRangeByScore: [{}],
  replace: ['v', 'w'],
  retainAll: [names],
  revRangeTo: ['a', 0, 1],
  revRank: ['v'],
  revRankEntry: ['v'],
  revRanks: [names],
  size: [],
  sortTo: ['b', {}],
  takeFirst: [{}],
  takeLast: [{}],
  union: [names, {}],
  valueRange: [0, 1],
  valueRangeReversed: [0, 1],
  values: [{}],
}

const range = { from: 'a', to: 'b' }
const near = { from: { longitude: 1, latitude: 2 }, radius: 3, unit: 'm' }
const geo: Calls = {
  ...scoredSet,
  add: [1, 2, 'v'],
  addIfExists: [1, 2, 'v'],
  dist: ['v', 'w', 'm'],
  search: [near],
  searchWithDistance: [near],
  searchWithPosition: [near],
  storeSearchTo: ['b', near],
  storeSortedSearchTo: ['b', near],
  tryAdd: [1, 2, 'v'],
}

const tail = { from: 'a' }
const head = { to: 'b' }
const lexSet: Calls = {
  ...expirable,
  add: ['v'],
  addAll: [names],
  clear: [],
  contains: ['v'],
  containsAll: [names],
  count: [range],
  countHead: [head],
  countTail: [tail],
  distributedIterator: [{}],
  first: [],
  isEmpty: [],
  last: [],
  pollFirst: [1, wait],
  pollLast: [1, wait],
  random: [1],
  range: [0, 1],
  rangeHead: [head],
  rangeHeadReversed: [head],
  rangeReversed: [range],
  rangeTail: [tail],
  rangeTailReversed: [tail],
  rank: ['v'],
  readAll: [],
  remove: ['v'],
  removeAll: [names],
  removeRange: [range],
  removeRangeHead: [head],
  removeRangeTail: [tail],
  retainAll: [names],
  revRank: ['v'],
  size: [],
  values: [{}],
}

const sortedSet: Calls = {
  ...expirable,
  add: ['v'],
  addAll: [names],
  clear: [],
  contains: ['v'],
  containsAll: [names],
  distributedIterator: [{}],
  first: [],
  isEmpty: [],
  last: [],
  pollFirst: [1, wait],
  pollLast: [1, wait],
  readAll: [],
  remove: ['v'],
  removeAll: [names],
  retainAll: [names],
  size: [],
  values: [{}],
}

const walks: readonly Walk[] = [
  [
    'client',
    (client) => ({ object: client }),
    {
      batch: [fn, {}],
      getAtomicDouble: ['a', {}],
      getAtomicLong: ['a', {}],
      getBitSet: ['a', {}],
      getBinaryStream: ['a', {}],
      getBloomFilter: ['a', {}],
      getBucket: ['a', {}],
      getBuckets: [{}],
      getCountDownLatch: ['a'],
      getDoubleAdder: ['a'],
      getFairLock: ['a', {}],
      getFencedLock: ['a', {}],
      getFencingGuard: ['a'],
      getFunction: [{}],
      getGeo: ['a', {}],
      getHyperLogLog: ['a', {}],
      getIdGenerator: ['a', {}],
      getKeys: [{}],
      getLeaderElection: ['a', {}],
      getLexSortedSet: ['a', {}],
      getList: ['a', {}],
      getLock: ['a', {}],
      getLongAdder: ['a', {}],
      getMap: ['a', {}],
      getSet: ['a', {}],
      getSetMultimap: ['a', {}],
      getListMultimap: ['a', {}],
      getMultiLock: ['a', ['v']],
      getNonReentrantFairLock: ['a', {}],
      getNonReentrantLock: ['a', {}],
      getOnce: ['a', { ttlMs: 1000 }],
      getPatternTopic: ['a*', {}],
      getPermitExpirableSemaphore: ['a', {}],
      getRateLimiter: ['a', {}],
      getReadWriteLock: ['a', {}],
      getScoredSortedSet: ['a', {}],
      getScript: [{}],
      getSemaphore: ['a', {}],
      getShardedTopic: ['a', {}],
      getSnowflake: ['a', {}],
      getSortedSet: ['a', {}],
      getSpinLock: ['a', {}],
      getTopic: ['a', {}],
      listenerCount: ['lockLost'],
      off: ['lockLost', fn],
      on: ['lockLost', fn],
      once: ['lockLost', fn],
      removeListener: ['lockLost', fn],
      ping: [{}],
      runAsThread: [fn, {}],
      shutdown: [{}],
      withSignal: [new AbortController().signal],
    },
  ],
  ['lock', (client) => ({ object: client.getLock('a') }), lock],
  ['fair lock', (client) => ({ object: client.getFairLock('a') }), lock],
  ['spin lock', (client) => ({ object: client.getSpinLock('a') }), lock],
  ['lock without reentrance', (client) => ({ object: client.getNonReentrantLock('a') }), lock],
  ['fair lock without reentrance', (client) => ({ object: client.getNonReentrantFairLock('a') }), lock],
  [
    'read-write lock',
    (client) => ({ object: client.getReadWriteLock('a') }),
    { readLock: [], writeLock: [] },
  ],
  ['read lock', (client) => ({ object: client.getReadWriteLock('a').readLock() }), lock],
  ['write lock', (client) => ({ object: client.getReadWriteLock('a').writeLock() }), lock],
  [
    'multi-lock',
    (client) => ({ object: client.getMultiLock(client.getLock('a'), client.getLock('b')) }),
    lock,
  ],
  ['red lock', (client) => ({ object: client.getRedLock(client.getLock('a'), client.getLock('b')) }), lock],
  ['value lock', (client) => ({ object: client.getMultiLock('a', ['v']) }), lock],
  [
    'fenced lock',
    (client) => ({ object: client.getFencedLock('a') }),
    { ...lock, getToken: [], lockAndGetToken: [1000], tryLockAndGetToken: [1, 1000] },
  ],
  [
    'hold of a lock',
    async (client) => {
      const held = await client.getLock('a').acquire()
      return { object: held, end: () => held.unlock() }
    },
    hold,
  ],
  [
    'hold of a permit',
    async (client) => {
      const semaphore = client.getPermitExpirableSemaphore('a', { permits: 1 })
      const held = await semaphore.acquirePermit()
      return {
        object: held,
        end: async () => {
          await held.release()
          await semaphore.delete()
        },
      }
    },
    { extend: [1000], release: [] },
  ],
  [
    'fencing guard',
    (client) => ({ object: client.getFencingGuard('a') }),
    { accepts: [1], getLastToken: [] },
  ],
  [
    'semaphore',
    (client) => ({ object: client.getSemaphore('a') }),
    {
      ...expirable,
      acquire: [1],
      addPermits: [1],
      availablePermits: [],
      drainPermits: [],
      release: [1],
      releaseIfExists: [1],
      tryAcquire: [1, 1],
      trySetPermits: [1, 1000],
      withPermit: [fn, wait],
    },
  ],
  [
    'permit-expirable semaphore',
    (client) => ({ object: client.getPermitExpirableSemaphore('a') }),
    {
      ...expirable,
      acquire: [1000],
      acquireMany: [1, { leaseMs: 1000 }],
      acquirePermit: [{ leaseMs: 1000 }],
      acquiredPermits: [],
      addPermits: [1],
      availablePermits: [],
      getLeaseTime: [id],
      getPermits: [],
      release: [id],
      setPermits: [1],
      tryAcquire: [1, 1000],
      tryAcquireMany: [1, lease],
      tryAcquirePermit: [lease],
      tryRelease: [id],
      trySetPermits: [1],
      updateLeaseTime: [id, 1000],
      withPermit: [fn, lease],
    },
  ],
  [
    'latch',
    (client) => ({ object: client.getCountDownLatch('a') }),
    { ...plain, await: [1], countDown: [], getCount: [], trySetCount: [1] },
  ],
  [
    'rate limiter',
    (client) => ({ object: client.getRateLimiter('a') }),
    {
      ...expirable,
      acquire: [1],
      attempt: [1],
      availablePermits: [],
      getConfig: [],
      release: [1],
      setRate: ['OVERALL', 1, 1000, {}],
      tryAcquire: [1, 1],
      trySetRate: ['OVERALL', 1, 1000, 1000],
      updateRate: ['OVERALL', 1, 1000, {}],
    },
  ],
  [
    'bucket',
    (client) => ({ object: client.getBucket('a') }),
    {
      ...expirable,
      compareAndDelete: ['v'],
      compareAndSet: ['v', 'w'],
      findCommon: ['b'],
      findCommonLength: ['b'],
      get: [],
      getAndClearExpire: [],
      getAndDelete: [],
      getAndExpire: [1000],
      getAndSet: ['v', 1000],
      set: ['v', 1000],
      setAndKeepTTL: ['v'],
      setIfAbsent: ['v', 1000],
      setIfExists: ['v', 1000],
      size: [],
    },
  ],
  [
    'bit set',
    (client) => ({ object: client.getBitSet('a') }),
    {
      ...expirable,
      and: [['b']],
      andOr: [['b']],
      bitField: [[]],
      cardinality: [],
      clear: [],
      diff: [['b']],
      diffInverse: [['b']],
      get: [1],
      getEach: [[1]],
      getSigned: [8, 0],
      getUnsigned: [8, 0],
      incrementAndGetSigned: [8, 0, 1],
      incrementAndGetUnsigned: [8, 0, 1],
      indexes: [{}],
      length: [],
      not: [],
      or: [['b']],
      set: [1, true],
      setAll: [[1], true],
      setByteArray: [bytes],
      setExclusive: [['b']],
      setRange: [1, 2, true],
      setSigned: [8, 0, 1],
      setUnsigned: [8, 0, 1],
      size: [],
      toByteArray: [],
      xor: [['b']],
      getByte: [0],
      setByte: [0, 1],
      incrementAndGetByte: [0, 1],
      getShort: [0],
      setShort: [0, 1],
      incrementAndGetShort: [0, 1],
      getInteger: [0],
      setInteger: [0, 1],
      incrementAndGetInteger: [0, 1],
      getLong: [0],
      setLong: [0, 1],
      incrementAndGetLong: [0, 1],
    },
  ],
  [
    'binary stream',
    (client) => ({ object: client.getBinaryStream('a') }),
    {
      ...expirable,
      append: [Buffer.of(1)],
      compareAndDelete: [Buffer.of(1)],
      compareAndSet: [Buffer.of(1), Buffer.of(2)],
      createReadStream: [{}],
      createWriteStream: [{}],
      findCommon: ['b'],
      findCommonLength: ['b'],
      get: [],
      getAndClearExpire: [],
      getAndDelete: [],
      getAndExpire: [1000],
      getAndSet: [Buffer.of(1), 1000],
      read: [0, 1],
      readable: [{}],
      set: [Buffer.of(1), 1000],
      setAndKeepTTL: [Buffer.of(1)],
      setIfAbsent: [Buffer.of(1), 1000],
      setIfExists: [Buffer.of(1), 1000],
      size: [],
      truncate: [1],
      writable: [{}],
      write: [0, Buffer.of(1)],
    },
  ],
  [
    'HyperLogLog',
    (client) => ({ object: client.getHyperLogLog('a') }),
    { ...expirable, add: ['v'], addAll: [['v']], count: [], countWith: [['b']], mergeWith: [['b']] },
  ],
  [
    'buckets',
    (client) => ({ object: client.getBuckets() }),
    {
      set: [{ a: 'v' }],
      setIfAllKeysAbsent: [{ a: 'v' }, {}],
      setIfAllKeysExist: [{ a: 'v' }, {}],
      trySet: [{ a: 'v' }],
    },
  ],
  [
    'bloom filter',
    (client) => ({ object: client.getBloomFilter('a') }),
    {
      ...expirable,
      add: ['v'],
      addAll: [['v']],
      contains: ['v'],
      containsEach: [['v']],
      count: [],
      countContained: [['v']],
      exists: [['v']],
      getExpectedInsertions: [],
      getFalseProbability: [],
      getHashIterations: [],
      getSize: [],
      tryInit: [10, 0.1],
    },
  ],
  ['atomic long', (client) => ({ object: client.getAtomicLong('a') }), counter],
  ['atomic double', (client) => ({ object: client.getAtomicDouble('a') }), counter],
  ['long adder', (client) => ({ object: client.getLongAdder('a') }), adder],
  ['double adder', (client) => ({ object: client.getDoubleAdder('a') }), adder],
  [
    'id generator',
    (client) => ({ object: client.getIdGenerator('a') }),
    { ...expirable, nextId: [], tryInit: [1, 1] },
  ],
  [
    'snowflake',
    (client) => ({ object: client.getSnowflake('a') }),
    { ...expirable, nextId: [{}], nextIds: [1, {}], partsOf: [1n] },
  ],
  ['topic', (client) => ({ object: client.getTopic('a') }), topic],
  ['sharded topic', (client) => ({ object: client.getShardedTopic('a') }), topic],
  ['pattern topic', (client) => ({ object: client.getPatternTopic('a*') }), patternTopic],
  [
    'subscription',
    async (client) => {
      const subscription = await client.getTopic('a').addListener(fn)
      return { object: subscription, end: () => subscription.unsubscribe() }
    },
    { off: ['error', fn], on: ['error', fn], unsubscribe: [] },
  ],
  ['geo', (client) => ({ object: client.getGeo('a') }), geo],
  ['sorted set', (client) => ({ object: client.getSortedSet('a') }), sortedSet],
  ['lex sorted set', (client) => ({ object: client.getLexSortedSet('a') }), lexSet],
  ['list', (client) => ({ object: client.getList('a') }), list],
  ['map', (client) => ({ object: client.getMap('a') }), map],
  ['scored sorted set', (client) => ({ object: client.getScoredSortedSet('a') }), scoredSet],
  [
    'map with a writer',
    (client) => ({ object: client.getMap('a', { loader: { load: fn }, writer: { write: fn, delete: fn } }) }),
    map,
  ],
  ['set', (client) => ({ object: client.getSet('a') }), set],
  ['multimap', (client) => ({ object: client.getSetMultimap('a') }), multimap],
  ['list multimap', (client) => ({ object: client.getListMultimap('a') }), multimap],
  [
    'keys',
    (client) => ({ object: client.getKeys() }),
    {
      clearExpire: ['a'],
      copy: ['a', 'b', {}],
      count: [],
      deleteByPattern: ['a*'],
      expire: ['a', 1000],
      flushall: [],
      flushallParallel: [],
      flushdb: [],
      flushdbParallel: [],
      getKeys: [{}],
      getSlot: ['a'],
      getType: ['a'],
      move: ['a', 4],
      randomKey: [],
      remainTimeToLive: ['a'],
      rename: ['a', 'b'],
      renamenx: ['a', 'b'],
      swapdb: [5, 6],
      unlinkByPattern: ['a*'],
    },
  ],
  ['script', (client) => ({ object: client.getScript() }), { scriptFlush: [], scriptLoad: ['return 1'] }],
  [
    'function',
    (client) => ({ object: client.getFunction() }),
    {
      delete: ['library'],
      dump: [],
      flush: [],
      list: ['*'],
      load: ['library', 'code'],
      loadAndReplace: ['library', 'code'],
      restore: [bytes],
      restoreAfterFlush: [bytes],
      restoreAndReplace: [bytes],
    },
  ],
  ['once', (client) => ({ object: client.getOnce('a', { ttlMs: 1000 }) }), { run: [fn, {}] }],
  [
    'leader election',
    (client) => ({ object: client.getLeaderElection('a') }),
    { getLeader: [], run: [fn, {}] },
  ],
]

/** The names of all methods, also of those that are inherited. */
function methodsOf(what: string, object: unknown): readonly string[] {
  const names = new Set<string>()
  for (let each = object as object; each !== Object.prototype; each = Object.getPrototypeOf(each) as object)
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(each)))
      if (typeof value === 'function') names.add(name)
  const isInner = (name: string) => INNER.includes(name) || INNER.includes(`${what}.${name}`)
  return [...names].filter((name) => !isInner(name)).sort()
}

/** The methods of an object that are an exception. */
const variadicOf = (what: string) =>
  Object.keys(VARIADIC).flatMap((name) => (name.startsWith(`${what}.`) ? name.slice(what.length + 1) : []))

describe('a surplus argument', () => {
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

  it('is looked for in every kind of object that a client hands out', async () => {
    const walked = new Set<unknown>()
    for (const [, make] of walks) {
      const { object, end } = await make(client)
      walked.add((object as object).constructor)
      await end?.()
    }
    const [, , calls = {}] = walks[0] ?? []
    const handed = Object.entries(calls).flatMap(([method, args]) => {
      if (!method.startsWith('get')) return []
      return [[method, ((client as unknown as Untyped)[method]?.(...args) as object).constructor] as const]
    })
    expect(handed.length).toBeGreaterThan(20)
    expect(handed.filter(([, kind]) => !walked.has(kind))).toEqual([])
  })

  it.each(walks)('of any method is refused, and nothing is sent: %s', async (what, make, calls) => {
    const { object, end } = await make(client)
    try {
      expect(methodsOf(what, object)).toEqual([...Object.keys(calls), ...variadicOf(what)].sort())
      const { length } = await monitor.deeds()
      const heeded: string[] = []
      for (const [method, args] of Object.entries(calls))
        for (const surplus of [Symbol('surplus'), {}, null]) {
          const call = async () => await (object as Untyped)[method]?.(...args, surplus)
          const outcome: unknown = await call().catch((reason: unknown) => reason)
          if (!(
            outcome instanceof TypeError && outcome.message.startsWith('Expected no further argument, got ')
          ))
            heeded.push(`${method}: ${String(outcome)}`)
        }
      expect(heeded).toEqual([])
      expect((await monitor.deeds()).slice(length)).toEqual([])
      expect(fn).not.toHaveBeenCalled()
    } finally {
      await end?.()
    }
  })
})
