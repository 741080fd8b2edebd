import {
  jsonCodec,
  Redisson,
  type RBatch,
  type RedissonClient,
  type SignalledObjects,
} from '../../src/index.js'
import { RedissonQueue } from '../../src/queues/queue/queue.js'
import { disposable } from '../contracts/samples.js'
import {
  anything,
  method,
  handsOut,
  isObject,
  nothing,
  number,
  real,
  sync,
  type Sample,
  type Samples,
  type Subject,
} from '../contracts/subject.js'
import * as takes from '../contracts/takes.js'
import {
  codec,
  codecOptions,
  exactlyOnce,
  flag,
  leaseMs,
  list,
  listener,
  lockSettings,
  many,
  name,
  nullable,
  objectOptions,
  one,
  options,
  permitSettings,
  signal,
  threadId,
  validate,
  valueOptions,
  whatever,
  whole,
} from '../contracts/takes.js'

const event = one('lockLost', 'connected', 'disconnected', 'reconnected')
const spinning = options({
  backoff: options({ delayMs: leaseMs }, { type: one('constant') }),
  syncedReplicas: takes.syncedReplicas,
})
const slowing = options({
  backoff: options(
    { initialDelayMs: leaseMs, maxDelayMs: leaseMs, multiplier: whole(1, 3) },
    { type: one('exponential') },
  ),
})
const number64 = options({ bigint: flag, exactlyOnce })
const mapOptions = options({
  codec,
  validate,
  exactlyOnce,
  loader: one(takes.table.loader),
  writer: one(takes.table.writer),
  writeMode: one('WRITE_THROUGH', 'WRITE_BEHIND'),
  writeBehindDelayMs: whole(0, 50),
  writeBehindBatchSize: whole(1, 50),
  writerRetryAttempts: whole(0, 1),
  writerRetryIntervalMs: whole(0, 50),
})
const overloads = (sample: Sample, ...forms: Sample['forms']): Sample => ({ ...sample, forms })

const batch = takes.fnOf({
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
    throw new takes.Planted('by fn')
  },
})

/** A queue of no client: a getter reads its name and its codec. */
const queue = new RedissonQueue(
  { topology: { slotOf: () => 0 }, config: { mapName: (name: string) => name } } as never,
  'a',
  { codec: jsonCodec(), run: {} },
)

const limits = {
  cacheSize: whole(-1, 4),
  evictionPolicy: one('NONE', 'LRU', 'LFU'),
  ttlMs: leaseMs,
  maxIdleMs: leaseMs,
}

const local = {
  codec,
  validate,
  exactlyOnce,
  ...limits,
  syncStrategy: one('INVALIDATE', 'UPDATE', 'NONE'),
  storeCacheMiss: flag,
}

const localOptions = options({ ...local, reconnectionStrategy: one('CLEAR', 'LOAD', 'NONE') })
const localCacheOptions = options({ ...local, reconnectionStrategy: one('CLEAR', 'NONE') })

const objects: Samples<SignalledObjects> = {
  getBucket: handsOut(name, valueOptions),
  getBuckets: handsOut(valueOptions),
  getBitSet: handsOut(name, number64),
  getBinaryStream: handsOut(name, objectOptions),
  getHyperLogLog: handsOut(name, valueOptions),
  getBloomFilter: handsOut(name, valueOptions),
  getAtomicLong: handsOut(name, number64),
  getAtomicDouble: handsOut(name, objectOptions),
  getIdGenerator: handsOut(name, number64),
  getTopic: handsOut(name, valueOptions),
  getPatternTopic: handsOut(name, codecOptions),
  getShardedTopic: handsOut(name, valueOptions),
  getReliableTopic: handsOut(name, valueOptions),
  getList: handsOut(name, valueOptions),
  getMap: handsOut(name, mapOptions),
  getMapCache: handsOut(name, valueOptions),
  getMapCacheNative: handsOut(name, valueOptions),
  getMaps: handsOut(valueOptions),
  getSet: handsOut(name, valueOptions),
  getSetCache: handsOut(name, valueOptions),
  getSetMultimap: handsOut(name, valueOptions),
  getListMultimap: handsOut(name, valueOptions),
  getSetMultimapCache: handsOut(name, valueOptions),
  getListMultimapCache: handsOut(name, valueOptions),
  getSetMultimapCacheNative: handsOut(name, valueOptions),
  getListMultimapCacheNative: handsOut(name, valueOptions),
  getScoredSortedSet: handsOut(name, valueOptions),
  getGeo: handsOut(name, valueOptions),
  getSortedSet: handsOut(name, valueOptions),
  getLexSortedSet: handsOut(name, objectOptions),
  getTimeSeries: handsOut(name, valueOptions),
  getQueue: handsOut(name, valueOptions),
  getDeque: handsOut(name, valueOptions),
  getBlockingQueue: handsOut(name, valueOptions),
  getBlockingDeque: handsOut(name, valueOptions),
  getRingBuffer: handsOut(name, valueOptions),
  getPriorityQueue: handsOut(name, valueOptions),
  getPriorityDeque: handsOut(name, valueOptions),
  getPriorityBlockingQueue: handsOut(name, valueOptions),
  getPriorityBlockingDeque: handsOut(name, valueOptions),
  getBoundedBlockingQueue: handsOut(name, valueOptions),
  getTransferQueue: handsOut(name, valueOptions),
  getReliableQueue: handsOut(name, valueOptions),
  getDelayedQueue: handsOut(one(queue), objectOptions),
  getStream: handsOut(name, valueOptions),
  getKeys: handsOut(objectOptions),
  getScript: handsOut(valueOptions),
  getFunction: handsOut(codecOptions),
}

const methods: Samples<RedissonClient> = {
  ...disposable,
  ...objects,
  getLocalCachedMap: handsOut(name, localOptions),
  getLocalCachedMapCache: handsOut(name, localCacheOptions),
  getLock: handsOut(name, lockSettings),
  getFairLock: handsOut(name, lockSettings),
  getReadWriteLock: handsOut(name, takes.readWriteSettings),
  getFencedLock: handsOut(name, lockSettings),
  getFencingGuard: handsOut(name),
  getSpinLock: overloads(handsOut(), [name, spinning], [name, slowing]),
  getNonReentrantLock: handsOut(name, lockSettings),
  getNonReentrantFairLock: handsOut(name, lockSettings),
  getMultiLock: handsOut(name, list(one('a'), ['a', 'b'], [Buffer.from('c')])),
  getRedLock: sync(isObject, many(whatever({}))),
  getSemaphore: handsOut(name, permitSettings),
  getPermitExpirableSemaphore: handsOut(name, permitSettings),
  getCountDownLatch: handsOut(name),
  getRateLimiter: overloads(
    handsOut(),
    [
      name,
      options({ mode: one('OVERALL'), keepAliveMs: leaseMs }, { rate: whole(1, 9), intervalMs: whole(1, 9) }),
    ],
    [
      name,
      options(
        { burst: whole(1, 9), onRedisDown: one('throw', 'allow'), redisTimeoutMs: whole(0, 50), exactlyOnce },
        { algorithm: one('gcra'), limit: whole(1, 9), perMs: whole(1, 9) },
      ),
    ],
  ),
  getWorkLimiter: handsOut(
    name,
    options(
      {
        rate: options({ burst: whole(1, 9) }, { limit: whole(1, 9), perMs: whole(1, 9) }),
        maxQueued: whole(1, 9),
      },
      { concurrency: whole(1, 9) },
    ),
  ),
  getCache: handsOut(name, takes.cacheOptions),
  getClientSideCaching: handsOut(options(limits)),
  getLongAdder: handsOut(name, options({ bigint: flag })),
  getDoubleAdder: handsOut(name),
  getSnowflake: handsOut(
    name,
    options({ nodeBits: whole(0, 17, 4), sequenceBits: whole(0, 17, 4), epochMs: one(5, 0, -1) }),
  ),
  getLeaderElection: handsOut(name, options({ leaseMs })),
  getOnce: handsOut(name, options({}, { ttlMs: leaseMs })),
  batch: method(
    (value) => value === undefined || Array.isArray(value),
    batch,
    options({
      mode: one('pipeline', 'atomic'),
      skipResult: flag,
      syncedReplicas: takes.syncedReplicas,
      responseTimeoutMs: one(1000),
      exactlyOnce,
      signal,
    }),
  ),
  withSignal: handsOut(signal),
  runAsThread: method(anything, takes.fn, options({ threadId })),
  ping: method(real, takes.aborting),
  on: sync(isObject, event, listener),
  off: sync(isObject, event, listener),
  once: sync(isObject, event, listener),
  listenerCount: sync(number, event),
  shutdown: method(nothing, options({ drainMs: whole(-1, 20), release: flag })),
}

/** What Node calls, and the public type leaves out. */
const ofNode = { removeListener: methods.off }

export const client: Subject<RedissonClient> = {
  make: (client) => client,
  methods: { ...methods, ...ofNode },
}

export const signalledObjects: Subject<SignalledObjects> = {
  make: (client) => client.withSignal(new AbortController().signal),
  methods: objects,
}

/** It refuses settings as a whole, and no clients before anything else. */
const redisson: Subject<typeof Redisson> = {
  make: () => Redisson,
  methods: {
    create: method(isObject, nullable(whatever({}))),
    loadOptions: method(isObject, whatever('redis://127.0.0.1:1')),
    createRedLock: sync(isObject, one([]), nullable(one('a', ['a', 'b'])), nullable(lockSettings)),
  },
}

export { redisson as Redisson }
