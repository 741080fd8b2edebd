import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RedissonClient } from '../../src/api/redisson-client.js'
import type { RedissonOptions } from '../../src/api/redisson-options.js'
import { Redisson } from '../../src/client/redisson.js'
import { commandsIn, type Code } from '../../src/command/operation/script.js'
import { channelsOf } from '../support/channels.js'
import { eventually } from '../support/eventually.js'
import { knowsEndsOfFields } from '../collections/map-cache-native/ends-of-fields.js'
import { noLeaks } from '../support/no-leaks.js'
import type { ServerNode } from '../support/launch/topology.js'
import { cluster, sentinel, single } from '../support/topologies.js'

const [server] = single.nodes
const page = readFileSync(new URL('../../docs/guide/permissions.md', import.meta.url), 'utf8')

noLeaks(single, { except: /redisson_lock_token|\{app:/ })

/** The rights of one row of the page, by its first cell. */
function rightsOf(row: string): string[] {
  const line = page.split('\n').find((each) => each.startsWith(`| ${row} `)) ?? ''
  const [, rights = ''] = /\|[^|]*\|[^`]*`([^`]+)`/.exec(line) ?? []
  const own = rights.replaceAll('\\|', '|').split(' ').filter(Boolean)
  if (own.length === 0) throw new Error(`The page has no row for ${row}`)
  return own
}

const BASE = /ACL SETUSER app on >secret\n((?: {2}[~&+].*\n)+)/
  .exec(page)?.[1]
  ?.trim()
  .split(/\s+/) as readonly string[]

let names = 0

/** Logs in with these rights and no other. */
async function loggedIn<T>(
  rights: readonly string[],
  use: (client: RedissonClient) => Promise<T>,
): Promise<T> {
  await server.command('ACL', 'SETUSER', 'app', 'reset', 'on', '>secret', ...rights)
  const client = await Redisson.create(
    single.options({ username: 'app', password: 'secret', retryAttempts: 0 }),
  )
  try {
    return await use(client)
  } finally {
    await client.shutdown()
  }
}

type Use = (client: RedissonClient, name: string) => Promise<unknown>

/** Waits until a condition holds, or the call that is waited with has failed. */
async function untilOver(call: Promise<unknown>, condition: () => Promise<boolean>): Promise<void> {
  let failed = false
  call.catch(() => {
    failed = true
  })
  await eventually(async () => failed || (await condition()))
}

/** Waits for a hold that another one has, until it is given back. */
async function handedOver(name: string, take: () => Promise<() => Promise<unknown>>): Promise<void> {
  const give = await take()
  const waiting = take()
  await untilOver(waiting, async () => {
    const queues = (await server.command('KEYS', 'redisson_lock_queue:*')) as string[]
    return [...(await channelsOf(single)), ...queues].some((trace) => trace.includes(name))
  })
  await give()
  await (
    await waiting
  )()
}

/** How the objects of each row are used. */
const families: Readonly<Record<string, Use>> = {
  locks: async (client, name) => {
    const lock = client.getLock(name)
    await handedOver(name, async () => {
      const hold = await lock.acquire({ waitMs: 5000 })
      return () => hold.unlock()
    })
    const readWrite = client.getReadWriteLock(`${name}-rw`)
    await readWrite.readLock().withLock(() => undefined)
    await readWrite.writeLock().withLock(() => undefined)
    await client.getFencedLock(`${name}-fenced`).withLock(() => undefined)
  },
  'fair locks': (client, name) =>
    handedOver(name, async () => {
      const hold = await client.getFairLock(name).acquire({ waitMs: 5000 })
      return () => hold.unlock()
    }),
  synchronizers: async (client, name) => {
    const semaphore = client.getSemaphore(name, { permits: 1 })
    await handedOver(name, async () => {
      await semaphore.acquire()
      return () => semaphore.release()
    })
    await client.getPermitExpirableSemaphore(`${name}-leased`, { permits: 1 }).withPermit(() => undefined)
    const latch = client.getCountDownLatch(`${name}-latch`)
    await latch.trySetCount(1)
    await latch.countDown()
    await latch.await()
  },
  'rate limiters': async (client, name) => {
    const limiter = client.getRateLimiter(name)
    await limiter.trySetRate('OVERALL', 5, 1000)
    await limiter.tryAcquire()
    const each = client.getRateLimiter(`${name}-each`, { algorithm: 'gcra', limit: 1, perMs: 10 })
    await each.consume('a')
    await each.acquire('a')
    await each.refund('a')
    await each.reset('a')
  },
  'work limiters': async (client, name) => {
    const limiter = client.getWorkLimiter(name, { concurrency: 1, rate: { limit: 10, perMs: 10 } })
    await Promise.all([limiter.run(() => 1), limiter.run(() => 2)])
    await limiter.counts()
    await limiter.reset()
  },
  values: async (client, name) => {
    await client.getBucket(name).set(1, 60_000)
    await client.getBucket(name).get()
    await client.getAtomicLong(`${name}-n`, { exactlyOnce: true }).incrementAndGet()
    await client.getBitSet(`${name}-bits`).set(1)
    await client.getHyperLogLog(`${name}-log`).add('x')
    const filter = client.getBloomFilter(`${name}-filter`)
    await filter.tryInit(100, 0.01)
    await filter.add('x')
    const adder = client.getLongAdder(`${name}-adder`)
    adder.add(1)
    await adder.sum()
    await adder.destroy()
  },
  collections: async (client, name) => {
    await client.getMap<string, number>(`${name}-map`).compute('k', (_, value = 0) => value + 1)
    await client.getSet(`${name}-set`).add(1)
    await client.getList(`${name}-list`).add(1)
    await client.getQueue(`${name}-queue`).addAll([1, 2])
    await client.getQueue(`${name}-queue`).poll(1)
    await client.getDeque(`${name}-queue`).move({ poll: 'first', addLastTo: `${name}-queue` })
    await client.getScoredSortedSet(`${name}-scores`).add(1, 'a')
    await client.getSortedSet(`${name}-sorted`).add('a')
    await client.getSetMultimap(`${name}-multimap`).put('k', 1)
    await client.getPriorityDeque(`${name}-priority`).addAll(['b', 'a', 'c'])
    await client.getPriorityDeque(`${name}-priority`).pollLast()
    await client.getMaps().set({ [`${name}-map`]: { a: 1 } })
    await client.getMapCache(`${name}-cache`).setMaxSize(1)
    await client.getMapCache(`${name}-cache`).putAll({ a: 1, b: 2 }, { ttlMs: 60_000, maxIdleMs: 60_000 })
    await client.getMapCache(`${name}-cache`).readAllMap()
    await client.getSetCache(`${name}-values`).addAll([1, 2], { ttlMs: 60_000 })
    await client.getSetCache(`${name}-values`).random()
    await client.getSetMultimapCache(`${name}-ending`).put('k', 1)
    await client.getSetMultimapCache(`${name}-ending`).expireKey('k', 60_000)
    await client.getSetMultimapCache(`${name}-ending`).size()
    const native = client.getSetMultimapCacheNative(`${name}-native`)
    await native.put('k', 1)
    if (knowsEndsOfFields) await native.expireKey('k', 60_000)
    await native.getAll('k')
    await using local = client.getLocalCachedMap(`${name}-local`, { reconnectionStrategy: 'LOAD' })
    await local.preloadCache()
    await local.putAll({ a: 1 })
    await local.clearLocalCache()
    await using localCache = client.getLocalCachedMapCache(`${name}-local-cache`)
    await localCache.put('a', 1, { ttlMs: 60_000, maxIdleMs: 60_000 })
    await localCache.get('a')
    await localCache.preloadCache()
    await client.getRingBuffer(`${name}-ring`).setCapacity(1)
    await client.getRingBuffer(`${name}-ring`).addAll([1, 2])
    await client.getBoundedBlockingQueue(`${name}-bounded`).trySetCapacity(1)
    await client.getBoundedBlockingQueue(`${name}-bounded`).put(1)
    await client.getBoundedBlockingQueue(`${name}-bounded`).take()
    await client.getGeo(`${name}-geo`).add(1, 1, 'x')
  },
  'reliable queues': async (client, name) => {
    const options = { groupConcurrency: 1, capacity: 9, rate: { limit: 9, perMs: 1_000 }, maxDeliveries: 1 }
    const jobs = client.getReliableQueue<string>(name, options)
    const { promise: done, resolve } = Promise.withResolvers<string>()
    const worker = jobs.process(({ value }) => {
      resolve(value)
    })
    await jobs.offer('a', { delayMs: 1, group: 'g', dedup: { id: 'x', ttlMs: 60_000 } })
    expect(await done).toBe('a')
    await worker.close()
    await jobs.offerAll(['b', 'c'], { group: 'g' })
    const delivery = await jobs.poll()
    await delivery?.extend(60_000)
    await delivery?.nack()
    expect(await jobs.redrive()).toBe(1)
    expect(await jobs.cancel((await jobs.peek())[0]?.id ?? '')).toBe(true)
    expect(await jobs.clear()).toBe(1)
  },
  streams: async (client, name) => {
    const stream = client.getStream(name)
    await stream.add({ a: 1 })
    const options = { maxDeliveries: 1, deadLetter: `${name}-dead`, claimIdleMs: 100 }
    for await (const message of stream.consumer('group', options)) {
      await message.nack()
      break
    }
    await stream.readGroup('group', 'other', { waitMs: 1 })
    await stream.pendingRange('group')
    await stream.trim({ maxLen: 0 })
    await stream.removeGroup('group')
  },
  topics: async (client, name) => {
    const listening = await client.getTopic(name).addListener(() => undefined)
    await client.getTopic(name).publish(1)
    await listening.unsubscribe()
    const all = await client.getPatternTopic('app:*').addListener(() => undefined)
    await all.unsubscribe()
  },
  'reliable topics': async (client, name) => {
    const topic = client.getReliableTopic<number>(name)
    for (const options of [{}, { subscriber: 'billing' }]) {
      const { promise: heard, resolve } = Promise.withResolvers<number>()
      const listening = await topic.addListener(resolve, options)
      await topic.publish(1)
      expect(await heard).toBe(1)
      await listening.unsubscribe()
    }
    await topic.removeSubscriber('billing')
  },
  'waiting polls': async (client, name) => {
    const jobs = client.getScoredSortedSet<string>(name)
    const taken = jobs.takeFirst()
    await untilOver(taken, async () => /redir=\d/.test(String(await server.command('CLIENT', 'LIST'))))
    const looks = async () =>
      /cmdstat_zcard:calls=(\d+)/.exec(String(await server.command('INFO', 'commandstats')))?.[1]
    const before = await looks()
    const addAndTake = "redis.call('zadd', KEYS[1], 1, 'x') redis.call('zpopmin', KEYS[1])"
    await server.command('EVAL', addAndTake, 1, name) // another client was faster: this one looks whether there is more
    await untilOver(taken, async () => (await looks()) !== before)
    await jobs.add(1, 'job')
    expect(await taken).toBe('job')
  },
  caches: async (client, name) => {
    const cache = client.getCache(name, { redisTimeoutMs: 20_000, ttlMs: 60_000, tags: ['app:t'] })
    await cache.getOrLoad('app:a', () => 1)
    await cache.getOrLoad('app:b', () => Promise.reject(new Error('it failed'))).catch(() => undefined)
    await cache.set('app:a', 2)
    await cache.deleteTag('app:t')
    await cache.clear()
    await cache.delete('app:a')
    const calls = [cache.getOrLoad('app:c', () => sleep(50, 1)), cache.getOrLoad('app:c', () => 2)]
    await Promise.all(calls)
  },
  'client-side caching': async (client, name) => {
    await using cached = client.getClientSideCaching()
    const bucket = cached.getBucket<string>(name)
    await bucket.set('a')
    const gets = async () =>
      /cmdstat_get:calls=(\d+)/.exec(String(await server.command('INFO', 'commandstats')))?.[1]
    await eventually(async () => {
      const before = await gets()
      await bucket.get()
      return (await gets()) === before // it is kept
    })
    await server.command('SET', name, '"b"')
    await eventually(async () => (await bucket.get()) === 'b')
    await bucket.delete()
  },
  snowflakes: (client, name) => client.getSnowflake(name).nextId(),
  '`getOnce`': (client, name) =>
    client.getOnce(name, { ttlMs: 60_000 }).run(() => undefined, { fire: new Date(0) }),
}

afterEach(async () => {
  for (const key of (await server.command('KEYS', '*app:*')) as string[]) await server.command('DEL', key)
  await server.command('ACL', 'DELUSER', 'app')
})

describe('a user with the rights of the guide', () => {
  it.each(Object.entries(families))('can use %s', async (row, use) => {
    await loggedIn([...BASE, ...rightsOf(row)], (client) => use(client, `app:all-${String(names++)}`))
  })
})

/** The rights that names with a hash tag need besides. */
const TAGGED = /such as `app:\{eu\}:orders`[^|]*?needs ((?:`[^`]+`(?:,| and|\s)*)+)/
  .exec(page)?.[1]
  ?.match(/[~&][^`]+/g) as readonly string[]

describe('a user with the rights of the guide for names with a hash tag', () => {
  it.each(Object.entries(families))('can use %s', async (row, use) => {
    const rights = [...BASE, ...TAGGED, ...rightsOf(row)]
    await loggedIn(rights, (client) => use(client, `app:{eu}:all-${String(names++)}`))
  })

  it('can use calls that take effect once, maps that write behind, and batches', async () => {
    const rights = [...BASE, ...TAGGED, ...rightsOf('collections'), ...rightsOf('topics')]
    const exactlyOnce = true
    await loggedIn([...rights, '+multi', '+exec', '+echo'], async (client) => {
      const name = `app:{eu}:all-${String(names++)}`
      await client.getMap(`${name}-map`, { exactlyOnce }).addAndGet('k', 1)
      await client.getList(`${name}-list`, { exactlyOnce }).add(1)
      await client.getTopic(`${name}-topic`, { exactlyOnce }).publish(1)
      await client.batch((batch) => [batch.getAtomicLong(`${name}-n`).addAndGet(1)], {
        mode: 'atomic',
        exactlyOnce,
      })
      const writer = { write: () => undefined, delete: () => undefined }
      const behind = client.getMap(`${name}-behind`, { writeMode: 'WRITE_BEHIND', writer })
      await behind.put('k', 1)
      await behind.flush()
    })
  })
})

describe('a user with the rights of the guide, elsewhere', () => {
  const login = { username: 'app', password: 'secret', retryAttempts: 0 }
  const lockThere = async (options: RedissonOptions) => {
    const client = await Redisson.create(options)
    await client.getLock('app:there').withLock(() => undefined)
    await client.shutdown()
  }

  async function withUser(
    nodes: readonly ServerNode[],
    rights: readonly string[],
    use: () => Promise<void>,
  ): Promise<void> {
    for (const node of nodes) await node.command('ACL', 'SETUSER', 'app', 'reset', 'on', '>secret', ...rights)
    try {
      await use()
    } finally {
      for (const node of nodes) await node.command('ACL', 'DELUSER', 'app')
    }
  }

  it('connects to a cluster', async () => {
    const inCluster = [
      ...BASE,
      ...rightsOf('locks'),
      ...rightsOf('cluster'),
      ...rightsOf('messages in a cluster'),
    ]
    const rights = inCluster.filter((each) => !/^\+(?:publish|subscribe|unsubscribe)$/.test(each))
    await withUser(cluster.nodes, rights, () => lockThere(cluster.options(login)))
    await withUser(
      cluster.nodes,
      rights.filter((each) => each !== '+cluster|slots'),
      () => expect(lockThere(cluster.options(login))).rejects.toThrow(/cluster\|slots/),
    )
  })

  it('connects to sentinels, and to the master that they name', async () => {
    const [, own = ''] = /at the sentinels:\s*`ACL SETUSER app on >secret ([^`]+)`/.exec(page) ?? []
    const sentinelLogin = { sentinelUsername: 'app', sentinelPassword: 'secret' }
    await withUser(sentinel.nodes, [...BASE, ...rightsOf('locks')], () =>
      withUser(sentinel.sentinels, own.split(/\s+/), () =>
        lockThere(sentinel.options({ ...login, ...sentinelLogin })),
      ),
    )
  })

  it('connects to a master among its replicas', async () => {
    const nodeAddresses = sentinel.nodes.map(({ host, port }) => `redis://${host}:${port}`)
    const options = { replicatedServersConfig: { nodeAddresses, ...login } }
    const rights = [...BASE, ...rightsOf('locks'), ...rightsOf('replicated')]
    await withUser(sentinel.nodes, rights, () => lockThere(options))
    await withUser(
      sentinel.nodes,
      rights.filter((each) => each !== '+role'),
      () => expect(lockThere(options)).rejects.toThrow(/run the 'role' command/),
    )
  })
})

/** A script may not run a command. Redis 7.0 does not say which one, and then the error lists those of the script. */
const unableTo = (command: string, script = '') =>
  new RegExp(`${script}.*(it needs the commands .*${command.toUpperCase()}|run the '${command}' command)`)

/** One right less, and what the error says then. */
const LESS: readonly (readonly [row: string, right: string, error: RegExp])[] = [
  ['locks', '+hgetall', unableTo('hgetall', 'lock/acquire: ')],
  ['locks', '+subscribe', /run the 'subscribe' command/],
  ['locks', '~*{app:*', /it needs the keys 'app:less-\d+', 'redisson_unlock_latch:\{app:less-\d+\}/],
  ['locks', '&*{app:*', /it needs the channel 'redisson_lock__channel:\{app:less-\d+\}'/],
  ['locks', '+evalsha', /run the 'evalsha' command/],
  ['fair locks', '+time', unableTo('time', 'fair-lock/acquire: ')],
  ['fair locks', '+lrem', unableTo('lrem')],
  ['synchronizers', '+decrby', unableTo('decrby', 'semaphore/acquire: ')],
  ['synchronizers', '~*{app:*', /it needs the keys 'app:less-\d+', '/],
  ['rate limiters', '+zrevrange', unableTo('zrevrange', 'rate-limiter/acquire: ')],
  ['values', '+@string', /run the 'psetex' command|run the 'set' command/],
  ['values', '~app:*', /it needs the key 'app:less-\d+/],
  ['collections', '+@geo', /GEOADD: NOPERM .*run the 'geoadd' command/],
  ['collections', '+@list', /RPUSH: NOPERM .*run the 'rpush' command/],
  ['topics', '&app:*', /it needs the channel 'app:less-\d+/],
  ['topics', '+psubscribe', /run the 'psubscribe' command/],
  ['waiting polls', '+zpopmin', unableTo('zpopmin')],
  ['snowflakes', '+time', unableTo('time', 'snowflake/acquire: ')],
  ['`getOnce`', '+set', unableTo('set')],
]

describe('a user with one right less', () => {
  it.each(LESS)('cannot use %s without %s, and is told what is missing', async (row, right, message) => {
    const all = [...BASE, ...rightsOf(row)]
    const less = all.filter((each) => each !== right)
    expect(less).not.toEqual(all)
    const use = families[row] as Use
    await expect(loggedIn(less, (client) => use(client, `app:less-${String(names++)}`))).rejects.toThrow(
      message,
    )
  })
})

it('a user who may not hear of changed keys is warned', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
  const rights = [...BASE, ...rightsOf('waiting polls')].filter((each) => each !== '+client|tracking')
  await loggedIn(rights, async (client) => {
    const name = `app:less-${String(names++)}`
    const end = new AbortController()
    const taken = client.getScoredSortedSet(name).takeFirst({ signal: end.signal })
    await untilOver(taken, () => Promise.resolve(warned.mock.calls.length > 0))
    expect(warned.mock.calls).toEqual([
      [expect.stringMatching(/run the 'client\|tracking' command/), { code: 'REDISSON_NO_KEY_TRACKING' }],
    ])
    end.abort()
    await expect(taken).rejects.toThrow()
  })
  warned.mockRestore()
})

/** The folders of scripts whose commands a row lists. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  locks: ['locks/{reentrant,shared,read-write,fenced,spin,multi,multi-value}/**'],
  'fair locks': ['locks/fair'],
  synchronizers: ['synchronizers/{semaphore,permit-expirable-semaphore,count-down-latch,shared}/**'],
  'rate limiters': ['synchronizers/{rate-limiter,gcra-rate-limiter}'],
  'work limiters': ['synchronizers/work-limiter'],
  'reliable queues': ['queues/reliable-queue'],
  snowflakes: ['counters/snowflake'],
  '`getOnce`': ['services/once'],
}

describe('the page on rights', () => {
  it.each(Object.entries(FOLDERS))('has the commands of all scripts: %s', async (row, folders) => {
    const missing = new Set<string>()
    for (const command of await commandsOfScripts(folders)) {
      const right = `+${command.toLowerCase()}`
      const isOfAll = [...BASE, ...OF_ALL_OBJECTS].includes(right)
      if (!isOfAll && !rightsOf(row).includes(right)) missing.add(right)
    }
    expect([...missing]).toEqual([])
  })
})

/** The commands of methods that every object has, which are another matter than using it. */
const OF_ALL_OBJECTS = 'copy dump memory move object rename restore select touch'
  .split(' ')
  .map((command) => `+${command}`)

async function commandsOfScripts(folders: readonly string[]): Promise<readonly string[]> {
  const source = fileURLToPath(new URL('../../src', import.meta.url))
  const files = folders.flatMap((folder) => globSync(`${folder}/*.scripts.ts`, { cwd: source }))
  expect(files).not.toEqual([])
  const modules = (await Promise.all(
    files.map((file) => import(pathToFileURL(join(source, file)).href)),
  )) as Readonly<Record<string, Partial<Code>>>[]
  return modules.flatMap((module) =>
    Object.values(module).flatMap(({ source: text = '' }) => commandsIn(text)),
  )
}
