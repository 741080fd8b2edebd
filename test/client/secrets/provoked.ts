import {
  MessageOverflowError,
  MissingPackageError,
  Redisson,
  stringCodec,
  UnsupportedCommandError,
  type CommonOptions,
  type CredentialsProvider,
  type RedissonClient,
  type SingleServerOptions,
} from '../../../src/index.js'
import { eventually } from '../../support/eventually.js'
import { onFreePorts } from '../../support/launch/free-ports.js'
import { addressOf, type ServerNode } from '../../support/launch/topology.js'
import type { TcpProxy } from '../../support/proxy.js'
import { cluster, sentinel, single } from '../../support/topologies.js'
import { canaries } from './canaries.js'

const { username, password, sentinelUsername, sentinelPassword, passphrase, tlsKey: key } = canaries
const tls = { key, passphrase }

/** A user with the password who may not listen. */
export const DEAF = `${username}-without-channels`

/** What errors are made with. */
export interface World {
  readonly server: ServerNode
  /** In front of the server. */
  readonly proxy: TcpProxy
  /** A client with secrets, through the proxy. */
  readonly client: RedissonClient
  /** The name of an object that no other error is made with. */
  readonly name: string
}

/** So that clients wait for nothing long, though longer than a machine stands still, and repeat nothing. */
const IMPATIENT = { timeout: 3000, connectTimeout: 3000, subscriptionTimeout: 3000, retryAttempts: 0 }

/** Connects to a server with secrets. */
export function connect(
  server: Pick<ServerNode, 'host' | 'port'>,
  section: Partial<SingleServerOptions> = {},
  settings: CommonOptions = {},
): Promise<RedissonClient> {
  const address = `redis://${addressOf(server)}`
  const singleServerConfig = { address, username, password, ...IMPATIENT, ...section }
  return Redisson.create({ lockWatchdogTimeout: 3000, ...settings, singleServerConfig })
}

/**
 * Connects to a server that is about to be silent. It has replied to everything: a request that is given up drops the connection, and so
 * those that were sent after it would not reject because of their own time.
 */
async function connectBriefly(server: Pick<ServerNode, 'host' | 'port'>): Promise<RedissonClient> {
  const section = { timeout: 2000, pingConnectionInterval: 0 }
  const client = await connect(server, section, { connectWaitMs: 20_000 })
  await client.getLock('connected').isLocked()
  return client
}

/** Connects with what a program returns as its credentials. */
const connectAsking = (credentials: CredentialsProvider) =>
  Redisson.create({ ...single.options(IMPATIENT), credentials })

/** Rejects with the cause of an error. */
async function orItsCause(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    throw (error as Error).cause
  })
}

/** Does what rejects. */
type Provoke = (world: World) => Promise<unknown>

const nowhere = () => onFreePorts(1, ([port = 0]) => Promise.resolve({ host: '127.0.0.1', port }))

/** Does something while no reply comes through. */
async function inSilence<T>({ proxy }: World, act: () => Promise<T>): Promise<T> {
  proxy.stall('replies')
  try {
    return await act()
  } finally {
    proxy.resume('replies')
  }
}

/** Does something while the server refuses to write. */
async function withoutReplicas<T>({ server }: World, act: () => Promise<T>): Promise<T> {
  await server.command('CONFIG', 'SET', 'min-replicas-to-write', 1)
  try {
    return await act()
  } finally {
    await server.command('CONFIG', 'SET', 'min-replicas-to-write', 0)
  }
}

/** Ways to every class of errors, by its name. */
export const provoked: Readonly<Record<string, Readonly<Record<string, Provoke>>>> = {
  ClientClosedError: {
    'a call after the end': async ({ server, name }) => {
      const client = await connect(server)
      await client.shutdown()
      await client.getLock(name).lock()
    },
  },
  ConfigError: {
    'a password in a list': ({ server }) => connect(server, { password: [password] as never }),
    'an address with a login and no port': ({ server }) =>
      connect(server, { address: `redis://${username}:${password}@` }),
    'a file whose name is a login': () => Redisson.create(`${username}:${password}@localhost`),
    'a login in the place of a setting': () =>
      Redisson.create({ [`${username}:${password}`]: password } as never),
    'a TLS key for a client of ioredis': () =>
      Redisson.create({ ioredis: { options: {}, duplicate: () => undefined }, tls }),
  },
  CrossSlotError: {
    'a name that a cluster cannot serve': async () => {
      await using client = await Redisson.create(cluster.options(IMPATIENT))
      client.getLock('a{b')
    },
  },
  AuthenticationError: {
    'a password that is wrong': ({ server }) => connect(server, { password: `${password}-wrong` }),
    'sentinels that refuse the login': () =>
      Redisson.create(sentinel.options({ ...IMPATIENT, sentinelUsername, sentinelPassword })),
    'a cluster that refuses the login': () =>
      Redisson.create(cluster.options({ ...IMPATIENT, username, password })),
  },
  CredentialsError: {
    'a program that returns them in the wrong place': () =>
      orItsCause(connectAsking(() => ({ username, token: password }) as never)),
    'a program that fails': () =>
      orItsCause(
        connectAsking(() => Promise.reject(Object.assign(new Error('It is sealed'), { username, password }))),
      ),
  },
  ConnectionLostError: {
    'credentials that cannot be used': () =>
      connectAsking(() => ({ username, password, expiresAt: password }) as never),
    'a port where there is no server': async () => connect(await nowhere()),
    'a TLS key for a server without TLS': ({ server }) =>
      connect(server, { address: `rediss://${addressOf(server)}`, connectTimeout: 1500 }, { tls }),
    'sentinels that are not there': async () => {
      const sentinelAddresses = [`redis://${addressOf(await nowhere())}`]
      await Redisson.create(
        sentinel.options({ ...IMPATIENT, sentinelAddresses, sentinelUsername, sentinelPassword }),
      )
    },
    'a connection that breaks': async ({ proxy, client, name }) => {
      proxy.loseReplyTo(name)
      await client.getLock(name).isLocked()
    },
  },
  ReplyTimeoutError: {
    'a server that is silent': async (world) => {
      await using client = await connectBriefly(world.proxy)
      await inSilence(world, () => client.getLock(world.name).isLocked())
    },
  },
  ServerNotReadyError: {
    'a server that refuses to write': (world) =>
      withoutReplicas(world, () => world.client.getLock(world.name).lock()),
  },
  SubscriptionTimeoutError: {
    'a subscription that is not confirmed': async ({ proxy, server, name }) => {
      await using client = await connect(proxy, { subscriptionTimeout: 500 })
      await using other = await connect(server)
      await using _hold = await other.getLock(name).acquire()
      proxy.onRequest(/^subscribe/i, (passing) => {
        passing.freeze()
      })
      await client.getLock(name).lock()
    },
  },
  CommandError: {
    'a user who may not listen': async ({ server, client, name }) => {
      await using deaf = await connect(server, { username: DEAF })
      await using _hold = await client.getLock(name).acquire()
      await deaf.getLock(name).lock()
    },
  },
  ScriptError: {
    'a command that there is not': ({ client, name }) => client.getFencingGuard(name).run(1, 'NONSENSE'),
  },
  UnexpectedReplyError: {
    'a text where a token should be': async ({ server, client, name }) => {
      await server.command('SET', `redisson_lock_token:{${name}}`, password)
      await client.getFencedLock(name).getToken()
    },
  },
  WrongTypeError: {
    'a text of the program': async ({ server, client, name }) => {
      await server.command('SET', name, password)
      await client.getLock(name).lock()
    },
  },
  CodecError: {
    'a value that cannot be written': ({ client, name }) =>
      client.getBucket(name).set({ password, login: { tries: NaN } }),
    'a value of a sorted set that cannot be written': ({ client, name }) =>
      client.getScoredSortedSet(name).add(1, { password, login: { tries: NaN } }),
    'bytes that cannot be read': async ({ server, client, name }) => {
      await server.command('SET', name, `{"password":"${password}"`)
      await client.getBucket(name).getAndDelete()
    },
  },
  MissingPackageError: {
    'a package that is not installed': () =>
      Promise.reject(new MissingPackageError('msgpackCodec()', 'msgpackr')),
  },
  NestedComputeError: {
    'a computation within one of the same entry': async ({ client, name }) => {
      const logins = client.getMap(name)
      await logins.compute(password, () => logins.compute(password, () => password))
    },
  },
  EntryContendedError: {
    'an entry that is changed during each computation': async ({ client, name }) => {
      const logins = client.getMap(name)
      let tries = 0
      try {
        await logins.compute(password, async () => {
          await logins.put(password, `${password}${String((tries += 1))}`)
          return password
        })
      } finally {
        await logins.delete()
      }
    },
  },
  IndexOutOfBoundsError: {
    'an index that a list does not have': ({ client, name }) => client.getList(name).set(1, password),
  },
  NoSuchElementError: {
    'a queue that is empty': ({ client, name }) => client.getQueue(name).element(),
  },
  BinaryStreamChangedError: {
    'a stream that writes to what was removed': async ({ client, name }) => {
      const stream = client.getBinaryStream(name)
      const writer = stream.writable().getWriter()
      await writer.write(Buffer.from(password))
      await stream.delete()
      await writer.write(Buffer.from(password))
    },
  },
  NoSuchGroupError: {
    'a stream without the group': ({ client, name }) =>
      client.getStream(name).createConsumer('group', password),
  },
  QueueFullError: {
    'a queue that has no room': async ({ client, name }) => {
      const queue = client.getReliableQueue<string>(name, { capacity: 1 })
      await queue.offer(password)
      await queue.offer(password)
    },
  },
  DeliveryLostError: {
    'a delivery that is settled': async ({ client, name }) => {
      const queue = client.getReliableQueue<string>(name)
      await queue.offer(password)
      const delivery = await queue.poll()
      await delivery?.ack()
      await delivery?.nack({ error: password })
    },
  },
  DeliveryCancelledError: {
    'a message that is cancelled while it is worked on': async ({ client, name }) => {
      const queue = client.getReliableQueue<string>(name)
      const id = await queue.offer(password)
      const delivery = await queue.poll()
      await queue.cancel(id)
      await delivery?.extend()
    },
  },
  CacheTimeoutError: {
    'a load that takes too long': ({ client, name }) =>
      client
        .getCache(name)
        .getOrLoad(password, () => new Promise((resolve) => setTimeout(resolve, 100)), { hardTimeoutMs: 1 }),
  },
  CapacityNotSetError: {
    'a ring buffer without a capacity': ({ client, name }) => client.getRingBuffer(name).add(password),
  },
  FilterNotInitializedError: {
    'a filter without settings': ({ client, name }) => client.getBloomFilter(name).add(password),
  },
  NoSuchMemberError: {
    'a search around a member that is not there': async ({ client, name }) => {
      const geo = client.getGeo<string>(name)
      await geo.add(1, 1, 'another')
      await geo.search({ from: { member: password }, radius: 1, unit: 'm' })
    },
  },
  NotificationsDisabledError: {
    'a listener at a server that does not notify': ({ client, name }) =>
      client.getBucket(name).addListener('deleted', () => undefined),
  },
  NotInBatchError: {
    'a walk in a batch': ({ client, name }) =>
      client.batch((batch) => [batch.getMap(name).containsValue(password)]),
  },
  BatchError: {
    'a batch of which a call has failed': async ({ server, client, name }) => {
      await server.command('SET', name, password)
      await client.batch((batch) => [batch.getAtomicLong(name).incrementAndGet()])
    },
  },
  MessageOverflowError: {
    'an iteration that takes no message': () => Promise.reject(new MessageOverflowError(1)),
  },
  UnsupportedCommandError: {
    'a server that is too old': () =>
      Promise.reject(
        new UnsupportedCommandError('spublish', 'Redis 7', { cause: new Error('ERR unknown command') }),
      ),
  },
  UnsafeIntegerError: {
    'a counter beyond what a number can say': async ({ server, client, name }) => {
      await server.command('SET', name, '9007199254740993')
      try {
        await client.getSemaphore(name).availablePermits()
      } finally {
        await server.command('DEL', name)
      }
    },
  },
  NoSuchObjectError: {
    'an object that is to be renamed': ({ client, name }) => client.getSemaphore(name).rename(name),
  },
  ObjectExistsError: {
    'an object that is to be restored': async ({ client, name }) => {
      const semaphore = client.getSemaphore(name)
      await semaphore.trySetPermits(1)
      await semaphore.restore((await semaphore.dump()) ?? new Uint8Array())
    },
  },
  CounterOverflowError: {
    'a counter at its largest': async ({ client, name }) => {
      const counter = client.getAtomicLong(name, { bigint: true })
      await counter.set(2n ** 63n - 1n)
      await counter.incrementAndGet()
    },
  },
  AbortError: {
    'a ping whose signal has aborted': async ({ client }) => {
      await client.ping({ signal: AbortSignal.abort() })
    },
  },
  AdderTimeoutError: {
    'a sum of a listener that does not reply': async ({ client, name }) => {
      const topic = client.getTopic(`{${name}}:adder-topic`, { codec: stringCodec() })
      await using _subscription = await topic.addListener(() => undefined)
      await client.getLongAdder(name).sum({ waitMs: 300 })
    },
  },
  AdderDestroyedError: {
    'sum() after destroy()': async ({ client, name }) => {
      const adder = client.getLongAdder(name)
      await adder.destroy()
      await adder.sum()
    },
  },
  NodeIdLostError: {
    'a node number whose key is another object': async ({ server, client, name }) => {
      await using ids = client.getSnowflake(name)
      await ids.nextId()
      await server.command('SET', name, password)
      await eventually(() => ids.node === undefined)
      await ids.nextId()
    },
  },
  SnowflakeTimeoutError: {
    'a clock that stands behind': async ({ server, client, name }) => {
      await using ids = client.getSnowflake(name, { nodeBits: 1 })
      await ids.nextId()
      await ids[Symbol.asyncDispose]()
      const bound = Date.now() + 60_000
      await server.command('ZADD', `{${name}}:bounds`, bound, '0', bound, '1')
      await ids.nextId({ waitMs: 0 })
    },
  },
  SnowflakeLayoutError: {
    'other bits': async ({ client, name }) => {
      await using ids = client.getSnowflake(name)
      await ids.nextId()
      await client.getSnowflake(name, { nodeBits: 5 }).nextId()
    },
  },
  SnowflakeTimeError: {
    'an epoch that is to come': ({ client, name }) =>
      client.getSnowflake(name, { epochMs: Date.now() + 60_000 }).nextId(),
  },
  LockNotHeldError: {
    'unlock() without lock()': ({ client, name }) => client.getLock(name).unlock(),
  },
  LockLostError: {
    'a lock that was forced': async ({ client, name }) => {
      await client.getLock(name).withLock(() => client.getLock(name).forceUnlock())
    },
  },
  LockTimeoutError: {
    'a lock that is held': async ({ client, name }) => {
      await using _hold = await client.getLock(name).acquire()
      await client.getLock(name).withLock(() => undefined, { waitMs: 300 })
    },
  },
  NestedLockError: {
    'a lock that is taken twice': async ({ client, name }) => {
      await client.getLock(name).lock()
      await client.getLock(name).lock()
    },
  },
  ForkedThreadError: {
    'a thread that asks twice at a time': ({ client, name }) =>
      client.runAsThread(() => Promise.all([client.getLock(name).lock(), client.getLock(name).lock()])),
  },
  LockReentryError: {
    'a lock that cannot be entered twice': ({ client, name }) =>
      client
        .getNonReentrantLock(name)
        .withLock(() => client.getNonReentrantLock(name).withLock(() => undefined)),
  },
  NotReplicatedError: {
    'a server without replicas': async ({ server, name }) => {
      await using client = await connect(server, {}, { slavesSyncTimeout: 50 })
      await client.getLock(name, { syncedReplicas: 1 }).lock()
    },
  },
  StaleTokenError: {
    'a token that is too small': async ({ client, name }) => {
      await client.getFencingGuard(name).accepts(2)
      await client.getFencingGuard(name).run(1, 'SET', password)
    },
  },
  OtherCopyError: {
    'a lock of another copy of the package': async ({ client }) => {
      await client.getMultiLock({ [Symbol.for('ioredisson')]: true, password } as never).lock()
    },
  },
  SameLockError: {
    'a lock that two clients bring': async ({ server, name }) => {
      await using one = await connect(server)
      await using other = await connect(server)
      one.getMultiLock(one.getLock(name), other.getLock(name))
    },
  },
  MultiUnlockError: {
    'a member that cannot be given back': async (world) => {
      const { client, name } = world
      const hold = await client.getMultiLock(client.getLock(`${name}1`), client.getLock(`${name}2`)).acquire()
      await inSilence(world, () => hold.unlock())
    },
  },
  QuorumError: {
    'a server that is silent': async (world) => {
      await using client = await connectBriefly(world.proxy)
      await inSilence(world, () => Redisson.createRedLock([client], world.name).lock())
    },
  },
  PermitTimeoutError: {
    'a semaphore without permits': ({ client, name }) =>
      client.getSemaphore(name).withPermit(() => undefined, { waitMs: 300 }),
  },
  PermitNotHeldError: {
    'a permit that never was': ({ client, name }) =>
      client.getPermitExpirableSemaphore(name).release('0'.repeat(32)),
  },
  PermitLostError: {
    'a permit that has expired': async ({ client, name }) => {
      const semaphore = client.getPermitExpirableSemaphore(name)
      await semaphore.trySetPermits(1)
      const hold = await semaphore.acquirePermit({ leaseMs: 50 })
      await aborted(hold.signal)
    },
  },
  MarkLostError: {
    'a mark that is gone': async ({ server, client, name }) => {
      const run = () => server.command('SET', `redisson_once:{${name}}:1`, password)
      await client.getOnce(name, { ttlMs: 1000 }).run(run, { fire: 1, retry: 'onCrash' })
    },
  },
  ElectionRunningError: {
    'a second candidate': async ({ client, name }) => {
      const stop = new AbortController()
      const running = client.getLeaderElection(name).run(() => undefined, { signal: stop.signal })
      try {
        await client.getLeaderElection(name).run(() => undefined)
      } finally {
        stop.abort()
        await running
      }
    },
  },
  WorkTimeoutError: {
    'a function that waits too long': async ({ client, name }) => {
      const limiter = client.getWorkLimiter(name, { concurrency: 1 })
      await limiter.run(() => limiter.run(() => password, { waitMs: 300 }))
    },
  },
  WorkQueueFullError: {
    'more functions than may wait': async ({ client, name }) => {
      const limiter = client.getWorkLimiter(name, { concurrency: 1, maxQueued: 1 })
      await Promise.all([limiter.run(() => password), limiter.run(() => password)])
    },
  },
  WorkLostError: {
    'a function whose place is gone': async ({ server, client, name }) => {
      await client.getWorkLimiter(name, { concurrency: 1 }).run(async ({ signal }) => {
        await server.command('DEL', `ioredisson_work:{${name}}`)
        await aborted(signal)
      })
    },
  },
  RateNotSetError: {
    'a rate that was never set': ({ client, name }) => client.getRateLimiter(name).acquire(),
  },
  RateTooLowError: {
    'more permits than the rate': async ({ client, name }) => {
      await client.getRateLimiter(name).trySetRate('OVERALL', 1, 1000)
      await client.getRateLimiter(name).acquire(2)
    },
  },
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => {
      reject(signal.reason as Error)
    }
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail)
  })
}
