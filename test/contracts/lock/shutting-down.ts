import { describe, expect, it } from 'vitest'
import {
  ClientClosedError,
  Redisson,
  type LockHold,
  type LockLostEvent,
  type RedissonClient,
} from '../../../src/index.js'
import { startChild } from '../../support/child.js'
import { leftToDeep } from '../../support/left-to-deep.js'
import {
  LONG_MS,
  noLeaksAfterAll,
  PATIENT_WATCHDOG_MS,
  untilFree,
  untilRenewed,
  WATCHDOG_MS,
  type LockFixture,
} from '../lock-fixture.js'

/** For tests that wait for the end of such a lease: a busy machine does not end it before they have looked. */
const SURE_WATCHDOG_MS = 3 * WATCHDOG_MS

const program = new URL('../../locks/fixtures/shuts-down.ts', import.meta.url)

/** @param isLeft - whether it is left to the deep tests */
export function shuttingDown(bench: LockFixture, isLeft: boolean): void {
  describe('when its client shuts down', leftToDeep(isLeft), () => {
    noLeaksAfterAll(bench.topology)

    const connect = (watchdogMs = PATIENT_WATCHDOG_MS): Promise<RedissonClient> =>
      Redisson.create({ ...bench.topology.options(), lockWatchdogTimeout: watchdogMs })

    it.concurrent('it stays held until its lease ends, because the work may still go on', async () => {
      const { name, theirs } = bench.spot()
      const client = await connect(SURE_WATCHDOG_MS)
      const events: LockLostEvent[] = []
      client.on('lockLost', (event) => events.push(event))
      const hold = await bench.lockOf(client, name).acquire()
      await client.shutdown()
      expect(await theirs.isHeldByThread(hold.owner)).toBe(true)
      expect(hold.isHeld).toBe(false)
      expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'closed' })
      expect(events).toEqual([]) // what ends on purpose is no news
      await untilFree(theirs)
    })

    it.concurrent('no caller waits any longer, the first of the queue or behind', async () => {
      const { name, rival, untilWaiting } = bench.spot()
      const client = await connect()
      const lock = bench.lockOf(client, name)
      const hold = await rival.acquire({ leaseMs: LONG_MS })
      const waiters = [lock.lock(), lock.tryLock(15_000), lock.acquire(), lock.withLock(() => undefined)]
      const outcomes = Promise.allSettled(waiters)
      await untilWaiting()
      await client.shutdown()
      for (const outcome of await outcomes) {
        expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(ClientClosedError)
      }
      await hold.unlock()
      expect(await bench.lockOf(bench.other, name).isLocked()).toBe(false)
    })

    it.concurrent('every call from then on is refused', async () => {
      const { name } = bench.spot()
      const client = await connect()
      const lock = bench.lockOf(client, name)
      await client.shutdown()
      const calls: Readonly<Record<string, () => Promise<unknown>>> = {
        lock: () => lock.lock(),
        tryLock: () => lock.tryLock(),
        'unlock({ threadId })': () => lock.unlock({ threadId: 1 }),
        forceUnlock: () => lock.forceUnlock(),
        isLocked: () => lock.isLocked(),
        isHeldByThread: () => lock.isHeldByThread(1),
        remainTimeToLive: () => lock.remainTimeToLive(),
        acquire: () => lock.acquire(),
        tryAcquire: () => lock.tryAcquire(),
        withLock: () => lock.withLock(() => undefined),
        runAsThread: () => client.runAsThread(() => undefined),
      }
      for (const [call, make] of Object.entries(calls)) {
        await expect(make(), call).rejects.toBeInstanceOf(ClientClosedError)
      }
    })

    it.concurrent('a request that is under way takes nothing', async () => {
      const { name, theirs } = bench.spot()
      const client = await connect()
      const request = bench.lockOf(client, name).acquire({ leaseMs: LONG_MS })
      const [outcome] = await Promise.all([Promise.allSettled([request]), client.shutdown()])
      expect(outcome).toMatchObject([{ status: 'rejected', reason: { code: 'CLOSED' } }])
      expect(await theirs.isLocked()).toBe(false)
    })

    it.concurrent('what is given back at that moment is free', async () => {
      const { name, theirs } = bench.spot()
      const client = await connect()
      const hold = await bench.lockOf(client, name).acquire({ leaseMs: LONG_MS })
      const givenBack = hold.unlock()
      await client.shutdown()
      await givenBack
      expect(await theirs.isLocked()).toBe(false)
    })

    it.concurrent('its function may come to its end within the drain, and then it is free', async () => {
      const { name, lock, theirs } = bench.spot()
      const client = await connect(SURE_WATCHDOG_MS)
      const end = Promise.withResolvers<'done'>()
      const begun = Promise.withResolvers<LockHold>()
      const section = bench.lockOf(client, name).withLock((hold) => {
        begun.resolve(hold)
        return end.promise
      })
      const hold = await begun.promise
      const shutdown = client.shutdown({ drainMs: LONG_MS })
      await untilRenewed(lock) // as ever
      expect(hold.isHeld).toBe(true)
      expect(hold.signal.aborted).toBe(false)
      end.resolve('done')
      expect(await section).toBe('done')
      await shutdown
      expect(await theirs.isLocked()).toBe(false)
    })

    it.concurrent('during the drain nothing is taken or waited for, but it may be given back', async () => {
      const { name, rival } = bench.spot()
      const client = await connect()
      const lock = bench.lockOf(client, name)
      const other = bench.lockOf(client, `${name}-2`)
      const foreign = await bench.rivalOf(bench.other, `${name}-2`).acquire({ leaseMs: LONG_MS })
      const hold = await lock.acquire({ leaseMs: LONG_MS })
      const waiter = other.acquire()
      await bench.untilWaitingFor(`${name}-2`)
      const shutdown = client.shutdown({ drainMs: LONG_MS })
      await expect(waiter).rejects.toBeInstanceOf(ClientClosedError)
      await expect(other.tryLock()).rejects.toBeInstanceOf(ClientClosedError)
      await expect(lock.withLock(() => undefined)).rejects.toBeInstanceOf(ClientClosedError)
      expect(await lock.isLocked()).toBe(true)
      await hold.unlock()
      await shutdown
      await foreign.unlock()
      expect(await rival.isLocked()).toBe(false)
    })

    it.concurrent('after the drain it is lost', async () => {
      const { name, theirs } = bench.spot()
      const client = await connect(SURE_WATCHDOG_MS)
      const hold = await bench.lockOf(client, name).acquire()
      const { signal } = hold
      const shutdown = client.shutdown({ drainMs: 50 })
      expect(hold.isHeld).toBe(true)
      await shutdown
      expect(signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'closed' })
      expect(await theirs.isHeldByThread(hold.owner)).toBe(true)
      await untilFree(theirs)
    })

    it.concurrent('it is released if that is requested, but its function is notified first', async () => {
      const { name, rival, untilWaiting } = bench.spot()
      const client = await connect()
      const order: string[] = []
      const begun = Promise.withResolvers<undefined>()
      const never = Promise.withResolvers<undefined>()
      const section = bench.lockOf(client, name).withLock(
        ({ signal }) => {
          signal.addEventListener('abort', () => order.push('aborted'))
          begun.resolve(undefined)
          return never.promise
        },
        { leaseMs: LONG_MS },
      )
      await begun.promise
      const next = rival.acquire().then((hold) => {
        order.push('free')
        return hold.unlock()
      })
      await untilWaiting()
      await Promise.all([client.shutdown({ release: true }), next])
      expect(order).toEqual(['aborted', 'free'])
      never.resolve(undefined)
      await expect(section).rejects.toMatchObject({ code: 'LOCK_LOST', reason: 'closed' })
    })

    it.concurrent('a second time nothing more happens', async () => {
      const client = await connect()
      const shutdown = client.shutdown()
      expect(client.shutdown({ drainMs: LONG_MS })).toBe(shutdown) // options that come later count no more
      await shutdown
      await client[Symbol.asyncDispose]()
      await expect(bench.lockOf(client, 'any').isLocked()).rejects.toBeInstanceOf(ClientClosedError)
    })

    if (bench.isKnownToProcesses) {
      // as those are that the program takes
      const title = 'the process ends by itself, with all that it held and waited for'
      it.concurrent(title, leftToDeep(bench.kindName !== 'plain'), async () => {
        const { name, theirs } = bench.spot()
        await using child = startChild(program, {
          args: [JSON.stringify(bench.topology.options()), name, String(SURE_WATCHDOG_MS), bench.kindName],
        })
        const { owner } = await child.hear('holds')
        expect(await child.hear('waiter')).toMatchObject({ code: 'CLOSED' })
        expect(await child.exited).toEqual({ code: 0, signal: null })
        expect(await theirs.isHeldByThread(String(owner))).toBe(true)
        await untilFree(theirs)
      })
    }
  })
}
