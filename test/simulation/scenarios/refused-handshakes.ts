import assert from 'node:assert/strict'
import type { RedissonClient } from '../../../src/index.js'
import type { SimulatedRedis } from '../rounds/simulated-redis.js'
import { BUSY } from '../server/trouble.js'
import type { Message } from '../world/network/message.js'
import { outcomeName } from './outcome-name.js'
import type { ClientSettings, Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

const DATABASE = 5
const SETTINGS: ClientSettings = { server: { database: DATABASE } }

/** What a server says to `SELECT` instead of selecting. */
const REFUSALS = {
  busy: BUSY,
  forbidden: "NOPERM this user has no permissions to run the 'select' command",
  missing: 'ERR DB index is out of range',
} as const

const refusals = Object.entries(REFUSALS)

/** Steps besides that of the database. */
const STEPS = ['auth', 'hello', 'client', 'info'] as const

const PASSWORD = 'secret'

/** A refusal passes after this time. */
const PASSING_MS = 2_000

/** A client whose handshake is refused no more works again within this time. */
const RECOVERED_MS = 5_000

export const refusedHandshakes: readonly Scenario[] = [
  ...STEPS.map((step): Scenario => ({
    name: `${step}-refused-first`,
    promise: `A client is created although a busy server refuses a step of the handshake for a moment (${step})`,
    run: async (stage) => {
      demandPassword(stage)
      stage.redis.server.refusals.set(step, BUSY)
      const created = stage.process('mine', { server: { password: PASSWORD, retryAttempts: 10 } })
      await stage.sleep(PASSING_MS)
      stage.redis.server.refusals.clear()
      await demandWrite(stage, await created)
    },
  })),
  ...STEPS.map((step): Scenario => ({
    name: `${step}-refused-again`,
    promise: `A client works again once a busy server refuses no step of the handshake any more (${step})`,
    run: async (stage) => {
      demandPassword(stage)
      const mine = await stage.process('mine', { server: { password: PASSWORD } })
      const hold = await mine.run((client) => client.getLock('lock').acquire())
      stage.redis.server.refusals.set(step, BUSY)
      mine.cut()
      await stage.sleep(PASSING_MS)
      stage.redis.server.refusals.clear()
      await demandWrite(stage, mine)
      await stage.sleep(40_000) // longer than a lease
      assert.equal(await mine.run(() => hold.isHeld), true)
    },
  })),
  {
    name: 'readonly-refused',
    promise:
      'Reads get the value at the owner while replicas of a cluster refuse READONLY, and at the replicas afterwards',
    run: async (stage) => {
      const cluster = stage.cluster(1, { replicas: 2 })
      const nodeAddresses = cluster.nodes.map(({ address }) => `redis://${address}`)
      const [owner, ...replicas] = cluster.nodes as [SimulatedRedis, ...SimulatedRedis[]]
      owner.command('SET', 'bucket', '"value"')
      const refuse = () => {
        for (const { server } of replicas) server.refusals.set('readonly', BUSY)
      }
      refuse()
      const mine = await stage.processFor(
        'mine',
        { clusterServersConfig: { nodeAddresses, readMode: 'SLAVE' } },
        owner,
      )
      const reads = async (): Promise<number> => {
        const isRead = ({ name, route }: Message) => name === 'GET' && route.address !== owner.address
        let atReplicas = 0
        const stop = stage.network.intercept({
          request: (message) => void (atReplicas += Number(isRead(message))),
        })
        for (let n = 0; n < 20; n += 1) {
          assert.equal(await mine.run((client) => client.getBucket('bucket').get()), 'value')
          await stage.sleep(100)
        }
        stop()
        return atReplicas
      }
      const recovered = async (): Promise<void> => {
        for (const { server } of replicas) server.refusals.clear()
        await stage.sleep(RECOVERED_MS)
        assert.notEqual(await reads(), 0, 'no replica is asked')
      }
      await reads()
      await recovered()
      refuse()
      stage.network.cut({ host: 'mine' })
      await reads()
      await recovered()
    },
  },
  ...refusals.map(([name, text]): Scenario => ({
    name: `select-refused-again-${name}`,
    promise: `A client whose database is refused as it connects again (${name}) changes no other one, and takes no lock of another holder`,
    run: async (stage) => {
      const [mine, other] = await Promise.all([
        stage.process('mine', SETTINGS),
        stage.process('other', SETTINGS),
      ])
      await other.run((client) => client.getLock('lock').acquire())
      stage.redis.server.refusals.set('select', text)
      mine.cut()
      await useWhileRefused(stage, mine)
      await demandRecovery(stage, mine)
    },
  })),
  ...refusals.map(([name, text]): Scenario => ({
    name: `select-refused-once-again-${name}`,
    promise: `A client whose database is refused for a moment as it connects again (${name}) changes no other one`,
    run: async (stage) => {
      const mine = await stage.process('mine', SETTINGS)
      refuseOnce(stage, text)
      mine.cut()
      await useWhileRefused(stage, mine)
      await demandRecovery(stage, mine)
    },
  })),
  ...refusals.map(([name, text]): Scenario => ({
    name: `select-refused-first-${name}`,
    promise: `A client whose database is refused for a moment as it is created (${name}) changes no other one`,
    run: async (stage) => {
      refuseOnce(stage, text)
      const created = stage.process('mine', SETTINGS)
      const outcome = await outcomeName(created)
      if (name === 'busy') assert.equal(outcome, 'ok')
      if (outcome === 'ok') await useWhileRefused(stage, await created)
      demandNothingElsewhere(stage)
    },
  })),
  ...refusals.map(([name, text]): Scenario => ({
    name: `select-refused-lazily-${name}`,
    promise: `A client that connects with its first call, and whose database is refused then (${name}), changes no other one`,
    run: async (stage) => {
      const other = await stage.process('other', SETTINGS)
      await other.run((client) => client.getLock('lock').acquire())
      stage.redis.server.refusals.set('select', text)
      const mine = await stage.process('mine', { ...SETTINGS, lazyInitialization: true })
      await useWhileRefused(stage, mine)
      await demandRecovery(stage, mine)
    },
  })),
  ...refusals.map(([name, text]): Scenario => ({
    name: `select-refused-for-batch-${name}`,
    promise: `An atomic batch whose connection is refused the database (${name}) changes no other one`,
    run: async (stage) => {
      const mine = await stage.process('mine', SETTINGS)
      stage.redis.server.refusals.set('select', text)
      const batched = outcomeName(mine.run(setInBatch))
      await stage.sleep(20_000)
      assert.notEqual(await batched, 'ok')
      demandNothingElsewhere(stage)
      stage.redis.server.refusals.clear()
      await stage.sleep(15_000)
      assert.equal(await outcomeName(mine.run(setInBatch)), 'ok')
      demandNothingElsewhere(stage)
      assert.ok(stage.redis.server.databases[DATABASE]?.keys.includes('batched'))
    },
  })),
  ...refusals.map(([name, text]): Scenario => ({
    name: `select-refused-for-replicas-${name}`,
    promise: `A lock that waits for replicas, and whose connection is refused the database (${name}), is in no other one`,
    run: async (stage) => {
      const mine = await stage.process('mine', SETTINGS)
      stage.redis.server.refusals.set('select', text)
      const locked = outcomeName(
        mine.run((client) => client.getLock('lock', { syncedReplicas: 1 }).tryAcquire({ waitMs: 0 })),
      )
      await stage.sleep(20_000)
      assert.notEqual(await locked, 'ok')
      demandNothingElsewhere(stage)
    },
  })),
]

/** Has the server demand a password. */
function demandPassword({ redis }: Stage): void {
  redis.server.addUser({ name: 'default', password: PASSWORD, may: () => true, mayHear: () => true })
}

/** A client has recovered, and writes. */
async function demandWrite(stage: Stage, mine: Process): Promise<void> {
  await stage.sleep(RECOVERED_MS)
  assert.equal(await outcomeName(mine.run((client) => client.getBucket('after').set('value'))), 'ok')
  assert.ok(stage.has('after'))
}

/** Uses a client for which nothing may succeed in another database. */
async function useWhileRefused(stage: Stage, mine: Process): Promise<void> {
  const outcomes = [
    outcomeName(mine.run((client) => client.getBucket('bucket').set('value'))),
    outcomeName(mine.run((client) => client.getAtomicLong('number').incrementAndGet())),
    outcomeName(
      mine.run(async (client) => {
        const hold = await client.getLock('lock').tryAcquire({ waitMs: 500, leaseMs: 300_000 })
        if (hold === undefined) throw new Error('the lock is taken')
        return hold
      }),
    ),
    outcomeName(mine.run(setInBatch)),
  ]
  await stage.sleep(10_000)
  demandNothingElsewhere(stage)
  const [, , lock] = await Promise.all(outcomes)
  const isFree = stage.redis.server.databases[DATABASE]?.keys.includes('lock') !== true
  if (isFree) assert.notEqual(lock, 'ok', 'nobody holds the lock, but a client believes that it does')
  demandNothingElsewhere(stage)
}

/** Once nothing is refused any more, the client works again. */
async function demandRecovery(stage: Stage, mine: Process): Promise<void> {
  stage.redis.server.refusals.clear()
  await stage.sleep(15_000)
  assert.equal(await outcomeName(mine.run((client) => client.getBucket('after').set('value'))), 'ok')
  assert.ok(stage.redis.server.databases[DATABASE]?.keys.includes('after'))
  demandNothingElsewhere(stage)
}

function demandNothingElsewhere({ redis }: Stage): void {
  const elsewhere = redis.server.databases.filter(({ index }) => index !== DATABASE)
  assert.deepEqual(
    elsewhere.flatMap(({ keys }) => keys),
    [],
  )
}

/** Has the next connection that selects a database be refused, and no later one. */
function refuseOnce(stage: Stage, text: string): void {
  const { refusals } = stage.redis.server
  let refused: number | undefined
  stage.network.intercept({
    request: ({ name, route }) => {
      if (name !== 'SELECT') return
      refused ??= route.connection
      if (route.connection === refused) refusals.set('select', text)
      else refusals.clear()
    },
  })
}

function setInBatch(client: RedissonClient): Promise<unknown> {
  return client.batch((batch) => [batch.getBucket('batched').set('value')], { mode: 'atomic' })
}
