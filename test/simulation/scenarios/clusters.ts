import assert from 'node:assert/strict'
import type * as Library from '../../../src/index.js'
import type { SimulatedCluster } from '../rounds/simulated-cluster.js'
import type { SimulatedRedis } from '../rounds/simulated-redis.js'
import { outcomeName } from './outcome-name.js'
import type { Scenario } from './scenario.js'

const MASTERS = 3

const LEASE_MS = 500

/** How long a node is away. The guide says that calls get over some 15 seconds. */
const AWAY_MS = 11_000

/** How many clients are created: each draws anew which nodes it asks. */
const CLIENTS = 20

export const clusters: readonly Scenario[] = [
  ...Array.from({ length: MASTERS }, (_, dead): Scenario => ({
    name: `cluster-with-dead-master-${String(dead + 1)}`,
    promise: `A client of a cluster is created while master ${String(dead + 1)} of ${String(MASTERS)} is dead, whichever nodes it asks`,
    run: async (stage) => {
      const cluster = stage.cluster(MASTERS)
      cluster.cluster.requiresFullCoverage = false
      cluster.kill(cluster.masters[dead] as SimulatedCluster['masters'][number])
      await stage.sleep(5_000)
      const outcomes: string[] = []
      for (let n = 0; n < CLIENTS; n += 1)
        outcomes.push(await outcomeName(stage.processFor(`client ${String(n)}`, optionsOf(cluster))))
      assert.deepEqual(
        outcomes,
        Array.from({ length: CLIENTS }, () => 'ok'),
      )
    },
  })),
  {
    name: 'cluster-node-restarts',
    promise:
      'Calls for a node of a cluster that refuses connections wait for it as those for a single server do',
    run: async (stage) => {
      const cluster = stage.cluster(MASTERS)
      cluster.cluster.requiresFullCoverage = false
      const owner = cluster.ownerOf('bucket')
      const mine = await stage.processFor('mine', optionsOf(cluster), owner)
      stage.network.away(owner.address, AWAY_MS)
      await stage.sleep(500) // nothing is on its way to that node then
      const calls = [
        mine.run((client) => client.getBucket('bucket').set(1)),
        mine.run((client) => client.getAtomicLong('{bucket}:number').incrementAndGet()),
        mine.run((client) => client.getList('{bucket}:list').add(1)),
        mine.run((client) => client.batch((batch) => [batch.getBucket('bucket').set(1)])),
        mine.run((client) => client.batch((batch) => [batch.getBucket('bucket').set(1)], { mode: 'atomic' })),
      ]
      const outcomes = await Promise.all(calls.map(outcomeName))
      assert.deepEqual(
        outcomes,
        calls.map(() => 'ok'),
      )
      assert.equal(owner.command('GET', '{bucket}:number'), '1')
    },
  },
  {
    name: 'cluster-redirects-too-late',
    promise:
      'A release that a node of a cluster redirects when its lease is over is told from one that has had an unknown reply',
    run: async (stage) => {
      const cluster = stage.cluster(MASTERS)
      const owner = cluster.ownerOf('lock')
      const mine = await stage.processFor('mine', optionsOf(cluster), owner)
      await mine.run((client) => client.getLock('lock').lock({ threadId: 7, leaseMs: LEASE_MS }))
      cluster.beginMove('lock', cluster.masters.find((master) => master !== owner) as SimulatedRedis)
      cluster.endMove('lock')
      mine.delayReplies(LEASE_MS)
      const released = mine.run((client) => client.getLock('lock').unlock({ threadId: 7 }))
      assert.equal(await outcomeName(released), 'LockNotHeldError')
    },
  },
  {
    name: 'cluster-slot-moves',
    promise:
      'A lock of a cluster stays held while its slot moves to another master, and has one holder afterwards',
    run: async (stage) => {
      const cluster = stage.cluster(MASTERS)
      const [mine, other] = (await Promise.all(
        ['mine', 'other'].map((name) => stage.processFor(name, optionsOf(cluster))),
      )) as [Awaited<ReturnType<typeof stage.processFor>>, Awaited<ReturnType<typeof stage.processFor>>]
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      const target = cluster.masters.find((master) => master !== cluster.ownerOf('lock'))
      assert.ok(target)
      const waiter = other.run((client) => client.getLock('lock').acquire())
      await stage.sleep(1_000)
      cluster.beginMove('lock', target)
      await stage.sleep(15_000)
      cluster.moveKey('lock')
      await stage.sleep(15_000)
      cluster.endMove('lock')
      await stage.sleep(30_000)
      assert.equal(await mine.run(() => hold.isHeld), true)
      assert.equal(target.command('EXISTS', 'lock'), 1)
      await mine.run(() => hold.unlock())
      const next = await waiter
      assert.equal(await other.run(() => next.isHeld), true)
    },
  },
]

function optionsOf({ masters }: SimulatedCluster): Library.RedissonOptions {
  return { clusterServersConfig: { nodeAddresses: masters.map(({ address }) => `redis://${address}`) } }
}
