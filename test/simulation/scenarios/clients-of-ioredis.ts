import assert from 'node:assert/strict'
import { Redis, type RedisOptions } from 'ioredis'
import type * as Library from '../../../src/index.js'
import type { SimulatedRedis } from '../rounds/simulated-redis.js'
import { outcomeName } from './outcome-name.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

export const clientsOfIoredis: readonly Scenario[] = [
  {
    name: 'string-numbers',
    promise: 'A client of ioredis that reads numbers as texts works as every other',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const client = await sharing(stage, mine, stage.redis, { stringNumbers: true })
      assert.equal(await outcomeName(mine.run(() => client.getLock('lock').acquire())), 'ok')
    },
  },
  {
    name: 'order-of-servers',
    promise: 'Two multi-locks of one name at two servers do not wait for each other',
    run: async (stage) => {
      const servers = [stage.redis, stage.server()]
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const [first, second] = await Promise.all(
        [mine, other].map((process) =>
          Promise.all(servers.map((redis) => sharing(stage, process, redis, {}))),
        ),
      )
      const multiLock = (clients: readonly Library.RedissonClient[] = []) => {
        const locks = clients.map((client) => client.getLock('lock'))
        return (clients[0] as Library.RedissonClient).getMultiLock(...locks)
      }
      const use = async (lock: Library.RMultiLock): Promise<void> => {
        for (let turn = 0; turn < 20; turn += 1) await lock.withLock(() => undefined, { waitMs: 3_000 })
      }
      const outcomes = await Promise.all([
        outcomeName(mine.run(() => use(multiLock(first)))),
        outcomeName(other.run(() => use(multiLock(second?.toReversed())))),
      ])
      assert.deepEqual(outcomes, ['ok', 'ok'])
    },
  },
]

/** A client of the library that shares the settings of a client of ioredis. */
function sharing(
  { library }: Stage,
  process: Process,
  { host }: SimulatedRedis,
  options: Omit<RedisOptions, 'replyMapping'>,
): Promise<Library.RedissonClient> {
  return process.run(() => library.Redisson.create({ ioredis: new Redis({ host, ...options }) }))
}
