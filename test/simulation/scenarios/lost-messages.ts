import assert from 'node:assert/strict'
import { outcomeName } from './outcome-name.js'
import type { Scenario } from './scenario.js'

const AN_HOUR_MS = 3_600_000

export const lostMessages: readonly Scenario[] = [
  {
    name: 'lost-message',
    promise: 'A waiter at a semaphore notices a permit within five seconds, although its message was lost',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      stage.redis.command('SET', 'permits', 0)
      const waiter = mine.run((client) => client.getSemaphore('permits').tryAcquire({ waitMs: 10_000 }))
      await stage.sleep(100)
      mine.delayMessages(AN_HOUR_MS)
      await other.run((client) => client.getSemaphore('permits').release())
      const releasedAt = stage.now
      assert.equal(await waiter, true)
      assert.ok(stage.now - releasedAt < 5_100, 'the waiter has slept for longer')
    },
  },
  {
    name: 'counts-once',
    promise: 'A request that is sent again because its reply was lost counts once',
    run: async (stage) => {
      const mine = await stage.process('mine')
      await mine.run((client) => client.getCountDownLatch('latch').trySetCount(3))
      const lost = mine.loseReply({ with: 'latch' }, 100)
      await Promise.all([mine.run((client) => client.getCountDownLatch('latch').countDown()), lost])
      assert.equal(stage.redis.command('GET', 'latch'), '2')
    },
  },
  {
    name: 'compared-with-nothing',
    promise: 'compareAndSet() of a bucket without a value sets it once, although its reply was lost',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const lost = mine.loseReply({ command: 'SET', with: 'bucket' }, 100)
      const outcome = outcomeName(
        mine.run((client) => client.getBucket('bucket').compareAndSet(undefined, 'value')),
      )
      await lost
      const taken = await other.run((client) => client.getBucket('bucket').getAndDelete())
      const left = () => stage.redis.command('GET', 'bucket')
      assert.deepEqual([await outcome, taken, left()], ['ConnectionLostError', 'value', null])
    },
  },
  {
    name: 'copy-waits-while-frozen',
    promise: 'A request that waits to be sent again is not sent after its process was frozen for too long',
    run: async (stage) => {
      const mine = await stage.process('mine', { server: { retryDelay: 50, reconnectionDelay: 200 } })
      await mine.run((client) => client.getCountDownLatch('latch').trySetCount(3))
      const lost = mine.loseReply({ with: 'latch' }, 100)
      const outcome = outcomeName(mine.run((client) => client.getCountDownLatch('latch').countDown()))
      await lost
      await stage.sleep(100)
      mine.freeze(120_000)
      assert.deepEqual([await outcome, stage.redis.command('GET', 'latch')], ['ConnectionLostError', '2'])
    },
  },
  {
    name: 'copy-in-batch-waits-while-frozen',
    promise:
      'A call of a batch that waits to be sent again is not sent after its process was frozen for too long',
    run: async (stage) => {
      const mine = await stage.process('mine', { server: { retryDelay: 50, reconnectionDelay: 200 } })
      const lost = mine.loseReply({ with: 'number' }, 100)
      const batch = mine.run((client) =>
        client.batch((each) => [each.getAtomicLong('number').incrementAndGet()], { exactlyOnce: true }),
      )
      const outcome = outcomeName(batch)
      await lost
      await stage.sleep(100)
      mine.freeze(120_000)
      assert.deepEqual([await outcome, stage.redis.command('GET', 'number')], ['BatchError', '1'])
    },
  },
  {
    name: 'chunk-waits-while-frozen',
    promise:
      'A chunk of a stream may be there, as its error says, if its process was frozen until Redis has forgotten that it ran',
    run: async (stage) => {
      const mine = await stage.process('mine', { server: { retryDelay: 50, reconnectionDelay: 200 } })
      const lost = mine.loseReply({ with: 'log' }, 100)
      const failure = mine.run((client) => {
        const writer = client.getBinaryStream('log').writable().getWriter()
        writer.closed.catch(() => undefined)
        return writer.write(Buffer.from('chunk')).then(() => undefined, mayHaveRunOf)
      })
      await lost
      await stage.sleep(100)
      mine.freeze(120_000)
      assert.deepEqual([await failure, stage.redis.command('GET', 'log')], [true, 'chunk'])
    },
  },
  {
    name: 'mark-settled-once',
    promise: 'A run whose mark ends with it resolves, although the reply to that was lost',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const lost = mine.loseReply({ with: 'redisson_once:{job}:1', nth: 2 }, 1_000) // of the request that ends it
      const outcome = outcomeName(
        mine.run((client) =>
          client.getOnce('job', { ttlMs: 500 }).run(() => stage.sleep(1_000), { fire: 1, retry: 'onCrash' }),
        ),
      )
      await lost
      assert.equal(await outcome, 'ok')
    },
  },
  {
    name: 'permit-counts-once',
    promise: 'A request for a permit that is sent again because its reply was lost takes one permit',
    run: async (stage) => {
      const mine = await stage.process('mine', { server: { retryDelay: 50, reconnectionDelay: 20 } })
      const permits = () => mine.client.getPermitExpirableSemaphore('permits')
      await mine.run(() => permits().trySetPermits(3))
      const lost = mine.loseReply({ with: 'permits' }, 30)
      const [hold] = await Promise.all([mine.run(() => permits().acquirePermit()), lost])
      assert.equal(await mine.run(() => permits().availablePermits()), 2)
      await mine.run(() => hold.release())
      assert.equal(await mine.run(() => permits().availablePermits()), 3)
    },
  },
]

function mayHaveRunOf(error: unknown): unknown {
  return error instanceof Error && 'mayHaveRun' in error ? error.mayHaveRun : undefined
}
