import assert from 'node:assert/strict'
import { Redis } from 'ioredis'
import type * as Library from '../../../src/index.js'
import type { Failover, SimulatedSentinels } from '../rounds/simulated-sentinels.js'
import { SimulatedRedis } from '../rounds/simulated-redis.js'
import { SWITCHED } from '../server/sentinel.js'
import { outcomeName } from './outcome-name.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

const A_MINUTE_MS = 60_000

/** A client has found the new master by then: a silent one is noticed after `timeout`. */
const FOUND_MS = 10_000

/** What becomes of the old master. */
const FATES: readonly NonNullable<Failover['old']>[] = ['demoted', 'away', 'frozen']

/** How many callers count at the same time. */
const CALLERS = 20

/** The old master accepts connections for this time, and says nothing. A client waits longer than that for its first words. */
const FROZEN_MS = 3_000

/** A use of a connection beside that for commands. */
interface Beside {
  /** Opens the connection, with what does not end before the failover. Returns a function with what came of it. */
  begin(client: Library.RedissonClient): Promise<() => unknown>
  /** Shows that the connection leads to the new master. */
  demand(stage: Stage, process: Process, set: SimulatedSentinels, begun: () => unknown): Promise<void>
}

const BESIDE: Readonly<Record<string, Beside>> = {
  atomic: {
    begin: ignored((client) => setAtomically(client, 1)),
    demand: async (_, mine, set) => {
      await mine.run((client) => setAtomically(client, 2))
      assert.equal(set.master.command('GET', 'bucket'), '2')
    },
  },
  synced: {
    begin: ignored((client) => client.getLock('first', { syncedReplicas: 1 }).tryLock()),
    demand: async (_, mine, set) => {
      await mine.run((client) => client.getLock('lock', { syncedReplicas: 1 }).acquire())
      assert.equal(set.master.command('EXISTS', 'lock'), 1)
    },
  },
  messages: {
    begin: (client) => {
      const heard: unknown[] = []
      void client.getTopic('news').addListener((message) => heard.push(message))
      return Promise.resolve(() => heard)
    },
    demand: async (stage, mine, _, heard) => {
      await mine.run((client) => client.getTopic('news').publish('here'))
      await stage.sleep(1_000)
      assert.deepEqual(heard(), ['here'])
    },
  },
}

export const sentinels: readonly Scenario[] = [
  ...FATES.map((old): Scenario => ({
    name: `sentinel-failover-while-held-${old}`,
    promise: `A lock that its replicas have stays held over a failover, and has its next holder afterwards (old master ${old})`,
    run: async (stage) => {
      const set = stage.sentinels()
      const [mine, other] = await Promise.all([open(stage, set, 'mine'), open(stage, set, 'other')])
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      const waiter = other.run((client) => client.getLock('lock').acquire())
      await stage.sleep(1_000)
      set.failOver({ old, oldMs: A_MINUTE_MS })
      await stage.sleep(A_MINUTE_MS)
      assert.equal(await mine.run(() => hold.isHeld), true)
      const releasedAt = stage.now
      await mine.run(() => hold.unlock())
      const next = await waiter
      assert.ok(stage.now - releasedAt < 1_000, 'the waiter was not woken')
      assert.equal(await other.run(() => next.isHeld), true)
    },
  })),
  ...FATES.map((old): Scenario => ({
    name: `sentinel-failover-while-counting-${old}`,
    promise: `Requests that are under way during a failover run once, or say that they may not have run (old master ${old})`,
    run: async (stage) => {
      const set = stage.sentinels()
      const mine = await open(stage, set, 'mine')
      const counting = Promise.all(
        Array.from({ length: CALLERS }, () =>
          mine.run((client) => client.getAtomicLong('number', { exactlyOnce: true }).incrementAndGet()),
        ),
      )
      await mine.atScript({ nth: CALLERS / 2 }, () => {
        set.failOver({ old })
        return 'deliver'
      })
      await counting
      assert.equal(set.master.command('GET', 'number'), String(CALLERS))
      assert.equal(await outcomeName(mine.run((client) => client.getBucket('bucket').set(1))), 'ok')
    },
  })),
  {
    name: 'sentinel-old-master-is-replica',
    promise:
      'A client whose master has become a replica, without a word of the sentinels, goes to the new one',
    run: async (stage) => {
      const set = stage.sentinels()
      const mine = await open(stage, set, 'mine')
      const old = set.master
      set.failOver({ knownAfterMs: [2_000, 2_000, 2_000] })
      await demandWrites(stage, mine, set)
      assert.equal(old.server.replica?.masterHost, set.master.host)
    },
  },
  {
    name: 'sentinel-old-master-comes-back',
    promise:
      'What a client writes is at the new master when the old one is back, and nothing is left at the old one',
    run: async (stage) => {
      const set = stage.sentinels()
      const mine = await open(stage, set, 'mine')
      const old = set.master
      set.failOver({ old: 'away', oldMs: 3_000 })
      await stage.sleep(FOUND_MS)
      await demandWrites(stage, mine, set)
      await stage.sleep(1_000)
      assert.equal(old.command('EXISTS', 'bucket'), 1)
    },
  },
  {
    name: 'sentinel-tells-old-address',
    promise:
      'A client finds the new master although the first sentinel tells the address of the old one for a while',
    run: async (stage) => {
      const set = stage.sentinels()
      const mine = await open(stage, set, 'mine')
      set.failOver({ old: 'away', oldMs: A_MINUTE_MS, knownAfterMs: [A_MINUTE_MS, 0, 0] })
      await stage.sleep(FOUND_MS)
      await demandWrites(stage, mine, set)
      await demandWrites(stage, await open(stage, set, 'other'), set)
    },
  },
  {
    name: 'sentinel-tells-replica',
    promise:
      'A client writes at the master although a sentinel tells the address of one that has become a replica',
    run: async (stage) => {
      const set = stage.sentinels()
      set.failOver({ knownAfterMs: [A_MINUTE_MS, 0, 0] })
      await demandWrites(stage, await open(stage, set, 'mine'), set)
    },
  },
  {
    name: 'sentinel-lags-when-asked',
    promise:
      'A client goes to the new master although the first sentinel still names the old one, which runs',
    run: async (stage) => {
      const set = stage.sentinels()
      const old = set.master
      set.failOver({ old: 'apart', knownAfterMs: [A_MINUTE_MS, 0, 0] })
      await demandWrites(stage, await open(stage, set, 'mine'), set)
      const like = await stage.processFor('like', { ioredis: likeIoredis(set) })
      await demandWrites(stage, like, set)
      assert.equal(old.command('EXISTS', 'bucket'), 0)
    },
  },
  {
    name: 'sentinel-lags-alone',
    promise:
      'A client does not go back to a master that was replaced, although the only sentinel left names that',
    run: async (stage) => {
      const set = stage.sentinels()
      const old = set.master
      const mine = await open(stage, set, 'mine')
      set.failOver({ old: 'apart', knownAfterMs: [A_MINUTE_MS, 0, 0] })
      await stage.sleep(FOUND_MS)
      await demandWrites(stage, mine, set)
      for (const { address } of set.sentinels.slice(1)) stage.network.away(address)
      stage.network.cut({ address: set.master.address })
      await demandWrites(stage, mine, set)
      assert.equal(old.command('EXISTS', 'bucket'), 0)
    },
  },
  {
    name: 'sentinel-lags-and-others-come-back',
    promise: 'A client leaves a master that was replaced as soon as a sentinel comes back that knows it',
    run: async (stage) => {
      const set = stage.sentinels()
      set.failOver({ old: 'apart', knownAfterMs: [A_MINUTE_MS, 0, 0] })
      const others = set.sentinels.slice(1)
      for (const { address } of others) stage.network.away(address)
      const mine = await open(stage, set, 'mine')
      for (const { address } of others) stage.network.back(address)
      await stage.sleep(FOUND_MS)
      await demandWrites(stage, mine, set)
    },
  },
  {
    name: 'sentinel-that-knows-is-slow',
    promise:
      'A client leaves a master that was replaced when the sentinel answers that knows it, however late',
    run: async (stage) => {
      const set = stage.sentinels()
      const mine = await open(stage, set, 'mine')
      for (const { address } of set.sentinels) stage.network.slow({ host: 'mine', address }, 1_000)
      stage.network.slow({ host: 'mine', address: (set.sentinels[0] as SimulatedRedis).address }, 1)
      set.failOver({ old: 'apart', knownAfterMs: [A_MINUTE_MS, 0, 0] })
      stage.network.cut({ host: 'mine', address: (set.servers[0] as SimulatedRedis).address })
      await stage.sleep(FOUND_MS)
      await demandWrites(stage, mine, set)
    },
  },
  {
    name: 'sentinel-known-to-another-connection',
    promise:
      'All connections of a client leave a master that was replaced, whichever of them hears of that first',
    run: async (stage) => {
      const set = stage.sentinels()
      set.failOver({ old: 'apart', knownAfterMs: [A_MINUTE_MS, 0, 0] })
      const others = set.sentinels.slice(1)
      for (const { address } of others) stage.network.away(address)
      const mine = await open(stage, set, 'mine')
      for (const { address } of others) stage.network.partition({ host: 'mine', address }, 'lose', 1_000)
      for (const { address } of others) stage.network.back(address)
      await mine.run((client) => client.getTopic('news').addListener(() => undefined))
      await stage.sleep(FOUND_MS)
      await demandWrites(stage, mine, set)
    },
  },
  {
    name: 'sentinel-announces-another-master',
    promise: 'A client keeps its connection when a sentinel announces a failover of another master',
    run: async (stage) => {
      const set = stage.sentinels()
      const mine = await open(stage, set, 'mine')
      let broken = 0
      mine.client.on('disconnected', () => void (broken += 1))
      for (const { server } of set.sentinels) server.publish(SWITCHED, 'other 10.0.9.1 1 10.0.9.2 2', false)
      await stage.sleep(FOUND_MS)
      assert.equal(broken, 0)
    },
  },
  {
    name: 'sentinels-set-up-anew',
    promise: 'A client follows sentinels that were all set up anew, and count failovers from the start',
    run: async (stage) => {
      const set = stage.sentinels()
      const mine = await open(stage, set, 'mine')
      set.failOver()
      await demandWrites(stage, mine, set)
      const old = set.master
      set.failOver({ old: 'away', oldMs: A_MINUTE_MS, epoch: 0 })
      assert.notEqual(set.master, old)
      await stage.sleep(A_MINUTE_MS + FOUND_MS) // until then sentinels are believed that knew more
      await demandWrites(stage, mine, set)
    },
  },
  ...[0, 1, 2].map((dead): Scenario => ({
    name: `sentinel-${String(dead + 1)}-of-3-dead`,
    promise: `A client is created, and finds the new master, while sentinel ${String(dead + 1)} of 3 is dead`,
    run: async (stage) => {
      const set = stage.sentinels()
      stage.network.away((set.sentinels[dead] as SimulatedRedis).address)
      const mine = await open(stage, set, 'mine')
      set.failOver({ old: 'frozen', oldMs: A_MINUTE_MS })
      await stage.sleep(FOUND_MS)
      await demandWrites(stage, mine, set)
    },
  })),
  ...Object.entries(BESIDE).map(([kind, beside]): Scenario => ({
    name: `sentinel-failover-while-connecting-${kind}`,
    promise: `A connection that was being made to the old master during a failover leads to the new one (${kind})`,
    run: async (stage) => {
      const set = stage.sentinels()
      const mine = await open(stage, set, 'mine')
      const old = set.master
      stage.network.freeze(old.address, FROZEN_MS)
      const begun = mine.run((client) => beside.begin(client))
      await stage.sleep(FROZEN_MS - 500)
      set.failOver({ old: 'apart' })
      await stage.sleep(FOUND_MS)
      await beside.demand(stage, mine, set, await begun)
    },
  })),
  {
    name: 'sentinel-failover-loses-lock',
    promise: 'A holder hears within a lease that a failover has lost its lock, and a waiter gets it',
    run: async (stage) => {
      const set = stage.sentinels({ replication: { lagMs: 500 } })
      const [mine, other] = await Promise.all([open(stage, set, 'mine'), open(stage, set, 'other')])
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      set.failOver({ old: 'away', loses: true })
      const taken = await other.run((client) => client.getLock('lock').acquire())
      assert.equal(await other.run(() => taken.isHeld), true)
      await stage.sleep(30_000)
      assert.equal(await mine.run(() => hold.signal.aborted), true)
      assert.equal(await other.run(() => taken.isHeld), true)
    },
  },
  {
    name: 'sentinel-split',
    promise: 'A holder at a master that was replaced unnoticed loses the lock when that becomes a replica',
    run: async (stage) => {
      const set = stage.sentinels({ replication: { lagMs: 500 } })
      const mine = await open(stage, set, 'mine')
      for (const { address } of set.sentinels)
        stage.network.partition({ host: 'mine', address }, 'refuse', 20_000)
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      const old = set.master
      set.failOver({ old: 'apart', loses: true })
      await stage.sleep(10_000)
      assert.equal(await mine.run(() => hold.isHeld), true, 'nobody knows better')
      set.join(old)
      await stage.sleep(30_000)
      assert.equal(await mine.run(() => hold.isHeld), false)
      await demandWrites(stage, mine, set)
    },
  },
]

/** A call whose outcome does not matter. */
function ignored(call: (client: Library.RedissonClient) => Promise<unknown>): Beside['begin'] {
  return async (client) => {
    const outcome = await outcomeName(call(client))
    return () => outcome
  }
}

function setAtomically(client: Library.RedissonClient, value: number): Promise<unknown> {
  return client.batch((batch) => [batch.getBucket('bucket').set(value)], { mode: 'atomic' })
}

/** A client of ioredis, which connects when it is used itself. */
function likeIoredis({ sentinels, config }: SimulatedSentinels): Redis {
  return new Redis({
    sentinels: sentinels.map(({ host }) => ({ host, port: SimulatedRedis.PORT })),
    name: config.masterName,
    lazyConnect: true,
  })
}

function open(stage: Stage, { config, servers }: SimulatedSentinels, name: string): Promise<Process> {
  const options: Library.RedissonOptions = { sentinelServersConfig: config }
  return stage.processFor(name, options, servers[0])
}

/** A client writes at the present master, within the time in which it finds that. */
async function demandWrites(stage: Stage, process: Process, set: SimulatedSentinels): Promise<void> {
  const startedAt = stage.now
  const value = String(startedAt)
  await process.run((client) => client.getBucket('bucket').set(value))
  assert.equal(set.master.command('GET', 'bucket'), `"${value}"`)
  assert.ok(stage.now - startedAt < FOUND_MS, `it took ${String(stage.now - startedAt)} ms`)
}
