import type { LockHold, RedissonClient, RLock } from 'ioredisson'

/** One call of the library that runs one script, and the commands that no such script can do without. */
export interface Step {
  readonly name: string
  readonly call: (name: string) => Promise<unknown>
  readonly least: readonly string[]
}

/** What is done with objects of one kind, one step after the other, so that all is as before. */
export interface Case {
  readonly name: string
  /** The command that prepares an object, `key`: as words, which another client might send. */
  readonly before?: readonly string[]
  readonly steps: (client: RedissonClient) => readonly Step[]
}

/** Another owner, who has a lock. */
const OTHER = '00000000-0000-4000-8000-000000000000:1'

const TAKEN = ['hset key owner 1', 'pexpire key ms']
const FREED = ['del key', 'publish key 0']

/** What is measured: what programs do most often with locks and synchronizers, and with a map. */
export const cases: readonly Case[] = [
  lock('lock', (it, name) => it.getLock(name), {
    acquire: ['exists key key:request', ...TAKEN],
    release: ['hexists key owner', ...FREED],
  }),
  {
    name: 'lock of another',
    before: ['hset', 'key', OTHER, '1'],
    steps: (client) => [
      {
        name: 'acquire',
        call: (name) => client.getLock(name).tryLock(),
        least: ['hgetall key', 'pttl key'],
      },
    ],
  },
  lock('fair lock', (it, name) => it.getFairLock(name), {
    acquire: ['exists key key:request key:queue', ...TAKEN],
    release: ['hexists key owner', 'exists key:queue', 'del key'],
  }),
  lock('fenced lock', (it, name) => it.getFencedLock(name), {
    acquire: ['exists key key:request', ...TAKEN, 'incr key:token'],
    release: ['hexists key owner', ...FREED],
  }),
  lock('spin lock', (it, name) => it.getSpinLock(name), {
    acquire: ['exists key key:request', ...TAKEN],
    release: ['hexists key owner', 'del key'],
  }),
  lock('read lock', (it, name) => it.getReadWriteLock(name).readLock(), {
    acquire: [
      'exists key key:request',
      'hset key mode read owner 1',
      'pexpire key ms',
      'set key:marker 1 px ms',
    ],
    release: ['hmget key mode owner', 'del key key:marker', 'publish key 0'],
  }),
  lock('write lock', (it, name) => it.getReadWriteLock(name).writeLock(), {
    acquire: ['exists key key:request', 'hset key mode write owner 1', 'pexpire key ms'],
    release: ['hmget key mode owner', ...FREED],
  }),
  lock('lock of two values', (it, name) => it.getMultiLock(name, ['one', 'two']), {
    acquire: [
      'exists key key:request',
      'time',
      'hset key one owner one:end ms one:count 1 two owner two:end ms two:count 1',
      'pexpire key ms',
      'set key:request taken px ms',
    ],
    release: [
      'exists key:request',
      'time',
      'hmget key one one:end one:count two two:end two:count',
      'del key',
      'set key:request 0 px ms',
      'publish key 0',
    ],
  }),
  {
    name: 'semaphore',
    before: ['set', 'key', '10'],
    steps: (client) => [
      {
        name: 'acquire',
        call: (name) => client.getSemaphore(name).acquire(),
        least: ['exists key:request', 'get key', 'decrby key 1', 'set key:request 1 px ms'],
      },
      {
        name: 'release',
        call: (name) => client.getSemaphore(name).release(),
        least: ['exists key:request', 'incrby key 1', 'set key:request 1 px ms', 'publish key 1'],
      },
    ],
  },
  {
    name: 'permit that expires',
    before: ['set', 'key', '10'],
    steps: (client) => {
      const permits = new Map<string, string>()
      const semaphore = (name: string) => client.getPermitExpirableSemaphore(name)
      const looking = ['exists key:request', 'get key', 'zrange key:timeout 0 0', 'time']
      return [
        {
          name: 'acquire',
          call: async (name) => permits.set(name, await semaphore(name).acquire(60_000)),
          least: [...looking, 'zadd key:timeout ms owner', 'decrby key 1', 'pttl key'],
        },
        {
          name: 'release',
          call: (name) => semaphore(name).release(permits.get(name) ?? ''),
          least: [
            ...looking,
            'zrem key:timeout owner',
            'incrby key 1',
            'set key:request 1 px ms',
            'publish key 1',
          ],
        },
      ]
    },
  },
  {
    name: 'latch',
    before: ['set', 'key', '1000000'],
    steps: (client) => [
      {
        name: 'count down',
        call: (name) => client.getCountDownLatch(name).countDown(),
        least: ['exists key:request', 'decr key', 'set key:request 1 px ms'],
      },
    ],
  },
  {
    name: 'rate limiter',
    before: ['hset', 'key', 'rate', '1000000', 'interval', '1000', 'type', '0'],
    steps: (client) => [
      {
        name: 'grant',
        call: (name) => client.getRateLimiter(name).tryAcquire(),
        least: [
          'exists key:request',
          'hmget key rate interval type',
          'time',
          'get key:value',
          'zrangebyscore key:permits 0 1',
          'zadd key:permits ms owner',
          'decrby key:value 1',
        ],
      },
    ],
  },
  {
    name: 'map',
    steps: (client) => [
      {
        name: 'put',
        call: (name) => client.getMap(name).put('field', 'value'),
        least: ['hget key owner', 'hset key owner 1'],
      },
    ],
  },
]

function lock(
  name: string,
  lockOf: (client: RedissonClient, name: string) => RLock,
  { acquire, release }: { acquire: readonly string[]; release: readonly string[] },
): Case {
  return {
    name,
    steps: (client) => {
      const holds = new Map<string, LockHold>()
      return [
        {
          name: 'acquire',
          call: async (key) => holds.set(key, await lockOf(client, key).acquire()),
          least: acquire,
        },
        {
          name: 'release',
          call: async (key) => holds.get(key)?.unlock(),
          least: release,
        },
      ]
    },
  }
}
