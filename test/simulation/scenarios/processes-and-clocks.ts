import assert from 'node:assert/strict'
import { outcomeName } from './outcome-name.js'
import type { Scenario } from './scenario.js'

const AN_HOUR_MS = 3_600_000

export const processesAndClocks: readonly Scenario[] = [
  {
    name: 'frozen-holder',
    promise: 'A process that was frozen for longer than its lease sees the loss in its next line',
    run: async (stage) => {
      const mine = await stage.process('mine')
      await mine.run(async (client) => {
        const hold = await client.getLock('lock').acquire()
        mine.freeze(40_000)
        await stage.sleep(0)
        assert.deepEqual([hold.isHeld, hold.signal.aborted], [false, true])
      })
    },
  },
  {
    name: 'time-of-day-changes',
    promise: 'A hold does not depend on the time of day',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      mine.stepClock(AN_HOUR_MS)
      await stage.sleep(45_000)
      mine.stepClock(-2 * AN_HOUR_MS)
      await stage.sleep(45_000)
      assert.ok(hold.isHeld && stage.has('lock'), 'the hold was lost')
    },
  },
  {
    name: 'slow-clock',
    promise: 'A hold is over here before it is over in Redis, with a clock that is half a percent slow',
    run: async (stage) => {
      const mine = await stage.process('mine', {}, { drift: 0.995 })
      const hold = await mine.run((client) => client.getLock('lock').acquire({ leaseMs: 10_000 }))
      await stage.gone('lock')
      assert.equal(await mine.run(() => hold.isHeld), false)
    },
  },
  {
    name: 'killed-holder',
    promise: 'The lock of a process that was killed is free when its lease ends',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      await mine.run((client) => client.getLock('lock').acquire())
      mine.kill()
      const hold = await other.run((client) => client.getLock('lock').tryAcquire({ waitMs: 31_000 }))
      assert.ok(hold, 'the lock is still taken')
    },
  },
  {
    name: 'killed-waiter-of-fair-lock',
    promise:
      'A process that dies while it waits for a fair lock holds up the others for five seconds at most',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const dead = await stage.process('dead')
      const hold = await mine.run((client) => client.getFairLock('lock').acquire())
      void dead.run((client) => client.getFairLock('lock').acquire())
      await stage.sleep(100)
      const waiter = other.run((client) => client.getFairLock('lock').tryAcquire({ waitMs: 5_100 }))
      await stage.sleep(100)
      dead.kill()
      await mine.run(() => hold.unlock())
      assert.ok(await waiter, 'the process behind the dead one is held up')
    },
  },
  {
    name: 'frozen-while-subscribing',
    promise: 'A waiter goes on to wait, although its process was frozen while Redis confirmed its channel',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const hold = await other.run((client) => client.getLock('lock').acquire())
      const stop = stage.network.intercept({
        request: ({ name }) => {
          if (name !== 'SUBSCRIBE') return
          stop()
          mine.freeze(8_000)
        },
      })
      const waiter = outcomeName(mine.run((client) => client.getLock('lock').acquire()))
      await stage.sleep(9_000)
      await other.run(() => hold.unlock())
      assert.equal(await waiter, 'ok')
    },
  },
]
