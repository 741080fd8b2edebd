import { describe, expect, it } from 'vitest'
import { ClientClosedError, Redisson, type LockLostEvent, type RedissonClient } from '../../../src/index.js'
import { startChild } from '../../support/child.js'
import { noLeaksAfterAll, untilFree, WATCHDOG_MS, type Bench } from '../bench.js'

const program = new URL('../../locks/fixtures/shuts-down.ts', import.meta.url)

export function shuttingDown(bench: Bench): void {
  describe('when its client shuts down', () => {
    noLeaksAfterAll(bench.topology)

    const connect = (): Promise<RedissonClient> =>
      Redisson.create({ ...bench.topology.options(), lockWatchdogTimeout: WATCHDOG_MS })

    it.concurrent('it stays held until its lease ends, because the work may still go on', async () => {
      const { name, theirs } = bench.spot()
      const client = await connect()
      const events: LockLostEvent[] = []
      client.on('lockLost', (event) => events.push(event))
      const hold = await bench.lockOf(client, name).acquire()
      await client.shutdown()
      expect(await theirs.isHeldByThread(hold.owner)).toBe(true)
      expect(hold.isHeld).toBe(false)
      expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'closed' })
      expect(events).toMatchObject([{ lock: name, owner: hold.owner, reason: 'closed' }])
      await untilFree(theirs)
    })

    it.concurrent('nobody waits any longer, the first in line or behind', async () => {
      const { name, rival, untilWaiting } = bench.spot()
      const client = await connect()
      const lock = bench.lockOf(client, name)
      const hold = await rival.acquire()
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

    it.concurrent(
      'a request that is under way gives up, or its lock is known not to be renewed',
      async () => {
        const { name, theirs } = bench.spot()
        const client = await connect()
        const request = bench.lockOf(client, name).acquire()
        await client.shutdown()
        const [outcome] = await Promise.allSettled([request])
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ClientClosedError)
        else expect(outcome.value.signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'closed' })
        await untilFree(theirs)
      },
    )

    it.concurrent('a second time nothing more happens', async () => {
      const client = await connect()
      await Promise.all([client.shutdown(), client.shutdown()])
      await client.shutdown()
      await client[Symbol.asyncDispose]()
      await expect(bench.lockOf(client, 'any').isLocked()).rejects.toBeInstanceOf(ClientClosedError)
    })

    if (bench.ownersByField) {
      // as those are that the program takes
      it.concurrent('the process ends by itself, whatever it held and waited for', async () => {
        const { name, theirs } = bench.spot()
        await using child = startChild(program, {
          args: [JSON.stringify(bench.topology.options()), name, String(WATCHDOG_MS), bench.kindName],
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
