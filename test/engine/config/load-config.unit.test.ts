import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RedissonOptions } from '../../../src/api/redisson-options.js'
import type { Config } from '../../../src/config/config.js'
import { Redisson } from '../../../src/client/redisson.js'
import { loadOptions } from '../../../src/config/file/load-config.js'
import { resolveConfig } from '../../../src/config/resolve-config.js'
import { ConfigError } from '../../../src/errors/client-errors.js'
import { leaksOfAny } from '../../client/secrets/canaries.js'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redisson-config-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

async function loadText(text: string, name = 'redisson.yaml'): Promise<RedissonOptions> {
  const file = join(folder, name)
  await writeFile(file, text)
  return loadOptions(file)
}

async function resolveText(text: string): Promise<Config> {
  return resolveConfig(await loadText(text))
}

async function refusal(loading: Promise<unknown>): Promise<ConfigError> {
  const error: unknown = await loading.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ConfigError) return error
  throw new Error('Nothing was refused', { cause: error })
}

describe('the options of a file', () => {
  it('can be added to', async () => {
    await loadText(
      'singleServerConfig: { address: "redis://host:6379", timeout: 500 }\ncodec: !<org.redisson.codec.TypedJsonJacksonCodec> {}',
    )
    const options = await Redisson.loadOptions(join(folder, 'redisson.yaml'))
    const credentials = () => ({ password: 'word' })
    const config = resolveConfig({ ...options, credentials, failFast: true })
    expect(config).toMatchObject({ timeoutMs: 500, failFast: true })
    expect(config.codecs.map.key).toBe(config.codecs.map.value) // that of the file
  })

  it('are of a text alone', async () => {
    const loadAny = (...args: unknown[]) => Redisson.loadOptions(...(args as [string]))
    await expect(loadAny({ password: 'hunter2' })).rejects.toThrow(
      /^Expected `source` to be a text, got an Object$/,
    )
    await expect(loadAny('redis://host:6379', { failFast: true })).rejects.toThrow(TypeError)
    await expect(loadAny('no-such-file.yaml')).rejects.toThrow(ConfigError)
  })
})

describe('a URL', () => {
  it.each([
    ['redis://host:6379', { address: 'redis://host:6379' }],
    ['rediss://user:word@host:6379/3', { address: 'rediss://user:word@host:6379', database: 3 }],
    ['valkey://host:6379/0', { address: 'valkey://host:6379', database: 0 }],
    ['redis+uds:///run/redis.sock', { address: 'redis+uds:///run/redis.sock' }],
  ])('is a single server: %s', async (url, singleServerConfig) => {
    expect(await loadOptions(url)).toEqual({ singleServerConfig })
  })

  it.each([
    'http://host:1',
    'redis://host:',
    'redis://host:6379/99999999999',
    'redis:/user:hunter2@host:6379',
    'user:hunter2@host:6379',
    'hunter2@host:6379',
  ])('is checked when it is resolved: %s', async (url) => {
    const options = await loadOptions(url)
    expect(() => resolveConfig(options)).toThrow(ConfigError)
    expect(() => resolveConfig(options)).toThrow(/^(?!.*hunter2).*$/s)
  })
})

describe('a file', () => {
  it('may be YAML as Java has it', async () => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
    const config = await resolveText(`
---
sentinelServersConfig:
  idleConnectionTimeout: 10000
  connectTimeout: 5000
  retryDelay: !<org.redisson.config.EqualJitterDelay> {baseDelay: PT1S, maxDelay: PT4S}
  reconnectionDelay: !<org.redisson.config.ConstantDelay> {delay: PT0.1S}
  failedSlaveNodeDetector: !<org.redisson.client.FailedConnectionDetector> {}
  loadBalancer: !<org.redisson.connection.balancer.RoundRobinLoadBalancer> {}
  clientName: null
  sentinelAddresses:
    - "redis://127.0.0.1:26379"
    - "redis://127.0.0.1:26380"
  masterName: "mymaster"
  readMode: "SLAVE"
  database: 1
password: null
threads: 16
codec: !<org.redisson.client.codec.StringCodec> {}
nameMapper: !<org.redisson.config.DefaultNameMapper> {}
transportMode: "NIO"
`)
    expect(config).toMatchObject({
      server: {
        mode: 'sentinel',
        sentinels: [{ port: 26_379 }, { port: 26_380 }],
        masterName: 'mymaster',
        database: 1,
      },
      readMode: 'SLAVE',
      connectTimeoutMs: 5000,
      longestRetryDelayMs: 4000,
    })
    expect(config.reconnectionDelay(3)).toBe(100)
    expect(config.codecs.single.name).toBe('string')
    expect(emitWarning.mock.calls).toEqual([
      [
        expect.stringContaining('threads, transportMode, sentinelServersConfig.idleConnectionTimeout'),
        expect.anything(),
      ],
    ])
  })

  it('may be JSON', async () => {
    const text = JSON.stringify({
      singleServerConfig: { address: 'redis://host:1', password: '0123' },
      threads: 16,
    })
    expect(await loadText(text, 'redisson.json')).toEqual(JSON.parse(text))
  })

  it('is free to use anchors, aliases and merges', async () => {
    const options = await loadText(`
singleServerConfig:
  <<: [{timeout: 1, database: 1}, {timeout: 2, connectTimeout: 2}]
  address: redis://host:1
  database: 7
  retryDelay: &delay !<org.redisson.config.ConstantDelay> {delay: PT1M}
  reconnectionDelay: *delay
  idleConnectionTimeout: &ms 10
  subscriptionTimeout: *ms
`)
    expect(options).toEqual({
      singleServerConfig: {
        address: 'redis://host:1',
        timeout: 1,
        connectTimeout: 2,
        database: 7,
        retryDelay: { type: 'ConstantDelay', delay: 60_000 },
        reconnectionDelay: { type: 'ConstantDelay', delay: 60_000 },
        idleConnectionTimeout: 10,
        subscriptionTimeout: 10,
      },
    })
  })

  it('keeps texts that look like something else', async () => {
    const options = await loadText(`
singleServerConfig:
  address: redis://host:1
  password: 0123
  clientName: 1e3
  username: "null"
password: !!str 007
`)
    expect(options).toMatchObject({
      singleServerConfig: { password: '0123', clientName: '1e3', username: 'null' },
      password: '007',
    })
  })

  it.each([
    'singleServerConfig: [',
    '\tx: 1',
    'a: 1\na: 2',
    'a: 1\n---\nb: 2',
    'password: "hunter2',
    'a: {b: c} } hunter2',
  ])('is refused when it is no YAML: %j', async (text) => {
    const error = await refusal(loadText(text))
    expect(error.message).toMatch(
      /redisson\.yaml` to be valid YAML or JSON, got ".* at line \d+, column \d+"$/,
    )
    expect(error.cause).toBeInstanceOf(SyntaxError)
    expect(String(error.cause)).not.toContain('hunter2')
  })

  it.each(['', 'text', '7', '[]', '- a'])('is refused when it has no settings: %j', async (text) => {
    const error = await refusal(loadText(text))
    expect(error.key).toBe(join(folder, 'redisson.yaml'))
    expect(error.expected).toBe('a file with settings by name')
  })

  it.each([
    ['password: *hunter2', 'password'],
    ['a: &hunter2 [*hunter2]', 'a[0]'],
    ['singleServerConfig: {<<: hunter2}', 'singleServerConfig.***'],
    ['? [hunter2]\n: 1', 'options'],
    ['singleServerConfig: {password: !hunter2 x}', 'singleServerConfig.password'],
    ['singleServerConfig: {password: !hunter2.x x}', 'singleServerConfig.password'],
    ['singleServerConfig: {timeout: !hunter2 1}', 'singleServerConfig.timeout'],
  ])('is refused when it cannot be understood: %j', async (text, key) => {
    const error = await refusal(loadText(text))
    expect(error.key).toBe(key)
    expect(error.message).not.toContain('hunter2')
  })

  it('is refused when it cannot be read', async () => {
    const file = join(folder, 'missing.yaml')
    const error = await refusal(loadOptions(file))
    expect(error.message).toBe(`\`${file}\` is neither a URL (redis://…) nor a readable file (ENOENT)`)
    expect(error.cause).toMatchObject({ code: 'ENOENT' })
    expect((await refusal(loadOptions(folder))).message).toContain('EISDIR')
  })

  it('may have a sign in its path that looks like that of a URL', async () => {
    expect((await refusal(loadOptions('c:/@app/missing.yaml'))).message).toContain('ENOENT')
  })
})

describe('a file that Redisson for Java has printed', () => {
  it.each(['single', 'master-slave', 'sentinel', 'replicated', 'cluster'])('is loaded: %s', async (name) => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
    const options = await loadOptions(join(import.meta.dirname, 'redisson-files', `${name}.yaml`))
    const { server, longestRetryDelayMs } = resolveConfig(options)
    expect(server.mode.toLowerCase()).toBe(name.replace('-', ''))
    expect(longestRetryDelayMs).toBe(2000)
    expect(emitWarning).toHaveBeenCalledOnce()
  })

  it.each(['proxyServersConfig', 'multiClusterServersConfig', 'multiSentinelServersConfig'])(
    'is refused by the name of its section if that is one of the PRO edition: %s',
    async (section) => {
      const balancer = '!<org.redisson.connection.balancer.RoundRobinLoadBalancer> {}'
      const error = await refusal(
        resolveText(`${section}: {addresses: ["redis://h:1"], loadBalancer: ${balancer}}`),
      )
      expect(error.key).toBe(section)
      expect(error.message).toContain('belongs to Redisson PRO')
    },
  )
})

describe('a natMap in a file', () => {
  it.each(['cluster', 'sentinel'])('is a table from address to address: %s', async (kind) => {
    const servers =
      kind === 'cluster'
        ? 'clusterServersConfig: {nodeAddresses: ["redis://h:1"]'
        : 'sentinelServersConfig: {masterName: m, sentinelAddresses: ["redis://h:1"]'
    vi.stubEnv('MASTER', '10.0.0.1')
    const { server } = await resolveText(`${servers}, natMap: {"\${MASTER}:6379": "127.0.0.1:7001"}}`)
    const map = 'mapAddress' in server ? server.mapAddress : undefined
    expect(map?.({ host: '10.0.0.1', port: 6379 })).toEqual({ host: '127.0.0.1', port: 7001 })
    expect(map?.({ host: '10.0.0.1', port: 6380 })).toEqual({ host: '10.0.0.1', port: 6380 })
  })

  it.each([
    ['{"a:1": b}', 'natMap[0]'],
    ['[]', 'natMap'],
    ['{"a": "b:1"}', 'natMap'],
    ['{"a:1": "b:1"}, natMapper: {"a:1": {host: b, port: 1}}', 'natMap'],
  ])('is refused when it is %s', async (natMap, key) => {
    const error = await refusal(
      resolveText(`clusterServersConfig: {nodeAddresses: ["redis://h:1"], natMap: ${natMap}}`),
    )
    expect(error.key).toBe(`clusterServersConfig.${key}`)
  })
})

describe('a variable', () => {
  const withAddress = (text: string) => loadText(`singleServerConfig: {address: "${text}"}`)

  it('is replaced, in a text that may say more', async () => {
    vi.stubEnv('REDIS_HOST', 'cache')
    vi.stubEnv('redis.port', '6380')
    expect(await withAddress('redis://${REDIS_HOST}:${redis.port}')).toEqual({
      singleServerConfig: { address: 'redis://cache:6380' },
    })
  })

  it('has its default when it is unset or empty', async () => {
    vi.stubEnv('REDIS_HOST', '')
    expect(await withAddress('redis://${REDIS_HOST:-localhost}:${REDIS_PORT_UNSET:-6379}')).toEqual({
      singleServerConfig: { address: 'redis://localhost:6379' },
    })
  })

  it('may be empty, which is no password', async () => {
    vi.stubEnv('REDIS_PASSWORD', '')
    const config = await resolveText(
      'singleServerConfig: {address: redis://h:1}\npassword: ${REDIS_PASSWORD}',
    )
    expect(config.credentials.password).toBeUndefined()
  })

  it('may be a number or a word of YAML, quoted or not', async () => {
    vi.stubEnv('NUMBER', '42')
    const options = await loadText(`
singleServerConfig:
  address: redis://h:1
  timeout: \${NUMBER}
  database: "\${NUMBER}"
  keepAlive: \${FLAG:-true}
  tcpNoDelay: "\${FLAG:-FALSE}"
  connectTimeout: \${NOTHING:-}
`)
    expect(options).toMatchObject({
      singleServerConfig: {
        timeout: 42,
        database: 42,
        keepAlive: true,
        tcpNoDelay: false,
        connectTimeout: null,
      },
    })
  })

  it('stays text where text belongs', async () => {
    vi.stubEnv('REDIS_PASSWORD', '0123')
    expect(await loadText('password: ${REDIS_PASSWORD}')).toEqual({ password: '0123' })
  })

  it('is text and never YAML, with any content', async () => {
    vi.stubEnv('REDIS_PASSWORD', '{a: b} ${HOME} # "\n- c')
    expect(await loadText('password: ${REDIS_PASSWORD}')).toEqual({ password: '{a: b} ${HOME} # "\n- c' })
  })

  it('may stand in a name', async () => {
    vi.stubEnv('MASTER', '10.0.0.1')
    const options = await loadText('clusterServersConfig: {natMapper: {"${MASTER}:1": {host: h, port: 2}}}')
    expect(options).toEqual({ clusterServersConfig: { natMapper: { '10.0.0.1:1': { host: 'h', port: 2 } } } })
  })

  it.each([
    ['${REDIS_PASSWORD}: 1', 'options'],
    ['"a${REDIS_PASSWORD:-b}": 1', 'options'],
    ['singleServerConfig: {"${REDIS_PASSWORD}": 1}', 'singleServerConfig'],
    [
      'singleServerConfig: {retryDelay: !<org.redisson.config.ConstantDelay> {"${REDIS_PASSWORD}": 1}}',
      'singleServerConfig.retryDelay',
    ],
    [
      'clusterServersConfig: {natMapper: !<org.redisson.api.HostNatMapper> {"${REDIS_PASSWORD}": {}}}',
      'clusterServersConfig.natMapper',
    ],
  ])('stands in no name of a setting, and is not shown: %s', async (text, key) => {
    vi.stubEnv('REDIS_PASSWORD', 'hunter2')
    const error = await refusal(resolveText(text))
    expect(error.key).toBe(key)
    expect(error.message).toBe(
      `Expected \`${key}\` to be a mapping whose names have no environment variables, got one with REDIS_PASSWORD`,
    )
    expect(leaksOfAny(['hunter2'], error)).toEqual([])
  })

  it.each([
    ['natMapper: {"${REDIS_PASSWORD}:1": {host: h}}', 'natMapper[0].port'],
    ['natMapper: {"${REDIS_PASSWORD}": {host: h, port: 1}}', 'natMapper'],
    ['natMap: {"a:1": "b:1", "${REDIS_PASSWORD}": b}', 'natMap[1]'],
    [
      'natMapper: !<org.redisson.api.HostPortNatMapper> {hostsPortMap: {"${REDIS_PASSWORD}": b}}',
      'natMapper.hostsPortMap[0]',
    ],
    [
      'natMapper: !<org.redisson.api.HostNatMapper> {hostsMap: {"${REDIS_PASSWORD}": []}}',
      'natMapper.hostsMap[0]',
    ],
    [
      'natMapper: !<org.redisson.api.HostNatMapper> {hostsMap: {"<<": {"${REDIS_PASSWORD}": []}}}',
      'natMapper.hostsMap[0]',
    ],
  ])('is not shown where it stands in a name of a table that is wrong: %s', async (table, key) => {
    vi.stubEnv('REDIS_PASSWORD', 'hunter2')
    const error = await refusal(
      resolveText(`clusterServersConfig: {nodeAddresses: ["redis://h:1"], ${table}}`),
    )
    expect(error.key).toBe(`clusterServersConfig.${key}`)
    expect(leaksOfAny(['hunter2'], error)).toEqual([])
  })

  it('is not shown where it stands in a name of a table, and another there is not set', async () => {
    vi.stubEnv('REDIS_PASSWORD', 'hunter2')
    const error = await refusal(
      loadText('clusterServersConfig: {natMapper: {"${REDIS_PASSWORD}": {host: "${HOST_UNSET}"}}}'),
    )
    expect(error.message).toBe(
      'Expected `clusterServersConfig.natMapper.***.host` to be given by the environment variable HOST_UNSET, got nothing',
    )
    expect(leaksOfAny(['hunter2'], error)).toEqual([])
  })

  it.each(['REDIS_HOST_UNSET', 'constructor'])('that is not set is an error: %s', async (name) => {
    const error = await refusal(
      loadText(`clusterServersConfig: {nodeAddresses: [a, "redis://\${${name}}:1"]}`),
    )
    expect(error.message).toBe(
      `Expected \`clusterServersConfig.nodeAddresses[1]\` to be given by the environment variable ${name}, got nothing`,
    )
  })

  it('may be unset in a setting that is ignored', async () => {
    const options = await loadText('sslTruststorePassword: "${TRUSTSTORE_PASSWORD_UNSET}"')
    expect(options).toEqual({ sslTruststorePassword: '${TRUSTSTORE_PASSWORD_UNSET}' })
  })
})

describe('a class in a file', () => {
  const delay = (text: string) => loadText(`singleServerConfig: {retryDelay: ${text}}`)

  it.each([
    [
      '!<org.redisson.config.FullJitterDelay> {baseDelay: PT0.25S, maxDelay: PT1H2M3.5S}',
      { type: 'FullJitterDelay', baseDelay: 250, maxDelay: 3_723_500 },
    ],
    [
      '!!org.redisson.config.DecorrelatedJitterDelay {baseDelay: 5, maxDelay: P1D}',
      { type: 'DecorrelatedJitterDelay', baseDelay: 5, maxDelay: 86_400_000 },
    ],
    ['!org.redisson.config.ConstantDelay {delay: "PT2S"}', { type: 'ConstantDelay', delay: 2000 }],
    ['!<org.redisson.config.ConstantDelay> {}', { type: 'ConstantDelay', delay: 100 }],
    [
      '!<org.redisson.config.EqualJitterDelay> {}',
      { type: 'EqualJitterDelay', baseDelay: 100, maxDelay: 1000 },
    ],
  ])('is read as plain data if it is a delay: %s', async (text, retryDelay) => {
    expect(await delay(text)).toEqual({ singleServerConfig: { retryDelay } })
  })

  it.each(['PT', 'P', 'P1Y', 'PT-1S', '1S', 'PT1X', ''])(
    'is refused with a duration like %j',
    async (duration) => {
      const options = await loadText(`
singleServerConfig:
  address: redis://h:1
  retryDelay: !<org.redisson.config.ConstantDelay> {delay: "${duration}"}
`)
      expect(() => resolveConfig(options)).toThrow('`singleServerConfig.retryDelay.delay`')
    },
  )

  it('is read as a table if it maps hosts and ports', async () => {
    const { server } = await resolveText(`
clusterServersConfig:
  nodeAddresses: ["redis://h:1"]
  natMapper: !<org.redisson.config.HostPortNatMapper>
    hostsPortMap: {"10.0.0.1:6379": "127.0.0.1:7001"}
`)
    const map = server.mode === 'cluster' ? server.mapAddress : undefined
    expect(map?.({ host: '10.0.0.1', port: 6379 })).toEqual({ host: '127.0.0.1', port: 7001 })
    expect(map?.({ host: '10.0.0.1', port: 6380 })).toEqual({ host: '10.0.0.1', port: 6380 })
  })

  it('is read as a function if it maps hosts', async () => {
    const { server } = await resolveText(`
clusterServersConfig:
  nodeAddresses: ["redis://h:1"]
  natMapper: !<org.redisson.api.HostNatMapper> {hostsMap: {10.0.0.1: 127.0.0.1}}
`)
    const map = server.mode === 'cluster' ? server.mapAddress : undefined
    expect(map?.({ host: '10.0.0.1', port: 6379 })).toEqual({ host: '127.0.0.1', port: 6379 })
    expect(map?.({ host: 'other', port: 1 })).toEqual({ host: 'other', port: 1 })
  })

  it.each([
    ['{}', 'hostsPortMap'],
    ['{hostsPortMap: {"a:1": "b:1", "a:2": b}}', 'hostsPortMap[1]'],
    ['{hostsPortMap: {}, other: 1}', 'other'],
  ])('is refused as a table of hosts and ports when it has %s', async (properties, key) => {
    const natMapper = `!<org.redisson.config.HostPortNatMapper> ${properties}`
    const error = await refusal(loadText(`sentinelServersConfig: {natMapper: ${natMapper}}`))
    expect(error.key).toBe(`sentinelServersConfig.natMapper.${key}`)
  })

  it.each([
    ['nameMapper: !<com.example.TenantNames> {}', 'nameMapper', 'com.example.TenantNames'],
    [
      'singleServerConfig: {retryDelay: !<com.example.EqualJitterDelay> {}}',
      'singleServerConfig.retryDelay',
      'com.example',
    ],
    [
      'clusterServersConfig: {natMapper: !!com.example.Nat {}}',
      'clusterServersConfig.natMapper',
      'com.example.Nat',
    ],
    ['lockWatchdogTimeout: !!java.lang.Long 5', 'lockWatchdogTimeout', 'java.lang.Long'],
    [
      'singleServerConfig: !<org.redisson.config.SingleServerConfig> {}',
      'singleServerConfig',
      'SingleServerConfig',
    ],
  ])('is refused rather than forgotten if it is another one: %s', async (text, key, name) => {
    const error = await refusal(loadText(text))
    expect(error.key).toBe(key)
    expect(error.message).toContain(name)
  })

  it('is dropped in a setting that is ignored anyway, with all that is in it', async () => {
    const text = 'executor: !<com.example.Pool> {inner: !<com.example.Other> {}, name: "${UNSET_NAME}"}'
    expect(await loadText(text)).toEqual({ executor: { inner: {}, name: '${UNSET_NAME}' } })
  })
})

describe('a codec in a file', () => {
  const codecsOf = async (codec: string, name?: string) => {
    const { codecs } = resolveConfig(
      await loadText(`{"singleServerConfig": {"address": "redis://h:1"}, "codec": ${codec}}`, name),
    )
    return [codecs.map.key.name, codecs.map.value.name, codecs.single.name]
  }

  it.each([
    ['!<org.redisson.client.codec.StringCodec> {}', 'string'],
    ['!!org.redisson.client.codec.StringCodec {}', 'string'],
    ['!<org.redisson.client.codec.ByteArrayCodec> {}', 'bytes'],
    ['!<org.redisson.client.codec.LongCodec> ""', 'long'],
    ['!<org.redisson.client.codec.IntegerCodec> {}', 'long'],
    ['!<org.redisson.client.codec.DoubleCodec> {}', 'double'],
    ['!<org.redisson.codec.TypedJsonJacksonCodec> {}', 'json'],
    ['!<org.redisson.codec.TypedJsonJackson3Codec> {}', 'json'],
    ['!<org.redisson.codec.JsonJackson3Codec> {allowedClasses: [com.shop.Order]}', 'jackson'],
    ['!<org.redisson.codec.JsonJacksonCodec> {}', 'jackson'],
    ['!<org.redisson.codec.JsonJacksonCodec> {allowedClasses: [com.shop.Order]}', 'jackson'],
    ['{"class": "org.redisson.client.codec.LongCodec"}', 'long'],
  ])('is that of all values and keys: %s', async (text, name) => {
    expect(await codecsOf(text)).toEqual([name, name, name])
  })

  it('may be one for keys and one for values, as Java makes it', async () => {
    const key = '!<org.redisson.client.codec.StringCodec> {}'
    const value = '!<org.redisson.client.codec.LongCodec> {}'
    const composite = '!<org.redisson.codec.CompositeCodec>'
    expect(await codecsOf(`${composite} [${key}, ${value}]`)).toEqual(['string', 'long', 'long'])
    expect(await codecsOf(`${composite} [${key}, ${value}, ${value}]`)).toEqual(['string', 'long', 'long'])
    for (const list of [`[${key}]`, `[${key}, ${value}, ${key}]`, `[${key}, 1, ${value}]`, '{}'])
      await expect(codecsOf(`${composite} ${list}`)).rejects.toThrow('`codec` to be a list of the codecs')
  })

  it.each(['TypedJsonJackson3Codec', 'JsonJackson3Codec'])(
    'writes as Jackson 3 does if it is %s',
    async (name) => {
      const codec = `!<org.redisson.codec.${name}> {}`
      const { codecs } = await resolveText(`{singleServerConfig: {address: "redis://h:1"}, codec: ${codec}}`)
      expect(codecs.single.encode('😀')).toBe('"😀"')
    },
  )

  it('may be absent, or null', async () => {
    expect(await codecsOf('null')).toEqual(['string', 'json', 'json'])
  })

  it.each([
    ['!<org.redisson.codec.Kryo5Codec> {}', '"org.redisson.codec.Kryo5Codec"'],
    ['!<com.example.StringCodec> {}', '"com.example.StringCodec"'],
    ['{"class": "org.redisson.codec.Kryo5Codec"}', '"org.redisson.codec.Kryo5Codec"'],
    ['{"class": "constructor"}', '"constructor"'],
    ['!<org.redisson.config.ConstantDelay> {}', '"org.redisson.config.ConstantDelay"'],
    ['hunter2', 'a string'],
    ['{"type": "json"}', 'an object'],
    ['[json]', 'a list'],
  ])('is refused if it is %s, with those which can be had', async (text, got) => {
    const error = await refusal(codecsOf(text))
    expect(error.key).toBe('codec')
    expect(error.message).toBe(
      "Expected `codec` to be one of Redisson's StringCodec, ByteArrayCodec, LongCodec, IntegerCodec, DoubleCodec, " +
        `TypedJsonJacksonCodec, TypedJsonJackson3Codec, JsonJacksonCodec, JsonJackson3Codec, CompositeCodec, got ${got}`,
    )
  })

  it.each([
    '!<org.redisson.client.codec.StringCodec> {charset: UTF-16}',
    '{"class": "org.redisson.client.codec.StringCodec", "charset": "UTF-16"}',
  ])('is refused with properties that mean nothing here: %s', async (text) => {
    expect((await refusal(codecsOf(text))).key).toBe('codec.charset')
  })
})
