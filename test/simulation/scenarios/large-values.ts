import assert from 'node:assert/strict'
import type * as Library from '../../../src/index.js'
import type { Interceptor } from '../world/network/message.js'
import { outcomeName } from './outcome-name.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

const MB = 1_000_000

/** What fits through the link of the process in each direction, in bytes a second. */
const LINK = 4 * MB

/** Takes five seconds each way. */
const LARGE = 20 * MB

/** Calls that ask once. */
const TRIES: Record<string, (client: Library.RedissonClient) => Promise<unknown>> = {
  lock: (client) => client.getLock('lock').tryLock(),
  'fair lock': (client) => client.getFairLock('lock').tryLock(),
  'read lock': (client) => client.getReadWriteLock('lock').readLock().tryLock(),
  semaphore: (client) => client.getSemaphore('lock', { permits: 1 }).tryAcquire(),
}

export const largeValues: readonly Scenario[] = [
  {
    name: 'large-reply',
    promise:
      'A value whose reply takes longer than the timeout is asked for once, and a lock stays held meanwhile',
    run: async (stage) => {
      stage.redis.command('SET', 'large', JSON.stringify('x'.repeat(LARGE)))
      const mine = await stage.process('mine')
      stage.network.limit({ host: 'mine' }, LINK)
      const requests = count(stage, 'GET', 'large')
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      const values = await mine.run((client) =>
        Promise.all([0, 1].map(() => client.getBucket<string>('large').get())),
      )
      assert.deepEqual(
        values.map((value) => value?.length),
        [LARGE, LARGE],
      )
      assert.equal(requests(), 2)
      await stage.sleep(35_000)
      assert.equal(await mine.run(() => hold.isHeld), true)
    },
  },
  {
    name: 'large-request-at-shutdown',
    promise: 'A shutdown waits for a value that is still being sent, and not for a server that is silent',
    run: async (stage) => {
      const mine = await stage.process('mine')
      stage.network.limit({ host: 'mine' }, LINK)
      const set = mine.run((client) => client.getBucket<string>('large').set('x'.repeat(2 * LARGE)))
      await stage.sleep(100)
      await mine.run((client) => client.shutdown())
      assert.equal(await outcomeName(set), 'ok')
      assert.equal(stage.redis.command('STRLEN', 'large'), 2 * LARGE + 2)
      const other = await stage.process('other')
      stage.network.freeze(stage.redis.address, 60_000)
      const silent = outcomeName(other.run((client) => client.getBucket('small').set(1)))
      const startedAt = stage.now
      await other.run((client) => client.shutdown())
      assert.ok(stage.now - startedAt < 6_000, `it took ${String(stage.now - startedAt)} ms`)
      await silent
    },
  },
  {
    name: 'large-request',
    promise:
      'A value that takes longer than the timeout to be sent is sent once, and a lock stays held meanwhile',
    run: async (stage) => {
      const mine = await stage.process('mine')
      stage.network.limit({ host: 'mine' }, LINK)
      const requests = count(stage, 'SET', 'large')
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      await mine.run((client) => client.getBucket<string>('large').set('x'.repeat(LARGE)))
      assert.equal(requests(), 1)
      assert.equal(stage.redis.command('STRLEN', 'large'), LARGE + 2)
      await stage.sleep(35_000)
      assert.equal(await mine.run(() => hold.isHeld), true)
    },
  },
  {
    name: 'large-reply-over-a-very-slow-link',
    promise: 'A lock with a short lease stays held while a value arrives over a link of 64 kB a second',
    run: async (stage) => {
      const size = 640_000
      stage.redis.command('SET', 'large', JSON.stringify('x'.repeat(size)))
      const mine = await stage.process('mine', { lockWatchdogTimeout: 3_000 })
      stage.network.limit({ host: 'mine' }, 64_000)
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      const value = await mine.run((client) => client.getBucket<string>('large').get())
      assert.equal(value?.length, size)
      assert.equal(await mine.run(() => hold.isHeld), true)
    },
  },
  {
    name: 'behind-large-values',
    promise: 'Small calls come through soon after the large values that were sent before them',
    run: async (stage) => {
      stage.redis.command('SET', 'large', JSON.stringify('x'.repeat(LARGE)))
      const mine = await stage.process('mine')
      stage.network.limit({ host: 'mine' }, LINK)
      const took: Record<string, number> = {}
      const startedAt = stage.now
      const timed = async (name: string, call: Promise<unknown>): Promise<void> => {
        await call
        took[name] = stage.now - startedAt
      }
      await mine.run(async (client) => {
        await Promise.all([
          timed('get', client.getBucket('large').get()),
          timed('set', client.getBucket('other').set('x'.repeat(LARGE))),
          timed('small', client.getAtomicLong('number').incrementAndGet()),
          timed(
            'lock',
            client.getLock('lock').withLock(() => undefined),
          ),
        ])
      })
      const dataMs = (LARGE / LINK) * 1_000
      assert.ok(Number(took['get']) < dataMs + 500, `the reply took ${String(took['get'])} ms`)
      for (const name of ['set', 'small', 'lock'])
        assert.ok(Number(took[name]) < 2 * dataMs + 500, `${name} took ${String(took[name])} ms`)
      assert.equal(stage.redis.command('GET', 'number'), '1')
    },
  },
  ...[0, 50, 150].map((gapMs): Scenario => ({
    name: `released-${String(gapMs)}-ms-after-large-read`,
    promise: `A lock that is released ${String(gapMs)} ms after a large read began is free soon, and so is one that is acquired then`,
    run: async (stage) => {
      stage.redis.command('SET', 'large', JSON.stringify('x'.repeat(LARGE)))
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      stage.network.limit({ host: 'mine' }, LINK)
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      let isRead = false
      const reading = mine.run(async (client) => {
        await client.getBucket('large').get()
        isRead = true
      })
      await stage.sleep(gapMs)
      const startedAt = stage.now
      const acquiring = mine.run((client) => client.getLock('next').acquire())
      const counting = mine.run((client) => client.getLock('counted').acquire())
      await mine.run(() => hold.unlock())
      await other.run((client) => client.getLock('lock').acquire())
      await acquiring
      await mine.run(async () => (await counting).unlock())
      const tookMs = stage.now - startedAt
      assert.ok(tookMs < 2_000, `it took ${tookMs.toFixed(0)} ms`)
      assert.equal(isRead, false)
      await reading
      assert.deepEqual(stage.redis.command('HVALS', 'next'), ['1'])
      assert.equal(stage.has('counted'), false)
    },
  })),
  ...Object.entries(TRIES).map(([kind, tryOnce]): Scenario => ({
    name: `tried-beside-large-read-${kind.replaceAll(' ', '-')}`,
    promise: `A ${kind} that is tried for once, just after a large read began, is granted soon`,
    run: async (stage) => {
      stage.redis.command('SET', 'large', JSON.stringify('x'.repeat(LARGE)))
      const mine = await stage.process('mine')
      stage.network.limit({ host: 'mine' }, LINK)
      const reading = mine.run((client) => client.getBucket('large').get())
      await stage.sleep(50)
      const startedAt = stage.now
      assert.equal(await mine.run(tryOnce), true)
      assert.ok(stage.now - startedAt < 1_000)
      await reading
    },
  })),
  {
    name: 'many-behind-large-read',
    promise: 'All locks that are acquired just after a large read began are acquired soon',
    run: async (stage) => {
      stage.redis.command('SET', 'large', JSON.stringify('x'.repeat(LARGE)))
      const mine = await stage.process('mine')
      stage.network.limit({ host: 'mine' }, LINK)
      const reading = mine.run((client) => client.getBucket('large').get())
      await stage.sleep(50)
      const startedAt = stage.now
      const names = Array.from({ length: 30 }, (_, index) => `lock${String(index)}`)
      await mine.run((client) => Promise.all(names.map((name) => client.getLock(name).lock())))
      const tookMs = stage.now - startedAt
      assert.ok(tookMs < 1_000, `it took ${tookMs.toFixed(0)} ms`)
      await reading
    },
  },
  {
    name: 'left-beside-large-read',
    promise:
      'A thread that leaves the queue of a fair lock beside a large read, and comes back, keeps its new place',
    run: async (stage) => {
      stage.redis.command('SET', 'large', JSON.stringify('x'.repeat(LARGE)))
      const [mine, other, holder] = await Promise.all([
        stage.process('mine'),
        stage.process('other'),
        stage.process('holder'),
      ])
      const hold = await holder.run((client) => client.getFairLock('lock').acquire())
      await mine.run((client) => client.getFairLock('lock').tryLock(10)) // so that the server knows the scripts
      const leaving = mine.run((client) => client.getFairLock('lock').tryLock({ waitMs: 400, threadId: 5 }))
      await stage.sleep(330)
      stage.network.limit({ host: 'mine' }, LINK)
      const reading = mine.run((client) => client.getBucket('large').get())
      assert.equal(await leaving, false)
      const order: string[] = []
      const again = mine.run(async (client) => {
        await client.getFairLock('lock').lock({ threadId: 5 })
        order.push('mine')
        await client.getFairLock('lock').unlock({ threadId: 5 })
      })
      await stage.sleep(600) // it takes its new place when Redis has replied that it has left the old one
      const waiting = other.run((client) => client.getFairLock('lock').withLock(() => order.push('other')))
      await stage.sleep(500)
      await holder.run(() => hold.unlock())
      await Promise.all([again, waiting, reading])
      assert.deepEqual(order, ['mine', 'other'])
    },
  },
  {
    name: 'burst-over-a-slow-link',
    promise:
      'Locks that are acquired in one turn are each asked for once, also where all replies together take long',
    run: async (stage) => {
      const mine = await stage.process('mine')
      await mine.run((client) => client.getLock('first').withLock(() => undefined))
      stage.network.limit({ host: 'mine' }, 32_000)
      let requests = 0
      stage.network.intercept({
        request: ({ name, words }) => {
          if (name === 'EVALSHA' && String(words[3]).startsWith('burst')) requests += 1
        },
      })
      const names = Array.from({ length: 1_000 }, (_, index) => `burst${String(index)}`)
      const startedAt = stage.now
      await mine.run((client) => Promise.all(names.map((name) => client.getLock(name).lock())))
      assert.ok(stage.now - startedAt > 1_000)
      assert.equal(requests, names.length)
    },
  },
  ...(['refuse', 'hang'] as const).map((fate): Scenario => ({
    name: `no-connection-past-large-values-${fate}`,
    promise: `Locks are held and acquired beside a large value where attempts to open a second connection ${fate === 'hang' ? 'hang' : 'are refused'}`,
    run: async (stage) => {
      const mine = await stage.process('mine', { failFast: fate === 'refuse' })
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      stage.network.configure({ [fate]: 1 })
      stage.network.limit({ host: 'mine' }, LINK)
      const writing = mine.run((client) => client.getBucket('large').set('x'.repeat(2 * LARGE)))
      await stage.sleep(500)
      await mine.run((client) => client.getLock('other').acquire())
      assert.equal(await mine.run((client) => client.getLock('another').tryLock()), true)
      await writing
      await stage.sleep(35_000)
      assert.equal(await mine.run(() => hold.isHeld), true)
    },
  })),
]

/** Counts commands with a key that arrive at the server. */
function count(stage: Stage, name: string, key: string): () => number {
  let seen = 0
  const interceptor: Interceptor = {
    request: (message) => {
      if (message.name === name && message.words[1] === key) seen += 1
    },
  }
  stage.network.intercept(interceptor)
  return () => seen
}
