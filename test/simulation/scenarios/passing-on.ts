import assert from 'node:assert/strict'
import { forKinds, type Kind, type LockOf } from './kinds.js'
import { outcomeName } from './outcome-name.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

const TEN_MINUTES_MS = 600_000

/** Locks that a process passes on among its waiters. */
const KINDS: readonly Kind[] = ['lock', 'fenced lock']

export const passingOn: readonly Scenario[] = [
  ...forKinds([...KINDS, 'fair lock'], (kind, lockOf) => ({
    name: 'waiter-gives-up-as-lock-is-passed-on',
    promise: `A ${kind} is free soon if the waiter gives up in the moment in which it is passed on to it`,
    run: async (stage) => {
      const mine = await stage.process('mine')
      const enough = new AbortController()
      const holder = await mine.run((client) => lockOf(client).acquire())
      const waiter = outcomeName(
        mine.run((client) => lockOf(client).withLock(() => undefined, { signal: enough.signal })),
      )
      await stage.sleep(40)
      await mine.run(async () => {
        const released = holder.unlock()
        enough.abort()
        await released
      })
      await waiter
      await stage.until(() => !stage.has('lock'), 'the lock is free', 1_000)
    },
  })),
  {
    name: 'tokens-as-lock-is-passed-on',
    promise: 'Each holder of a fenced lock gets a larger token than the one before, also within a process',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const tokens = await mine.run((client) =>
        Promise.all(
          Array.from({ length: 5 }, () =>
            client.getFencedLock('lock').withLock(async ({ fencingToken }) => {
              await stage.sleep(5)
              return fencingToken
            }),
          ),
        ),
      )
      assert.deepEqual(tokens, [1, 2, 3, 4, 5])
    },
  },
  ...forKinds(KINDS, (kind, lockOf) => ({
    name: 'passed-on-before-subscribed',
    promise: `Waiters get a ${kind} from their own process while their subscription is still on the way`,
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      await passOn(stage, other, lockOf) // so that Redis knows the scripts
      stage.network.configure({ latencyMs: [10, 10], split: 0 })
      const hold = await mine.run((client) => lockOf(client).acquire())
      const second = mine.run((client) => lockOf(client).acquire())
      const third = mine.run((client) => lockOf(client).acquire())
      await stage.sleep(25) // they have to wait, and the connection for messages is being opened
      const freedAt = stage.now
      await mine.run(() => hold.unlock())
      await mine.run(async () => (await second).unlock())
      const last = await third
      assert.equal(stage.now - freedAt, 40) // a round trip for each
      await mine.run(() => last.unlock())
    },
  })),
  ...forKinds(KINDS, (kind, lockOf) => ({
    name: 'waiter-asks-again',
    promise: `A thread that gave up waiting for a ${kind} and asks again holds it alone`,
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const holder = await mine.run((client) => lockOf(client).acquire())
      await mine.run((client) =>
        client.runAsThread(async () => {
          const lock = lockOf(client)
          const enough = new AbortController()
          const first = outcomeName(lock.lock({ signal: enough.signal }))
          await stage.sleep(40)
          mine.delayReplies(300)
          const released = holder.unlock() // passes the lock on to this thread
          await stage.sleep(50)
          enough.abort()
          assert.equal(await first, 'AbortError')
          const second = await lock.tryLock(2_000)
          await released
          await stage.sleep(1_000)
          const theirs = await other.run((client) => lockOf(client).tryAcquire())
          assert.ok(!(second && theirs), 'two hold the lock')
        }),
      )
    },
  })),
  ...forKinds(KINDS, (kind, lockOf) => ({
    name: 'waiter-gone-reply-lost',
    promise: `A ${kind} that was passed on to a waiter who has gone is free soon, although the reply was lost`,
    run: async (stage) => {
      const server = { timeout: 200, retryAttempts: 2, retryDelay: 100 }
      const mine = await stage.process('mine', { server })
      const holder = await mine.run((client) => lockOf(client).acquire())
      const waiter = mine.run((client) => lockOf(client).tryAcquire({ waitMs: 90, leaseMs: TEN_MINUTES_MS }))
      await stage.sleep(40)
      const stopLosing = mine.loseReplies()
      const released = mine.run(() => holder.unlock())
      await Promise.all([outcomeName(waiter), outcomeName(released)])
      stopLosing()
      await stage.gone('lock')
    },
  })),
  ...forKinds(KINDS, (kind, lockOf) => ({
    name: 'waiter-gone-network-gone',
    promise: `A ${kind} that was passed on to a waiter who has gone is free once the network is back`,
    run: async (stage) => {
      const server = { timeout: 200, retryAttempts: 1, retryDelay: 100 }
      const mine = await stage.process('mine', { server })
      const holder = await mine.run((client) => lockOf(client).acquire())
      const enough = new AbortController()
      const waiter = outcomeName(
        mine.run((client) => lockOf(client).acquire({ signal: enough.signal, leaseMs: TEN_MINUTES_MS })),
      )
      await stage.sleep(40)
      const ran = mine.delayReply({ with: 'lock' }, 50)
      const released = mine.run(() => holder.unlock())
      await ran
      const giveBack = mine.loseRequest({ with: 'lock' }, 2_000)
      enough.abort()
      await Promise.all([waiter, released, giveBack])
      await stage.gone('lock')
    },
  })),
  ...forKinds(KINDS, (kind, lockOf) => ({
    name: 'shutdown-while-passing-on',
    promise: `A shutdown leaves no ${kind} taken that was passed on to a waiter of the client meanwhile`,
    run: async (stage) => {
      const mine = await stage.process('mine')
      const holder = await mine.run((client) => lockOf(client).acquire())
      const waiter = outcomeName(mine.run((client) => lockOf(client).acquire({ leaseMs: TEN_MINUTES_MS })))
      await stage.sleep(40)
      await mine.run((client) => Promise.all([holder.unlock(), client.shutdown()]))
      assert.equal(await waiter, 'ClientClosedError')
      await stage.gone('lock')
    },
  })),
]

/** Has a process pass a lock on to another of its callers. */
async function passOn(stage: Stage, process: Process, lockOf: LockOf): Promise<void> {
  const hold = await process.run((client) => lockOf(client).acquire())
  const waiter = process.run((client) => lockOf(client).acquire())
  await stage.sleep(40)
  await process.run(() => hold.unlock())
  await process.run(async () => (await waiter).unlock())
}
