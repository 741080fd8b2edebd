import assert from 'node:assert/strict'
import { forKinds } from './kinds.js'
import { outcomeName } from './outcome-name.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

const USER = { username: 'app', password: 'secret' }

export const permissions: readonly Scenario[] = [
  {
    name: 'unlock-without-channels',
    promise: 'unlock() succeeds for a user that may not publish, as the lock is free',
    run: async (stage) => {
      userThatHears(stage, () => false)
      const mine = await stage.process('mine', USER)
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      await mine.run(() => hold.unlock())
      assert.ok(!stage.has('lock'))
    },
  },
  {
    name: 'release-without-channels',
    promise: 'release() counts once for a user that may not publish',
    run: async (stage) => {
      userThatHears(stage, () => false)
      const mine = await stage.process('mine', USER)
      stage.redis.command('SET', 'permits', 0)
      await mine.run((client) => client.getSemaphore('permits').release())
      assert.equal(stage.redis.command('GET', 'permits'), '1')
    },
  },
  {
    name: 'latch-without-channels',
    promise: 'trySetCount() succeeds for a user that may not publish, as the count is set',
    run: async (stage) => {
      userThatHears(stage, () => false)
      const mine = await stage.process('mine', USER)
      assert.equal(await mine.run((client) => client.getCountDownLatch('latch').trySetCount(1)), true)
    },
  },
  ...forKinds(['lock', 'write lock'], (kind, lockOf) => ({
    name: 'channel-revoked',
    promise: `A waiter for a ${kind} whose channel is forbidden for a moment is not left waiting`,
    run: async (stage) => {
      let isAllowed = true
      userThatHears(stage, () => isAllowed)
      const [mine, other] = await Promise.all([stage.process('mine', USER), stage.process('other')])
      const hold = await other.run((client) => lockOf(client).acquire())
      let outcome: string | undefined
      const waiter = outcomeName(mine.run((client) => lockOf(client).acquire()))
      void waiter.then((name) => (outcome = name))
      await stage.sleep(100)
      isAllowed = false
      mine.cut()
      await stage.sleep(1_500)
      isAllowed = true
      await stage.sleep(1_000)
      await other.run(() => hold.unlock())
      await stage.until(() => outcome !== undefined, 'the waiter has the lock, or an error', 5_000)
    },
  })),
]

function userThatHears(stage: Stage, mayHear: () => boolean): void {
  stage.redis.server.addUser({ name: USER.username, password: USER.password, may: () => true, mayHear })
}
