import assert from 'node:assert/strict'
import type * as Library from '../../../src/index.js'
import { forKinds } from './kinds.js'
import { runsScript } from './messages.js'
import { outcomeName } from './outcome-name.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

const QUICK = { timeout: 500, retryAttempts: 1, retryDelay: 50, reconnectionDelay: 50 }

export const givingUp: readonly Scenario[] = [
  {
    name: 'permit-given-back-reply-lost',
    promise: 'A permit of a caller that gave up comes back once, although the reply to its return was lost',
    run: async (stage) => {
      const mine = await stage.process('mine', { server: QUICK })
      await oneFreePermit(stage, mine)
      await giveUp(mine, (client, signal) => client.getSemaphore('permits').acquire({ signal }))
      await mine.loseReply({ with: 'permits' }, 3_000)
      await stage.sleep(10_000)
      assert.equal(stage.redis.command('GET', 'permits'), '1')
    },
  },
  {
    name: 'permit-given-back-request-lost',
    promise:
      'A permit of a caller that gave up comes back once, although the request for its return was lost',
    run: async (stage) => {
      const mine = await stage.process('mine', { server: { ...QUICK, retryAttempts: 0 } })
      await oneFreePermit(stage, mine)
      await giveUp(mine, (client, signal) => client.getSemaphore('permits').acquire({ signal }))
      await mine.loseRequest({ with: 'permits' }, 900)
      await stage.sleep(10_000)
      assert.equal(stage.redis.command('GET', 'permits'), '1')
    },
  },
  {
    name: 'permit-undone-at-shutdown',
    promise:
      'A permit that a lost reply granted comes back when the client shuts down, also between two attempts to undo that',
    run: async (stage) => {
      const mine = await stage.process('mine', { server: { ...QUICK, timeout: 150 }, slavesSyncTimeout: 50 })
      await oneFreePermit(stage, mine)
      const lost = mine.loseReply({ with: 'permits' }, 3_000)
      const outcome = outcomeName(mine.run((client) => client.getSemaphore('permits').acquire()))
      await lost
      assert.equal(await outcome, 'ConnectionLostError')
      await stage.sleep(3_150)
      await mine.run((client) => client.shutdown())
      assert.equal(stage.redis.command('GET', 'permits'), '1')
    },
  },
  {
    name: 'adder-joined-sum',
    promise:
      'A sum that has joined an earlier one waits for its own time, also when that of the earlier one is over',
    run: async (stage) => {
      const [mine, other] = await Promise.all([
        stage.process('mine', { server: { reconnectionDelay: 50 } }),
        stage.process('other'),
      ])
      await other.run(async (client) => {
        const adder = client.getLongAdder('hits')
        adder.add(2)
        await adder.sum()
      })
      other.freeze(61_000)
      stage.network.partition({ host: 'mine' }, 'refuse', 5_000)
      const adder = await mine.run((client) => client.getLongAdder('hits'))
      const sum = () => mine.run(() => adder.sum().then(String, outcomeOf))
      await mine.run(() => {
        adder.add(1)
      })
      const earlier = sum()
      await stage.sleep(4_000)
      const later = sum() // no client is asked yet, since this one does not listen
      assert.equal(await earlier, 'AdderTimeoutError')
      assert.equal(await later, '3')
    },
  },
  {
    name: 'adder-not-heard',
    promise: 'A sum pauses before it asks anew where this client does not hear it and no other listens',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const adder = await mine.run((client) => client.getLongAdder('hits'))
      const sum = () => mine.run(() => adder.sum())
      await mine.run(() => {
        adder.add(3)
      })
      assert.equal(await sum(), 3)
      const topic = '{hits}:adder-topic'
      for (const { channels } of stage.redis.server.listenersOf('channel', topic))
        channels.channel.delete(topic)
      let times = 0
      stage.network.intercept({
        request: (message) => {
          if (message.words.includes(topic) && runsScript(stage.redis, message)) times += 1
        },
      })
      const late = sum()
      await stage.sleep(3_200)
      assert.ok(times > 1 && times < 15, `it has asked ${String(times)} times`)
      mine.cut()
      assert.equal(await late, 3)
    },
  },
  ...forKinds(['lock', 'fair lock'], (kind, lockOf) => ({
    name: 'named-thread-gives-up',
    promise: `A named thread that gave up entering a ${kind} again keeps the hold that it has`,
    run: async (stage) => {
      const [mine, other] = await Promise.all([
        stage.process('mine', { server: QUICK }),
        stage.process('other'),
      ])
      await mine.run((client) => lockOf(client).lock({ threadId: 7 }))
      await stage.sleep(1_300)
      await giveUp(mine, (client, signal) => lockOf(client).lock({ threadId: 7, signal }))
      await mine.loseReply({ with: 'lock' }, 3_000)
      await stage.sleep(10_000)
      const theirs = await other.run((client) => lockOf(client).tryAcquire())
      assert.ok(!theirs, 'another owner has got the lock')
    },
  })),
]

function outcomeOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error)
}

/** A semaphore of which no request is remembered any more. */
async function oneFreePermit(stage: Stage, process: Process): Promise<void> {
  await process.run((client) => client.getSemaphore('permits').trySetPermits(1))
  await stage.sleep(1_200)
}

/** Gives up a call when its request has run and before the reply is here. */
async function giveUp(
  process: Process,
  call: (client: Library.RedissonClient, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const enough = new AbortController()
  const ran = process.delayReply({}, 50)
  const outcome = outcomeName(process.run((client) => call(client, enough.signal)))
  await ran
  enough.abort()
  assert.equal(await outcome, 'AbortError')
}
