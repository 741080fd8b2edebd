import assert from 'node:assert/strict'
import { outcomeName } from './outcome-name.js'
import type { Scenario } from './scenario.js'

/** How many locks are taken at once. */
const LOCKS = 10

export const replicas: readonly Scenario[] = [
  {
    name: 'frozen-replica',
    promise:
      'Locks whose replicas are not all there are refused in time, and an atomic batch beside them succeeds',
    run: async (stage) => {
      const [first, second] = [stage.server(), stage.server()]
      for (const replica of [first, second]) stage.redis.addReplica(replica)
      await stage.sleep(100)
      const mine = await stage.process('mine')
      const isHeld = await mine.run(async (client) => {
        const hold = await client.getLock('before', { syncedReplicas: 2 }).acquire()
        return hold.isHeld
      })
      assert.equal(isHeld, true)
      stage.network.freeze(second.address, 600_000)
      const startedAt = stage.now
      const took: number[] = []
      const timed = async (call: Promise<unknown>): Promise<string> => {
        const name = await outcomeName(call)
        took.push(stage.now - startedAt)
        return name
      }
      const locks = Array.from({ length: LOCKS }, (_, n) =>
        timed(mine.run((client) => client.getLock(`lock-${String(n)}`, { syncedReplicas: 2 }).acquire())),
      )
      const batch = timed(
        mine.run((client) =>
          client.batch((each) => [each.getAtomicLong('number').incrementAndGet()], { mode: 'atomic' }),
        ),
      )
      assert.equal(await batch, 'ok')
      assert.deepEqual(
        await Promise.all(locks),
        locks.map(() => 'NotReplicatedError'),
      )
      assert.ok(Math.max(...took) < 3_000, `it took ${String(Math.max(...took))} ms`)
    },
  },
]
