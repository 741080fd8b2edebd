import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../../src/index.js'
import { elsewhere } from '../../support/elsewhere.js'
import { addressOf } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { slottedTopologies } from '../../support/topologies.js'

const BRIEFLY_MS = 50

/** Longer than a test may take. */
const SETTINGS = { timeout: 600_000, retryAttempts: 0, reconnectionDelay: 10 }

interface Kind {
  readonly what: string
  /** Makes the object known, so that its later calls send one request. */
  readonly begin: (client: RedissonClient, name: string) => Promise<unknown>
  readonly take: (client: RedissonClient, name: string, waitMs: number) => Promise<unknown>
  readonly remove: (client: RedissonClient, name: string) => Promise<unknown>
}

const all: readonly Kind[] = [
  {
    what: 'a lock',
    begin: (client, name) => client.getLock(name).lock(),
    take: (client, name, waitMs) => elsewhere(() => client.getLock(name).tryLock({ waitMs })),
    remove: (client, name) => client.getLock(name).forceUnlock(),
  },
  {
    what: 'values of a group',
    begin: (client, name) => client.getMultiLock(name, ['one', 'two']).lock(),
    take: (client, name, waitMs) =>
      elsewhere(() => client.getMultiLock(name, ['one', 'two']).tryLock({ waitMs })),
    remove: (client, name) => client.getMultiLock(name, ['one', 'two']).forceUnlock(),
  },
  {
    what: 'a semaphore',
    begin: (client, name) => client.getSemaphore(name).trySetPermits(0),
    take: (client, name, waitMs) => client.getSemaphore(name).tryAcquire({ waitMs }),
    remove: (client, name) => client.getSemaphore(name).delete(),
  },
  {
    what: 'a rate limiter',
    begin: async (client, name) => {
      await client.getRateLimiter(name).trySetRate('OVERALL', 1, 600_000)
      await client.getRateLimiter(name).acquire()
    },
    take: (client, name, waitMs) => client.getRateLimiter(name).tryAcquire({ waitMs }),
    remove: (client, name) => client.getRateLimiter(name).delete(),
  },
  {
    what: 'a work limiter',
    begin: (client, name) => client.getWorkLimiter(name, { concurrency: 1 }).counts(),
    take: (client, name, waitMs) =>
      client.getWorkLimiter(name, { concurrency: 1 }).run(() => undefined, { waitMs }),
    remove: () => Promise.resolve(),
  },
  {
    what: 'a queue',
    begin: (client, name) => client.getBlockingQueue(name).size(),
    take: (client, name, waitMs) => client.getBlockingQueue(name).poll({ waitMs }),
    remove: () => Promise.resolve(),
  },
  {
    what: 'a transfer queue',
    begin: (client, name) => client.getTransferQueue(name).size(),
    take: (client, name, waitMs) => client.getTransferQueue(name).tryTransfer('a', waitMs),
    remove: (client, name) => client.getTransferQueue(name).delete(),
  },
]

describe.each(slottedTopologies)('a server that is silent ($kind)', (topology) => {
  let door: Proxied<typeof topology>
  let client: RedissonClient
  let straight: RedissonClient

  noLeaks(topology, { keeps: /redisson_lock_token:|ioredisson_work/ })

  const heal = async () => {
    for (const proxy of door.proxies) await proxy.heal()
  }

  beforeAll(async () => {
    door = await proxied(topology)
    client = await Redisson.create(door.options(SETTINGS))
    straight = await Redisson.create(topology.options())
  })

  afterEach(heal)

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  it.each(all)(
    'is named by its address to those who wait for $what',
    async ({ what, begin, take, remove }) => {
      const name = `silent ${what}`
      await begin(client, name)
      for (const proxy of door.proxies) proxy.stall()
      const first = take(client, name, 4 * BRIEFLY_MS).catch((error: unknown) => error)
      const errors = [await take(client, name, BRIEFLY_MS).catch((error: unknown) => error), await first]
      const addresses = door.proxies.map((proxy) => addressOf(proxy))
      for (const error of errors) {
        expect(error).toMatchObject({ code: 'REPLY_TIMEOUT' })
        expect(addresses).toContain((error as { address: string }).address)
        expect(String(error)).toContain((error as { address: string }).address)
      }
      await heal()
      await remove(straight, name)
    },
  )
})
