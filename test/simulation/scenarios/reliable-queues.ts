import assert from 'node:assert/strict'
import type { Delivery, RedissonClient, RReliableQueue } from '../../../src/index.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

const A_MINUTE_MS = 60_000
const AN_HOUR_MS = 3_600_000

const WATCHDOG_MS = 3_000

/** More scripts than a consumer runs for its messages. */
const SCRIPTS = 9

const MESSAGES = ['a', 'b', 'c', 'd']

/** What a consumer does with one message after the other. Says whether that was the end of it. */
type Settle = (delivery: Delivery<string>) => Promise<boolean>

const WAYS: Record<string, Settle> = {
  acknowledges: (delivery) => delivery.ack().then(() => true),
  rejects: (delivery) => delivery.reject('too old').then(() => true),
  'gives back and acknowledges': (delivery) =>
    delivery.value === 'a' && delivery.deliveries === 1
      ? delivery.nack().then(() => false)
      : delivery.ack().then(() => true),
}

/** When a process is killed: before Redis has run a script of it, or before it has the reply. */
const MOMENTS = { before: 'lose', after: 'deliver' } as const

export const reliableQueues: readonly Scenario[] = [
  ...Object.entries(WAYS).flatMap(([way, settle], n) =>
    Object.entries(MOMENTS).flatMap(([moment, fate]) =>
      Array.from({ length: SCRIPTS }, (_, script): Scenario => ({
        name: `queue-killed-${String(n + 1)}-${moment}-${String(script + 1)}`,
        promise: `A queue loses and doubles nothing when a consumer that ${way} is killed ${moment} its script ${String(script + 1)}`,
        run: async (stage) => {
          const [dying, other] = await consumersOf(stage)
          const settled: string[] = []
          await dying.run((client) => queueOf(client).offerAll(MESSAGES))
          void dying.atScript({ nth: script + 1 }, () => {
            dying.kill()
            return fate
          })
          const note = (value: string) => settled.push(value)
          void dying.run((client) => consume(queueOf(client), settle, note)).catch(() => undefined)
          await stage.sleep(1_000)
          const before = [...settled]
          const came = await allThatComes(stage, other)
          assert.deepEqual(
            before.filter((value) => came.includes(value)),
            [],
            'what was settled comes again',
          )
          const dead = await other.run((client) => queueOf(client).deadLetters())
          const found = [...came, ...dead.map(({ value }) => value)]
          assert.deepEqual(
            found.filter((value, n) => found.indexOf(value) < n),
            [],
            'what came twice',
          )
          const isLost = (value: string) => !found.includes(value) && !before.includes(value)
          // Redis may have run the last acknowledgement, whose reply was lost.
          assert.ok(MESSAGES.filter(isLost).length <= (fate === 'deliver' ? 1 : 0), 'a message is lost')
          assert.equal(await other.run((client) => queueOf(client).size()), 0)
        },
      })),
    ),
  ),
  {
    name: 'queue-frozen',
    promise: 'A delivery of a process that stands still is over before another process has the message',
    run: async (stage) => {
      const [frozen, other] = await consumersOf(stage)
      await frozen.run((client) => queueOf(client).offer('a'))
      const delivery = await frozen.run((client) => queueOf(client).poll())
      frozen.freeze(2 * WATCHDOG_MS)
      const again = await other.run((client) => queueOf(client).poll({ waitMs: A_MINUTE_MS }))
      assert.equal(again?.value, 'a')
      assert.equal(delivery?.isHeld, false)
      await stage.sleep(2 * WATCHDOG_MS)
      assert.equal(delivery.signal.aborted, true)
      await assert.rejects(
        frozen.run(() => delivery.ack()),
        { code: 'DELIVERY_LOST' },
      )
      assert.ok(again.fencingToken > delivery.fencingToken)
      await other.run(() => again.ack())
    },
  },
  {
    name: 'queue-clocks',
    promise: 'Messages are due by the clock of Redis, whatever the clocks of processes show',
    run: async (stage) => {
      const early = await stage.process('early', {}, { skewMs: -AN_HOUR_MS })
      const late = await stage.process('late', {}, { skewMs: AN_HOUR_MS })
      for (const [giver, taker] of [
        [early, late],
        [late, early],
      ] as const) {
        await giver.run((client) => queueOf(client).offer('a', { delayMs: 5_000 }))
        const offeredAt = stage.now
        const delivery = await taker.run((client) => queueOf(client).poll({ waitMs: A_MINUTE_MS }))
        assert.ok(stage.now - offeredAt >= 4_999, 'it came too early')
        assert.ok(stage.now - offeredAt <= 5_050, 'it came too late')
        await stage.sleep(A_MINUTE_MS)
        assert.equal(delivery?.isHeld, true)
        await taker.run(() => delivery.ack())
      }
    },
  },
  {
    name: 'queue-messages-lost',
    promise: 'A waiting consumer gets a message within a minute although it is not notified',
    run: async (stage) => {
      const [deaf, other] = await consumersOf(stage)
      const taken = deaf.run((client) => queueOf(client).poll({ waitMs: 2 * A_MINUTE_MS }))
      await stage.sleep(1_000)
      deaf.delayMessages(AN_HOUR_MS)
      await other.run((client) => queueOf(client).offer('a'))
      const offeredAt = stage.now
      assert.equal((await taken)?.value, 'a')
      assert.ok(stage.now - offeredAt <= A_MINUTE_MS + 1_000)
    },
  },
  {
    name: 'queue-offered-once',
    promise: 'A message that is offered with offerOnce() is there once, although the reply to it is lost',
    run: async (stage) => {
      const [mine, other] = await consumersOf(stage)
      void mine.loseReply({ with: '{orders}:ready' }, 500)
      await mine.run((client) => queueOf(client).offerOnce('a'))
      assert.equal(await other.run((client) => queueOf(client).size()), 1)
    },
  },
]

function consumersOf(stage: Stage): Promise<[Process, Process]> {
  const settings = { lockWatchdogTimeout: WATCHDOG_MS }
  return Promise.all([stage.process('dying', settings), stage.process('other', settings)])
}

function queueOf(client: RedissonClient): RReliableQueue<string> {
  return client.getReliableQueue<string>('orders')
}

async function consume(
  queue: RReliableQueue<string>,
  settle: Settle,
  note: (value: string) => void,
): Promise<void> {
  for await (const delivery of queue.consume()) {
    if (await settle(delivery)) note(delivery.value)
  }
}

/** Takes and acknowledges all that comes within a minute. */
function allThatComes(stage: Stage, process: Process): Promise<string[]> {
  return process.run(async (client) => {
    const came: string[] = []
    const until = stage.now + A_MINUTE_MS
    while (stage.now < until) {
      const delivery = await queueOf(client).poll({ waitMs: until - stage.now })
      if (delivery === undefined) break
      came.push(delivery.value)
      await delivery.ack()
    }
    return came
  })
}
