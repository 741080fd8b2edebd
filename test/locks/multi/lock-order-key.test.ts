import { Cluster, Redis, type ClusterNode, type RedisOptions } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../../../src/config/resolve-config.js'
import type { RedissonOptions } from '../../../src/index.js'
import { serversOf } from '../../../src/locks/shared/engine/lock-order-key.js'

const placeOf = (options: RedissonOptions): string => serversOf(resolveConfig(options).server)

const redis = (options: Omit<RedisOptions, 'replyMapping'>): string =>
  placeOf({ ioredis: new Redis({ ...options, lazyConnect: true }) })

const cluster = (...nodes: ClusterNode[]): string =>
  placeOf({ ioredis: new Cluster(nodes, { lazyConnect: true }) })

describe('the place of a client of ioredis', () => {
  it('is that of a client with the same settings', () => {
    expect(redis({ host: 'a', port: 7000, db: 2 })).toBe(
      placeOf({ singleServerConfig: { address: 'redis://a:7000', database: 2 } }),
    )
    expect(redis({ path: '/run/redis.sock' })).toBe(
      placeOf({ singleServerConfig: { address: 'redis+uds:///run/redis.sock' } }),
    )
    expect(redis({ sentinels: [{ host: 'b', port: 2 }, { host: 'a' }], name: 'main', db: 1 })).toBe(
      placeOf({
        sentinelServersConfig: {
          masterName: 'main',
          sentinelAddresses: ['redis://a:26379', 'redis://b:2'],
          database: 1,
        },
      }),
    )
    expect(cluster({ host: 'b', port: 2 }, { host: 'a', port: 1 })).toBe(
      placeOf({ clusterServersConfig: { nodeAddresses: ['redis://a:1', 'redis://b:2'] } }),
    )
  })

  it('has what ioredis itself adds where nothing is said', () => {
    expect(redis({})).toBe('localhost:6379/0')
    expect(redis({ sentinels: [{}], name: 'main' })).toBe('main localhost:26379/0')
    expect(cluster(7000, '7001', {}, { host: 'a' })).toBe(
      '127.0.0.1:6379 127.0.0.1:7000 127.0.0.1:7001 a:6379/0',
    )
  })

  it.each([
    ['a:2', 'a:2/0'],
    ['a', 'a:6379/0'],
    ['//a:2', 'a:2/0'],
    ['rediss://user:word@a:2', 'a:2/0'],
    ['redis://[::1]:2', '::1:2/0'],
  ])('reads the node %s of a cluster, and tells nothing secret', (node, place) => {
    expect(cluster(node)).toBe(place)
  })

  it('tells servers, databases and masters apart', () => {
    const places = [
      redis({ port: 1 }),
      redis({ port: 2 }),
      redis({ port: 1, db: 1 }),
      redis({ path: '/a' }),
      redis({ sentinels: [{ host: 'a' }], name: 'one' }),
      redis({ sentinels: [{ host: 'a' }], name: 'two' }),
      cluster(1),
    ]
    expect(new Set(places).size).toBe(places.length)
  })
})
