import { Cluster, Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RedissonOptions } from '../../../src/api/redisson-options.js'
import { jsonCodec } from '../../../src/codec/json/json-codec.js'
import { longCodec } from '../../../src/codec/long-codec.js'
import { stringCodec } from '../../../src/codec/string-codec.js'
import type { Config } from '../../../src/config/config.js'
import { resolveConfig } from '../../../src/config/resolve-config.js'
import { ConfigError } from '../../../src/errors/client-errors.js'

const address = 'redis://127.0.0.1:6379'
const noCredentials = { username: undefined, password: undefined }

const emitWarning = vi.spyOn(process, 'emitWarning')

beforeEach(() => {
  emitWarning.mockReset()
  emitWarning.mockReturnValue(undefined)
})

/** Files and plain JavaScript may say anything. */
function resolve(options: unknown): Config {
  return resolveConfig(options as RedissonOptions)
}

function single(settings: object, common: object = {}): Config {
  return resolve({ ...common, singleServerConfig: { address, ...settings } })
}

function refusal(options: unknown): ConfigError {
  try {
    resolve(options)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
  throw new Error('Nothing was refused')
}

/** Knows its prefix by itself. */
class Prefix {
  readonly #prefix: string

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  map(name: string): string {
    return this.#prefix + name
  }

  unmap(key: string): string {
    return key.slice(this.#prefix.length)
  }
}

describe('a config', () => {
  it('has every setting, although only an address was given', () => {
    expect(single({})).toMatchObject({
      server: { mode: 'single', address: { host: '127.0.0.1', port: 6379 }, database: 0 },
      credentials: noCredentials,
      clientName: undefined,
      timeoutMs: 3000,
      connectTimeoutMs: 10_000,
      retryAttempts: 4,
      longestRetryDelayMs: 2000,
      subscriptionTimeoutMs: 7500,
      pingIntervalMs: 30_000,
      keepAlive: true,
      tcpNoDelay: true,
      tls: {},
      lockWatchdogTimeoutMs: 30_000,
      lockWatchdogBatchSize: 100,
      fairLockWaitTimeoutMs: 300_000,
      reliableTopicWatchdogTimeoutMs: 600_000,
      caches: new Map(),
      holdWarningMs: undefined,
      releaseWaitMs: 1000,
      syncedReplicas: 0,
      slavesSyncTimeoutMs: 1000,
    })
  })

  it('waits by default as Redisson does', () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0)
    onTestFinished(() => {
      random.mockRestore()
    })
    const { retryDelay, reconnectionDelay } = single({})
    expect([retryDelay(0), retryDelay(9)]).toEqual([500, 1000])
    expect([reconnectionDelay(0), reconnectionDelay(9)]).toEqual([50, 5000])
  })

  it('leaves names as they are by default', () => {
    const { mapName, unmapName } = single({})
    expect([mapName('lock'), unmapName('lock')]).toEqual(['lock', 'lock'])
  })

  it('maps names one way by a function, and both ways by a mapper, which keeps its state', () => {
    const oneWay = single({}, { nameMapper: (name: string) => `app:${name}` })
    expect([oneWay.mapName('lock'), oneWay.unmapName('app:lock')]).toEqual(['app:lock', 'app:lock'])
    const bothWays = single({}, { nameMapper: new Prefix('app:') })
    expect([bothWays.mapName('lock'), bothWays.unmapName('app:lock')]).toEqual(['app:lock', 'lock'])
  })

  it('refuses a mapper that makes no text of a name in Redis', () => {
    const { unmapName } = single({}, { nameMapper: { map: String, unmap: () => undefined as never } })
    expect(() => unmapName('lock')).toThrow(
      new TypeError('Expected `unmap` of `nameMapper` to return a string, got undefined'),
    )
  })

  it('writes text for keys of maps and JSON for all else by default', () => {
    const { single: others, map } = single({}).codecs
    expect([others.name, map.key.name, map.value.name]).toEqual(['json', 'string', 'json'])
  })

  it('takes a codec for all, or a pair, or a schema', () => {
    const [long, text] = [longCodec(), stringCodec()]
    expect(single({}, { codec: long }).codecs).toEqual({ single: long, map: { key: long, value: long } })
    const { codecs } = single({}, { codec: { key: long, value: text } })
    expect(codecs).toEqual({ single: text, map: { key: long, value: text } })
    const schema = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } }
    expect(single({}, { codec: schema }).codecs.single.name).toBe('json with a schema of test')
  })

  it.each<[given: unknown, message: string]>([
    [jsonCodec, 'got [Function: jsonCodec]: call it, as in jsonCodec()'],
    ['hunter2', 'Expected `codec` to be a codec or a schema, got a string'],
    [{ password: 'hunter2' }, "Expected nothing in `codec` but key, value, got 'password'"],
    [{ key: ['hunter2'] }, 'Expected `codec.key` to be a codec or a schema, got an Array'],
  ])('refuses as a codec %o, with nothing of its content', (codec, message) => {
    const call = () => single({}, { codec })
    expect(call).toThrow(TypeError)
    expect(call).toThrow(message)
    expect(call).toThrow(/^(?!.*hunter2)/)
  })

  it('takes over what was given', () => {
    const settings = {
      address: 'rediss://127.0.0.1:6379',
      database: 3,
      timeout: 1,
      connectTimeout: 2,
      retryAttempts: 0,
      retryDelay: 7,
      reconnectionDelay: { type: 'ConstantDelay', delay: 8 },
      subscriptionTimeout: 4,
      pingConnectionInterval: 0,
      clientName: 'web',
      keepAlive: false,
      tcpNoDelay: false,
    }
    const common = {
      lockWatchdogTimeout: 3,
      lockWatchdogBatchSize: 5,
      fairLockWaitTimeout: 5000,
      reliableTopicWatchdogTimeout: 7000,
      slavesSyncTimeout: 6,
      tls: { servername: 'redis' },
    }
    const config = single(settings, common)
    expect(config).toMatchObject({
      server: { mode: 'single', database: 3 },
      clientName: 'web',
      timeoutMs: 1,
      connectTimeoutMs: 2,
      retryAttempts: 0,
      longestRetryDelayMs: 7,
      subscriptionTimeoutMs: 4,
      pingIntervalMs: 0,
      keepAlive: false,
      tcpNoDelay: false,
      tls: { servername: 'redis' },
      lockWatchdogTimeoutMs: 3,
      lockWatchdogBatchSize: 5,
      fairLockWaitTimeoutMs: 5000,
      reliableTopicWatchdogTimeoutMs: 7000,
      slavesSyncTimeoutMs: 6,
    })
    expect([config.retryDelay(0), config.reconnectionDelay(0)]).toEqual([7, 8])
  })

  it('takes null, as YAML files have it, for a setting that was left out', () => {
    const config = single(
      { clientName: null, password: null, timeout: null, retryDelay: null },
      { username: null, clusterServersConfig: null, codec: null },
    )
    expect(config).toMatchObject({ clientName: undefined, credentials: noCredentials, timeoutMs: 3000 })
    expect(emitWarning).not.toHaveBeenCalled()
  })

  it('is frozen, with all that is of its own in it', () => {
    const config = resolve({
      clusterServersConfig: { nodeAddresses: ['rediss://127.0.0.1:6379'] },
      tls: { ca: Buffer.from('') },
    })
    const parts = [
      config,
      config.server,
      config.credentials,
      config.tls,
      'nodes' in config.server && config.server.nodes,
    ]
    expect(parts.every((part) => Object.isFrozen(part))).toBe(true)
  })

  it('does not freeze what belongs to the user', () => {
    const tls = { ca: 'certificate' }
    const options = { singleServerConfig: { address: 'rediss://127.0.0.1:6379' }, tls }
    resolve(options)
    expect([options, options.singleServerConfig, tls].some((part) => Object.isFrozen(part))).toBe(false)
  })

  it.each([
    [true, 1],
    [false, 0],
    [0, 0],
    [2, 2],
  ])('with checkLockSyncedSlaves %s wants %i replicas', (checkLockSyncedSlaves, expected) => {
    expect(single({}, { checkLockSyncedSlaves }).syncedReplicas).toBe(expected)
  })

  it('has the settings of caches by name, without what says nothing', () => {
    const local = { maxEntries: 100, ttlMs: Infinity, tagTtlMs: null as never }
    const caches = {
      prices: { ttlMs: 60_000, staleMs: 0, tags: ['all'], jitter: null as never, local },
      users: {},
    }
    expect([...single({}, { caches }).caches]).toEqual([
      ['prices', { ttlMs: 60_000, staleMs: 0, tags: ['all'], local: { maxEntries: 100, ttlMs: Infinity } }],
      ['users', {}],
    ])
  })

  it.each([
    [{ prices: 5 }, 'Expected `caches.prices` to be an object of settings'],
    [{ prices: { ttlMS: 5 } }, 'Unknown setting `caches.prices.ttlMS`; did you mean `ttlMs`?'],
    [
      { prices: { ttlMs: Infinity } },
      'Expected `caches.prices.ttlMs` to be a number of milliseconds from 0 to 8000000000000000',
    ],
    [{ prices: { ttlMs: 9e15 } }, 'Expected `caches.prices.ttlMs` to be a number of milliseconds from 0 to'],
    [
      { prices: { ttlMs: 5e15, staleMs: 5e15 } },
      'Expected `caches.prices` to be settings with a `ttlMs` and a `staleMs` of at most',
    ],
    [{ prices: { tags: ['\ud800'] } }, 'Expected `caches.prices.tags[0]` to be a text of whole characters'],
    [{ 'a b': { jitter: 2 } }, 'Expected `caches.***.jitter` to be a number from 0 to 1'],
    [{ prices: { jitter: 2 } }, 'Expected `caches.prices.jitter` to be a number from 0 to 1'],
    [{ prices: { tags: 'all' } }, 'Expected `caches.prices.tags` to be a list'],
    [{ prices: { local: { ttlMs: 5 } } }, 'Expected `caches.prices.local.maxEntries` to be a whole number'],
    [[], 'Expected `caches` to be a table'],
  ])('refuses %o as caches', (caches, message) => {
    expect(() => single({}, { caches: caches as never })).toThrow(message)
  })

  it('has the socket settings of the client unless the server section says others', () => {
    const common = { tcpKeepAlive: false, tcpNoDelay: false }
    expect(single({}, common)).toMatchObject({ keepAlive: false, tcpNoDelay: false })
    expect(single({ keepAlive: true, tcpNoDelay: true }, common)).toMatchObject({
      keepAlive: true,
      tcpNoDelay: true,
    })
  })
})

describe('the delay before a command is sent again', () => {
  it('is constant when the deprecated retryInterval is given', () => {
    const { retryDelay, longestRetryDelayMs } = single({ retryInterval: 1500 })
    expect([retryDelay(0), retryDelay(3), longestRetryDelayMs]).toEqual([1500, 1500, 1500])
  })

  it('is that of retryDelay when both are given, which is warned of', () => {
    expect(single({ retryInterval: 1500, retryDelay: 10 }).longestRetryDelayMs).toBe(10)
    expect(emitWarning).toHaveBeenCalledWith(
      expect.stringContaining('singleServerConfig.retryInterval'),
      expect.anything(),
    )
  })
})

describe('who to be', () => {
  const common = { username: 'common', password: 'c' }

  it('is what the client as a whole says', () => {
    expect(single({}, common).credentials).toEqual({ username: 'common', password: 'c' })
  })

  it('is rather what the server section says', () => {
    const { credentials } = single({ username: 'section', password: 's' }, common)
    expect(credentials).toEqual({ username: 'section', password: 's' })
  })

  it('is most of all what the address says', () => {
    const settings = { address: 'redis://own:o%40@127.0.0.1:6379', username: 'section', password: 's' }
    expect(single(settings, common).credentials).toEqual({ username: 'own', password: 'o@' })
  })

  it('is put together when each says a part', () => {
    const { credentials } = single({ address: 'redis://:o@127.0.0.1:6379', password: 's' }, common)
    expect(credentials).toEqual({ username: 'common', password: 'o' })
  })

  it('has no credentials when passwords are empty, as those of unset variables are', () => {
    expect(single({ password: '' }, { username: '', password: '' }).credentials).toEqual(noCredentials)
  })

  it('is kept apart for sentinels and their master', () => {
    const config = resolve({
      password: 'master',
      sentinelServersConfig: {
        masterName: 'm',
        sentinelAddresses: ['redis://:own@a:1', 'redis://b:1'],
        sentinelUsername: 'sentinel',
        sentinelPassword: 's',
      },
    })
    expect(config.credentials).toEqual({ username: undefined, password: 'master' })
    expect(config.server).toMatchObject({ sentinelCredentials: { username: 'sentinel', password: 'own' } })
  })

  it('is for all nodes of a cluster what one of the addresses says', () => {
    const { credentials } = resolve({
      clusterServersConfig: { nodeAddresses: [address, 'redis://:own@b:1'] },
    })
    expect(credentials).toEqual({ username: undefined, password: 'own' })
  })
})

describe('the servers', () => {
  it('are a master and its replicas', () => {
    const { server } = resolve({ masterSlaveServersConfig: { masterAddress: address, database: 1 } })
    expect(server).toMatchObject({ mode: 'masterSlave', master: { port: 6379 }, slaves: [], database: 1 })
    const { server: more } = resolve({
      masterSlaveServersConfig: { masterAddress: address, slaveAddresses: ['redis://b:1'] },
    })
    expect(more).toMatchObject({ slaves: [{ host: 'b', port: 1 }] })
  })

  it('are sentinels and the name of a master', () => {
    const { server } = resolve({ sentinelServersConfig: { masterName: 'm', sentinelAddresses: [address] } })
    expect(server).toEqual({
      mode: 'sentinel',
      sentinels: [expect.objectContaining({ host: '127.0.0.1' })],
      masterName: 'm',
      sentinelCredentials: noCredentials,
      database: 0,
      mapAddress: undefined,
    })
  })

  it('listen at the usual ports, unless their addresses say others', () => {
    const sentinels = { masterName: 'm', sentinelAddresses: ['redis://a', 'b', 'c:1'] }
    expect(resolve({ sentinelServersConfig: sentinels }).server).toMatchObject({
      sentinels: [{ port: 26_379 }, { port: 26_379 }, { port: 1 }],
    })
    const nodeAddresses = ['redis://a', 'b', 'c:1']
    const nodes = [{ port: 6379 }, { port: 6379 }, { port: 1 }]
    expect(resolve({ clusterServersConfig: { nodeAddresses } }).server).toMatchObject({ nodes })
    expect(resolve({ replicatedServersConfig: { nodeAddresses } }).server).toMatchObject({ nodes })
    expect(resolve({ singleServerConfig: { address: 'a' } }).server).toMatchObject({
      address: { host: 'a', port: 6379 },
    })
  })

  it('are replicated nodes', () => {
    const { server } = resolve({ replicatedServersConfig: { nodeAddresses: [address, 'rediss://b:1'] } })
    expect(server).toMatchObject({
      mode: 'replicated',
      nodes: [{}, { tls: true }],
      scanIntervalMs: 1000,
      database: 0,
    })
  })

  it('are nodes of a cluster', () => {
    const { server } = resolve({ clusterServersConfig: { nodeAddresses: [address], database: 0 } })
    expect(server).toEqual({
      mode: 'cluster',
      nodes: [expect.objectContaining({ host: '127.0.0.1' })],
      scanIntervalMs: 5000,
      shardedSubscriptionMode: 'AUTO',
      mapAddress: undefined,
    })
  })
})

describe('a readMode', () => {
  const sections = ['sentinelServersConfig', 'clusterServersConfig'] as const
  const required = {
    sentinelServersConfig: { masterName: 'm', sentinelAddresses: [address] },
    clusterServersConfig: { nodeAddresses: [address] },
  }
  const withMode = (section: (typeof sections)[number], readMode: unknown) => ({
    [section]: { ...required[section], readMode },
  })

  it.each(sections)('is MASTER in %s unless it is given', (section) => {
    expect(resolve(withMode(section, undefined)).readMode).toBe('MASTER')
    expect(resolve(withMode(section, null)).readMode).toBe('MASTER')
  })

  it.each(sections.flatMap((section) => ['MASTER', 'SLAVE', 'MASTER_SLAVE'].map((mode) => [section, mode])))(
    'of %s may be %s',
    (section, mode) => {
      expect(resolve(withMode(section as (typeof sections)[number], mode)).readMode).toBe(mode)
      expect(emitWarning).not.toHaveBeenCalled()
    },
  )

  it.each(sections)('of %s that is unknown is refused with the one that is near', (section) => {
    expect(refusal(withMode(section, 'SLAVES'))).toMatchObject({
      key: `${section}.readMode`,
      message: `Expected \`${section}.readMode\` to be one of MASTER, SLAVE, MASTER_SLAVE, got "SLAVES"; did you mean \`SLAVE\`?`,
    })
    expect(refusal(withMode(section, 'master_slave')).message).toMatch(/did you mean `MASTER_SLAVE`\?$/)
  })

  it.each(['hunter2', 'redis://user:hunter2@a:1', 7, true, ['SLAVE']])(
    'is not shown where it may be a secret: %j',
    (value) => {
      const { message } = refusal(withMode('clusterServersConfig', value))
      expect(message).toMatch(/^Expected `clusterServersConfig\.readMode` to be one of .*, got a \w+$/)
    },
  )

  it('is MASTER where there are no replicas to read from', () => {
    expect(single({}).readMode).toBe('MASTER')
  })
})

describe('tls', () => {
  const plain = 'redis://:hunter2@127.0.0.1:6379'

  it.each([
    { singleServerConfig: { address: plain } },
    { singleServerConfig: { address: 'redis+uds:///run/redis.sock' } },
    { masterSlaveServersConfig: { masterAddress: 'rediss://h:1', slaveAddresses: [plain] } },
    { sentinelServersConfig: { masterName: 'm', sentinelAddresses: [plain] } },
    { replicatedServersConfig: { nodeAddresses: ['rediss://h:1', plain] } },
    { clusterServersConfig: { nodeAddresses: [plain] } },
  ])('is refused where an address is not one of TLS: %j', (section) => {
    for (const tls of [{}, { ca: 'certificate' }]) {
      const error = refusal({ ...section, tls })
      expect(error.key).toBe('tls')
      expect(error.message).toMatch(
        /the address of (127\.0\.0\.1:6379|\/run\/redis\.sock) to begin with rediss:\/\//,
      )
      expect(error.message).not.toContain('hunter2')
    }
  })

  it('is taken where all addresses are of TLS', () => {
    const nodeAddresses = ['rediss://h:1', 'valkeys://h:2']
    expect(resolve({ clusterServersConfig: { nodeAddresses }, tls: { ca: 'c' } }).tls).toEqual({ ca: 'c' })
  })
})

describe('a nameMapper in a section', () => {
  it('is refused where it maps names, since the client has one', () => {
    const error = refusal({ singleServerConfig: { address, nameMapper: (name: string) => `a:${name}` } })
    expect(error.key).toBe('singleServerConfig.nameMapper')
    expect(error.message).toContain('beside the section')
  })
})

describe('a natMapper', () => {
  function mapper(natMapper: unknown) {
    const { server } = resolve({ clusterServersConfig: { nodeAddresses: [address], natMapper } })
    return 'mapAddress' in server ? server.mapAddress : undefined
  }

  it('may be a function', () => {
    const natMapper = (from: { host: string; port: number }) => from
    expect(mapper(natMapper)).toBe(natMapper)
  })

  it('may be a table, in which what is missing stays as it is', () => {
    const map = mapper({
      '10.0.0.1:6379': { host: 'localhost', port: 7001 },
      '[::1]:1': { host: 'six', port: 2 },
    })
    expect(map?.({ host: '10.0.0.1', port: 6379 })).toEqual({ host: 'localhost', port: 7001 })
    expect(map?.({ host: '::1', port: 1 })).toEqual({ host: 'six', port: 2 })
    expect(map?.({ host: '10.0.0.2', port: 6379 })).toEqual({ host: '10.0.0.2', port: 6379 })
  })

  it.each([
    [7, 'natMapper'],
    [{ host: { host: 'a', port: 1 } }, 'natMapper'],
    [{ 'a:1': 'b:2' }, 'natMapper[0]'],
    [{ 'a:1': { host: 'b', port: 0 } }, 'natMapper[0].port'],
    [{ 'a:1': { host: 'b', port: 1, tls: true } }, 'natMapper[0].tls'],
  ])('is refused when it is %j', (natMapper, key) => {
    const options = { sentinelServersConfig: { masterName: 'm', sentinelAddresses: [address], natMapper } }
    expect(refusal(options).key).toBe(`sentinelServersConfig.${key}`)
  })
})

describe('a client of ioredis', () => {
  const clients: { disconnect(): void }[] = []

  function opened<T extends Redis | Cluster>(client: T): T {
    clients.push(client)
    return client
  }

  afterEach(() => {
    for (const client of clients.splice(0)) client.disconnect()
  })

  it.each([
    ['Redis', () => new Redis({ lazyConnect: true })],
    ['Cluster', () => new Cluster([{ host: '127.0.0.1', port: 1 }], { lazyConnect: true })],
  ])('may be a %s, with the other settings at their defaults', (_, open) => {
    const ioredis = opened(open())
    const options: RedissonOptions = { ioredis }
    const config = resolveConfig(options)
    expect(config.server.mode === 'ioredis' && config.server.client).toBe(ioredis)
    expect(config).toMatchObject({ timeoutMs: 3000, retryAttempts: 4 })
  })

  it.each([
    ['ioredis.options.keyPrefix', () => new Redis({ lazyConnect: true, keyPrefix: 'app:' })],
    [
      'ioredis.options.redisOptions.keyPrefix',
      () => new Cluster([], { lazyConnect: true, redisOptions: { keyPrefix: 'app:' } }),
    ],
  ])('must not put a prefix before keys: %s', (key, open) => {
    const error = refusal({ ioredis: opened(open()) })
    expect(error.key).toBe(key)
    expect(error.message).toContain('not before the channels')
  })

  it.each([
    [{ host: '127.0.0.1', password: 'hunter2' }],
    ['redis://:hunter2@host:1'],
    [{ duplicate: () => undefined }],
    [{ duplicate: 1, options: {} }],
    [[]],
    [true],
  ])('is refused when it is none: %j', (ioredis) => {
    const error = refusal({ ioredis })
    expect(error.key).toBe('ioredis')
    expect(error.message).not.toContain('hunter2')
  })

  it.each([{ username: 'u' }, { password: 'hunter2' }, { tls: {} }])('brings its own: %j', (common) => {
    const error = refusal({ ...common, ioredis: opened(new Redis({ lazyConnect: true })) })
    expect(error.message).toMatch(/absent, as the client of ioredis brings its own, got an? \w+$/)
  })
})

describe('a mistake', () => {
  const cluster = (settings: object) => ({ clusterServersConfig: { nodeAddresses: [address], ...settings } })
  const one = (settings: object) => ({ singleServerConfig: { address, ...settings } })

  it.each([
    [undefined, 'options'],
    [null, 'options'],
    ['redis://host:1', 'options'],
    [[], 'options'],
    [{}, 'singleServerConfig'],
    [{ timeout: 3000, ...one({}) }, 'timeout'],
    [{ lockWatchdogTimeOut: 3000, ...one({}) }, 'lockWatchdogTimeOut'],
    [{ constructor: 1, ...one({}) }, 'constructor'],
    [{ ...one({}), ...cluster({}) }, 'clusterServersConfig'],
    [{ singleServerConfig: 'redis://host:1' }, 'singleServerConfig'],
    [{ singleServerConfig: [] }, 'singleServerConfig'],
    [{ singleServerConfig: {} }, 'singleServerConfig.address'],
    [{ singleServerConfig: { address: null } }, 'singleServerConfig.address'],
    [one({ address: 'redis://host:' }), 'singleServerConfig.address'],
    [one({ adress: address }), 'singleServerConfig.adress'],
    [one({ scanInterval: 1 }), 'singleServerConfig.scanInterval'],
    [one({ database: -1 }), 'singleServerConfig.database'],
    [one({ database: '1' }), 'singleServerConfig.database'],
    [one({ timeout: 0 }), 'singleServerConfig.timeout'],
    [one({ timeout: 1.5 }), 'singleServerConfig.timeout'],
    [one({ timeout: NaN }), 'singleServerConfig.timeout'],
    [one({ timeout: 2 ** 31 }), 'singleServerConfig.timeout'],
    [one({ retryAttempts: Infinity }), 'singleServerConfig.retryAttempts'],
    [one({ clientName: 'two words' }), 'singleServerConfig.clientName'],
    [one({ keepAlive: 'yes' }), 'singleServerConfig.keepAlive'],
    [one({ password: 12_345 }), 'singleServerConfig.password'],
    [one({ retryDelay: 'PT1S' }), 'singleServerConfig.retryDelay'],
    [one({ retryDelay: -1 }), 'singleServerConfig.retryDelay'],
    [one({ retryDelay: {} }), 'singleServerConfig.retryDelay.type'],
    [one({ retryDelay: { type: 'ConstantDelay' } }), 'singleServerConfig.retryDelay.delay'],
    [
      one({ retryDelay: { type: 'ConstantDelay', delay: 1, maxDelay: 2 } }),
      'singleServerConfig.retryDelay.maxDelay',
    ],
    [
      one({ reconnectionDelay: { type: 'FullJitterDelay', baseDelay: 0, maxDelay: 2 } }),
      'singleServerConfig.reconnectionDelay.baseDelay',
    ],
    [
      one({ retryDelay: { type: 'FullJitterDelay', baseDelay: 5, maxDelay: 2 } }),
      'singleServerConfig.retryDelay.maxDelay',
    ],
    [{ ...one({}), lockWatchdogTimeout: 2 }, 'lockWatchdogTimeout'],
    [{ ...one({}), lockWatchdogBatchSize: 0 }, 'lockWatchdogBatchSize'],
    [{ ...one({}), lockWatchdogBatchSize: 5001 }, 'lockWatchdogBatchSize'],
    [{ ...one({}), slavesSyncTimeout: 0 }, 'slavesSyncTimeout'],
    [{ ...one({}), checkLockSyncedSlaves: -1 }, 'checkLockSyncedSlaves'],
    [{ ...one({}), checkLockSyncedSlaves: 'true' }, 'checkLockSyncedSlaves'],
    [{ ...one({}), nameMapper: 'app:' }, 'nameMapper'],
    [{ ...one({}), nameMapper: { map: String } }, 'nameMapper'],
    [{ ...one({}), nameMapper: { map: String, unmap: 'app:' } }, 'nameMapper'],
    [{ ...one({}), tls: true }, 'tls'],
    [cluster({ nodeAddresses: address }), 'clusterServersConfig.nodeAddresses'],
    [cluster({ nodeAddresses: [] }), 'clusterServersConfig.nodeAddresses'],
    [cluster({ nodeAddresses: [address, 'redis://b:'] }), 'clusterServersConfig.nodeAddresses[1]'],
    [cluster({ nodeAddresses: [address, 7] }), 'clusterServersConfig.nodeAddresses[1]'],
    [cluster({ nodeAddresses: [address, 'rediss://b:1'] }), 'clusterServersConfig.nodeAddresses[1]'],
    [cluster({ nodeAddresses: ['redis+uds:///run/redis.sock'] }), 'clusterServersConfig.nodeAddresses[0]'],
    [cluster({ shardedSubscriptionMode: 'auto' }), 'clusterServersConfig.shardedSubscriptionMode'],
    [cluster({ scanInterval: 0 }), 'clusterServersConfig.scanInterval'],
    [cluster({ database: 1 }), 'clusterServersConfig.database'],
    [{ sentinelServersConfig: { sentinelAddresses: [address] } }, 'sentinelServersConfig.masterName'],
    [
      { sentinelServersConfig: { sentinelAddresses: [address], masterName: '' } },
      'sentinelServersConfig.masterName',
    ],
    [
      { masterSlaveServersConfig: { masterAddress: address, slaveAddresses: ['b:'] } },
      'masterSlaveServersConfig.slaveAddresses[0]',
    ],
  ])('in %j is named by its full key', (options, key) => {
    expect(refusal(options).key).toBe(key)
  })

  it('is said with what was expected and what was got', () => {
    expect(refusal({ ...one({}), lockWatchdogTimeout: 2 }).message).toBe(
      'Expected `lockWatchdogTimeout` to be a whole number of milliseconds from 3 to 2147483647, got 2',
    )
    expect(refusal({}).message).toMatch(
      /^Expected `singleServerConfig` to be there, or else one of .*, got nothing$/,
    )
    expect(refusal(one({ adress: 1 })).message).toBe(
      'Unknown setting `singleServerConfig.adress`; did you mean `address`?',
    )
    expect(refusal({ lockWatchdogTimeOut: 1, ...one({}) }).message).toBe(
      'Unknown setting `lockWatchdogTimeOut`; did you mean `lockWatchdogTimeout`?',
    )
    expect(refusal({ ...one({}), retryAttempts: 0 }).message).toBe(
      'Unknown setting `retryAttempts`; it belongs in `singleServerConfig`',
    )
    expect(refusal({ ...cluster({}), retryAttempts: 0 }).message).toBe(
      'Unknown setting `retryAttempts`; it belongs in `clusterServersConfig`',
    )
    expect(refusal({ ...one({}), masterName: 'm' }).message).toBe(
      'Unknown setting `masterName`; it belongs in `sentinelServersConfig`',
    )
    expect(refusal(one({ scanInterval: 1 })).message).toContain(
      'Unknown setting `singleServerConfig.scanInterval`; there are address, database, ',
    )
  })

  it.each([
    one({ password: ['hunter2'] }),
    one({ password: { value: 'hunter2' } }),
    one({ pasword: 'hunter2' }),
    one({ 'password:hunter2 ': null }),
    one({ 'redis://:hunter2@host:1': null }),
    { ...one({}), sslPassword: 'hunter2' },
    { ...one({}), tls: 'hunter2' },
    { ...one({}), lockWatchdogTimeout: 'redis://:hunter2@host:1' },
    { ...one({}), clusterServersConfig: 'redis://:hunter2@host:1' },
    { singleServerConfig: 'redis://:hunter2@host:1' },
    cluster({ nodeAddresses: 'redis://:hunter2@host:1' }),
    cluster({ nodeAddresses: [address, 'redis://:hunter2@host:'] }),
    cluster({ natMapper: { 'redis://:hunter2@host:1': {} } }),
  ])('in %j does not tell the password', (options) => {
    expect(refusal(options).message).not.toContain('hunter2')
  })
})

describe('a setting of Redisson that means nothing here', () => {
  it('is named in one warning', () => {
    const settings = { connectionPoolSize: 64, dnsMonitoringInterval: 5000, sslTruststore: null }
    single(settings, { threads: 16, executor: { anything: true } })
    expect(emitWarning.mock.calls).toEqual([
      [
        'These settings of Redisson mean nothing here: threads, executor, ' +
          'singleServerConfig.connectionPoolSize, singleServerConfig.dnsMonitoringInterval',
        { code: 'REDISSON_CONFIG_IGNORED' },
      ],
    ])
  })

  it('leads to the setting that means the same, if it is about TLS', () => {
    single({}, { sslTruststore: 'file:truststore' })
    expect(emitWarning).toHaveBeenCalledWith(expect.stringContaining('there is `tls`'), expect.anything())
  })

  it('leads to the setting that means the same, if it is about credentials that change', () => {
    single({ credentialsResolver: {} })
    expect(emitWarning).toHaveBeenCalledWith(
      'These settings of Redisson mean nothing here: singleServerConfig.credentialsResolver. ' +
        'For credentials that change there is `credentials`, a function',
      { code: 'REDISSON_CONFIG_IGNORED' },
    )
  })

  it('is not warned of when there is none', () => {
    single({})
    expect(emitWarning).not.toHaveBeenCalled()
  })

  it('is not warned of when the options are refused', () => {
    refusal({ threads: 16 })
    expect(emitWarning).not.toHaveBeenCalled()
  })

  it.each([
    [
      'sentinelServersConfig',
      { masterName: 'm', sentinelAddresses: [address] },
      ['scanInterval', 'sentinelsDiscovery'],
    ],
    [
      'clusterServersConfig',
      { nodeAddresses: [address] },
      ['checkSlotsCoverage', 'loadBalancer', 'subscriptionMode'],
    ],
    [
      'replicatedServersConfig',
      { nodeAddresses: [address] },
      ['monitorIPChanges', 'failedSlaveNodeDetector'],
    ],
    ['masterSlaveServersConfig', { masterAddress: address }, ['readMode', 'slaveConnectionPoolSize']],
  ])('is known in %s', (section, settings, names) => {
    resolve({ [section]: { ...settings, ...Object.fromEntries(names.map((name) => [name, 'x'])) } })
    const warned = names.map((name) => `${section}.${name}`).join(', ')
    expect(emitWarning).toHaveBeenCalledWith(expect.stringContaining(warned), expect.anything())
  })
})

describe('credentials that change', () => {
  const credentials = () => ({ password: 'hunter2' })
  const one = (settings: object) => ({ singleServerConfig: { address, ...settings } })

  it('are asked of the program', () => {
    expect(single({}, { credentials })).toMatchObject({
      credentials: noCredentials,
      credentialsProvider: credentials,
    })
    expect(single({}, { credentials: null }).credentialsProvider).toBeUndefined()
  })

  it('of sentinels are asked of it by another function', () => {
    const section = { masterName: 'm', sentinelAddresses: [address], sentinelCredentials: credentials }
    const { credentialsProvider, server } = resolve({ sentinelServersConfig: section, password: 'hunter2' })
    expect(credentialsProvider).toBeUndefined()
    expect(server).toMatchObject({
      sentinelCredentialsProvider: credentials,
      sentinelCredentials: noCredentials,
    })
  })

  it.each([
    [one({}), { username: 'hunter2' }],
    [one({}), { password: 'hunter2' }],
    [one({ password: 'hunter2' }), {}],
    [one({ address: 'redis://:hunter2@127.0.0.1:6379' }), {}],
    [{ clusterServersConfig: { nodeAddresses: ['redis://:hunter2@127.0.0.1:6379'] } }, {}],
  ])('are not together with a login that stays the same: %#', (section, common) => {
    const { key, message } = refusal({ ...section, ...common, credentials })
    expect(key).toBe('credentials')
    expect(message).toBe(
      'Expected `credentials` to be absent, as the settings have a user name or a password, got a function',
    )
  })

  it.each([
    { sentinelPassword: 'hunter2' },
    { sentinelUsername: 'hunter2' },
    { sentinelAddresses: ['redis://:hunter2@127.0.0.1:26379'] },
  ])('of sentinels are not together with a login that stays the same: %#', (settings) => {
    const section = {
      masterName: 'm',
      sentinelAddresses: [address],
      sentinelCredentials: credentials,
      ...settings,
    }
    expect(refusal({ sentinelServersConfig: section }).message).toBe(
      'Expected `sentinelServersConfig.sentinelCredentials` to be absent, as the settings have a user name or a password ' +
        'for the sentinels, got a function',
    )
  })

  it('are not together with a client of ioredis that is shared', () => {
    const ioredis = new Redis({ lazyConnect: true, maxRetriesPerRequest: 0 })
    expect(resolve({ ioredis, credentials }).credentialsProvider).toBe(credentials)
    expect(refusal({ ioredis, share: true, credentials }).message).toContain(
      'absent, as a shared client of ioredis logs in by itself',
    )
  })

  it.each(['hunter2', { password: 'hunter2' }, true])('cannot stand in a file: %j', (written) => {
    expect(refusal({ ...one({}), credentials: written }).message).toMatch(
      /^Expected `credentials` to be a function, which only settings in code can have, got (?:a string|an object|a boolean)$/,
    )
  })
})
