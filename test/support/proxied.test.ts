import { Cluster, Redis } from 'ioredis'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RedissonOptions } from '../../src/api/redisson-options.js'
import { eventually } from './eventually.js'
import { masterOf } from './sentinel-set.js'
import type { ClientTopology, ServerNode } from './launch/topology.js'
import { noLeaks } from './no-leaks.js'
import { proxied } from './proxied.js'
import { cluster, sentinel, single, topologies } from './topologies.js'

describe.each(topologies)(
  'with a proxy before every node ($kind)',
  (topology: ClientTopology<ServerNode>) => {
    noLeaks(topology, { keys: 'any' })

    it('a client speaks to nodes through proxies only', async () => {
      await using behind = await proxied(topology)
      const client = connect(behind.options())
      for (let key = 0; key < 20; key += 1) expect(await client.set(`key${key}`, key)).toBe('OK')

      for (const proxy of behind.proxies) {
        proxy.refuse()
        proxy.cut()
      }
      await expect(client.get('key1')).rejects.toThrow()
    })

    it('there is one for every node', async () => {
      await using behind = await proxied(topology)
      const targets = topology.nodes.map((node) => behind.proxyOf(node).target.port)
      expect(targets).toEqual(topology.nodes.map(({ port }) => port))
      expect(behind.nodes).toEqual(topology.nodes)
    })
  },
)

describe('a proxy before every node', () => {
  it('tells clients of a single server to come to the proxy', async () => {
    await using behind = await proxied(single)
    const [proxy] = behind.proxies
    const address = `redis://127.0.0.1:${proxy?.port}`
    expect(behind.options()).toEqual({ singleServerConfig: { address } })
  })

  it('tells clients of sentinels where to find the nodes', async () => {
    await using behind = await proxied(sentinel)
    const master = await eventually(() => masterOf(sentinel))
    const { host, port } = behind.proxyOf(master)
    expect(behind.options()).toMatchObject({
      sentinelServersConfig: {
        sentinelAddresses: sentinel.sentinels.map((node) => `redis://127.0.0.1:${node.port}`),
        natMapper: { [`127.0.0.1:${master.port}`]: { host, port } },
      },
    })
    const client = connect(behind.options())
    await client.ping()
    expect(behind.proxyOf(master).connections).toHaveLength(1)
  })

  it('tells clients of a cluster to begin with proxies', async () => {
    await using behind = await proxied(cluster)
    const nodeAddresses = behind.proxies.map(({ port }) => `redis://127.0.0.1:${port}`)
    expect(behind.options()).toMatchObject({ clusterServersConfig: { nodeAddresses } })
  })
})

/** The simplest client that the options can mean. */
function connect(options: RedissonOptions): Redis | Cluster {
  const client = make(options)
  client.on('error', () => undefined)
  onTestFinished(() => {
    client.disconnect()
  })
  return client
}

function make(options: RedissonOptions): Redis | Cluster {
  const once = { retryStrategy: () => null, maxRetriesPerRequest: 0 }
  if ('singleServerConfig' in options) return new Redis(options.singleServerConfig.address, once)
  if ('sentinelServersConfig' in options) {
    const { masterName, sentinelAddresses, natMapper } = options.sentinelServersConfig
    const sentinels = sentinelAddresses.map(parse)
    return new Redis({
      ...once,
      name: masterName,
      sentinels,
      ...(natMapper && { natMap: natMapper as never }),
    })
  }
  if ('clusterServersConfig' in options) {
    const { nodeAddresses, natMapper } = options.clusterServersConfig
    return new Cluster(nodeAddresses.map(parse), {
      clusterRetryStrategy: () => null,
      retryDelayOnFailover: 0,
      ...(natMapper && { natMap: natMapper as never }),
    })
  }
  throw new TypeError('These are no options of a test topology')
}

function parse(address: string): { host: string; port: number } {
  const { hostname, port } = new URL(address)
  return { host: hostname, port: Number(port) }
}
