import assert from 'node:assert/strict'
import type { LockHold, RLock, RMultiLock } from '../../../src/index.js'
import type { SimulatedRedis } from '../rounds/simulated-redis.js'
import { forKinds, type Kind } from './kinds.js'
import { outcomeName } from './outcome-name.js'
import type { Process } from './process.js'
import type { Scenario } from './scenario.js'

/** Locks that a thread can enter again. */
const KINDS: readonly Kind[] = [
  'lock',
  'fair lock',
  'fenced lock',
  'write lock',
  'read lock',
  'lock on values',
]

/** A hold ends here so much earlier than in Redis: 1 % and 2 ms. */
const LEASE_MS = 8_000

/** Far longer than any scenario: what it leaves taken stays taken. */
const TEN_MINUTES_MS = 600_000

export const enteringAgain: readonly Scenario[] = [
  {
    name: 'reader-enters-again',
    promise: 'A reader that has entered again and left knows when its lease ends',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const together: boolean[] = []
      const reading = mine.run((client) => {
        const read = client.getReadWriteLock('prices').readLock()
        const work = async (hold: LockHold): Promise<void> => {
          await read.withLock(() => stage.sleep(800))
          await stage.sleep(50)
          const writer = await other.run((others) =>
            others.getReadWriteLock('prices').writeLock().tryAcquire(),
          )
          together.push(Boolean(writer) && hold.isHeld)
        }
        return read.withLock(work, { leaseMs: 500 })
      })
      await outcomeName(reading)
      assert.deepEqual(together, [false])
    },
  },
  {
    name: 'red-lock-by-two-majorities',
    promise:
      'A thread that has entered a red lock by two majorities has as many holds as a majority confirms, until it leaves',
    run: async (stage) => {
      const servers = [stage.redis, stage.server(), stage.server()] as const
      const settings = { timeout: 200, retryAttempts: 0 }
      const open = ({ address }: SimulatedRedis, at: number) =>
        stage.process(`mine-${String(at)}`, { server: { ...settings, address: `redis://${address}` } })
      const members = await Promise.all(servers.map(open))
      const [first] = members as [Process]
      const lock = stage.library.Redisson.createRedLock(
        members.map(({ client }) => client),
        'prices',
      )
      const counted = lock as RMultiLock & Pick<RLock, 'getHoldCount'>
      const enterWithout = async (host: string) => {
        stage.network.partition({ host }, 'refuse')
        await lock.lock({ leaseMs: TEN_MINUTES_MS })
        await stage.sleep(5_000) // its request is given up
        stage.network.heal({ host })
        await stage.sleep(5_000)
      }
      const countsOf = () => Promise.all([counted.getHoldCount(), lock.isHeldByCurrentThread()])
      const counts = await first.run((client) =>
        client.runAsThread(async () => {
          await enterWithout('mine-0')
          await enterWithout('mine-2')
          assert.deepEqual(
            servers.map((server) => server.command('HVALS', 'prices')),
            [['1'], ['2'], ['1']],
          )
          const inside = await countsOf()
          await lock.unlock()
          const left = await countsOf()
          await lock.unlock()
          return [inside, left, await countsOf()]
        }),
      )
      assert.deepEqual(counts, [
        [1, true],
        [1, true],
        [0, false],
      ])
    },
  },
  ...forKinds(KINDS, (kind, lockOf, rivalOf) => ({
    name: 'lock-after-loss',
    promise: `A thread that has lost a ${kind} and takes it again holds it once`,
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      await mine.run((client) =>
        client.runAsThread(async () => {
          const lock = lockOf(client)
          await lock.lock({ leaseMs: LEASE_MS })
          await lock.lock({ leaseMs: LEASE_MS })
          await stage.sleep(LEASE_MS * 0.995) // over here, and not yet in Redis
          await lock.lock({ leaseMs: 60_000 })
          await lock.unlock()
        }),
      )
      const theirs = await other.run((client) => rivalOf(client).tryAcquire())
      assert.ok(theirs, 'the lock has no holder, and is taken')
    },
  })),
  ...forKinds(KINDS, (kind, lockOf) => ({
    name: 'outer-unlock-overtakes-inner',
    promise: `An unlock() of a ${kind} succeeds after an inner one that has failed, and it is free then`,
    run: async (stage) => {
      const server = { timeout: 300, retryAttempts: 0, reconnectionDelay: 20 }
      const mine = await stage.process('mine', { server })
      await mine.run((client) =>
        client.runAsThread(async () => {
          const lock = lockOf(client)
          await lock.lock({ leaseMs: TEN_MINUTES_MS })
          await lock.lock({ leaseMs: TEN_MINUTES_MS })
          void mine.loseRequest({ with: 'lock' }, 500)
          const back = mine.reconnected()
          assert.notEqual(await outcomeName(lock.unlock()), 'ok')
          await back
          await lock.unlock()
          await stage.gone('lock')
        }),
      )
    },
  })),
  ...forKinds(
    KINDS.filter((kind) => kind !== 'read lock'), // of which an inner unlock() needs no memory
    (kind, lockOf) => ({
      name: 'inner-unlock-without-disk',
      promise: `A ${kind} is free after its outer withLock(), although Redis could not write to its disk at an inner unlock()`,
      run: async (stage) => {
        const mine = await stage.process('mine', { server: { retryAttempts: 0 } })
        let delays = 0
        const outcome = await outcomeName(
          mine.run((client) => {
            client.on('releaseDelayed', () => (delays += 1))
            return lockOf(client).withLock(
              async () => {
                const inner = lockOf(client).withLock(() => {
                  stage.redis.server.trouble = 'misconf'
                })
                assert.equal(await outcomeName(inner), 'ok')
                assert.equal(delays, 1)
                stage.redis.server.trouble = undefined
              },
              { leaseMs: TEN_MINUTES_MS },
            )
          }),
        )
        assert.equal(outcome, 'ok')
        await stage.gone('lock')
      },
    }),
  ),
  ...forKinds(KINDS, (kind, lockOf, rivalOf) => ({
    name: 'nested-lock-given-up',
    promise: `A ${kind} is free after its unlock(), although a nested lock() was given up and its reply lost`,
    run: async (stage) => {
      const server = { timeout: 500, retryAttempts: 0, retryDelay: 50, reconnectionDelay: 20 }
      const [mine, other] = await Promise.all([stage.process('mine', { server }), stage.process('other')])
      await mine.run((client) =>
        client.runAsThread(async () => {
          const lock = lockOf(client)
          const enough = new AbortController()
          await lock.lock({ leaseMs: TEN_MINUTES_MS })
          const stopLosing = mine.loseReplies()
          const nested = outcomeName(lock.lock({ leaseMs: TEN_MINUTES_MS, signal: enough.signal }))
          await stage.sleep(50)
          enough.abort()
          assert.equal(await nested, 'AbortError')
          const back = mine.reconnected()
          stopLosing()
          await back
          await lock.unlock()
        }),
      )
      assert.ok(await other.run((client) => rivalOf(client).tryAcquire()), 'the lock is still taken')
    },
  })),
  ...forKinds(KINDS, (kind, lockOf, rivalOf) => ({
    name: 'inner-unlock-reply-lost',
    promise: `An inner unlock() of a ${kind} counts once, although its reply was lost`,
    run: async (stage) => {
      const [mine, other] = await Promise.all([
        stage.process('mine', { server: { retryDelay: 50, reconnectionDelay: 20 } }),
        stage.process('other'),
      ])
      await mine.run((client) =>
        client.runAsThread(async () => {
          const lock = lockOf(client)
          await lock.lock()
          await lock.lock()
          const lost = mine.loseReply({ with: 'lock' }, 30)
          await Promise.all([lock.unlock(), lost])
          assert.ok(stage.has('lock'), 'the lock is free, although it is held once')
          await lock.unlock()
        }),
      )
      assert.ok(await other.run((client) => rivalOf(client).tryAcquire()), 'the lock is still taken')
    },
  })),
  ...forKinds(['lock', 'fair lock', 'fenced lock', 'write lock', 'read lock'], (kind, lockOf, rivalOf) => ({
    name: 'shorter-inner-lease',
    promise: `A ${kind} is free after its unlock(), although the reply to entering again with a shorter lease was lost`,
    run: async (stage) => {
      const server = { timeout: 500, retryAttempts: 0, retryDelay: 50, reconnectionDelay: 20 }
      const [mine, other] = await Promise.all([stage.process('mine', { server }), stage.process('other')])
      const owner = await mine.run((client) =>
        lockOf(client).withLock(
          async (hold) => {
            const name = hold.owner // from now on other places may enter by it
            const lost = mine.loseReply({ with: 'lock' }, 400)
            await outcomeName(lockOf(client).lock({ leaseMs: 100 }))
            await lost
            await stage.sleep(3_000)
            return name
          },
          { leaseMs: TEN_MINUTES_MS },
        ),
      )
      assert.ok(await other.run((client) => rivalOf(client).tryAcquire()), `${owner} still has it`)
    },
  })),
]
