import assert from 'node:assert/strict'
import type { SimulatedRedis } from '../rounds/simulated-redis.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

/** When a client that notices has made itself new. */
const HEALED_MS = 30_000

/** Changes are heard of within this time; without a message the key is looked at each five seconds. */
const HEARD_MS = 500

/** How many connections of others the second server has: with some of them, ids of the first are those of strangers there. */
const STRANGERS = { few: 0, many: 6 } as const

const CONNECTIONS = ['reader', 'hearer'] as const

type Connection = (typeof CONNECTIONS)[number]

export const movingEndpoints: readonly Scenario[] = CONNECTIONS.flatMap((staying) =>
  Object.entries(STRANGERS).map(([name, strangers]): Scenario => ({
    name: `endpoint-moves-without-${staying}-${name}`,
    promise: `A poll that waits hears of values although its ${staying} has stayed at the server that its address led to before (${name} strangers)`,
    run: async (stage) => {
      const next = stage.server()
      for (let n = 0; n < strangers; n += 1)
        await stage.processFor(`stranger ${String(n)}`, {
          singleServerConfig: { address: `redis://${next.address}` },
        })
      const connections = watchTracking(stage)
      const mine = await stage.process('mine')
      const polled = take(stage, mine)
      await stage.until(() => connections.size === 2, 'keys are tracked')
      await stage.sleep(100)
      stage.redis.command('ZADD', 'tasks', 1, '"first"')
      await polled
      moveTo(stage, next)
      stage.network.cutOthers({ host: 'mine' }, connections.get(staying))
      await stage.sleep(HEALED_MS)
      for (const value of ['second', 'third', 'fourth']) {
        const taken = take(stage, mine)
        await stage.sleep(1_700)
        next.command('ZADD', 'tasks', 1, `"${value}"`)
        const addedAt = stage.now
        const takenAt = await taken
        assert.ok(takenAt - addedAt < HEARD_MS, `heard of ${value} after ${String(takenAt - addedAt)} ms`)
      }
    },
  })),
)

/** Takes a value as soon as there is one. Returns when that was. */
async function take(stage: Stage, mine: Process): Promise<number> {
  await mine.run((client) => client.getScoredSortedSet('tasks').takeFirst())
  return stage.now
}

/** Which connection reads keys, and which hears of them. */
function watchTracking(stage: Stage): ReadonlyMap<Connection, number> {
  const numbers = new Map<Connection, number>()
  stage.network.intercept({
    request: ({ name, words, route }) => {
      if (name === 'CLIENT' && words[1] === 'TRACKING') numbers.set('reader', route.connection)
      if (name === 'SUBSCRIBE' && words[1] === '__redis__:invalidate') numbers.set('hearer', route.connection)
    },
  })
  return numbers
}

/** The address leads to another server, and the one before writes no more. */
function moveTo({ network, redis }: Stage, next: SimulatedRedis): void {
  network.move(redis.address, next.address)
  redis.server.trouble = 'readonly'
  next.server.replicationId = redis.server.replicationId
}
