import assert from 'node:assert/strict'
import type * as Library from '../../../src/index.js'
import type { SimulatedRedis } from '../rounds/simulated-redis.js'
import { outcomeName } from './outcome-name.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

/** How many locks are taken at once. */
const LOCKS = 10

/** How long replicas take for their first synchronization. */
const SYNC_MS = 8_000

/** How long a client reads, which is until after that. */
const READING_MS = 15_000

/** Servers whose replicas have nothing yet, and the settings by which their clients read there. */
const READABLE = {
  sentinel: (stage) => {
    const set = stage.sentinels({ replication: { syncMs: SYNC_MS } })
    return [set.master, { sentinelServersConfig: { ...set.config, readMode: 'SLAVE' } }]
  },
  cluster: (stage) => {
    const cluster = stage.cluster(1, { replication: { syncMs: SYNC_MS }, replicas: 2 })
    const nodeAddresses = cluster.nodes.map(({ address }) => `redis://${address}`)
    return [cluster.ownerOf('bucket'), { clusterServersConfig: { nodeAddresses, readMode: 'SLAVE' } }]
  },
} satisfies Record<string, (stage: Stage) => readonly [SimulatedRedis, Library.RedissonOptions]>

export const replicas: readonly Scenario[] = [
  ...Object.entries(READABLE).map(([name, start]): Scenario => ({
    name: `replica-before-first-synchronization-${name}`,
    promise: `A value that there is is read while replicas have not synchronized yet, and then at them (${name})`,
    run: async (stage) => {
      const [master, options] = start(stage)
      master.command('SET', 'bucket', '"value"')
      const mine = await stage.processFor('mine', options, master)
      let asked = 0
      stage.network.intercept({
        request: (message) =>
          void (asked += Number(message.name === 'GET' && message.route.address !== master.address)),
      })
      const askedUntil = async (ms: number): Promise<number> => {
        const before = asked
        while (stage.now < ms) {
          assert.equal(await mine.run((client) => client.getBucket('bucket').get()), 'value')
          await stage.sleep(50)
        }
        return asked - before
      }
      assert.equal(await askedUntil(SYNC_MS - 100), 0, 'replicas were asked that have nothing')
      assert.notEqual(await askedUntil(READING_MS), 0, 'no replica was asked')
    },
  })),
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
