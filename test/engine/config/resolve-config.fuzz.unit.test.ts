import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RedissonOptions } from '../../../src/api/redisson-options.js'
import { parseAddress } from '../../../src/config/address.js'
import { parseConfigFile } from '../../../src/config/file/config-file.js'
import { resolveConfig } from '../../../src/config/resolve-config.js'
import { ConfigError } from '../../../src/errors/client-errors.js'

const PASSWORD = 'hunter2'

/** Mulberry32: the same numbers from 0 up to 1 for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Bag = Record<string, unknown>

const circular: Bag = {}
circular['self'] = circular

const valid: readonly (() => Bag)[] = [
  () => ({ singleServerConfig: { address: 'redis://127.0.0.1:6379', database: 1 } }),
  () => ({
    masterSlaveServersConfig: { masterAddress: `redis://:${PASSWORD}@a:1`, slaveAddresses: ['redis://b:2'] },
  }),
  () => ({
    sentinelServersConfig: {
      masterName: 'm',
      sentinelAddresses: ['redis://a:1'],
      sentinelPassword: PASSWORD,
    },
  }),
  () => ({ replicatedServersConfig: { nodeAddresses: ['redis://a:1', 'redis://b:1'], retryInterval: 3 } }),
  () => ({
    clusterServersConfig: { nodeAddresses: ['rediss://a:1'], natMapper: { 'a:1': { host: 'b', port: 2 } } },
  }),
  () => ({ ioredis: { options: {}, duplicate: () => undefined } }),
]

const names = (
  'lockWatchdogTimeout lockWatchdogBatchSize holdWarningMs releaseWaitMs checkLockSyncedSlaves slavesSyncTimeout username password nameMapper tls ' +
  'codec threads sslKeystore readMode loadBalancer connectionPoolSize natMap __proto__ constructor toString then ' +
  'singleServerConfig masterSlaveServersConfig sentinelServersConfig replicatedServersConfig clusterServersConfig ioredis ' +
  'address masterAddress slaveAddresses nodeAddresses sentinelAddresses masterName database scanInterval natMapper timeout ' +
  'retryAttempts retryDelay retryInterval reconnectionDelay pingConnectionInterval clientName keepAlive tcpNoDelay ' +
  'shardedSubscriptionMode type baseDelay maxDelay delay host port options duplicate keyPrefix 0 length'
).split(' ')

const values: readonly unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  3,
  1.5,
  NaN,
  Infinity,
  2 ** 31,
  2 ** 53,
  10n,
  Symbol('symbol'),
  '',
  'text',
  'two words',
  '\u0000\ud800',
  'x'.repeat(10_000),
  '@:/'.repeat(3000),
  'AUTO',
  'EqualJitterDelay',
  'redis://a:1',
  'rediss://a:1',
  'redis+uds:///run/redis.sock',
  `redis://user:${PASSWORD}@a:1`,
  `redis://user:${PASSWORD}@a`,
  `http://user:${PASSWORD}@a:1/2?x=y`,
  () => 1,
  Map,
  [],
  [null],
  new Array(4),
  ['redis://a:1', 7],
  [`redis://:${PASSWORD}@a:1`, `redis://:${PASSWORD}@b`],
  {},
  { password: PASSWORD },
  { toJSON: () => undefined },
  { host: 'a', port: 1 },
  { 'a:1': { host: 'b', port: 1 } },
  { type: 'ConstantDelay', delay: 1 },
  { type: 'FullJitterDelay', baseDelay: 1, maxDelay: 10 },
  { options: { keyPrefix: 'p' }, duplicate: () => undefined },
  Object.create(null),
  Object.freeze({ address: 'redis://a:1' }),
  new Map([['address', 'redis://a:1']]),
  new Date(0),
  Buffer.from(PASSWORD),
  new Proxy({}, {}),
  circular,
  [circular],
]

const addresses = [
  'redis://host:6379',
  `redis://user:${PASSWORD}@host:6379`,
  `valkeys://:${PASSWORD}@[::1]:1`,
  `redis+uds://${PASSWORD}@/run/redis.sock`,
]

class Fuzzer {
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = randomFrom(seed)
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T
  }

  /** Mostly good options with a few things changed, so that many of them go far. */
  options(): unknown {
    if (this.below(20) === 0) return this.pick(values)
    const options = this.pick(valid)()
    for (let left = this.below(4); left > 0; left--) this.change(options)
    return options
  }

  change(options: Bag): void {
    const bags = [options, ...Object.values(options).filter((value) => isBag(value))]
    const bag = this.pick(bags)
    const name = this.below(2) === 0 ? this.pick(names) : this.pick([...Object.keys(bag), 'timeout'])
    if (Object.isFrozen(bag) || bag === circular) return
    if (this.below(8) === 0) Reflect.deleteProperty(bag, name)
    else
      Object.defineProperty(bag, name, {
        value: this.value(2),
        enumerable: true,
        configurable: true,
        writable: true,
      })
  }

  value(depth: number): unknown {
    if (depth === 0 || this.below(4) > 0) return this.pick(values)
    const size = this.below(4)
    if (this.below(2) === 0) return Array.from({ length: size }, () => this.value(depth - 1))
    return Object.fromEntries(Array.from({ length: size }, () => [this.pick(names), this.value(depth - 1)]))
  }

  /** The text with up to three pieces put in the place of others. */
  spoiled(text: string, pieces: readonly string[]): string {
    let result = text
    for (let left = this.below(4); left > 0; left--) {
      const at = this.below(result.length + 1)
      result = result.slice(0, at) + this.pick(pieces) + result.slice(at + this.below(3))
    }
    return result
  }

  text(pieces: readonly string[]): string {
    return Array.from({ length: this.below(12) }, () => this.pick(pieces)).join('')
  }
}

function isBag(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** Runs it, and returns the outcome. Everything but a {@link ConfigError}, or the `TypeError` of a codec, that keeps secrets is a failure. */
function outcome(run: () => unknown): 'accepted' | 'refused' {
  try {
    run()
    return 'accepted'
  } catch (error) {
    if (!(error instanceof ConfigError) && !isOfCodec(error)) throw error
    expect(error.message).not.toContain(PASSWORD)
    expect(error.message.length).toBeLessThan(1500)
    return 'refused'
  }
}

function isOfCodec(error: unknown): error is TypeError {
  return error instanceof TypeError && /^Expected (?:nothing in )?`codec\b/.test(error.message)
}

function outcomes(count: number, run: (fuzzer: Fuzzer) => unknown): Record<string, number> {
  const seen: Record<string, number> = { accepted: 0, refused: 0 }
  for (let seed = 0; seed < count; seed++) {
    const fuzzer = new Fuzzer(seed)
    const result = outcome(() => run(fuzzer))
    seen[result] = (seen[result] ?? 0) + 1
  }
  return seen
}

describe('any input', () => {
  beforeAll(() => {
    vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
  })

  afterAll(() => {
    vi.restoreAllMocks()
  })

  it('as options makes a frozen config or a ConfigError', () => {
    const seen = outcomes(20_000, (fuzzer) => {
      const config = resolveConfig(fuzzer.options() as RedissonOptions)
      expect(Object.isFrozen(config) && Object.isFrozen(config.server)).toBe(true)
      expect(config.retryDelay(3)).toBeLessThanOrEqual(config.longestRetryDelayMs)
    })
    expect(seen['accepted']).toBeGreaterThan(2000)
    expect(seen['refused']).toBeGreaterThan(2000)
  })

  it('as an address makes one with host and port or path, or a ConfigError', () => {
    const pieces = [
      'redis',
      '://',
      '+uds',
      ':',
      '@',
      '/',
      '[',
      ']',
      '::1',
      'host',
      '6379',
      '%',
      '%41',
      ' ',
      '?',
      '\n',
    ]
    const seen = outcomes(20_000, (fuzzer) => {
      const text = fuzzer.spoiled(fuzzer.pick(addresses), pieces)
      const { host, port, path } = parseAddress(text, 'address')
      expect(path === undefined ? host !== '' && port > 0 : path.startsWith('/')).toBe(true)
    })
    expect(seen['accepted']).toBeGreaterThan(2000)
    expect(seen['refused']).toBeGreaterThan(2000)
  })

  it('as a file makes options or a ConfigError', () => {
    const pieces = [
      'singleServerConfig:',
      'password:',
      'codec:',
      '\n',
      '\n  ',
      ' ',
      '- ',
      '{',
      '}',
      '[',
      ']',
      ': ',
      ', ',
      'x',
      '7',
      '&a ',
      '*a',
      '<<: ',
      '!<org.redisson.config.ConstantDelay> ',
      '!x ',
      '!!str ',
      '${UNSET_VARIABLE:-1}',
      '${UNSET_VARIABLE}',
      '"',
      '# ',
      '| ',
      '? ',
      '---',
    ]
    const seen = outcomes(5000, (fuzzer) => parseConfigFile(fuzzer.text(pieces), 'redisson.yaml'))
    expect(seen['accepted']).toBeGreaterThan(50)
  })
})
