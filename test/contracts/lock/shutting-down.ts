import { beforeEach, describe, expect, it } from 'vitest'
import {
  ClientClosedError,
  Redisson,
  type LockLostEvent,
  type RedissonClient,
  type RLock,
} from '../../../src/index.js'
import { startChild } from '../../support/child.js'
import { noLeaks } from '../../support/no-leaks.js'
import { untilFree, WATCHDOG_MS, type Bench } from './bench.js'

const program = new URL('../../locks/fixtures/shuts-down.ts', import.meta.url)

export function shuttingDown(bench: Bench): void {
  describe('when its client shuts down', () => {
    noLeaks(bench.topology)

    let client: RedissonClient
    let lock: RLock
    beforeEach(async () => {
      client = await Redisson.create({ ...bench.topology.options(), lockWatchdogTimeout: WATCHDOG_MS })
      lock = bench.lockOf(client)
    })

    it('stays held until its lease ends, because the work may still go on', async () => {
      const events: LockLostEvent[] = []
      client.on('lockLost', (event) => events.push(event))
      const hold = await lock.acquire()
      await client.shutdown()
      expect(await bench.theirs.isHeldByThread(hold.owner)).toBe(true)
      expect(hold.isHeld).toBe(false)
      expect(hold.signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'closed' })
      expect(events).toMatchObject([{ lock: bench.name, owner: hold.owner, reason: 'closed' }])
      await untilFree(bench.theirs)
    })

    it('lets nobody wait any longer, the first in line or behind', async () => {
      const hold = await bench.theirs.acquire()
      const waiters = [lock.lock(), lock.tryLock(15_000), lock.acquire(), lock.withLock(() => undefined)]
      const outcomes = Promise.allSettled(waiters)
      await bench.untilWaiting()
      await client.shutdown()
      for (const outcome of await outcomes) {
        expect(outcome.status === 'rejected' && outcome.reason).toBeInstanceOf(ClientClosedError)
      }
      await hold.unlock()
      expect(await bench.theirs.isLocked()).toBe(false)
    })

    it.each<[string, (lock: RLock) => Promise<unknown>]>([
      ['lock', (lock) => lock.lock()],
      ['tryLock', (lock) => lock.tryLock()],
      ['unlock', (lock) => lock.unlock({ threadId: 1 })],
      ['forceUnlock', (lock) => lock.forceUnlock()],
      ['isLocked', (lock) => lock.isLocked()],
      ['isHeldByThread', (lock) => lock.isHeldByThread(1)],
      ['remainTimeToLive', (lock) => lock.remainTimeToLive()],
      ['acquire', (lock) => lock.acquire()],
      ['tryAcquire', (lock) => lock.tryAcquire()],
      ['withLock', (lock) => lock.withLock(() => undefined)],
    ])('refuses %s() from then on', async (_, ask) => {
      await client.shutdown()
      await expect(ask(lock)).rejects.toBeInstanceOf(ClientClosedError)
    })

    it('refuses runAsThread() from then on', async () => {
      await client.shutdown()
      await expect(client.runAsThread(() => undefined)).rejects.toBeInstanceOf(ClientClosedError)
    })

    it('either gives up a request that is under way or says that its lock will not be renewed', async () => {
      const request = lock.acquire()
      await client.shutdown()
      const [outcome] = await Promise.allSettled([request])
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(ClientClosedError)
      else expect(outcome.value.signal.reason).toMatchObject({ code: 'LOCK_LOST', reason: 'closed' })
      await untilFree(bench.theirs)
    })

    it('may do so twice, or at the end of a block', async () => {
      await Promise.all([client.shutdown(), client.shutdown()])
      await client.shutdown()
      await client[Symbol.asyncDispose]()
      await expect(lock.isLocked()).rejects.toBeInstanceOf(ClientClosedError)
    })

    it('the process ends by itself, whatever it held and waited for', async () => {
      await client.shutdown()
      await using child = startChild(program, {
        args: [JSON.stringify(bench.topology.options()), bench.name, String(WATCHDOG_MS)],
      })
      const { owner } = await child.hear('holds')
      expect(await child.hear('waiter')).toMatchObject({ code: 'CLOSED' })
      expect(await child.exited).toEqual({ code: 0, signal: null })
      expect(await bench.theirs.isHeldByThread(String(owner))).toBe(true)
      await untilFree(bench.theirs)
    })
  })
}
