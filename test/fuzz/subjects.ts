import fc from 'fast-check'
import {
  Redisson,
  type RAtomicDouble,
  type RAtomicLong,
  type RBatch,
  type RDoubleAdder,
  type RIdGenerator,
  type RedissonClient,
  type RLock,
  type RLongAdder,
} from '../../src/index.js'
import { fields, given, oneOf, Planted, values, type Given } from './given.js'
import { hostile, hostileTexts, realSignals } from './hostile.js'

/** A method of the public face. */
export interface Method {
  /** What each argument may be, sound more often than not, so that calls go far. */
  readonly takes: readonly fc.Arbitrary<Given>[]
  /** Whether an answer makes sense. */
  readonly answers: (value: unknown) => boolean
  /** How it refuses: factories throw, everything else rejects. */
  readonly refuses: 'by throwing' | 'by rejecting'
  /** Whether its documentation says that Redis may refuse the command, as it does for values of another type. */
  readonly mayBeRefusedByRedis?: boolean
}

/** Something that the library hands out. */
export interface Subject {
  readonly make: (client: RedissonClient, name: string) => object | Promise<object>
  readonly methods: Readonly<Record<string | symbol, Method>>
  /** Frees what calls may have taken, and shows that it is free. */
  readonly tidy?: (client: RedissonClient, name: string) => Promise<void>
}

function asked(answers: Method['answers'], ...takes: readonly fc.Arbitrary<Given>[]): Method {
  return { takes, answers, refuses: 'by rejecting' }
}

function factory(...takes: readonly fc.Arbitrary<Given>[]): Method {
  return { takes, answers: isObject, refuses: 'by throwing' }
}

const nothing = (value: unknown) => value === undefined
const anything = () => true
const truth = (value: unknown) => typeof value === 'boolean'
const number = (value: unknown) => Number.isInteger(value)
const text = (value: unknown) => typeof value === 'string' && value !== ''
const texts = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(text)
const isObject = (value: unknown) => typeof value === 'object' && value !== null
const orUndefined = (answers: Method['answers']) => (value: unknown) => value === undefined || answers(value)

/** Sound more often than not. */
const mostly = (sound: fc.Arbitrary<Given>) =>
  fc.oneof({ weight: 3, arbitrary: sound }, { weight: 1, arbitrary: hostile })

const whole = (min: number, max: number) => fc.integer({ min, max }).map(given)

const waitMs = mostly(whole(-1, 30))
const leaseMs = mostly(whole(-1, 100))
const signal = mostly(realSignals)
const threadId = mostly(values(1, 2, 3n, '4', 'another:5'))
const permits = mostly(whole(0, 4))
/** Each of them gets an id of its own, so that a great many take long. */
const someIds = fc.oneof(whole(-1, 4), values(NaN, 0.5, -0, '1', 1n, null, {}))
const name = mostly(fc.oneof(values('a', 'b'), hostileTexts))
const fire = mostly(values(1, 2, '2', 'noon: {a}', new Date(2)))
const retry = mostly(values('onError', 'onCrash', 'both'))
const listener = mostly(values(() => undefined))
const event = mostly(values('lockLost', 'connected', 'disconnected', 'reconnected'))

const topicOptions = mostly(
  fields({ validate: mostly(values('write', 'both')), exactlyOnce: mostly(values(true, false)) }),
)
const valueOptions = mostly(
  fields({ validate: mostly(values('write', 'both')), exactlyOnce: mostly(values(true, false)) }),
)
const mapKey = mostly(values('a', 'b', '', '__proto__'))
const mapValue = mostly(values(1, 'two', null, { a: [1] }))
const mapKeys = mostly(values(['a', 'b'], new Set(['a'])))
const mapEntries = mostly(values(new Map([['a', 1]]), [['b', 2]], { c: 3 }))
const scriptMode = mostly(values('READ_ONLY', 'READ_WRITE'))
const lua = mostly(values('return 1', "return redis.call('set', KEYS[1], ARGV[1])", 'error()'))
const returns = mostly(values('BOOLEAN', 'INTEGER', 'STATUS', 'VALUE', 'MULTI'))
const sha = mostly(values('e0e1f9fabfc9d4800c877a703b823ac0578ff8db', 'A'.repeat(40)))
const library = mostly(values('fuzzed', 'fuzzed2'))
const FUZZED =
  "redis.register_function('fuzz', function(keys, args) return redis.call('set', keys[1], args[1]) end)"
const libraryCode = mostly(
  values(FUZZED, "redis.register_function('fuzz_ro', function() return 1 end)", 'error()'),
)
const libraryState = mostly(values(Buffer.from('no libraries'), Buffer.alloc(0)))
const keyName = values('key', 'other-key', '', 7, null, undefined)
const keyPattern = values('key*', 'other-k?y', '', 7, undefined)
const mapScan = mostly(
  fields({
    pattern: mostly(values('*', 'a*')),
    count: mostly(whole(0, 9)),
    onInvalid: mostly(values('throw', 'skip')),
    signal,
  }),
)

const fn = mostly(
  oneOf({
    'a function': () => () => 'done',
    'an asynchronous function': () => () => Promise.resolve('done'),
    'a function that throws': () => () => {
      throw new Planted('by fn')
    },
    'a function that answers a thenable which throws': () => () => ({
      then: () => {
        throw new Planted('by then')
      },
    }),
  }),
)

const computeOptions = mostly(fields({ waitMs, signal }))
const batchFn = mostly(
  oneOf({
    'a function that makes calls': () => (batch: RBatch) => [
      batch.getBucket('bucket').get(),
      batch.getAtomicLong('bucket').get(),
      batch.getMap('bucket').size(),
    ],
    'a function that makes calls of its own': () => (batch: RBatch) => {
      const calls = [batch.getBucket('bucket').get(), batch.getMap('bucket').keys()]
      return calls
    },
    'a function that returns no list': () => () => 7,
    'an asynchronous function': () => async (batch: RBatch) => [await batch.getBucket('bucket').get()],
    'a function that throws': () => () => {
      throw new Planted('by fn')
    },
  }),
)

const lockOptions = mostly(fields({ leaseMs, signal, threadId }))
const tryLockOptions = mostly(fields({ waitMs, leaseMs, signal, threadId }))
const holdOptions = mostly(fields({ leaseMs, signal }))
const tryHoldOptions = mostly(fields({ waitMs, leaseMs, signal }))
const permitOptions = mostly(fields({ permits, signal }))
const tryPermitOptions = mostly(fields({ permits, waitMs, signal }))
const settings = mostly(fields({ syncedReplicas: mostly(values(0)) }))

const several = {
  lock: asked(nothing, fc.oneof(leaseMs, lockOptions)),
  tryLock: asked(truth, fc.oneof(waitMs, tryLockOptions), leaseMs),
  acquire: asked(isObject, holdOptions),
  tryAcquire: asked(orUndefined(isObject), tryHoldOptions),
  withLock: asked(anything, fn, tryHoldOptions),
  unlock: asked(nothing, mostly(fields({ threadId }))),
  isHeldByCurrentThread: asked(truth),
  isHeldByThread: asked(truth, threadId),
}

const one = {
  ...several,
  forceUnlock: asked(truth),
  isLocked: asked(truth),
  getHoldCount: asked(number),
  remainTimeToLive: asked(number),
}

/** All that is renamed or copied gets one name, so that it can be distinguished from what should not be left. */
const newName = values('renamed', '', '\ud800', null, undefined, 7)
const time = mostly(fc.oneof(whole(-1, 100), values(new Date(0), new Date(NaN))))
const setOptions = mostly(fields({ expire: time, keepTTL: mostly(values(true, false)) }))
const state = mostly(values(new Uint8Array(4)))

const common = {
  addListener: asked(
    isObject,
    mostly(values('deleted', 'expired', 'set', 'put')),
    listener,
    mostly(fields({ signal })),
  ),
  delete: asked(truth),
  unlink: asked(truth),
  isExists: asked(truth),
  touch: asked(truth),
  rename: asked(nothing, newName),
  renamenx: asked(truth, newName),
  copy: asked(truth, newName, mostly(fields({ replace: mostly(values(true)), database: permits }))),
  move: asked(truth, permits),
  sizeInMemory: asked(number),
  dump: asked(orUndefined(isObject)),
  restore: asked(nothing, state, leaseMs),
  restoreAndReplace: asked(nothing, state, leaseMs),
  getIdleTime: asked(orUndefined(number)),
}

const expirable = {
  ...common,
  expire: asked(truth, time),
  expireIfSet: asked(truth, time),
  expireIfNotSet: asked(truth, time),
  expireIfGreater: asked(truth, time),
  expireIfLess: asked(truth, time),
  clearExpire: asked(truth),
  remainTimeToLive: asked(number),
  getExpireTime: asked(orUndefined(isObject)),
}

const handle = { [Symbol.asyncDispose]: asked(nothing) }

/** Members of groups are plain locks, which can be forced. */
function lockSubject(
  get: (client: RedissonClient, name: string) => RLock,
  methods: Subject['methods'] = one,
): Subject {
  const tidy = async (client: RedissonClient, at: string) => {
    const lock = get(client, at)
    await lock.forceUnlock()
    await takeAndGiveBack(lock)
  }
  return { make: get, methods, tidy }
}

async function takeAndGiveBack(lock: Pick<RLock, 'name' | 'tryAcquire'>): Promise<void> {
  const hold = await lock.tryAcquire({ waitMs: 10_000 })
  if (hold === undefined) throw new Error(`Expected ${lock.name} to be free`)
  await hold.unlock()
}

const membersOf = (client: RedissonClient, at: string) =>
  ['1', '2', '3'].map((each) => client.getLock(`${at}${each}`))

const groupSubject = (kind: 'getMultiLock' | 'getRedLock'): Subject => ({
  make: (client, at) => client[kind](...membersOf(client, at)),
  methods: { ...several, ...groupRefusals() },
  tidy: async (client, at) => {
    await Promise.all(membersOf(client, at).map((member) => member.forceUnlock()))
    await takeAndGiveBack(client[kind](...membersOf(client, at)))
  },
})

/** A group has them because it is made as a lock is; the public face leaves them out. */
function groupRefusals(): Subject['methods'] {
  return {
    forceUnlock: asked(truth),
    isLocked: asked(truth),
    getHoldCount: asked(number),
    remainTimeToLive: asked(number),
  }
}

/** The methods of a generator of ids. */
function idsSubject(
  make: (client: RedissonClient, name: string) => RIdGenerator | RIdGenerator<bigint>,
  sound: Method['answers'],
): Subject {
  const operand = mostly(values(0, 1, -1, 5, 0n, 1n, -1n, 2n ** 62n))
  return {
    make,
    methods: { tryInit: asked(truth, operand, operand), nextId: asked(sound), ...expirable },
    tidy: async (client, at) => {
      const ids = client.getIdGenerator(at)
      await ids.delete()
      await ids.tryInit(1, 1)
      await ids.nextId()
      await ids.delete()
    },
  }
}

/** The methods of any adder. */
function adderSubject(
  make: (client: RedissonClient, name: string) => RLongAdder | RLongAdder<bigint> | RDoubleAdder,
  sound: Method['answers'],
): Subject {
  const operand = mostly(values(0, 1, -1, 0.5, 0n, 1n, -1n, 2n ** 62n))
  const added = (...takes: readonly fc.Arbitrary<Given>[]): Method => ({
    takes,
    answers: nothing,
    refuses: 'by throwing',
  })
  const waiting = mostly(fields({ waitMs, signal }))
  return {
    make,
    methods: {
      add: added(operand),
      increment: added(),
      decrement: added(),
      sum: asked(sound, waiting),
      reset: asked(nothing, waiting),
      destroy: asked(nothing),
      ...handle,
      ...expirable,
    },
    tidy: async (client, at) => {
      await make(client, at).sum()
    },
  }
}

/** The methods of any counter. */
function counterSubject(
  make: (client: RedissonClient, name: string) => RAtomicLong | RAtomicLong<bigint> | RAtomicDouble,
  sound: Method['answers'],
): Subject {
  const operand = mostly(values(0, 1, -1, 0.5, 0n, 1n, -1n, 2n ** 62n))
  return {
    make,
    methods: {
      get: asked(sound),
      set: asked(nothing, operand),
      getAndSet: asked(sound, operand),
      getAndDelete: asked(sound),
      addAndGet: asked(sound, operand),
      getAndAdd: asked(sound, operand),
      incrementAndGet: asked(
        sound,
        mostly(
          fields({
            by: operand,
            lowerBound: operand,
            upperBound: operand,
            saturate: mostly(values(true, false)),
            expire: time,
            expireIfNotSet: mostly(values(true, false)),
            clearExpire: mostly(values(true, false)),
          }),
        ),
      ),
      decrementAndGet: asked(sound),
      getAndIncrement: asked(sound),
      getAndDecrement: asked(sound),
      compareAndSet: asked(truth, operand, operand),
      setIfLess: asked(truth, operand, operand),
      setIfGreater: asked(truth, operand, operand),
      compareAndDelete: asked(truth, mostly(values('<', '<=', '>', '>=', '==', '!=')), operand),
      ...expirable,
    },
    tidy: async (client, at) => {
      await client.getAtomicDouble(at).delete()
    },
  }
}

/** A table behind a map. */
const table = {
  loader: { load: (key: string) => (key === 'loaded' ? 1 : undefined), loadAllKeys: () => ['loaded'] },
  writer: { write: () => undefined, delete: () => undefined },
}
const loadOptions = mostly(
  fields({ keys: mapKeys, replaceExisting: mostly(values(true, false)), parallelism: mostly(whole(1, 20)) }),
)
const listIndex = mostly(whole(-4, 4))
const listValues = mostly(values([], ['a', 1], new Set([null])))

const sortOptions = mostly(
  fields({
    order: mostly(values('ASC', 'DESC')),
    by: mostly(values('none', 'weight:*')),
    get: mostly(values(['#'], ['#', 'none'])),
    offset: mostly(whole(0, 2)),
    count: mostly(whole(0, 2)),
  }),
)

const list: Subject['methods'] = {
  add: asked(anything, listIndex, mapValue),
  addAll: asked(truth, listIndex, listValues),
  addAfter: asked(number, mapValue, mapValue),
  addBefore: asked(number, mapValue, mapValue),
  get: asked(anything, listIndex),
  getAll: asked(isObject, mostly(values([], [0, -1], [0.5]))),
  set: asked(anything, listIndex, mapValue),
  fastSet: asked(nothing, listIndex, mapValue),
  remove: asked(truth, mapValue, listIndex),
  removeAt: asked(anything, listIndex),
  fastRemove: asked(truth, listIndex),
  removeAll: asked(truth, listValues),
  retainAll: asked(truth, listValues),
  contains: asked(truth, mapValue),
  containsAll: asked(truth, listValues),
  indexOf: asked(number, mapValue),
  lastIndexOf: asked(number, mapValue),
  size: asked(number),
  isEmpty: asked(truth),
  clear: asked(nothing),
  readAll: asked(isObject),
  range: asked(isObject, listIndex, listIndex),
  trim: asked(nothing, listIndex, listIndex),
  readSort: { ...asked(Array.isArray, sortOptions), mayBeRefusedByRedis: true },
  readSortAlpha: asked(Array.isArray, sortOptions),
  sortTo: { ...asked(number, newName, sortOptions), mayBeRefusedByRedis: true },
  values: factory(mapScan),
  distributedIterator: factory(mapScan),
  [Symbol.asyncIterator]: factory(),
  ...expirable,
}

const map: Subject['methods'] = {
  get: asked(anything, mapKey),
  getAll: asked(isObject, mapKeys),
  put: asked(anything, mapKey, mapValue),
  fastPut: asked(truth, mapKey, mapValue),
  putAll: asked(nothing, mapEntries),
  putIfAbsent: asked(anything, mapKey, mapValue),
  fastPutIfAbsent: asked(truth, mapKey, mapValue),
  putIfExists: asked(anything, mapKey, mapValue),
  fastPutIfExists: asked(truth, mapKey, mapValue),
  replace: asked(anything, mapKey, mapValue, mapValue),
  fastReplace: asked(truth, mapKey, mapValue),
  remove: asked(anything, mapKey, mapValue),
  fastRemove: asked(number, mapKey, mapKey),
  addAndGet: asked(anything, mostly(values('counted')), mostly(values(1, -2.5, 3n))),
  compute: asked(anything, mapKey, fn, computeOptions),
  computeIfAbsent: asked(anything, mapKey, fn, computeOptions),
  computeIfPresent: asked(anything, mapKey, fn, computeOptions),
  merge: asked(anything, mapKey, mapValue, fn, computeOptions),
  getLock: factory(mapKey, settings),
  getFairLock: factory(mapKey, settings),
  getReadWriteLock: factory(mapKey, mostly(fields({ prefer: mostly(values('reader', 'writer')) }))),
  getSemaphore: factory(mapKey, mostly(fields({ permits }))),
  getPermitExpirableSemaphore: factory(mapKey, mostly(fields({ permits }))),
  getCountDownLatch: factory(mapKey),
  containsKey: asked(truth, mapKey),
  containsValue: asked(truth, mapValue),
  size: asked(number),
  valueSize: asked(number, mapKey),
  isEmpty: asked(truth),
  clear: asked(nothing),
  randomKeys: asked(isObject, someIds),
  randomEntries: asked(isObject, someIds),
  readAllKeySet: asked(isObject),
  readAllValues: asked(isObject),
  readAllEntrySet: asked(isObject),
  readAllMap: asked(isObject),
  keys: factory(mapScan),
  values: factory(mapScan),
  entries: factory(mapScan),
  loadAll: asked(nothing, loadOptions),
  flush: asked(nothing),
  [Symbol.asyncIterator]: factory(),
  ...expirable,
}

/** What buckets take, whose values are of some kind. */
function bucketMethods(value: fc.Arbitrary<Given>): Subject['methods'] {
  return {
    get: asked(anything),
    set: asked(nothing, value, leaseMs),
    setAndKeepTTL: asked(nothing, value),
    setIfAbsent: asked(truth, value, leaseMs),
    setIfExists: asked(truth, value, leaseMs),
    getAndSet: asked(anything, value, leaseMs),
    getAndDelete: asked(anything),
    getAndExpire: asked(anything, time),
    getAndClearExpire: asked(anything),
    compareAndSet: asked(truth, value, value),
    compareAndDelete: asked(truth, value),
    size: asked(number),
    findCommon: asked(anything, newName),
    findCommonLength: asked(number, newName),
    ...expirable,
  }
}

const setValues = mostly(values(['a', 'b'], new Set(['a']), []))
const setNames = mostly(values(['b'], ['set', 'b'], []))
const logNames = mostly(values(['hyperLogLog'], []))

/** A bit at such a place would take 256 MB or more. */
const LARGE: readonly string[] = [String(2 ** 31), String(2 ** 32)]
const bitIndex = fc.oneof(
  { weight: 3, arbitrary: whole(0, 60) },
  { weight: 1, arbitrary: hostile.filter(({ label }) => !LARGE.includes(label)) },
)
const bitIndexes = mostly(values([1, 5], new Set([7]), []))
const bit = mostly(values(true, false))
const bitNames = mostly(values(['bitSet'], ['bitSet', 'b'], []))
const cellSize = mostly(whole(0, 66))
const cellNumber = mostly(whole(-200, 200))
const cellOperations = mostly(
  values(
    [],
    [{ get: 'u8', offset: 0 }],
    [
      { set: 'i5', offset: 9, value: -3 },
      { increment: 'u4', offset: 2, by: 7, overflow: 'FAIL' },
    ],
    [{ set: 'u64', offset: 0, value: 1 }],
  ),
)
const cellMethods = (sizes: readonly fc.Arbitrary<Given>[], ...names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap((each) => [
      [`get${each}`, asked(number, ...sizes, bitIndex)],
      [`set${each}`, asked(number, ...sizes, bitIndex, cellNumber)],
      [`incrementAndGet${each}`, asked(number, ...sizes, bitIndex, cellNumber)],
    ]),
  )
const someBytes = mostly(values(Buffer.of(1, 2, 3), new Uint8Array(), Buffer.from('text')))
const bytePlace = mostly(whole(0, 20))
const byteStream = mostly(fields({ start: bytePlace, highWaterMark: bytePlace, signal: mostly(realSignals) }))
const multimap: Subject['methods'] = {
  ...expirable,
  get: factory(mapKey),
  getAll: asked(Array.isArray, mapKey),
  put: asked(truth, mapKey, mapValue),
  putAll: asked(truth, mapKey, setValues),
  remove: asked(truth, mapKey, mapValue),
  removeAll: asked(Array.isArray, mapKey),
  replaceValues: asked(Array.isArray, mapKey, setValues),
  fastReplaceValues: asked(nothing, mapKey, setValues),
  fastRemove: asked(number, mapKey, mapKey),
  fastRemoveValue: asked(number, mapValue, mapValue),
  containsKey: asked(truth, mapKey),
  containsValue: asked(truth, mapValue),
  containsEntry: asked(truth, mapKey, mapValue),
  size: asked(number),
  keySize: asked(number),
  isEmpty: asked(truth),
  clear: asked(nothing),
  readAllKeySet: asked(isObject),
  keys: factory(mapScan),
  values: factory(mapScan),
  entries: factory(mapScan),
  getLock: factory(mapKey, settings),
  getFairLock: factory(mapKey, settings),
  getReadWriteLock: factory(mapKey, settings),
  getSemaphore: factory(mapKey, settings),
  getPermitExpirableSemaphore: factory(mapKey, settings),
  getCountDownLatch: factory(mapKey),
  [Symbol.asyncIterator]: factory(),
}

const set = {
  ...expirable,
  move: asked(truth, mostly(values('renamed', 1)), mapValue),
  add: asked(truth, mapValue),
  addAll: asked(truth, setValues),
  addAllCounted: asked(number, setValues),
  tryAdd: asked(truth, mapValue, mapValue),
  contains: asked(truth, mapValue),
  containsEach: asked(Array.isArray, setValues),
  containsAll: asked(truth, setValues),
  remove: asked(truth, mapValue),
  removeAll: asked(truth, setValues),
  removeAllCounted: asked(number, setValues),
  retainAll: asked(truth, setValues),
  random: asked(anything, someIds),
  removeRandom: asked(anything, someIds),
  union: asked(number, setNames),
  readUnion: asked(Array.isArray, setNames),
  diff: asked(number, setNames),
  readDiff: asked(Array.isArray, setNames),
  intersection: asked(number, setNames),
  readIntersection: asked(Array.isArray, setNames),
  countIntersection: asked(number, setNames, mostly(fields({ limit: mostly(whole(0, 2)) }))),
  readSort: { ...asked(Array.isArray, sortOptions), mayBeRefusedByRedis: true },
  readSortAlpha: asked(Array.isArray, sortOptions),
  sortTo: { ...asked(number, newName, sortOptions), mayBeRefusedByRedis: true },
  size: asked(number),
  isEmpty: asked(truth),
  clear: asked(nothing),
  readAll: asked(Array.isArray),
  values: factory(mapScan),
  distributedIterator: factory(mapScan),
  getLock: factory(mapValue, settings),
  getFairLock: factory(mapValue, settings),
  getReadWriteLock: factory(mapValue, mostly(fields({ prefer: mostly(values('reader', 'writer')) }))),
  getSemaphore: factory(mapValue, mostly(fields({ permits }))),
  getPermitExpirableSemaphore: factory(mapValue, mostly(fields({ permits }))),
  getCountDownLatch: factory(mapValue),
  [Symbol.asyncIterator]: factory(),
}

const score = mostly(values(0, -1.5, 1e21, Infinity))
const scoreRange = mostly(
  fields({
    min: score,
    max: score,
    minInclusive: mostly(values(true, false)),
    maxInclusive: mostly(values(true, false)),
    offset: mostly(whole(0, 3)),
    count: mostly(whole(0, 3)),
  }),
)
const bounds = mostly(fields({ min: score, max: score, minInclusive: mostly(values(true, false)) }))
const rank = mostly(whole(-3, 3))
const pollOptions = mostly(fields({ waitMs, signal }))
const weightedNames = mostly(values(['a'], ['a', 'b'], new Map([['a', 2]])))
const storedName = values('renamed', '', 7, null, undefined)
const aggregateOptions = mostly(fields({ aggregate: mostly(values('SUM', 'MIN', 'MAX')) }))
const real = (value: unknown) => typeof value === 'number'
const scoredSet: Subject['methods'] = {
  add: asked(truth, score, mapValue),
  addIfAbsent: asked(truth, score, mapValue),
  addIfExists: asked(truth, score, mapValue),
  addIfGreater: asked(truth, score, mapValue),
  addIfLess: asked(truth, score, mapValue),
  addAll: asked(number, mapEntries),
  addAllIfAbsent: asked(number, mapEntries),
  addAllIfExist: asked(number, mapEntries),
  addAllIfGreater: asked(number, mapEntries),
  addAllIfLess: asked(number, mapEntries),
  addAndGetRank: asked(number, score, mapValue),
  addAndGetRevRank: asked(number, score, mapValue),
  addAllAndGetRevRank: asked(isObject, mapEntries),
  addScore: asked(real, mapValue, score),
  addScoreAndGetRank: asked(number, mapValue, score),
  addScoreAndGetRevRank: asked(number, mapValue, score),
  replace: asked(truth, mapValue, mapValue),
  getScore: asked(orUndefined(real), mapValue),
  getScores: asked(isObject, mapKeys),
  rank: asked(orUndefined(number), mapValue),
  revRank: asked(orUndefined(number), mapValue),
  revRanks: asked(isObject, mapKeys),
  rankEntry: asked(orUndefined(isObject), mapValue),
  revRankEntry: asked(orUndefined(isObject), mapValue),
  contains: asked(truth, mapValue),
  containsAll: asked(truth, mapKeys),
  remove: asked(truth, mapValue),
  removeAll: asked(truth, mapKeys),
  retainAll: asked(truth, mapKeys),
  removeRangeByRank: asked(number, rank, rank),
  removeRangeByScore: asked(number, bounds),
  pollFirst: asked(anything, pollOptions),
  pollFirstEntry: asked(anything, pollOptions),
  pollFirstEntries: asked(isObject, someIds, pollOptions),
  pollLast: asked(anything, whole(0, 4), pollOptions),
  pollLastEntry: asked(anything, pollOptions),
  pollLastEntries: asked(isObject, someIds, pollOptions),
  pollFirstFromAny: asked(anything, mapKeys, pollOptions),
  pollFirstEntriesFromAny: asked(isObject, mapKeys, someIds, pollOptions),
  pollLastFromAny: asked(anything, mapKeys, whole(0, 4), pollOptions),
  pollLastEntriesFromAny: asked(isObject, mapKeys, someIds, pollOptions),
  takeFirst: asked(anything, mostly(fields({ signal }))),
  takeLast: asked(anything, mostly(fields({ signal }))),
  first: asked(anything),
  firstEntry: asked(anything),
  firstScore: asked(orUndefined(real)),
  last: asked(anything),
  lastEntry: asked(anything),
  lastScore: asked(orUndefined(real)),
  random: asked(anything, someIds),
  randomEntries: asked(isObject, someIds),
  valueRange: asked(isObject, rank, rank),
  valueRangeReversed: asked(isObject, scoreRange),
  entryRange: asked(isObject, scoreRange),
  entryRangeReversed: asked(isObject, rank, rank),
  rangeTo: asked(number, storedName, rank, rank),
  revRangeTo: asked(number, storedName, scoreRange),
  count: asked(number, bounds),
  size: asked(number),
  isEmpty: asked(truth),
  clear: asked(nothing),
  union: asked(number, weightedNames, aggregateOptions),
  readUnion: asked(isObject, weightedNames, aggregateOptions),
  readUnionEntries: asked(isObject, weightedNames, aggregateOptions),
  intersection: asked(number, weightedNames, aggregateOptions),
  readIntersection: asked(isObject, weightedNames, aggregateOptions),
  readIntersectionEntries: asked(isObject, weightedNames, aggregateOptions),
  countIntersection: asked(number, mapKeys, mostly(fields({ limit: mostly(whole(1, 3)) }))),
  diff: asked(number, mapKeys),
  readDiff: asked(isObject, mapKeys),
  readDiffEntries: asked(isObject, mapKeys),
  readSort: { ...asked(Array.isArray, sortOptions), mayBeRefusedByRedis: true },
  readSortAlpha: asked(Array.isArray, sortOptions),
  sortTo: { ...asked(number, newName, sortOptions), mayBeRefusedByRedis: true },
  readAll: asked(isObject),
  readAllEntries: asked(isObject),
  values: factory(mapScan),
  entries: factory(mapScan),
  distributedIterator: factory(mapScan),
  [Symbol.asyncIterator]: factory(),
  ...expirable,
}

const degrees = mostly(values(0, 13.4, -85, 180, 200))
const geoEntry = mostly(fields({ longitude: degrees, latitude: degrees, member: mapValue }))
const unit = mostly(values('m', 'km', 'mi', 'ft'))
const length = mostly(values(0, 1, 1e6, -1, Infinity))
const geoSearch = mostly(
  fields({
    from: mostly(fields({ longitude: degrees, latitude: degrees, member: mapValue })),
    radius: length,
    box: mostly(fields({ width: length, height: length })),
    unit,
    order: mostly(values('ASC', 'DESC')),
    count: mostly(whole(0, 3)),
    countAny: mostly(whole(0, 3)),
  }),
)
const added = (value: unknown) => truth(value) || number(value)
const geo: Subject['methods'] = {
  ...scoredSet,
  add: asked(added, fc.oneof(degrees, geoEntry), fc.oneof(degrees, geoEntry), mapValue),
  tryAdd: asked(added, degrees, degrees, mapValue),
  addIfExists: asked(added, geoEntry, geoEntry),
  dist: asked(orUndefined(real), mapValue, mapValue, unit),
  hash: asked(isObject, mapValue, mapValue),
  pos: asked(isObject, mapValue),
  search: asked(isObject, geoSearch),
  searchWithDistance: asked(isObject, geoSearch),
  searchWithPosition: asked(isObject, geoSearch),
  storeSearchTo: asked(number, storedName, geoSearch),
  storeSortedSearchTo: asked(number, storedName, geoSearch),
}

const lexText = mostly(values('', 'a', 'two', '\ud83d'))
const lexTail = { from: lexText, fromInclusive: mostly(values(true, false)) }
const lexHead = { to: lexText, toInclusive: mostly(values(true, false)) }
const lexPage = { offset: mostly(whole(0, 3)), count: mostly(whole(0, 3)) }
const lexSet: Subject['methods'] = {
  add: asked(truth, lexText),
  addAll: asked(truth, setValues),
  contains: asked(truth, lexText),
  containsAll: asked(truth, setValues),
  remove: asked(truth, lexText),
  removeAll: asked(truth, setValues),
  retainAll: asked(truth, setValues),
  removeRange: asked(number, mostly(fields({ ...lexTail, ...lexHead }))),
  removeRangeTail: asked(number, mostly(fields(lexTail))),
  removeRangeHead: asked(number, mostly(fields(lexHead))),
  pollFirst: asked(anything, pollOptions),
  pollLast: asked(anything, whole(0, 4), pollOptions),
  first: asked(anything),
  last: asked(anything),
  rank: asked(orUndefined(number), lexText),
  revRank: asked(orUndefined(number), lexText),
  random: asked(anything, someIds),
  range: asked(isObject, mostly(fields({ ...lexTail, ...lexHead, ...lexPage }))),
  rangeTail: asked(isObject, mostly(fields({ ...lexTail, ...lexPage }))),
  rangeHead: asked(isObject, mostly(fields({ ...lexHead, ...lexPage }))),
  rangeReversed: asked(isObject, mostly(fields({ ...lexTail, ...lexHead, ...lexPage }))),
  rangeTailReversed: asked(isObject, mostly(fields({ ...lexTail, ...lexPage }))),
  rangeHeadReversed: asked(isObject, mostly(fields({ ...lexHead, ...lexPage }))),
  count: asked(number, mostly(fields({ ...lexTail, ...lexHead }))),
  countTail: asked(number, mostly(fields(lexTail))),
  countHead: asked(number, mostly(fields(lexHead))),
  size: asked(number),
  isEmpty: asked(truth),
  clear: asked(nothing),
  readAll: asked(isObject),
  values: factory(mostly(fields({ ...lexTail, ...lexHead, count: mostly(whole(1, 3)), signal }))),
  distributedIterator: factory(mapScan),
  [Symbol.asyncIterator]: factory(),
  ...expirable,
}

const sortedSet: Subject['methods'] = {
  ...expirable,
  add: asked(truth, lexText),
  addAll: asked(truth, setValues),
  contains: asked(truth, lexText),
  containsAll: asked(truth, setValues),
  remove: asked(truth, lexText),
  removeAll: asked(truth, setValues),
  retainAll: asked(truth, setValues),
  pollFirst: asked(anything, pollOptions),
  pollLast: asked(anything, whole(0, 4), pollOptions),
  first: asked(anything),
  last: asked(anything),
  size: asked(number),
  isEmpty: asked(truth),
  clear: asked(nothing),
  readAll: asked(isObject),
  values: factory(mostly(fields({ count: mostly(whole(1, 3)), signal }))),
  distributedIterator: factory(mostly(fields({ count: mostly(whole(1, 3)), signal }))),
  [Symbol.asyncIterator]: factory(),
}

/** All that a program can hold in its hands, by what it is. */
export const subjects: Readonly<Record<string, Subject>> = {
  Redisson: {
    make: () => Redisson,
    methods: {
      create: asked(isObject, hostile),
      loadOptions: asked(isObject, hostile),
      createRedLock: factory(mostly(fc.constant(given([]))), fc.oneof(name, values(['a', 'b'])), settings),
    },
  },
  client: {
    make: (client) => client,
    methods: {
      getLock: factory(name, settings),
      getFairLock: factory(name, settings),
      getReadWriteLock: factory(name, mostly(fields({ prefer: mostly(values('reader', 'writer')) }))),
      getFencedLock: factory(name, settings),
      getFencingGuard: factory(name),
      getSpinLock: factory(
        name,
        mostly(
          fields({
            backoff: mostly(
              fields({
                type: mostly(values('constant', 'exponential')),
                delayMs: leaseMs,
                initialDelayMs: leaseMs,
                maxDelayMs: leaseMs,
                multiplier: leaseMs,
              }),
            ),
          }),
        ),
      ),
      getNonReentrantLock: factory(name, settings),
      getNonReentrantFairLock: factory(name, settings),
      getMultiLock: factory(name, mostly(values(['a', 'b'], [Buffer.from('c')]))),
      getRedLock: factory(hostile, hostile),
      getSemaphore: factory(name),
      getPermitExpirableSemaphore: factory(name),
      getCountDownLatch: factory(name),
      getRateLimiter: factory(name),
      getBucket: factory(name, valueOptions),
      getBuckets: factory(valueOptions),
      getBitSet: factory(
        name,
        mostly(fields({ bigint: values(true, false), exactlyOnce: values(true, false) })),
      ),
      getBinaryStream: factory(name, mostly(fields({ exactlyOnce: values(true, false) }))),
      getHyperLogLog: factory(name, valueOptions),
      getBloomFilter: factory(name, valueOptions),
      getAtomicLong: factory(
        name,
        mostly(fields({ bigint: values(true, false), exactlyOnce: values(true, false) })),
      ),
      getAtomicDouble: factory(name, mostly(fields({ exactlyOnce: values(true, false) }))),
      getLongAdder: factory(name, mostly(fields({ bigint: mostly(values(true, false)) }))),
      getDoubleAdder: factory(name),
      getIdGenerator: factory(
        name,
        mostly(fields({ bigint: values(true, false), exactlyOnce: values(true, false) })),
      ),
      getSnowflake: factory(
        name,
        mostly(
          fields({
            nodeBits: mostly(whole(0, 17)),
            sequenceBits: mostly(whole(0, 17)),
            epochMs: mostly(values(0, -1, 5)),
          }),
        ),
      ),
      getTopic: factory(name, topicOptions),
      getPatternTopic: factory(name, mostly(fields({ validate: mostly(values('write', 'both')) }))),
      getShardedTopic: factory(name, topicOptions),
      getList: factory(name, valueOptions),
      getMap: factory(
        name,
        mostly(
          fields({
            exactlyOnce: mostly(values(true, false)),
            loader: mostly(values(table.loader)),
            writer: mostly(values(table.writer)),
            writeMode: mostly(values('WRITE_THROUGH', 'WRITE_BEHIND')),
            writeBehindDelayMs: mostly(whole(0, 50)),
            writerRetryAttempts: mostly(whole(0, 1)),
          }),
        ),
      ),
      getSet: factory(name, valueOptions),
      getSetMultimap: factory(name, valueOptions),
      getListMultimap: factory(name, valueOptions),
      getScoredSortedSet: factory(name, valueOptions),
      getGeo: factory(name, valueOptions),
      getSortedSet: factory(name, valueOptions),
      getLexSortedSet: factory(name, mostly(fields({ exactlyOnce: mostly(values(true, false)) }))),
      getKeys: factory(mostly(fields({ exactlyOnce: mostly(values(true, false)) }))),
      getScript: factory(valueOptions),
      getFunction: factory(mostly(fields({ validate: mostly(values('write', 'both')) }))),
      getLeaderElection: factory(name, mostly(fields({ leaseMs }))),
      getOnce: factory(name, mostly(fields({ ttlMs: leaseMs }))),
      batch: asked(
        (value) => value === undefined || Array.isArray(value),
        batchFn,
        mostly(
          fields({
            mode: mostly(values('pipeline', 'atomic')),
            skipResult: mostly(values(true, false)),
            syncedReplicas: mostly(values(0)),
            responseTimeoutMs: mostly(values(1000)),
            exactlyOnce: mostly(values(true, false)),
          }),
        ),
      ),
      withSignal: factory(signal),
      runAsThread: asked(anything, fn, mostly(fields({ threadId }))),
      ping: asked((value) => typeof value === 'number', mostly(fields({ signal }))),
      on: factory(event, listener),
      off: factory(event, listener),
      once: factory(event, listener),
      listenerCount: { takes: [event], answers: number, refuses: 'by throwing' },
      shutdown: asked(nothing),
      [Symbol.asyncDispose]: asked(nothing),
    },
  },
  lock: lockSubject((client, at) => client.getLock(at)),
  fairLock: lockSubject((client, at) => client.getFairLock(at)),
  fencedLock: lockSubject((client, at) => client.getFencedLock(at), {
    ...one,
    lockAndGetToken: asked(number, fc.oneof(leaseMs, lockOptions)),
    tryLockAndGetToken: asked(orUndefined(number), fc.oneof(waitMs, tryLockOptions), leaseMs),
    getToken: asked(number),
  }),
  spinLock: lockSubject((client, at) => client.getSpinLock(at)),
  nonReentrantLock: lockSubject((client, at) => client.getNonReentrantLock(at)),
  nonReentrantFairLock: lockSubject((client, at) => client.getNonReentrantFairLock(at)),
  readLock: lockSubject((client, at) => client.getReadWriteLock(at).readLock()),
  writeLock: lockSubject((client, at) => client.getReadWriteLock(at).writeLock()),
  writerFirst: lockSubject((client, at) => client.getReadWriteLock(at, { prefer: 'writer' }).writeLock()),
  valueLock: lockSubject((client, at) => client.getMultiLock(at, ['a', 'b'])),
  readWriteLock: {
    make: (client, at) => client.getReadWriteLock(at),
    methods: { readLock: factory(), writeLock: factory() },
  },
  multiLock: groupSubject('getMultiLock'),
  redLock: groupSubject('getRedLock'),
  lockHold: {
    ...lockSubject((client, at) => client.getLock(at)),
    make: (client, at) => client.getLock(at).acquire({ leaseMs: 5000 }),
    methods: { unlock: asked(nothing), extend: asked(nothing, leaseMs), ...handle },
  },
  semaphore: {
    make: async (client, at) => {
      await client.getSemaphore(at).trySetPermits(3)
      return client.getSemaphore(at)
    },
    methods: {
      acquire: asked(nothing, fc.oneof(permits, permitOptions)),
      tryAcquire: asked(truth, fc.oneof(permits, tryPermitOptions), waitMs),
      release: asked(nothing, permits),
      releaseIfExists: asked(truth, permits),
      trySetPermits: asked(truth, permits, leaseMs),
      addPermits: asked(nothing, permits),
      drainPermits: asked(number),
      availablePermits: asked(number),
      ...expirable,
      withPermit: asked(anything, fn, tryPermitOptions),
    },
    tidy: async (client, at) => {
      const semaphore = client.getSemaphore(at)
      await semaphore.delete()
      await semaphore.trySetPermits(1)
      await semaphore.acquire()
      await semaphore.delete()
    },
  },
  atomicLong: counterSubject((client, at) => client.getAtomicLong(at), number),
  atomicBigint: counterSubject(
    (client, at) => client.getAtomicLong(at, { bigint: true }),
    (value) => typeof value === 'bigint',
  ),
  atomicDouble: counterSubject((client, at) => client.getAtomicDouble(at), Number.isFinite),
  longAdder: adderSubject((client, at) => client.getLongAdder(at), number),
  wholeAdder: adderSubject(
    (client, at) => client.getLongAdder(at, { bigint: true }),
    (value) => typeof value === 'bigint',
  ),
  doubleAdder: adderSubject(
    (client, at) => client.getDoubleAdder(at),
    (value) => typeof value === 'number',
  ),
  idGenerator: idsSubject((client, at) => client.getIdGenerator(at), number),
  bigintGenerator: idsSubject(
    (client, at) => client.getIdGenerator(at, { bigint: true }),
    (value) => typeof value === 'bigint',
  ),
  snowflake: {
    make: (client, at) => client.getSnowflake(at, { nodeBits: 4 }),
    methods: {
      nextId: asked((value) => typeof value === 'bigint', mostly(fields({ waitMs, signal }))),
      nextIds: asked((value) => Array.isArray(value), someIds, mostly(fields({ waitMs, signal }))),
      partsOf: {
        takes: [mostly(values(0n, 1n, 2n ** 62n, 2n ** 63n, -1n, 5))],
        answers: (value) => typeof value === 'object',
        refuses: 'by throwing',
      },
      ...handle,
      ...expirable,
    },
    tidy: async (client, at) => {
      await client.getSnowflake(at, { nodeBits: 4 }).delete()
    },
  },
  permitExpirableSemaphore: {
    make: async (client, at) => {
      await client.getPermitExpirableSemaphore(at).trySetPermits(3)
      return client.getPermitExpirableSemaphore(at)
    },
    methods: {
      acquire: asked(text, fc.oneof(leaseMs, holdOptions)),
      acquireMany: asked(texts, someIds, holdOptions),
      acquirePermit: asked(isObject, holdOptions),
      tryAcquire: asked(orUndefined(text), fc.oneof(waitMs, tryHoldOptions), leaseMs),
      tryAcquireMany: asked(orUndefined(texts), someIds, tryHoldOptions),
      tryAcquirePermit: asked(orUndefined(isObject), tryHoldOptions),
      withPermit: asked(anything, fn, tryHoldOptions),
      release: asked(nothing, mostly(permitIds())),
      tryRelease: asked(truth, mostly(permitIds())),
      availablePermits: asked(number),
      acquiredPermits: asked(number),
      getPermits: asked(number),
      trySetPermits: asked(truth, permits),
      setPermits: asked(nothing, permits),
      addPermits: asked(nothing, permits),
      updateLeaseTime: asked(truth, mostly(permitIds()), leaseMs),
      getLeaseTime: asked(number, mostly(permitIds())),
      ...expirable,
    },
    tidy: async (client, at) => {
      const semaphore = client.getPermitExpirableSemaphore(at)
      await semaphore.delete()
      await semaphore.trySetPermits(1)
      await semaphore.acquire()
      await semaphore.delete()
    },
  },
  permitHold: {
    make: async (client, at) => {
      await client.getPermitExpirableSemaphore(at).trySetPermits(1)
      return client.getPermitExpirableSemaphore(at).acquirePermit({ leaseMs: 5000 })
    },
    methods: { release: asked(nothing), extend: asked(nothing, leaseMs), ...handle },
    tidy: async (client, at) => {
      await client.getPermitExpirableSemaphore(at).delete()
    },
  },
  countDownLatch: {
    make: async (client, at) => {
      await client.getCountDownLatch(at).trySetCount(2)
      return client.getCountDownLatch(at)
    },
    methods: {
      await: asked(truth, fc.oneof(waitMs, mostly(fields({ waitMs, signal })))),
      countDown: asked(nothing),
      trySetCount: asked(truth, permits),
      getCount: asked(number),
      ...common,
    },
    tidy: async (client, at) => {
      const latch = client.getCountDownLatch(at)
      await latch.delete()
      await latch.trySetCount(1)
      await latch.countDown()
    },
  },
  rateLimiter: {
    make: async (client, at) => {
      await client.getRateLimiter(at).trySetRate('OVERALL', 3, 20)
      return client.getRateLimiter(at)
    },
    methods: {
      acquire: asked(nothing, fc.oneof(permits, permitOptions)),
      tryAcquire: asked(truth, fc.oneof(permits, tryPermitOptions), waitMs),
      attempt: asked(isObject, permits),
      release: asked(nothing, permits),
      availablePermits: asked(number),
      getConfig: asked(orUndefined(isObject)),
      setRate: asked(nothing, ...rate(), rateOptions()),
      updateRate: asked(truth, ...rate(), rateOptions()),
      trySetRate: asked(truth, ...rate(), leaseMs),
      ...expirable,
    },
    tidy: async (client, at) => {
      const limiter = client.getRateLimiter(at)
      await limiter.delete()
      await limiter.trySetRate('OVERALL', 1, 1000)
      await limiter.acquire()
      await limiter.delete()
    },
  },
  bucket: {
    make: async (client, at) => {
      await client.getBucket(at).set('one')
      return client.getBucket(at)
    },
    methods: bucketMethods(mapValue),
    tidy: async (client, at) => {
      await client.getBucket(at).delete()
    },
  },
  bitSet: {
    make: async (client, at) => {
      await client.getBitSet(at).setAll([1, 9])
      return client.getBitSet(at)
    },
    methods: {
      get: asked(truth, bitIndex),
      getEach: asked(Array.isArray, bitIndexes),
      set: asked(truth, bitIndex, bit),
      setAll: asked(nothing, bitIndexes, bit),
      setRange: asked(nothing, bitIndex, bitIndex, bit),
      clear: asked(nothing),
      cardinality: asked(number),
      length: asked(number),
      size: asked(number),
      toByteArray: asked(isObject),
      setByteArray: asked(nothing, mostly(values(new Uint8Array(2), Buffer.from('a')))),
      indexes: factory(mostly(fields({ signal }))),
      [Symbol.asyncIterator]: factory(),
      not: asked(number),
      and: asked(number, bitNames),
      or: asked(number, bitNames),
      xor: asked(number, bitNames),
      diff: asked(number, bitNames),
      diffInverse: asked(number, bitNames),
      andOr: asked(number, bitNames),
      setExclusive: asked(number, bitNames),
      bitField: asked(Array.isArray, cellOperations),
      ...cellMethods([cellSize], 'Signed', 'Unsigned'),
      ...cellMethods([], 'Byte', 'Short', 'Integer', 'Long'),
      ...expirable,
    },
    tidy: async (client, at) => {
      await client.getBitSet(at).delete()
    },
  },
  binaryStream: {
    make: async (client, at) => {
      await client.getBinaryStream(at).set(Buffer.from('one'))
      return client.getBinaryStream(at)
    },
    methods: {
      ...bucketMethods(someBytes),
      createReadStream: factory(byteStream),
      createWriteStream: factory(byteStream),
      readable: factory(byteStream),
      writable: factory(byteStream),
      read: asked(isObject, bytePlace, bytePlace),
      write: asked(number, bytePlace, someBytes),
      append: asked(number, someBytes),
      truncate: asked(nothing, bytePlace),
    },
    tidy: async (client, at) => {
      await client.getBinaryStream(at).delete()
    },
  },
  hyperLogLog: {
    make: async (client, at) => {
      await client.getHyperLogLog(at).addAll(['a', 'b'])
      return client.getHyperLogLog(at)
    },
    methods: {
      add: asked(truth, mapValue),
      addAll: asked(truth, setValues),
      count: asked(number),
      countWith: asked(number, logNames),
      mergeWith: asked(nothing, logNames),
      ...expirable,
    },
    tidy: async (client, at) => {
      await client.getHyperLogLog(at).delete()
    },
  },
  bloomFilter: {
    make: async (client, at) => {
      await client.getBloomFilter(at).tryInit(10, 0.1)
      return client.getBloomFilter(at)
    },
    methods: {
      tryInit: asked(truth, mostly(whole(0, 20)), mostly(values(0.1, 0.5, 1))),
      add: asked(truth, mapValue),
      addAll: asked(number, setValues),
      contains: asked(truth, mapValue),
      containsEach: asked(Array.isArray, setValues),
      exists: asked(Array.isArray, setValues),
      countContained: asked(number, setValues),
      count: asked(number),
      getExpectedInsertions: asked(number),
      getFalseProbability: asked(real),
      getSize: asked(number),
      getHashIterations: asked(number),
      ...expirable,
    },
    tidy: async (client, at) => {
      await client.getBloomFilter(at).delete()
    },
  },
  buckets: {
    make: (client) => client.getBuckets(),
    methods: {
      get: asked(isObject, mostly(values('bucket', 'map'))),
      set: asked(nothing, mostly(values({ bucket: 1 }, new Map([['bucket', 2]])))),
      trySet: asked(truth, mostly(values({ bucket: 1 }, [['bucket', 2]]))),
      setIfAllKeysAbsent: asked(truth, mostly(values({ bucket: 1 }, [['bucket', 2]])), setOptions),
      setIfAllKeysExist: asked(truth, mostly(values({ bucket: 1 }, [['bucket', 2]])), setOptions),
    },
    // Hostile values may be records, of which each property is a bucket.
    tidy: async (client) => {
      await client.getKeys().delete('bucket', 'waitMs', '__proto__', 'constructor')
    },
  },
  script: {
    make: (client) => client.getScript(),
    methods: {
      eval: asked(anything, scriptMode, lua, returns, mostly(values(['scripted'], [])), hostile),
      evalSha: asked(anything, scriptMode, sha, returns, mostly(values(['scripted'], [])), hostile),
      scriptLoad: asked(text, lua),
      scriptExists: asked(Array.isArray, sha, sha),
      scriptFlush: asked(nothing),
    },
    tidy: async (client) => {
      await client.getKeys().delete('scripted')
    },
  },
  function: {
    make: async (client) => {
      await client.getFunction().loadAndReplace('fuzzed', FUZZED)
      return client.getFunction()
    },
    methods: {
      call: asked(
        anything,
        scriptMode,
        mostly(values('fuzz', 'fuzz_ro', 'none')),
        returns,
        mostly(values(['called'], [])),
        hostile,
      ),
      load: asked(nothing, library, libraryCode),
      loadAndReplace: asked(nothing, library, libraryCode),
      delete: asked(nothing, library),
      list: asked(Array.isArray, mostly(values('*', 'fuzz?d'))),
      flush: asked(nothing),
      dump: asked(isObject),
      restore: asked(nothing, libraryState),
      restoreAndReplace: asked(nothing, libraryState),
      restoreAfterFlush: asked(nothing, libraryState),
    },
    tidy: async (client) => {
      await client.getFunction().flush()
      await client.getKeys().delete('called')
    },
  },
  keys: {
    make: (client) => client.getKeys(),
    methods: {
      getKeys: factory(
        mostly(
          fields({
            pattern: mostly(values('*', 'key*')),
            type: mostly(values('string', 'hash')),
            count: mostly(whole(0, 9)),
            limit: mostly(whole(0, 9)),
            onInvalid: mostly(values('throw', 'skip')),
            signal,
          }),
        ),
      ),
      [Symbol.asyncIterator]: factory(),
      count: asked(number),
      countExists: asked(number, keyName, keyName),
      randomKey: asked(orUndefined(text)),
      getType: asked(orUndefined(text), keyName),
      getSlot: asked(number, keyName),
      delete: asked(number, keyName, keyName),
      unlink: asked(number, keyName),
      deleteByPattern: asked(number, keyPattern),
      unlinkByPattern: asked(number, keyPattern),
      touch: asked(number, keyName),
      rename: asked(nothing, keyName, keyName),
      renamenx: asked(truth, keyName, keyName),
      copy: asked(truth, keyName, keyName, mostly(fields({ replace: mostly(values(true, false)) }))),
      move: asked(truth, keyName, values(-1, 'other', 0.5)),
      expire: asked(truth, keyName, time),
      clearExpire: asked(truth, keyName),
      remainTimeToLive: asked(number, keyName),
      // The other objects would lose their keys.
      flushdb: asked(nothing, values(7, '*')),
      flushdbParallel: asked(nothing, values(7, '*')),
      flushall: asked(nothing, values(7, '*')),
      flushallParallel: asked(nothing, values(7, '*')),
      swapdb: asked(nothing, values(-1, 0.5), hostile),
    },
    tidy: async (client) => {
      await client.getKeys().delete('key', 'other-key')
    },
  },
  map: {
    make: async (client, at) => {
      await client.getMap(at).putAll({ a: 1, b: 'two' })
      return client.getMap(at)
    },
    methods: map,
    tidy: async (client, at) => {
      await client.getMap(at).delete()
    },
  },
  list: {
    make: async (client, at) => {
      await client.getList(at).addAll(['a', 1, null])
      return client.getList(at)
    },
    methods: list,
    tidy: async (client, at) => {
      await client.getList(at).delete()
    },
  },
  scoredSet: {
    make: async (client, at) => {
      await client.getScoredSortedSet<string>(at).addAll({ a: 1, b: 2, two: 2 })
      return client.getScoredSortedSet(at)
    },
    methods: scoredSet,
    tidy: async (client, at) => {
      await client.getScoredSortedSet(at).delete()
    },
  },
  geo: {
    make: async (client, at) => {
      await client.getGeo<string>(at).add({ longitude: 1, latitude: 2, member: 'two' })
      return client.getGeo(at)
    },
    methods: geo,
    tidy: async (client, at) => {
      await client.getGeo(at).delete()
    },
  },
  lexSet: {
    make: async (client, at) => {
      await client.getLexSortedSet(at).addAll(['a', 'b', 'two'])
      return client.getLexSortedSet(at)
    },
    methods: lexSet,
    tidy: async (client, at) => {
      await client.getLexSortedSet(at).delete()
    },
  },
  sortedSet: {
    make: async (client, at) => {
      await client.getSortedSet(at).addAll(['a', 'b', 'two'])
      return client.getSortedSet(at)
    },
    methods: sortedSet,
    tidy: async (client, at) => {
      await client.getSortedSet(at).delete()
    },
  },
  mapWritingThrough: {
    make: (client, at) => client.getMap(at, table),
    methods: map,
    tidy: async (client, at) => {
      await client.getMap(at).delete()
    },
  },
  mapWritingBehind: {
    make: (client, at) => client.getMap(at, { ...table, writeMode: 'WRITE_BEHIND', writeBehindDelayMs: 1 }),
    methods: map,
    tidy: async (client, at) => {
      await client.getMap(at, { ...table, writeMode: 'WRITE_BEHIND' }).flush()
      await client.getMap(at).delete()
    },
  },
  set: {
    make: async (client, at) => {
      await client.getSet(at).addAll(['a', { b: 1 }])
      return client.getSet(at)
    },
    methods: set,
    tidy: async (client, at) => {
      await client.getSet(at).delete()
    },
  },
  setMultimap: {
    make: async (client, at) => {
      await client.getSetMultimap(at).putAll('a', ['a', { b: 1 }])
      return client.getSetMultimap(at)
    },
    methods: multimap,
    tidy: async (client, at) => {
      await client.getSetMultimap(at).delete()
    },
  },
  listMultimap: {
    make: async (client, at) => {
      await client.getListMultimap(at).putAll('a', ['a', { b: 1 }])
      return client.getListMultimap(at)
    },
    methods: multimap,
    tidy: async (client, at) => {
      await client.getListMultimap(at).delete()
    },
  },
  once: {
    make: (client, at) => client.getOnce(at, { ttlMs: 100 }),
    methods: { run: asked(isObject, fn, mostly(fields({ fire, retry, signal }))) },
    tidy: async (client, at) => {
      await client.getOnce(at, { ttlMs: 100 }).run(() => 'done', { fire: 'tidy' })
    },
  },
  leaderElection: {
    make: (client, at) => client.getLeaderElection(at),
    methods: {
      run: asked(nothing, fn, mostly(fields({ signal, requeue: mostly(values(true, false)) }))),
      getLeader: asked(orUndefined(text)),
    },
    tidy: async (client, at) => {
      await client.getLeaderElection(at).run(() => 'done', { requeue: false })
    },
  },
  fencingGuard: {
    make: (client, at) => client.getFencingGuard(at),
    methods: {
      accepts: asked(truth, mostly(whole(1, 9))),
      getLastToken: asked(number),
      run: asked(
        anything,
        mostly(whole(1, 9)),
        mostly(values('SET', 'INCR', 'GET', 'nonsense')),
        mostly(values('1', 2, Buffer.from('3'))),
      ),
    },
  },
}

function permitIds(): fc.Arbitrary<Given> {
  const id = '0123456789abcdef'.repeat(2)
  return values(id, [id], [id, id.toUpperCase()], [], id.slice(1))
}

function rate(): readonly fc.Arbitrary<Given>[] {
  return [mostly(values('OVERALL', 'PER_CLIENT')), mostly(whole(1, 5)), mostly(whole(1, 50))]
}

function rateOptions(): fc.Arbitrary<Given> {
  return mostly(fields({ keepAliveMs: leaseMs, keepState: mostly(values(true, false)) }))
}
