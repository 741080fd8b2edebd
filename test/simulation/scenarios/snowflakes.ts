import assert from 'node:assert/strict'
import type { RedissonClient, RSnowflake } from '../../../src/index.js'
import { outcomeName } from './outcome-name.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

const AN_HOUR_MS = 3_600_000

const SNOWFLAKE = 'ids'
const BOUNDS = '{ids}:bounds'

/** For clients that ask once, and wait for no server that is away. */
const HASTY = { timeout: 500, retryAttempts: 0, reconnectionDelay: 50 }

/** Few numbers and ids, so that clients share the first and wait for the others. */
const of = (client: RedissonClient): RSnowflake =>
  client.getSnowflake(SNOWFLAKE, { nodeBits: 1, sequenceBits: 2 })

/** The ids that processes were given, each of which may come once. */
class Ids {
  readonly #seen = new Set<bigint>()

  get count(): number {
    return this.#seen.size
  }

  add(ids: readonly bigint[]): void {
    for (const id of ids) {
      assert.ok(!this.#seen.has(id), `id ${id} came twice`)
      this.#seen.add(id)
    }
  }

  /** Has a process take ids. Returns its number, or the name of the error. */
  async take(process: Process, count = 10, waitMs = 90_000): Promise<number | string | undefined> {
    let taken: readonly bigint[] = []
    const outcome = await process.run(async (client) => {
      const ids = of(client)
      const name = await outcomeName(ids.nextIds(count, { waitMs }).then((all) => (taken = all)))
      return name === 'ok' ? ids.node : name
    })
    this.add(taken)
    return outcome
  }

  /** Has processes take ids at the same time, again and again: nearly all that there are in each millisecond. */
  async takeFor(stage: Stage, ms: number, processes: readonly Process[]): Promise<void> {
    const until = stage.now + ms
    const flow = async (process: Process) => {
      while (stage.now < until) {
        await this.take(process, 100)
        await stage.sleep(5)
      }
    }
    await Promise.all(processes.map(flow))
  }
}

/** What a replica has that is about to become the master. */
class Replica {
  readonly #stage: Stage
  readonly #states: readonly (readonly [key: string, state: string | null])[]

  constructor(stage: Stage) {
    this.#stage = stage
    this.#states = [SNOWFLAKE, BOUNDS].map((key) => [key, stage.redis.command('DUMP', key) as string | null])
  }

  /** All that was written since is lost. */
  promote(): void {
    const { redis } = this.#stage
    for (const [key, state] of this.#states) {
      redis.command('DEL', key)
      if (state !== null) redis.command('RESTORE', key, 0, state)
    }
    redis.server.replicationId = '1'.repeat(40)
  }
}

export const snowflakes: readonly Scenario[] = [
  {
    name: 'snowflake-renewed',
    promise:
      'A client keeps its node number for as long as the watchdog renews it, wherever its time of day stands',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const ids = new Ids()
      assert.equal(await ids.take(mine), 0)
      mine.stepClock(-AN_HOUR_MS)
      await ids.takeFor(stage, 100_000, [mine, other])
      mine.stepClock(2 * AN_HOUR_MS)
      await ids.takeFor(stage, 100_000, [mine, other])
      assert.deepEqual([await ids.take(mine), await ids.take(other)], [0, 1])
    },
  },
  {
    name: 'snowflake-frozen',
    promise:
      'A process that was frozen for longer than its lease hands out no id of a number that another one has',
    run: async (stage) => {
      const [mine, other, next] = await Promise.all(
        ['mine', 'other', 'next'].map((name) => stage.process(name)),
      )
      assert.ok(mine && other && next)
      const ids = new Ids()
      assert.deepEqual([await ids.take(mine), await ids.take(other)], [0, 1])
      mine.freeze(70_000)
      assert.equal(await ids.take(next), 0)
      await ids.takeFor(stage, 60_000, [mine, next])
      other.kill()
      await stage.sleep(40_000)
      assert.equal(await ids.take(mine), 1)
    },
  },
  {
    name: 'snowflake-frozen-before-the-reply',
    promise: 'A node number whose lease is over when the reply comes gives no id',
    run: async (stage) => {
      const [mine, other, next] = await Promise.all(
        ['mine', 'other', 'next'].map((name) => stage.process(name)),
      )
      assert.ok(mine && other && next)
      const ids = new Ids()
      const ran = mine.atScript({ with: SNOWFLAKE }, () => {
        mine.freeze(45_000)
        return 'deliver'
      })
      const late = ids.take(mine)
      await ran
      assert.equal(await ids.take(other), 1)
      await stage.sleep(31_000)
      assert.equal(await ids.take(next), 0)
      await ids.takeFor(stage, 20_000, [other, next])
      next.kill()
      assert.equal(await late, 0)
    },
  },
  {
    name: 'snowflake-lost-reply',
    promise: 'A node number whose reply was lost is taken once',
    run: async (stage) => {
      const mine = await stage.process('mine', { server: HASTY })
      const ids = new Ids()
      const lost = mine.loseReply({ with: SNOWFLAKE }, 300)
      const outcome = ids.take(mine)
      await lost
      assert.equal(await outcome, 'ConnectionLostError')
      await stage.sleep(500)
      assert.equal(await ids.take(mine), 0)
      assert.equal(stage.redis.command('ZCARD', BOUNDS), 1)
    },
  },
  {
    name: 'snowflake-lost-reply-at-shutdown',
    promise: 'A node number whose reply was lost is given back when the client is shut down',
    run: async (stage) => {
      const mine = await stage.process('mine', { server: HASTY })
      const lost = mine.loseReply({ with: SNOWFLAKE }, 300)
      const outcome = new Ids().take(mine)
      await lost
      await outcome
      assert.equal(stage.redis.command('HEXISTS', SNOWFLAKE, 'node:0'), 1)
      await stage.sleep(500)
      await mine.run((client) => client.shutdown())
      assert.equal(stage.redis.command('HEXISTS', SNOWFLAKE, 'node:0'), 0)
    },
  },
  {
    name: 'snowflake-taken-during-shutdown',
    promise: 'A node number that arrives while its client is shut down gives no id, and is given back',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const ran = mine.delayReply({ with: SNOWFLAKE }, 200)
      const outcome = new Ids().take(mine)
      await ran
      await mine.run((client) => client.shutdown())
      assert.equal(await outcome, 'ClientClosedError')
      assert.equal(stage.redis.command('HEXISTS', SNOWFLAKE, 'node:0'), 0)
    },
  },
  {
    name: 'snowflake-taken-after-disposal',
    promise:
      'A node number that arrives after its object was disposed of is given back once the call has its id',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const ran = mine.delayReply({ with: SNOWFLAKE }, 200)
      const id = mine.run(async (client) => {
        const ids = of(client)
        const next = ids.nextId()
        await ids[Symbol.asyncDispose]()
        return await next
      })
      await ran
      assert.equal(typeof (await id), 'bigint')
      await stage.until(
        () => stage.redis.command('HEXISTS', SNOWFLAKE, 'node:0') === 0,
        'the number is given back',
        1_000,
      )
    },
  },
  {
    name: 'snowflake-lost-renewal',
    promise: 'A client keeps its node number although the reply to a renewal was lost',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const ids = new Ids()
      assert.equal(await ids.take(mine), 0)
      await mine.loseReply({ with: SNOWFLAKE }, 1_000)
      await ids.takeFor(stage, 60_000, [mine])
      assert.equal(await ids.take(mine), 0)
    },
  },
  {
    name: 'snowflake-unreachable',
    promise: 'Ids go on while Redis cannot be reached until the lease ends, and then again when it can be',
    run: async (stage) => {
      const [mine, other] = await Promise.all([
        stage.process('mine', { server: HASTY }),
        stage.process('other'),
      ])
      const ids = new Ids()
      assert.equal(await ids.take(mine), 0)
      stage.network.partition({ host: 'mine' }, 'lose', 60_000)
      await stage.sleep(19_000)
      assert.equal(await ids.take(mine), 0)
      await stage.sleep(12_000)
      const error = await mine.run((client) =>
        of(client)
          .nextId()
          .then(String, (reason: unknown) => reason),
      )
      assert.ok(error instanceof stage.library.NodeIdLostError, String(error))
      assert.deepEqual([error.object, error.node, error.reason], [SNOWFLAKE, 0, 'expired'])
      assert.ok(error.cause instanceof stage.library.RedissonError)
      assert.equal(await ids.take(other), 0)
      await stage.sleep(40_000)
      assert.equal(await ids.take(mine), 1)
    },
  },
  {
    name: 'snowflake-killed',
    promise:
      'A process that is killed and starts again hands out other ids, although the clock of Redis was set back',
    run: async (stage) => {
      const ids = new Ids()
      for (let start = 0; start < 6; start += 1) {
        const mine = await stage.process('mine')
        assert.equal(typeof (await ids.take(mine, 400)), 'number')
        mine.kill()
        if (start === 1) stage.redis.stepClock(-20_000)
        await stage.sleep(1_000)
      }
    },
  },
  {
    name: 'snowflake-clock-set-back',
    promise: 'A client hands out ids, none of them twice, while the clock of Redis is set back and forth',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const ids = new Ids()
      await ids.takeFor(stage, 15_000, [mine, other])
      stage.redis.stepClock(-AN_HOUR_MS)
      await ids.takeFor(stage, 50_000, [mine, other])
      stage.redis.stepClock(2 * AN_HOUR_MS)
      await ids.takeFor(stage, 50_000, [mine, other])
      assert.ok(ids.count > 40_000, `there were ${ids.count}`)
      assert.deepEqual([await ids.take(mine), await ids.take(other)].toSorted(), [0, 1])
    },
  },
  {
    name: 'snowflake-given-back-after-set-back',
    promise:
      'The next holder of a node number begins after its last id, although the clock of Redis was set back',
    run: async (stage) => {
      const ids = new Ids()
      const mine = await stage.process('mine')
      await ids.take(mine)
      await mine.run((client) => client.shutdown())
      stage.redis.stepClock(-5_000)
      const [other, next] = await Promise.all([stage.process('other'), stage.process('next')])
      assert.equal(await ids.take(other, 10, 0), 'SnowflakeTimeoutError')
      await ids.takeFor(stage, 20_000, [other, next])
      assert.ok(ids.count > 1_000)
    },
  },
  {
    name: 'snowflake-failover',
    promise: 'No id comes twice after a failover that has lost the acquisition of a node number',
    run: async (stage) => {
      const [first, mine, other] = await Promise.all(
        ['first', 'mine', 'other'].map((name) => stage.process(name)),
      )
      assert.ok(first && mine && other)
      const ids = new Ids()
      assert.equal(await ids.take(first), 0)
      const replica = new Replica(stage)
      assert.equal(await ids.take(mine), 1)
      replica.promote()
      await ids.takeFor(stage, 80_000, [first, mine, other])
      assert.ok(stage.has(BOUNDS))
    },
  },
  {
    name: 'snowflake-failover-lost-renewal',
    promise: 'No id comes twice after a failover that has lost a renewal of a process that is frozen',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const ids = new Ids()
      assert.equal(await ids.take(mine), 0)
      const replica = new Replica(stage)
      await stage.sleep(11_000) // it has renewed its number
      replica.promote()
      mine.freeze(20_000)
      await stage.sleep(19_900)
      assert.equal(await ids.take(other, 1, 0), 'SnowflakeTimeoutError') // it has the same number
      await ids.takeFor(stage, 60_000, [mine, other])
    },
  },
  {
    name: 'snowflake-failover-deleted',
    promise: 'No id comes twice after a snowflake was deleted at a new master that has lost a node number',
    run: async (stage) => {
      const [first, mine, other, deleting] = await Promise.all(
        ['first', 'mine', 'other', 'deleting'].map((name) => stage.process(name)),
      )
      assert.ok(first && mine && other && deleting)
      const ids = new Ids()
      assert.equal(await ids.take(first), 0)
      await first.run((client) => client.shutdown())
      const replica = new Replica(stage)
      assert.equal(await ids.take(mine), 0)
      replica.promote()
      stage.network.partition({ host: 'mine' }, 'lose', 60_000) // so that it does not notice
      assert.equal(await deleting.run((client) => of(client).delete()), true)
      await ids.takeFor(stage, 80_000, [mine, other])
    },
  },
  {
    name: 'snowflake-failover-clock-behind',
    promise:
      'No id comes twice after a failover to a server whose clock is behind by less than the failover took',
    run: async (stage) => {
      const [first, mine, other] = await Promise.all(
        ['first', 'mine', 'other'].map((name) => stage.process(name)),
      )
      assert.ok(first && mine && other)
      const ids = new Ids()
      assert.equal(await ids.take(first), 0)
      const replica = new Replica(stage)
      await stage.sleep(5_000)
      assert.equal(await ids.take(mine), 1)
      first.kill()
      stage.network.partition({ host: 'mine' }, 'lose', 60_000) // so that it does not notice
      await ids.takeFor(stage, 10_000, [mine])
      replica.promote()
      stage.redis.stepClock(-9_000)
      await ids.takeFor(stage, 80_000, [mine, other])
    },
  },
  {
    name: 'snowflake-no-memory',
    promise: 'A node number is renewed, also after a failover, and given back, although Redis has no memory',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const ids = new Ids()
      assert.equal(await ids.take(mine), 0)
      stage.redis.server.trouble = 'oom'
      await stage.sleep(40_000)
      stage.redis.server.replicationId = '1'.repeat(40)
      await stage.sleep(40_000)
      assert.equal(await ids.take(mine), 0)
      await mine.run((client) => client.shutdown())
      assert.equal(stage.redis.command('HEXISTS', SNOWFLAKE, 'node:0'), 0)
    },
  },
  {
    name: 'snowflake-evicted',
    promise: 'No id comes twice after Redis has evicted the bounds of a snowflake',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const ids = new Ids()
      assert.equal(await ids.take(mine), 0)
      stage.redis.command('DEL', BOUNDS)
      await ids.takeFor(stage, 80_000, [mine, other])
    },
  },
  {
    name: 'snowflake-deleted',
    promise: 'No id comes twice after a snowflake was deleted under its users',
    run: async (stage) => {
      const [mine, other, deleting] = await Promise.all(
        ['mine', 'other', 'deleting'].map((name) => stage.process(name)),
      )
      assert.ok(mine && other && deleting)
      const ids = new Ids()
      assert.equal(await ids.take(mine), 0)
      assert.equal(await deleting.run((client) => of(client).delete()), true)
      await ids.takeFor(stage, 80_000, [mine, other])
    },
  },
]
