import assert from 'node:assert/strict'
import type { Scenario } from './scenario.js'

export const fairLocks: readonly Scenario[] = [
  {
    name: 'queue-evicted',
    promise: 'A waiter of a fair lock gets its turn, although Redis has evicted the queue',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const hold = await other.run((client) => client.getFairLock('lock').acquire())
      const waiter = mine.run((client) => client.getFairLock('lock').tryAcquire({ waitMs: 10_000 }))
      await stage.sleep(100)
      assert.equal(stage.redis.command('UNLINK', 'redisson_lock_queue:{lock}'), 1)
      let isOver = false
      const flow = async (): Promise<void> => {
        while (!isOver) await other.run((client) => client.getFairLock('lock').withLock(() => stage.sleep(5)))
      }
      const flows = [flow(), flow()]
      await other.run(() => hold.unlock())
      const turn = await waiter
      isOver = true
      await mine.run(() => turn?.unlock())
      await Promise.all(flows)
      assert.ok(turn, 'the waiter was overtaken for ten seconds')
    },
  },
]
