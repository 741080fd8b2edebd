import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { Cluster } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RedissonOptions } from '../../../src/api/redisson-options.js'
import { Redisson } from '../../../src/client/redisson.js'
import { addressOf } from '../../support/launch/topology.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { cluster, sentinel } from '../../support/topologies.js'

/** Each choice of one among three nodes, as ioredis makes it: by chance. */
const CHANCES = [0, 0.4, 0.9]

/** One attempt has to do. */
const ONCE = { retryAttempts: 0, retryDelay: 1, timeout: 500 } as const

let door: Proxied<typeof cluster>

beforeAll(async () => {
  door = await proxied(cluster)
})

afterEach(async () => {
  vi.restoreAllMocks()
  await Promise.all(door.proxies.map((proxy) => proxy.heal()))
})

afterAll(() => door.stop())

/** Where the nodes are reached. */
const doors = () =>
  Object.fromEntries(
    door.nodes.map((node) => {
      const { host, port } = door.proxyOf(node)
      return [addressOf(node), { host, port }]
    }),
  )

const clusterOfIoredis = (options = {}) =>
  new Cluster(
    door.proxies.map(({ host, port }) => ({ host, port })),
    {
      natMap: doors(),
      lazyConnect: true,
      ...options,
    },
  )

/** The proxies of the three masters. */
async function mastersOf(): Promise<Proxied<typeof cluster>['proxies']> {
  const roles = await Promise.all(
    door.nodes.map(async (node) => ({ node, role: (await node.command('ROLE')) as unknown[] })),
  )
  return roles.filter(({ role }) => role[0] === 'master').map(({ node }) => door.proxyOf(node))
}

/** Connects with each choice that ioredis can make. */
async function expectConnecting(options: () => RedissonOptions): Promise<void> {
  for (const chance of CHANCES) {
    vi.spyOn(Math, 'random').mockReturnValue(chance)
    const client = await Redisson.create(options())
    vi.restoreAllMocks()
    await client.shutdown()
  }
}

describe('a client of a cluster with one master that is down', () => {
  it.each(['AUTO', 'ON', 'OFF'] as const)('connects, whichever node is asked first (%s)', async (mode) => {
    for (const master of await mastersOf()) {
      master.refuse()
      master.cut()
      await expectConnecting(() => door.options({ ...ONCE, shardedSubscriptionMode: mode }))
      await master.heal()
    }
  })

  it('connects like one of ioredis', async () => {
    for (const master of await mastersOf()) {
      master.refuse()
      master.cut()
      await expectConnecting(() => ({ ioredis: clusterOfIoredis() }))
      await master.heal()
    }
  })

  it('connects over one of ioredis that is connected', async () => {
    const shared = clusterOfIoredis({ retryDelayOnFailover: 0, redisOptions: { maxRetriesPerRequest: 0 } })
    await shared.connect()
    for (const master of await mastersOf()) {
      master.refuse()
      master.cut()
      await expectConnecting(() => ({ ioredis: shared, share: true }))
      await master.heal()
    }
    shared.disconnect()
  })

  it('connects although that one is silent', async () => {
    const [first] = await mastersOf()
    first?.stall()
    await expectConnecting(() => door.options(ONCE))
  })
})

describe('a name with several addresses of which the first is dead', () => {
  const lookup = dns.lookup
  const addresses = ['127.0.0.9', '127.0.0.1']
  const found = addresses.map((address) => ({ address, family: 4 }))

  beforeAll(() => {
    dns.lookup = ((host: string, options: dns.LookupOptions, callback: (...found: unknown[]) => void) => {
      const answer = typeof options === 'function' ? (options as typeof callback) : callback
      if (host !== 'several.internal') lookup(host, options, callback)
      else if ((options as Partial<dns.LookupOptions>).all === true) setImmediate(answer, null, found)
      else setImmediate(answer, null, addresses[0], 4)
    }) as typeof dns.lookup
    syncBuiltinESMExports()
  })

  afterAll(() => {
    dns.lookup = lookup
    syncBuiltinESMExports()
  })

  const port = () => door.proxies[0]?.port ?? NaN
  const address = (at = port()) => `redis://several.internal:${String(at)}`

  it.each<[string, () => RedissonOptions]>([
    [
      'a cluster',
      () => ({ clusterServersConfig: { nodeAddresses: [address()], natMapper: doors(), ...ONCE } }),
    ],
    [
      'a cluster of ioredis',
      () => ({
        ioredis: new Cluster([{ host: 'several.internal', port: port() }], {
          natMap: doors(),
          lazyConnect: true,
          dnsLookup: dns.lookup,
        }),
      }),
    ],
    [
      'a single server',
      () => ({ singleServerConfig: { address: address(sentinel.nodes[0]?.port), ...ONCE } }),
    ],
    [
      'replicated servers',
      () => ({
        replicatedServersConfig: { nodeAddresses: [address(sentinel.nodes[0]?.port)], ...ONCE },
      }),
    ],
    [
      'sentinels',
      () => ({
        sentinelServersConfig: {
          masterName: sentinel.masterName,
          sentinelAddresses: [address(sentinel.sentinels[0]?.port)],
          ...ONCE,
        },
      }),
    ],
  ])('is tried at the others (%s)', async (_, options) => {
    await using client = await Redisson.create(options())
    expect(await client.getBucket('reached').get()).toBeUndefined()
  })
})
