import assert from 'node:assert/strict'
import type { LockHold, RedissonClient, RLock } from '../../../src/index.js'
import { runsScript } from './messages.js'
import type { Scenario } from './scenario.js'

/** A hold ends here so much earlier than in Redis: 1 % and 2 ms. */
const LEASE_MS = 8_000

export const readWriteLocks: readonly Scenario[] = [
  {
    name: 'preferred-writer',
    promise: 'A reader that comes after a waiting writer waits for it, where writers are preferred',
    run: async (stage) => {
      const [mine, writing, late] = await Promise.all([
        stage.process('mine'),
        stage.process('writing'),
        stage.process('late'),
      ])
      const preferring = { prefer: 'writer' } as const
      const hold = await mine.run((client) =>
        client.getReadWriteLock('lock', preferring).readLock().acquire(),
      )
      const writer = writing.run((client) =>
        client.getReadWriteLock('lock', preferring).writeLock().acquire(),
      )
      await stage.sleep(5_000)
      const reader = await late.run((client) =>
        client.getReadWriteLock('lock', preferring).readLock().tryAcquire(),
      )
      assert.ok(!reader, 'the reader has overtaken the writer')
      await mine.run(() => hold.unlock())
      await writer
    },
  },
  {
    name: 'preferred-writer-comes-back',
    promise: 'A named thread waits to write again only after Redis has forgotten that it did before',
    run: async (stage) => {
      const [mine, writing] = await Promise.all([stage.process('mine'), stage.process('writing')])
      const lockOf = (client: RedissonClient) =>
        client.getReadWriteLock('lock', { prefer: 'writer' }).writeLock()
      const hold = await mine.run((client) => lockOf(client).acquire())
      const stopped = writing.delayReply({ with: 'redisson_rwlock:{lock}' }, 500)
      const writer = writing.run(async (client) => {
        assert.equal(await lockOf(client).tryLock({ threadId: 5, waitMs: 100 }), false)
        await lockOf(client).lock({ threadId: 5 })
      })
      await stopped
      let requests = 0
      stage.network.intercept({
        request: (message) =>
          void (requests += Number(message.route.host === 'writing' && runsScript(stage.redis, message))),
      })
      await stage.sleep(400)
      assert.equal(requests, 0, 'it has not waited for the reply')
      await mine.run(() => hold.unlock())
      await writer
    },
  },
  {
    name: 'reader-with-long-lease-leaves',
    promise: 'A writer waits no longer than the lease of the readers that are left',
    run: async (stage) => {
      const [mine, dying, writing] = await Promise.all([
        stage.process('mine'),
        stage.process('dying'),
        stage.process('writing'),
      ])
      const hold = await mine.run((client) =>
        client.getReadWriteLock('lock').readLock().acquire({ leaseMs: 60_000 }),
      )
      await dying.run((client) => client.getReadWriteLock('lock').readLock().acquire({ leaseMs: 1_000 }))
      const writer = writing.run((client) => client.getReadWriteLock('lock').writeLock().acquire())
      await stage.sleep(100)
      dying.kill()
      await mine.run(() => hold.unlock())
      const leftAt = stage.now
      await writer
      assert.ok(stage.now - leftAt < 1_000, `it has waited for ${(stage.now - leftAt).toFixed(0)} ms`)
    },
  },
  {
    name: 'renewal-beside-ended-hold',
    promise: 'A reader leaves nothing behind of a hold that ended while the other one was renewed',
    run: async (stage) => {
      const [mine, other] = await Promise.all([
        stage.process('mine', { lockWatchdogTimeout: 900 }),
        stage.process('other'),
      ])
      const reading = await other.run((client) =>
        client.getReadWriteLock('lock').readLock().acquire({ leaseMs: 60_000 }),
      )
      const readAgain = async (read: RLock, { owner }: LockHold): Promise<void> => {
        const first = `{lock}:${owner}:rwlock_timeout:1` // from now on other places may enter by the owner
        await stage.sleep(LEASE_MS * 0.995)
        assert.ok(stage.has(first), 'what is over here has ended in Redis as well')
        await read.lock()
        await stage.sleep(1_000)
        assert.ok(!stage.has(first), 'what has ended lasts again')
        await read.unlock()
      }
      const outcome = mine.run((client) => {
        const read = client.getReadWriteLock('lock').readLock()
        return read.withLock((hold) => readAgain(read, hold), { leaseMs: LEASE_MS })
      })
      await assert.rejects(outcome, stage.library.LockLostError)
      await other.run(() => reading.unlock())
      const writer = await other.run((client) => client.getReadWriteLock('lock').writeLock().tryAcquire())
      assert.ok(writer, 'no process can write')
    },
  },
]
