import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import type { RedissonOptions, ServerOptions } from '../../../src/api/redisson-options.js'
import { Redisson } from '../../../src/client/redisson.js'
import { eventually } from '../../support/eventually.js'
import { addressOf, type MastersTopology } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied } from '../../support/proxied.js'
import { startProxy, type TcpProxy } from '../../support/proxy.js'
import { startMasters } from '../../support/servers.js'
import { cluster, everyTopology, sentinel, single } from '../../support/topologies.js'

const FAST: ServerOptions = { timeout: 200, retryAttempts: 50, retryDelay: 5, reconnectionDelay: 5 }

/** Longer than a test may take. */
const NEVER_MS = 600_000

/** Servers behind doors, which are closed at first. */
interface Place {
  readonly doors: readonly TcpProxy[]
  readonly options: (settings: ServerOptions) => RedissonOptions
}

const places: readonly [string, () => Promise<Place>][] = [
  ...everyTopology.map((topology): [string, () => Promise<Place>] => [
    topology.kind,
    async () => {
      const { proxies, ...door } = await proxied(topology)
      return { doors: proxies, options: (settings) => door.options(settings) }
    },
  ]),
  [
    'replicated',
    async () => {
      const doors = await Promise.all(sentinel.nodes.map((node) => startProxy(node)))
      const nodeAddresses = doors.map((door) => `redis://${addressOf(door)}`)
      return { doors, options: (settings) => ({ replicatedServersConfig: { nodeAddresses, ...settings } }) }
    },
  ],
]

describe.each(places)('a lazy client (%s)', (_, open) => {
  let place: Place
  const clients: RedissonClient[] = []

  for (const topology of everyTopology) noLeaks(topology)

  const lazy = async (settings: ServerOptions = {}): Promise<RedissonClient> => {
    const options = place.options({ ...FAST, ...settings })
    const client = await Redisson.create({ ...options, lazyInitialization: true })
    clients.push(client)
    return client
  }
  const closed = () => {
    for (const door of place.doors) door.refuse()
  }
  const opened = () => Promise.all(place.doors.map((door) => door.accept()))

  beforeAll(async () => {
    place = await open()
  })

  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.shutdown()))
    await Promise.all(place.doors.map((door) => door.heal()))
  })

  afterAll(async () => {
    await Promise.all(place.doors.map((door) => door.close()))
  })

  it('is there before its servers are, and then does all that a client does', async () => {
    closed()
    const connected: string[] = []
    const [one, other] = [await lazy(), await lazy()]
    one.on('connected', ({ purpose }) => connected.push(purpose))
    const first = one.getLock('early').acquire()
    await sleep(100)
    expect(connected).toEqual([])
    await opened()
    const hold = await first
    const second = other.getLock('early').acquire()
    await sleep(20)
    await hold.unlock()
    await (await second).unlock()
    expect(connected).toContain('commands')
  })

  it('connects without a call', async () => {
    closed()
    const client = await lazy()
    const connected = vi.fn()
    client.on('connected', connected)
    await sleep(50)
    await opened()
    await eventually(() => connected.mock.calls.length > 0)
  })

  it('counts a call once whose first requests found no server', async () => {
    closed()
    const client = await lazy({ timeout: 30, retryAttempts: 100 })
    const permits = client.getSemaphore('once')
    const added = permits.addPermits(5)
    await sleep(200)
    await opened()
    await added
    expect(await permits.availablePermits()).toBe(5)
    await permits.delete()
  })

  it('says at its calls why there is no connection', async () => {
    closed()
    const client = await lazy({ retryAttempts: 0 })
    await expect(client.getLock('nowhere').isLocked()).rejects.toMatchObject({
      code: 'CONNECTION_LOST',
      attempts: 1,
      message: expect.stringMatching(
        /^Could not connect to Redis .*ECONN.* \(lock\/inspect of nowhere, 1 attempt/,
      ),
    })
  })

  it('says at its calls that it was refused', async () => {
    const client = await lazy({ username: 'unknown', password: 'x' })
    await expect(client.getLock('nowhere').isLocked()).rejects.toMatchObject({ code: 'AUTHENTICATION' })
  })

  it('says the same of subscriptions, as their cause', { tags: ['timed'] }, async () => {
    closed()
    const client = await lazy({ subscriptionTimeout: 300 })
    await expect(client.getTopic('nowhere').addListener(() => undefined)).rejects.toMatchObject({
      code: 'SUBSCRIPTION_TIMEOUT',
      cause: { message: expect.stringMatching(/^Could not connect to Redis .*ECONN/) },
    })
    await opened()
    const refused = await lazy({ username: 'unknown', password: 'x', subscriptionTimeout: 300 })
    await expect(refused.getTopic('nowhere').addListener(() => undefined)).rejects.toMatchObject({
      code: 'SUBSCRIPTION_TIMEOUT',
      cause: { code: 'AUTHENTICATION' },
    })
  })

  it.each([
    ['refuse', closed],
    [
      'are silent',
      () => {
        for (const door of place.doors) door.stall()
      },
    ],
  ])('can be shut down at any time while its servers %s', async (__, harm) => {
    harm()
    const client = await lazy({ timeout: NEVER_MS, connectTimeout: NEVER_MS })
    await sleep(30)
    await client.shutdown()
    await (await lazy()).shutdown()
  })
})

describe('a lazy client of a cluster', () => {
  noLeaks(cluster)

  it('says at its first call of each node why it cannot be reached', async () => {
    const { proxies, ...door } = await proxied(cluster)
    for (const proxy of proxies) proxy.refuse()
    const options = door.options({ ...FAST, retryAttempts: 0 })
    const client = await Redisson.create({ ...options, lazyInitialization: true })
    const outcome = await client
      .getLock('nowhere')
      .isLocked()
      .catch((error: unknown) => String(error))
    for (const proxy of proxies) expect(outcome).toContain(`${addressOf(proxy)}: connect ECONNREFUSED`)
    await client.shutdown()
    await Promise.all(proxies.map((proxy) => proxy.close()))
  })
})

describe('a red lock over five servers of which two are down at the start', () => {
  let masters: MastersTopology
  let doors: readonly TcpProxy[]

  beforeAll(async () => {
    masters = await startMasters(5)
    doors = await Promise.all(masters.nodes.map((node) => startProxy(node)))
  })

  afterAll(async () => {
    await Promise.all(doors.map((door) => door.close()))
    await masters.stop()
  })

  it('is had, and takes the two in when they come', async () => {
    for (const door of doors.slice(0, 2)) door.refuse()
    const clients = await Promise.all(
      doors.map((door) =>
        Redisson.create({
          singleServerConfig: { address: `redis://${addressOf(door)}`, ...FAST },
          lazyInitialization: true,
        }),
      ),
    )
    const there = vi.fn()
    for (const client of clients.slice(0, 2)) client.on('connected', there)
    const first = await Redisson.createRedLock(clients, 'orders').acquire()
    await first.unlock()
    await Promise.all(doors.map((door) => door.accept()))
    await eventually(() => there.mock.calls.length >= 2)
    for (const door of doors.slice(3)) {
      door.refuse()
      door.cut()
    }
    const second = await Redisson.createRedLock(clients, 'orders').acquire()
    await second.unlock()
    await Promise.all(clients.map((client) => client.shutdown()))
  })
})

describe('a client that waits for its server', () => {
  noLeaks(single)

  const waiting = (door: TcpProxy, connectWaitMs: number, settings: ServerOptions = {}) =>
    Redisson.create({
      singleServerConfig: { address: `redis://${addressOf(door)}`, ...settings },
      connectWaitMs,
    })

  it('is connected when it comes, although the usual attempts are over', async () => {
    const [server] = single.nodes
    await using door = await startProxy(server)
    door.refuse()
    const connecting = waiting(door, NEVER_MS, { retryAttempts: 0 })
    await sleep(500)
    await door.accept()
    await using client = await connecting
    expect(await client.getLock('late').isLocked()).toBe(false)
  })

  it.each([
    ['waits', { connectWaitMs: NEVER_MS }],
    ['is lazy', { lazyInitialization: true }],
  ])('has the settings of a client of ioredis, and %s', async (_, start) => {
    await using door = await startProxy(single.nodes[0])
    door.refuse()
    const ioredis = new Redis({
      host: door.host,
      port: door.port,
      lazyConnect: true,
      retryStrategy: () => null,
    })
    const creating = Redisson.create({ ioredis, ...start })
    const locking = creating.then((client) => client.getLock('late').acquire())
    await sleep(500)
    await door.accept()
    await using client = await creating
    const hold = await locking
    await hold.unlock()
    expect(await client.getLock('late').isLocked()).toBe(false)
    expect(ioredis.status).toBe('wait') // it was only read
  })

  it('does not pause for as long as usual between its attempts', async () => {
    const [server] = single.nodes
    await using door = await startProxy(server)
    door.refuse()
    const connecting = waiting(door, NEVER_MS, { reconnectionDelay: NEVER_MS })
    await sleep(100)
    await door.accept()
    await using client = await connecting
    expect(client).toBeDefined()
  })

  it('gives up when the time is over, and says why', { tags: ['timed'] }, async () => {
    await using door = await startProxy(single.nodes[0])
    door.refuse()
    await expect(waiting(door, 300, { reconnectionDelay: 10 })).rejects.toMatchObject({
      code: 'CONNECTION_LOST',
      message: expect.stringContaining('ECONNREFUSED'),
      elapsedMs: expect.closeTo(300, -3),
    })
  })

  it('gives up at once when it is refused', async () => {
    await using door = await startProxy(single.nodes[0])
    await expect(waiting(door, 60_000, { username: 'unknown', password: 'x' })).rejects.toMatchObject({
      code: 'AUTHENTICATION',
    })
  })

  it('is not lazy as well', async () => {
    const options = { ...single.options(), lazyInitialization: true, connectWaitMs: 1000 }
    await expect(Redisson.create(options)).rejects.toThrow(
      'Expected `connectWaitMs` to be absent, as `lazyInitialization` does not wait, got 1000',
    )
  })
})
