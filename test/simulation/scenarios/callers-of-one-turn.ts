import assert from 'node:assert/strict'
import { forKinds } from './kinds.js'
import { runsScript } from './messages.js'
import { outcomeName } from './outcome-name.js'
import type { Scenario } from './scenario.js'
import type { Stage } from './stage.js'

/**
 * Several callers of a process ask for a lock in one turn of the event loop. The first of them sends a request; the others stand in the queue
 * behind it, where the following may come next:
 *
 * - it is refused: it subscribes and tries once more for all of them, and the lock comes to them in their order;
 * - it gets the lock: the next one subscribes, and waits for the release as any other waiter of the process does;
 * - it gives up, by its signal, by its time limit or with an error of its own: the next one tries;
 * - the client shuts down, or the lock is forced open.
 *
 * A caller that does not wait, and one whose thread may be inside in a moment, sends a request of its own.
 */

/** Callers that come at once. */
const CALLERS = 1_000

const QUICK = { timeout: 500, retryAttempts: 1, retryDelay: 50, reconnectionDelay: 50 }

export const callersOfOneTurn: readonly Scenario[] = [
  ...forKinds(
    ['lock', 'fenced lock', 'non-reentrant lock', 'write lock', 'preferred write lock', 'lock on values'],
    (kind, lockOf): Scenario => ({
      name: 'callers-of-one-turn',
      promise: `Callers that ask for a held ${kind} in the same turn send one request for all of them`,
      run: async (stage) => {
        const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
        const hold = await other.run((client) => lockOf(client).acquire())
        const requests = requestsOf(stage, 'mine')
        const callers = mine.run((client) =>
          Promise.all(Array.from({ length: CALLERS }, () => lockOf(client).withLock(() => undefined))),
        )
        await stage.sleep(1_000)
        assert.ok(requests() <= 4, `${String(requests())} requests were sent for ${String(CALLERS)} callers`)
        await other.run(() => hold.unlock())
        await callers
      },
    }),
  ),
  ...forKinds(
    ['lock', 'fenced lock', 'write lock', 'preferred write lock', 'lock on values'],
    (kind, lockOf): Scenario => ({
      name: 'callers-of-one-turn-order',
      promise: `Callers that ask for a free ${kind} in the same turn get it in their order`,
      run: async (stage) => {
        const mine = await stage.process('mine')
        const got: number[] = []
        await mine.run((client) =>
          Promise.all(
            [0, 1, 2, 3].map(async (index) => {
              const hold = await lockOf(client).acquire()
              got.push(index)
              await hold.unlock()
            }),
          ),
        )
        assert.deepEqual(got, [0, 1, 2, 3])
      },
    }),
  ),
  {
    name: 'callers-of-one-turn-try',
    promise:
      'A caller that does not wait gets a lock that is free, while the first try of another one has no reply yet',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const held = await other.run((client) => client.getLock('lock').acquire())
      const asked = mine.delayReply({ with: 'lock' }, 1_000)
      const waiting = mine.run((client) => client.getLock('lock').acquire())
      await asked
      await other.run(() => held.unlock())
      const hold = await mine.run((client) => client.getLock('lock').tryAcquire())
      assert.ok(hold?.isHeld, 'it is not held')
      await mine.run(() => hold.unlock())
      await mine.run(async () => (await waiting).unlock())
      assert.equal(stage.has('lock'), false)
    },
  },
  {
    name: 'callers-of-one-turn-leases',
    promise: 'Callers that ask for a lock in the same turn get it with a lease of their own each',
    run: async (stage) => {
      const mine = await stage.process('mine')
      await mine.run((client) =>
        Promise.all(
          [4_000, 1_000, 9_000].map((leaseMs) =>
            client.getLock('lock').withLock(
              () => {
                const leftMs = Number(stage.redis.command('PTTL', 'lock'))
                assert.ok(leftMs > leaseMs - 100 && leftMs <= leaseMs, `${String(leftMs)} ms are left`)
              },
              { leaseMs },
            ),
          ),
        ),
      )
    },
  },
  {
    name: 'callers-of-one-turn-inside',
    promise: 'Who is inside a lock enters it again while callers of the same turn wait for it',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const strangers = await mine.run((client) =>
        client.getLock('lock').withLock(async () => {
          const others = Array.from({ length: 3 }, () => client.getLock('lock').acquire())
          const named = client.getLock('lock').tryLock({ waitMs: 0, threadId: 7 })
          assert.equal(await client.getLock('lock').withLock(() => 'inside'), 'inside')
          assert.equal(await named, false)
          return { others }
        }),
      )
      for (const waiting of strangers.others) await mine.run(async () => (await waiting).unlock())
      assert.equal(stage.has('lock'), false)
    },
  },
  {
    name: 'callers-of-one-turn-aborted',
    promise:
      'A caller gets a lock although the first caller of its turn gave up while its request was under way',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const asked = mine.delayReply({ with: 'lock' }, 2_000)
      const impatient = new AbortController()
      const first = outcomeName(
        mine.run((client) => client.getLock('lock').acquire({ signal: impatient.signal })),
      )
      const second = mine.run((client) => client.getLock('lock').acquire())
      await asked
      await mine.run(() => {
        impatient.abort(new RangeError('enough'))
      })
      assert.equal(await first, 'RangeError')
      const hold = await second
      await mine.run(() => hold.unlock())
      await stage.gone('lock')
    },
  },
  {
    name: 'callers-of-one-turn-late',
    promise: 'A caller gets a lock after the time of the first caller of its turn is over',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const held = await other.run((client) => client.getLock('lock').acquire())
      const first = mine.run((client) => client.getLock('lock').tryLock(100))
      const second = mine.run((client) => client.getLock('lock').acquire())
      assert.equal(await first, false)
      await other.run(() => held.unlock())
      await mine.run(async () => (await second).unlock())
      assert.equal(stage.has('lock'), false)
    },
  },
  {
    name: 'callers-of-one-turn-error',
    promise: 'A caller tries itself where the first caller of its turn could not reach Redis',
    run: async (stage) => {
      const mine = await stage.process('mine', { server: QUICK })
      const lost = mine.loseRequest({ with: 'lock' }, 400)
      const first = outcomeName(mine.run((client) => client.getLock('lock').acquire()))
      const second = mine.run((client) => client.getLock('lock').acquire())
      await lost
      assert.equal(await first, 'ConnectionLostError')
      const hold = await second
      await mine.run(() => hold.unlock())
      await stage.gone('lock')
    },
  },
  {
    name: 'callers-of-one-turn-forced',
    promise: 'The callers of one turn get a lock, one after the other, that is forced open',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      await other.run((client) => client.getLock('lock').acquire())
      const callers = mine.run((client) =>
        Promise.all(Array.from({ length: 3 }, () => client.getLock('lock').withLock(() => 'inside'))),
      )
      await stage.sleep(100)
      await other.run((client) => client.getLock('lock').forceUnlock())
      assert.deepEqual(await callers, ['inside', 'inside', 'inside'])
    },
  },
  {
    name: 'callers-of-one-turn-shutdown',
    promise: 'A shutdown rejects all callers of one turn while the first try for them is under way',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const asked = mine.delayReply({ with: 'lock' }, 1_000)
      const callers = Array.from({ length: 3 }, () =>
        outcomeName(mine.run((client) => client.getLock('lock').acquire())),
      )
      await asked
      await mine.run((client) => client.shutdown())
      const names = await Promise.all(callers)
      assert.deepEqual(names, ['ClientClosedError', 'ClientClosedError', 'ClientClosedError'])
      await stage.gone('lock')
    },
  },
]

/** Counts the scripts that a process runs from now on. */
function requestsOf(stage: Stage, host: string): () => number {
  let requests = 0
  stage.network.intercept({
    request: (message) => {
      if (message.route.host === host && runsScript(stage.redis, message)) requests += 1
    },
  })
  return () => requests
}
