import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RedissonClient, RStream, StreamDelivery } from '../../../src/index.js'
import type { Process, WhichScript } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

const A_MINUTE_MS = 60_000

/** After this time others get what a consumer has and does not settle. */
const CLAIM_IDLE_MS = 3_000

const MESSAGES = ['a', 'b', 'c', 'd']

const GROUP = 'billing'

/** What a consumer does with one message after the other. Returns whether that was the end of it. */
type Settle = (delivery: StreamDelivery<string, string>) => Promise<boolean>

interface Way {
  readonly settle: Settle
  /** After how many messages it leaves its loop. */
  readonly leavesAfter?: number
  /** The requests that it is killed at, and how many there are. */
  readonly requests: Readonly<Record<string, { readonly which: WhichScript; readonly count: number }>>
}

const acknowledge: Settle = (delivery) => delivery.ack().then(() => true)
const giveBack: Settle = (delivery) => delivery.nack().then(() => false)
const isFirst = (delivery: StreamDelivery<string, string>) => delivery.fields.get('value') === 'a'

/** A message that is given back the second time goes to the dead letters. */
const MOST_DELIVERIES = 2

const scripts = (count: number): Way['requests'] => ({ script: { which: {}, count } })

const WAYS: Readonly<Record<string, Way>> = {
  acknowledges: {
    settle: acknowledge,
    requests: { ...scripts(5), acknowledgement: { which: { command: 'XACK' }, count: MESSAGES.length } },
  },
  'gives back and acknowledges': {
    settle: (delivery) =>
      isFirst(delivery) && delivery.deliveries === 1 ? giveBack(delivery) : acknowledge(delivery),
    requests: scripts(7),
  },
  'gives up a message': {
    settle: (delivery) => (isFirst(delivery) ? giveBack(delivery) : acknowledge(delivery)),
    requests: scripts(8),
  },
  'takes long': {
    settle: (delivery) => sleep(CLAIM_IDLE_MS - 500).then(() => acknowledge(delivery)),
    requests: scripts(10),
  },
  leaves: { settle: acknowledge, leavesAfter: 2, requests: scripts(7) },
}

/** When a process is killed: before Redis has run a request of it, or before it has the reply. */
const MOMENTS = { before: 'lose', after: 'deliver' } as const

export const streams: readonly Scenario[] = [
  ...Object.entries(WAYS).flatMap(([way, { requests, ...how }], n) =>
    Object.entries(requests).flatMap(([request, { which, count }]) =>
      Object.entries(MOMENTS).flatMap(([moment, fate]) =>
        Array.from({ length: count }, (_, at): Scenario => ({
          name: `stream-killed-${String(n + 1)}-${moment}-${request}-${String(at + 1)}`,
          promise: `A stream loses and doubles nothing when a consumer that ${way} is killed ${moment} its ${request} ${String(at + 1)}`,
          run: async (stage) => {
            const [dying, other] = await consumersOf(stage)
            const killed = dying.atScript({ ...which, nth: at + 1 }, () => {
              dying.kill()
              return fate
            })
            const before: string[] = []
            void dying.run((client) => consume(client, { ...how, settled: before })).catch(() => undefined)
            await killed
            const came = await allThatComes(stage, other)
            demandOnce(before, came, await deadLetters(other), fate)
            assert.equal(await pendingOf(other), 0)
          },
        })),
      ),
    ),
  ),
  ...Object.entries(WAYS['acknowledges']?.requests ?? {}).flatMap(([request, { which, count }]) =>
    Array.from({ length: count }, (_, at): Scenario => ({
      name: `stream-lost-reply-${request}-${String(at + 1)}`,
      promise: `A consumer of a stream gets each message once although the reply to its ${request} ${String(at + 1)} is lost`,
      run: async (stage) => {
        const [mine] = await consumersOf(stage)
        const lost = mine.loseReply({ ...which, nth: at + 1 }, 500)
        const came = await allThatComes(stage, mine)
        await lost
        assert.deepEqual(came, MESSAGES)
        assert.equal(await pendingOf(mine), 0)
      },
    })),
  ),
  {
    name: 'stream-frozen',
    promise: 'A consumer of a stream that stands still hands out nothing that another one has got meanwhile',
    run: async (stage) => {
      const [frozen, other] = await consumersOf(stage)
      const settled: string[] = []
      const settle: Settle = async (delivery) => {
        await sleep(100)
        return await acknowledge(delivery)
      }
      void frozen.run((client) => consume(client, { settle, settled })).catch(() => undefined)
      await stage.until(() => settled.length === 2, 'two messages are acknowledged')
      frozen.freeze(3 * CLAIM_IDLE_MS)
      const came = await allThatComes(stage, other)
      assert.deepEqual(came, ['c', 'd'])
      const handedOut = settled.slice(2)
      assert.ok(
        handedOut.length <= 1,
        `handed out besides the one that was being worked on: ${handedOut.join(', ')}`,
      )
      assert.equal(await pendingOf(other), 0)
    },
  },
]

/** Demands that no message is lost, and that none comes again that was settled. */
function demandOnce(
  before: readonly string[],
  came: readonly string[],
  dead: readonly string[],
  fate: 'lose' | 'deliver',
): void {
  const found = [...before, ...came, ...dead]
  assert.deepEqual(
    found.filter((value, n) => found.indexOf(value) < n),
    [],
    'what was settled twice',
  )
  const lost = MESSAGES.filter((value) => !found.includes(value))
  // Redis may have run the last acknowledgement, whose reply was lost.
  assert.ok(lost.length <= (fate === 'deliver' ? 1 : 0), `lost: ${lost.join(', ')}`)
}

async function consumersOf(stage: Stage): Promise<[Process, Process]> {
  const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
  await mine.run(async (client) => {
    for (const value of MESSAGES) await streamOf(client).add({ value })
  })
  return [mine, other]
}

function streamOf(client: RedissonClient, name = 'orders'): RStream<string, string> {
  return client.getStream<string, string>(name)
}

/** What a consumer does with its messages. */
interface Consumption extends Pick<Way, 'settle' | 'leavesAfter'> {
  /** Gets the messages that are settled. */
  readonly settled: string[]
  readonly signal?: AbortSignal
}

async function consume(client: RedissonClient, how: Consumption): Promise<void> {
  const { settle, leavesAfter, settled, signal } = how
  const options = {
    claimIdleMs: CLAIM_IDLE_MS,
    maxDeliveries: MOST_DELIVERIES,
    deadLetter: 'dead-orders',
    ...(signal && { signal }),
  }
  for await (const delivery of streamOf(client).consumer(GROUP, options)) {
    if (await settle(delivery)) settled.push(delivery.fields.get('value') ?? '')
    if (settled.length === leavesAfter) break
  }
}

/** Acknowledges all that comes within a minute. */
async function allThatComes(stage: Stage, process: Process): Promise<string[]> {
  const settled: string[] = []
  const ending = new AbortController()
  const { signal } = ending
  const consuming = process.run((client) => consume(client, { settle: acknowledge, settled, signal }))
  await stage.sleep(A_MINUTE_MS)
  await process.run(() => {
    ending.abort()
  })
  await assert.rejects(consuming, { name: 'AbortError' })
  return settled
}

async function deadLetters(process: Process): Promise<string[]> {
  const dead = await process.run((client) => streamOf(client, 'dead-orders').range())
  return dead.map(({ fields }) => fields.get('value') ?? '')
}

/** How many messages are pending in the group. */
async function pendingOf(process: Process): Promise<number | undefined> {
  const [group] = await process.run((client) => streamOf(client).listGroups())
  return group?.pending
}
