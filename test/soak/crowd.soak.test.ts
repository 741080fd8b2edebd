import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LockHold } from '../../src/locks/shared/lock.api.js'
import type { RedissonClient } from '../../src/api/redisson-client.js'
import { Redisson } from '../../src/client/redisson.js'
import { askAll } from '../support/ask-all.js'
import { startChild, type Child } from '../support/child.js'
import { eventually } from '../support/eventually.js'
import type { ClientTopology, ServerNode } from '../support/launch/topology.js'
import { noLeaks } from '../support/no-leaks.js'
import { startCluster, startSingle } from '../support/servers.js'
import { full } from './size.js'

const CROWD = full ? 10_000 : 1000

/** How often the crowd comes and goes before it is weighed, so that all that is made only once has been made. */
const CYCLES_BEFORE = 2

/** How often it does so again. */
const CYCLES = full ? 5 : 2

/** In each cycle all callers wait without success, until they are aborted, and until they get what they want. */
const WAITS_IN_A_CYCLE = 3 * CROWD

/**
 * A waiter that stayed behind, with its promise, its place and its timer, would be a thousand and more. What V8 keeps for
 * itself comes and goes by some hundred thousand, which is more for each of them where they are few.
 */
const BYTES_LEFT_BY_EACH = full ? 50 : 200

const NEVER_MS = 600_000

/** A crowd that comes all at once takes seconds of the processor, more of them on a machine that is shared. */
const PATIENT = { timeout: 60_000, subscriptionTimeout: 60_000 }

const WITHIN = { withinMs: 60_000 }
const NAME = 'the-crowd'
const BYSTANDER = 'redisson_lock__channel:{bystander}'

const file = new URL('fixtures/crowd.ts', import.meta.url)

const arrangements: readonly (readonly [string, () => Promise<ClientTopology>])[] = [
  ['a single server', startSingle],
  ['a cluster', () => startCluster({ nodeTimeoutMs: 60_000 })],
]

describe.each(arrangements)(`${CROWD} who wait for as many locks of %s`, (where, start) => {
  let topology: ClientTopology
  let holder: RedissonClient
  let crowd: Child

  noLeaks(() => topology)

  beforeAll(async () => {
    topology = await start()
    holder = await Redisson.create(topology.options(PATIENT))
    const [{ port }] = topology.nodes as readonly [{ readonly port: number }]
    const options = topology.options({ clientName: NAME, ...PATIENT })
    crowd = startChild(file, {
      args: [JSON.stringify(options), String(port), String(CROWD)],
    })
    await crowd.hear('ready')
  })

  afterAll(async () => {
    await crowd.kill()
    await holder.shutdown()
    await topology.stop()
  })

  it(
    'share a connection at each node, disturb no other caller, and leave nothing in memory (T-14)',
    { timeout: 600_000 },
    async () => {
      const bystanders = new AbortController()
      const undisturbed = Promise.all([news(bystanders.signal), handOvers(bystanders.signal)])
      for (let each = 0; each < CYCLES_BEFORE; each++) await cycle()
      const before = await weight()
      for (let each = 0; each < CYCLES; each++) await cycle()
      const grownBytes = (await weight()) - before
      bystanders.abort()
      crowd.tell('stop-listening')
      const [heard, handedOver] = await undisturbed
      console.log(
        `${CROWD} waiters at ${where}: ${CYCLES} more cycles grew the heap by ${Math.round(grownBytes / 1024)} KiB, ` +
          `${heard} messages and ${handedOver} hand-overs went on beside them`,
      )
      expect(grownBytes).toBeLessThan(BYTES_LEFT_BY_EACH * CYCLES * WAITS_IN_A_CYCLE)
      expect(heard).toBeGreaterThan(CYCLES)
      expect(handedOver).toBeGreaterThan(CYCLES)
    },
  )

  /** The crowd comes three times, and goes in each way in which waiting can end. */
  const cycle = async (): Promise<void> => {
    const holds = await takeAll()
    crowd.tell('wait-in-vain', { waitMs: 500 })
    expect(await crowd.hear('waited')).toMatchObject({ got: 0, failed: 0 })
    await untilNoneWaits()

    crowd.tell('wait-until-aborted')
    await untilAllWait()
    crowd.tell('abort')
    expect(await crowd.hear('waited')).toMatchObject({ got: 0, failed: CROWD })
    await untilNoneWaits()

    crowd.tell('wait')
    await untilAllWait()
    await Promise.all(holds.map((hold) => hold.unlock()))
    expect(await crowd.hear('waited')).toMatchObject({ got: CROWD, failed: 0 })
    await untilNoneWaits()
  }

  const takeAll = (): Promise<LockHold[]> =>
    Promise.all(
      Array.from({ length: CROWD }, (_, n) => holder.getLock(`crowd-${n}`).acquire({ leaseMs: NEVER_MS })),
    )

  const untilAllWait = async (): Promise<void> => {
    await eventually(async () => sum(await subscriptions()) >= CROWD, { ...WITHIN, what: 'all wait' })
    const listening = await askAll(topology.nodes, async (node) => (await listeners(node)).length)
    expect(Math.max(...listening)).toBe(1)
  }

  const untilNoneWaits = async (): Promise<void> => {
    const bystander = 1
    await eventually(async () => sum(await subscriptions()) <= bystander, { ...WITHIN, what: 'none waits' })
  }

  /** How many channels the crowd listens to, at each node. */
  const subscriptions = (): Promise<number[]> =>
    Promise.all(topology.nodes.map(async (node) => sum(await listeners(node))))

  /** Sends messages to a listener of the same process that has nothing to do with locks, each when the last was heard. */
  const news = async (signal: AbortSignal): Promise<number> => {
    const [node] = topology.nodes
    let number = 0
    for (; !signal.aborted; number++) {
      await node.command('PUBLISH', 'news', number)
      expect(await crowd.hear('news')).toMatchObject({ number: String(number) })
    }
    return number
  }

  /** Hands another lock over to a waiter of the same process, who hears of it by the connection of the crowd. */
  const handOvers = async (signal: AbortSignal): Promise<number> => {
    let number = 0
    for (; !signal.aborted; number++) {
      const hold = await holder.getLock('bystander').acquire({ leaseMs: NEVER_MS })
      crowd.tell('take')
      await eventually(async () => sum(await bystanders()) > 0, WITHIN)
      await hold.unlock()
      await crowd.hear('taken')
    }
    return number
  }

  /** How many wait for the other lock, at each node. */
  const bystanders = (): Promise<number[]> =>
    askAll(topology.nodes, async (node) => {
      const counts = [
        ...((await node.command('PUBSUB', 'NUMSUB', BYSTANDER)) as unknown[]),
        ...((await node.command('PUBSUB', 'SHARDNUMSUB', BYSTANDER).catch(() => [])) as unknown[]), // unknown before version 7
      ]
      return sum(counts.filter((count) => typeof count === 'number'))
    })

  const weight = async (): Promise<number> => {
    crowd.tell('weigh')
    return Number((await crowd.hear('weighed'))['bytes'])
  }
})

/** The connections of the crowd that listen at a node: to how many channels each of them does. */
async function listeners(node: ServerNode): Promise<number[]> {
  const lines = String(await node.command('CLIENT', 'LIST')).split('\n')
  return lines
    .filter((line) => line.includes(` name=${NAME} `))
    .map((line) => sum(Array.from(line.matchAll(/ (?:sub|psub|ssub)=(\d+)/g), ([, count]) => Number(count))))
    .filter((count) => count > 0)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}
