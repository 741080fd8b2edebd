import { Redis, Cluster } from 'ioredis'
import { describe, expectTypeOf, it } from 'vitest'
import {
  longCodec,
  Redisson,
  stringCodec,
  type RedissonClient,
  type RedissonOptions,
  type StandardSchemaV1,
} from '../../src/index.js'

declare const schema: StandardSchemaV1<{ readonly name: string }>

/** Takes what would be given to a client. */
declare function options(value: RedissonOptions): void

describe('the options of a client', () => {
  it('name the servers in one of the ways of Redisson', () => {
    options({ singleServerConfig: { address: 'redis://127.0.0.1:6379', database: 1 } })
    options({ masterSlaveServersConfig: { masterAddress: 'redis://a', slaveAddresses: ['redis://b'] } })
    options({ sentinelServersConfig: { masterName: 'm', sentinelAddresses: ['redis://a'] } })
    options({ replicatedServersConfig: { nodeAddresses: ['redis://a'], scanInterval: 1 } })
    options({ clusterServersConfig: { nodeAddresses: ['redis://a'], shardedSubscriptionMode: 'ON' } })
  })

  it('take a client of ioredis instead', () => {
    options({ ioredis: new Redis({ lazyConnect: true }) })
    options({ ioredis: new Cluster([], { lazyConnect: true }) })
  })

  it('have to name servers', () => {
    // @ts-expect-error: which servers?
    options({})
    // @ts-expect-error: which servers?
    options({ lockWatchdogTimeout: 1_000 })
    // @ts-expect-error: where is missing
    options({ singleServerConfig: {} })
    // @ts-expect-error: which master?
    options({ sentinelServersConfig: { sentinelAddresses: ['redis://a'] } })
    // @ts-expect-error: several nodes are a list
    options({ clusterServersConfig: { nodeAddresses: 'redis://a' } })
    // @ts-expect-error: a misspelt section
    options({ singleServer: { address: 'redis://a' } })
  })

  it('have settings for the client beside the servers, and for servers in their section', () => {
    options({
      singleServerConfig: { address: 'redis://a', timeout: 1, retryDelay: 5, clientName: null },
      lockWatchdogTimeout: 1,
      checkLockSyncedSlaves: 2,
      nameMapper: (name) => name.toUpperCase(),
      tls: { ca: 'certificate' },
    })
    // @ts-expect-error: that is the client's
    options({ singleServerConfig: { address: 'redis://a', lockWatchdogTimeout: 1 } })
    // @ts-expect-error: that is the servers'
    options({ singleServerConfig: { address: 'redis://a' }, timeout: 1 })
    // @ts-expect-error: a cluster has one database
    options({ clusterServersConfig: { nodeAddresses: ['redis://a'], database: 1 } })
    // @ts-expect-error: one of three words
    options({ clusterServersConfig: { nodeAddresses: ['redis://a'], shardedSubscriptionMode: true } })
    // @ts-expect-error: a misspelt setting
    options({ singleServerConfig: { address: 'redis://a' }, lockWatchdogTimeoutMs: 1 })
    // @ts-expect-error: a time is a number
    options({ singleServerConfig: { address: 'redis://a' }, lockWatchdogTimeout: '30s' })
    // @ts-expect-error: a name becomes a name
    options({ singleServerConfig: { address: 'redis://a' }, nameMapper: (name: number) => name })
  })

  it('have a codec, a schema, or one for keys and one for values', () => {
    const servers = { singleServerConfig: { address: 'redis://a' } }
    options({ ...servers, codec: longCodec() })
    options({ ...servers, codec: longCodec({ bigint: true }) })
    options({ ...servers, codec: schema })
    options({ ...servers, codec: { key: stringCodec(), value: schema } })
    // @ts-expect-error: a codec is what the function returns
    options({ ...servers, codec: longCodec })
    // @ts-expect-error: a misspelt part
    options({ ...servers, codec: { keys: longCodec() } })
    // @ts-expect-error: a name is no codec
    options({ ...servers, codec: 'json' })
  })

  it('map names one way or both ways', () => {
    const servers = { singleServerConfig: { address: 'redis://a' } }
    options({ ...servers, nameMapper: { map: (name) => `a:${name}`, unmap: (key) => key.slice(2) } })
    // @ts-expect-error: and back?
    options({ ...servers, nameMapper: { map: (name: string) => `a:${name}` } })
  })

  it('say by their type which numbers a delay has', () => {
    const address = 'redis://a'
    options({ singleServerConfig: { address, retryDelay: { type: 'ConstantDelay', delay: 1 } } })
    options({
      singleServerConfig: { address, retryDelay: { type: 'FullJitterDelay', baseDelay: 1, maxDelay: 2 } },
    })
    // @ts-expect-error: a constant delay has no base
    options({ singleServerConfig: { address, retryDelay: { type: 'ConstantDelay', baseDelay: 1 } } })
    // @ts-expect-error: up to which delay?
    options({ singleServerConfig: { address, retryDelay: { type: 'EqualJitterDelay', baseDelay: 1 } } })
    // @ts-expect-error: there is no such delay
    options({ singleServerConfig: { address, retryDelay: { type: 'NoDelay' } } })
  })
})

describe('making a client', () => {
  it('takes options, a path or a URL', () => {
    expectTypeOf<Parameters<typeof Redisson.create>>().toEqualTypeOf<[source: RedissonOptions | string]>()
    expectTypeOf<ReturnType<typeof Redisson.create>>().resolves.toEqualTypeOf<RedissonClient>()
    // @ts-expect-error: there has to be something
    void Redisson.create()
  })
})
