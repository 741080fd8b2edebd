import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { RLock } from '../../../src/locks/shared/lock.api.js'
import type { RedissonClient } from '../../../src/api/redisson-client.js'
import { isRedissonError } from '../../../src/errors/redisson-error.js'
import { Redisson } from '../../../src/client/redisson.js'
import { eventually } from '../../support/eventually.js'
import type { SingleTopology } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { startSingle } from '../../support/servers.js'

const NEVER_MS = 600_000

const PUBLISH_AND_SET = "redis.call('publish', KEYS[1], ARGV[1]) redis.call('set', KEYS[1], 1)"

/** Something that is held: how to give it back, and whether that has come to pass exactly once. */
interface Held {
  readonly giveBack: () => Promise<unknown>
  readonly isBack: () => Promise<boolean>
  /** Whether the client goes on when it has rejected. Otherwise its caller has to. */
  readonly goesOn: boolean
}

type Hold = (client: RedissonClient, name: string) => Promise<Held>

const ofLock =
  (lockOf: (client: RedissonClient, name: string) => RLock): Hold =>
  async (client, name) => {
    const lock = lockOf(client, name)
    const hold = await lock.acquire({ leaseMs: NEVER_MS })
    return { giveBack: () => hold.unlock(), isBack: async () => !(await lock.isLocked()), goesOn: true }
  }

const kinds: readonly (readonly [string, Hold])[] = [
  ['a lock', ofLock((client, name) => client.getLock(name))],
  ['a fair lock', ofLock((client, name) => client.getFairLock(name))],
  ['a fenced lock', ofLock((client, name) => client.getFencedLock(name))],
  ['a read lock', ofLock((client, name) => client.getReadWriteLock(name).readLock())],
  ['a write lock', ofLock((client, name) => client.getReadWriteLock(name).writeLock())],
  ['values of a group', ofLock((client, name) => client.getMultiLock(name, ['a', 'b']))],
  [
    'a lock of a thread with a name',
    async (client, name) => {
      const lock = client.getLock(name)
      await lock.lock({ threadId: 5, leaseMs: NEVER_MS })
      return {
        giveBack: () => lock.unlock({ threadId: 5 }),
        isBack: async () => !(await lock.isLocked()),
        goesOn: true,
      }
    },
  ],
  [
    'a permit',
    async (client, name) => {
      const semaphore = client.getSemaphore(name)
      await semaphore.trySetPermits(1)
      await semaphore.acquire()
      return {
        giveBack: () => semaphore.release(),
        isBack: async () => (await semaphore.availablePermits()) === 1 && (await semaphore.delete()),
        goesOn: false,
      }
    },
  ],
  [
    'a permit that can expire',
    async (client, name) => {
      const semaphore = client.getPermitExpirableSemaphore(name)
      await semaphore.trySetPermits(1)
      const id = await semaphore.acquire()
      return {
        giveBack: () => semaphore.release(id),
        isBack: async () => (await semaphore.availablePermits()) === 1 && (await semaphore.delete()),
        goesOn: false,
      }
    },
  ],
  [
    'one of two counts of a latch',
    async (client, name) => {
      const latch = client.getCountDownLatch(name)
      await latch.trySetCount(2)
      return {
        giveBack: () => latch.countDown(),
        isBack: async () => (await latch.getCount()) === 1 && (await latch.delete()),
        goesOn: false,
      }
    },
  ],
]

describe('a server that has no memory left', () => {
  let servers: SingleTopology
  let client: RedissonClient
  let hasty: RedissonClient
  /** Asks once more after a second, and no more often where there is no memory then. */
  let patient: RedissonClient
  let names = 0

  noLeaks(() => servers, { except: /^redisson_lock_token:/ })

  beforeAll(async () => {
    servers = await startSingle()
    client = await Redisson.create(servers.options({ retryDelay: 50, retryAttempts: 200 }))
    hasty = await Redisson.create(servers.options({ retryDelay: 20, retryAttempts: 2 }))
    patient = await Redisson.create(servers.options({ retryDelay: 1_000 }))
  })

  afterEach(() => fill(false))

  afterAll(async () => {
    await Promise.all([client, hasty, patient].map((each) => each.shutdown()))
    await servers.stop()
  })

  const fill = (full: boolean) => servers.nodes[0].command('CONFIG', 'SET', 'maxmemory', full ? 1 : 0)

  const freshName = () => `full-${String(names++)}`

  /** Listens to a topic. Its messages end with `last`. */
  const heardAt = async (name: string) => {
    const heard: string[] = []
    const topic = client.getTopic<string>(name)
    const subscription = await topic.addListener((message) => heard.push(message))
    return {
      async messages() {
        await topic.publish('last')
        await eventually(() => heard.at(-1) === 'last')
        return heard
      },
      [Symbol.asyncDispose]: () => subscription[Symbol.asyncDispose](),
    }
  }

  /** Resolves when the server has refused something for want of memory since it was called. */
  const refusal = async () => {
    const count = async () => {
      const [, refused = 0] =
        /errorstat_OOM:count=(\d+)/.exec(String(await servers.nodes[0].command('INFO', 'errorstats'))) ?? []
      return Number(refused)
    }
    const before = await count()
    return { met: () => eventually(async () => (await count()) > before) }
  }

  describe.each(kinds)('takes back %s', (_, hold) => {
    it('at once, or as soon as there is room', async () => {
      const { giveBack, isBack } = await hold(client, freshName())
      await fill(true)
      const refused = await refusal()
      const giving = giveBack()
      await Promise.race([giving, refused.met()])
      await fill(false)
      await giving
      await eventually(isBack)
    })

    it('later, where the call was rejected as not ready', async () => {
      const { giveBack, isBack, goesOn } = await hold(hasty, freshName())
      await fill(true)
      const error: unknown = await giveBack().catch((reason: unknown) => reason)
      expect(error === undefined || isRedissonError(error, 'SERVER_NOT_READY')).toBe(true)
      await fill(false)
      if (error !== undefined && !goesOn) await giveBack()
      await eventually(isBack)
    })
  })

  it.each([
    ['a message', (name: string) => patient.getTopic<string>(name, { exactlyOnce: true }).publish('once')],
    [
      'a script that publishes before it writes',
      (name: string) =>
        patient.getScript({ exactlyOnce: true }).eval('READ_WRITE', PUBLISH_AND_SET, 'VALUE', [name], 'once'),
    ],
  ])('publishes %s once, when there is room', async (_, publish) => {
    const name = freshName()
    await using topic = await heardAt(name)
    await fill(true)
    const refused = await refusal()
    const publishing = publish(name)
    await refused.met()
    await sleep(200)
    await fill(false)
    await publishing
    expect(await topic.messages()).toEqual(['once', 'last'])
    await client.getBucket(name).delete()
  })

  it('runs no script again that has published, and then had no room to write', async () => {
    const name = freshName()
    await using topic = await heardAt(name)
    await fill(true)
    await expect(
      client.getScript().eval('READ_WRITE', PUBLISH_AND_SET, 'VALUE', [name], 'first'),
    ).rejects.toMatchObject({
      code: 'SCRIPT',
      mayHaveRun: true,
    })
    await fill(false)
    expect(await topic.messages()).toEqual(['first', 'last'])
  })

  it('takes back the inner of two holds as soon as there is room', async () => {
    const lock = client.getLock(freshName())
    await client.runAsThread(async () => {
      await lock.lock(NEVER_MS)
      await lock.lock(NEVER_MS)
      await fill(true)
      const refused = await refusal()
      const giving = lock.unlock()
      await Promise.race([giving, refused.met()])
      await fill(false)
      await giving
      expect(await lock.getHoldCount()).toBe(1)
      await lock.unlock()
    })
    expect(await lock.isLocked()).toBe(false)
  })

  it.each<[string, (name: string) => RLock]>([
    ['a lock', (name) => hasty.getLock(name)],
    ['a fair lock', (name) => hasty.getFairLock(name)],
    ['a write lock', (name) => hasty.getReadWriteLock(name).writeLock()],
    ['values of a group', (name) => hasty.getMultiLock(name, ['a', 'b'])],
  ])('takes back both holds of %s', async (_, lockOf) => {
    const lock = lockOf(freshName())
    await hasty.runAsThread(async () => {
      await lock.lock(NEVER_MS)
      await lock.lock(NEVER_MS)
      await fill(true)
      await lock.unlock()
      expect(await lock.getHoldCount()).toBe(1)
      await lock.unlock()
    })
    expect(await lock.isLocked()).toBe(false)
  })

  it('releases a lock that has a waiter in the process', async () => {
    const lock = hasty.getLock(freshName())
    const hold = await lock.acquire({ leaseMs: NEVER_MS })
    const giveUp = new AbortController()
    const waiting = lock.acquire({ signal: giveUp.signal, leaseMs: NEVER_MS })
    waiting.catch(() => undefined) // it is looked at later
    await eventually(async () => String(await servers.nodes[0].command('PUBSUB', 'CHANNELS', '*')) !== '')
    await fill(true)
    await hold.unlock().catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'SERVER_NOT_READY' })
    })
    await fill(false)
    const next = await waiting.catch((error: unknown) => {
      expect(error).toMatchObject({ code: 'SERVER_NOT_READY' })
    })
    await next?.unlock()
    await eventually(async () => !(await lock.isLocked()))
  })

  it('rejects every acquisition as not ready', async () => {
    const lock = hasty.getLock(freshName())
    await fill(true)
    await expect(lock.lock()).rejects.toMatchObject({
      code: 'SERVER_NOT_READY',
      message: expect.stringContaining('OOM'),
    })
    await expect(lock.tryLock()).rejects.toMatchObject({ code: 'SERVER_NOT_READY' })
    await fill(false)
    expect(await lock.isLocked()).toBe(false)
  })

  it('grants a lock as soon as there is memory', async () => {
    await fill(true)
    const refused = await refusal()
    const taking = client.getLock(freshName()).acquire()
    await refused.met()
    await fill(false)
    await (await taking).unlock()
  })
})
