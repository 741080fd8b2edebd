import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  MessageDelivery,
  RedissonClient,
  ReliableSubscription,
  RReliableTopic,
} from '../../../src/index.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

const WATCHDOG_MS = 3_000

/** In this time another process is active for the subscriber, and has all messages. */
const A_MINUTE_MS = 60_000

const SUBSCRIBER = 'billing'

const MESSAGES = ['a', 'b', 'c', 'd']

/** What a listener does with a message. */
type Listen = (message: string, delivery: MessageDelivery) => unknown

interface Way {
  readonly listen: Listen
  /** The subscription ends after that time, if it is given. */
  readonly endsAfterMs?: number
  /** How many scripts a process runs with that. */
  readonly scripts: number
}

const WAYS: Readonly<Record<string, Way>> = {
  'takes all messages': { listen: () => undefined, scripts: 4 },
  'takes time for each message': { listen: () => sleep(50), scripts: 7 },
  'fails at first': {
    listen: (message, { deliveries }) => {
      if (message === 'b' && deliveries === 1) throw new Error('not yet')
    },
    scripts: 6,
  },
  'ends the subscription': { listen: () => sleep(50), endsAfterMs: 120, scripts: 6 },
}

/** When a process is killed: before Redis has run a script of it, or before it has the reply. */
const MOMENTS = { before: 'lose', after: 'deliver' } as const

export const reliableTopics: readonly Scenario[] = [
  ...Object.entries(WAYS).flatMap(([way, { listen, endsAfterMs, scripts }], n) =>
    Object.entries(MOMENTS).flatMap(([moment, fate]) =>
      Array.from({ length: scripts }, (_, script): Scenario => ({
        name: `topic-killed-${String(n + 1)}-${moment}-${String(script + 1)}`,
        promise: `Another process goes on after the last message that was acknowledged when one that ${way} is killed ${moment} its script ${String(script + 1)}`,
        run: async (stage) => {
          const [dying, other] = await subscribersOf(stage)
          const killed = dying.atScript({ nth: script + 1 }, () => {
            dying.kill()
            return fate
          })
          const before: string[] = []
          void dying.run(async (client) => {
            const subscription = await subscribe(client, before, listen)
            if (endsAfterMs === undefined) return
            await sleep(endsAfterMs)
            await subscription.unsubscribe()
          })
          await killed
          await stage.sleep(1) // a script that is delivered has run by then
          const acknowledged = await acknowledgedAt(other)
          const came: string[] = []
          await other.run((client) => subscribe(client, came, () => undefined))
          await stage.until(
            () => came.includes('d') || acknowledged.includes('d'),
            'all messages',
            A_MINUTE_MS,
          )
          await stage.sleep(A_MINUTE_MS)
          assert.deepEqual(
            acknowledged.filter((each) => !before.includes(each)),
            [],
            'acknowledged without a listener',
          )
          assert.deepEqual([...acknowledged, ...came], MESSAGES)
          assert.equal(await other.run((client) => topicOf(client).size()), 0)
        },
      })),
    ),
  ),
  ...Array.from({ length: 4 }, (_, script): Scenario => ({
    name: `topic-lost-reply-${String(script + 1)}`,
    promise: `A listener of a reliable topic gets each message once although the reply to its script ${String(script + 1)} is lost`,
    run: async (stage) => {
      const [mine] = await subscribersOf(stage)
      const lost = mine.loseReply({ nth: script + 1 }, 500)
      const came: string[] = []
      await mine.run((client) => subscribe(client, came, () => undefined))
      await lost
      await stage.sleep(A_MINUTE_MS)
      assert.deepEqual(came, MESSAGES)
      assert.equal(await mine.run((client) => topicOf(client).size()), 0)
    },
  })),
  ...Array.from({ length: 12 }, (_, script): Scenario => ({
    name: `topic-together-lost-reply-${String(script + 1)}`,
    promise: `Each of two subscribers of a process gets each message once although the reply to their script ${String(script + 1)} is lost`,
    run: async (stage) => {
      const [mine] = await subscribersOf(stage)
      const lost = mine.loseReply({ nth: script + 1 }, 500)
      const [own, named]: [string[], string[]] = [[], []]
      const ends = new Map<string, Promise<void>>()
      const endTogether = (message: string) => {
        const end = ends.get(message) ?? sleep(50)
        ends.set(message, end)
        return end
      }
      await mine.run(async (client) => {
        await topicOf(client).addListener(async (message) => {
          await endTogether(message)
          own.push(message)
        })
        await subscribe(client, named, endTogether)
      })
      await stage.sleep(A_MINUTE_MS)
      await mine.run((client) => topicOf(client).publish('e')) // runs the last scripts in any case
      await lost
      await stage.sleep(A_MINUTE_MS)
      assert.deepEqual(
        [own, named],
        [
          [...MESSAGES, 'e'],
          [...MESSAGES, 'e'],
        ],
      )
      assert.equal(await mine.run((client) => topicOf(client).size()), 0)
    },
  })),
  {
    name: 'topic-dead-subscriber',
    promise: 'Messages are no longer kept for a subscriber without a name whose process was killed',
    run: async (stage) => {
      const [dying, other] = await subscribersOf(stage)
      await dying.run((client) => topicOf(client).addListener(() => sleep(A_MINUTE_MS)))
      dying.kill()
      const came: string[] = []
      await other.run((client) => subscribe(client, came, () => undefined))
      await stage.until(() => came.includes('d'), 'all messages')
      assert.equal(await other.run((client) => topicOf(client).size()), MESSAGES.length)
      await stage.sleep(A_MINUTE_MS)
      assert.equal(await other.run((client) => topicOf(client).publish('e')), 1)
      await stage.until(() => came.includes('e'), 'one more message')
      await stage.sleep(WATCHDOG_MS)
      assert.equal(await other.run((client) => topicOf(client).size()), 0)
    },
  },
  {
    name: 'topic-frozen',
    promise:
      'A subscriber that stands still calls its listener with nothing that another process has got meanwhile',
    run: async (stage) => {
      const [frozen, other] = await subscribersOf(stage)
      const [mine, aborted]: [string[], string[]] = [[], []]
      await frozen.run((client) =>
        subscribe(client, mine, async (message, delivery) => {
          await sleep(100)
          if (delivery.signal.aborted) aborted.push(message)
        }),
      )
      await stage.until(() => mine.length === 2, 'two messages are taken')
      frozen.freeze(2 * WATCHDOG_MS)
      const came: string[] = []
      await other.run((client) => subscribe(client, came, () => sleep(0.8 * WATCHDOG_MS)))
      await stage.until(() => came.includes('d'), 'all messages', A_MINUTE_MS)
      await stage.sleep(A_MINUTE_MS)
      // Its listener was called with one message before it stood still.
      assert.deepEqual(mine, ['a', 'b', 'c'])
      assert.deepEqual(aborted, ['c'])
      assert.deepEqual(came, ['c', 'd'])
    },
  },
]

async function subscribersOf(stage: Stage): Promise<[Process, Process]> {
  const settings = { lockWatchdogTimeout: WATCHDOG_MS, reliableTopicWatchdogTimeout: WATCHDOG_MS }
  const [mine, other] = await Promise.all([stage.process('mine', settings), stage.process('other', settings)])
  await other.run(async (client) => {
    for (const message of MESSAGES) await topicOf(client).publish(message)
  })
  return [mine, other]
}

function topicOf(client: RedissonClient): RReliableTopic<string> {
  return client.getReliableTopic<string>('placed')
}

/** Listens, and takes note of the messages of which the listener has returned. */
async function subscribe(
  client: RedissonClient,
  taken: string[],
  listen: Listen,
): Promise<ReliableSubscription> {
  const options = { subscriber: SUBSCRIBER, retryDelayMs: 100 }
  const subscription = await topicOf(client).addListener(async (message, delivery) => {
    await listen(message, delivery)
    taken.push(message)
  }, options)
  return subscription.on('error', () => undefined)
}

/** The messages that the only subscriber has acknowledged: they are there no more. */
async function acknowledgedAt(process: Process): Promise<readonly string[]> {
  const size = await process.run((client) => topicOf(client).size())
  return MESSAGES.slice(0, MESSAGES.length - size)
}
