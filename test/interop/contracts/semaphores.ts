import { describe, expect, it } from 'vitest'
import { untilAwaited } from '../../support/channels.js'
import type { InteropFixture } from '../interop-fixture.js'
import type { Call, JavaThread } from '../java-peer.js'
import { expectAlmost, takeOn } from '../measure.js'
import { directions, permitsOf, semaphoreOf } from '../sides.js'

const LONG_MS = 600_000
const BRIEFLY_MS = 300

/** Permits that both sides take and give. */
export function semaphoresAcrossSides(bench: InteropFixture): void {
  describe('a semaphore', () => {
    const inJava = (thread: JavaThread, name: string, ...call: Call) =>
      thread.call(['getSemaphore', name], call)

    it('has the same permits on both sides', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      const semaphore = bench.node[0].getSemaphore(name)
      expect(await inJava(thread, name, 'trySetPermits', 5)).toBe(true)
      expect(await semaphore.trySetPermits(7)).toBe(false)
      expect(await semaphore.tryAcquire(2)).toBe(true)
      expect(await inJava(thread, name, 'availablePermits')).toBe(3)
      expect(await inJava(thread, name, 'tryAcquire', 4)).toBe(false)
      await semaphore.addPermits(4)
      await inJava(thread, name, 'addPermits', -2)
      expect(await semaphore.availablePermits()).toBe(5)
      expect(await inJava(thread, name, 'drainPermits')).toBe(5)
      expect(await semaphore.tryAcquire()).toBe(false)
      await semaphore.release(3)
      expect(await inJava(thread, name, 'availablePermits')).toBe(3)
      expect(await inJava(thread, name, 'delete')).toBe(true)
      expect(await semaphore.releaseIfExists()).toBe(false)
    })

    it('lets go in Java who waits for several permits that come from Node one by one', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      const waiting = inJava(thread, name, 'acquire', 3)
      await untilAwaited(bench.topology, name)
      const semaphore = bench.node[0].getSemaphore(name)
      await semaphore.release()
      await semaphore.release()
      await semaphore.release()
      await waiting
      expect(await semaphore.availablePermits()).toBe(0)
      await semaphore.delete()
    })

    it('lets go in Node who waits for several permits that come from Java one by one', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      const semaphore = bench.node[0].getSemaphore(name)
      const waiting = semaphore.acquire(3)
      await untilAwaited(bench.topology, name)
      await inJava(thread, name, 'release')
      await inJava(thread, name, 'release')
      await inJava(thread, name, 'release')
      await waiting
      await semaphore.delete()
    })

    it.each(directions)('set up in %s, wakes the waiters in %s', async (from, to) => {
      const name = bench.name()
      const waiting = takeOn(bench, to, semaphoreOf(1), name)
      await untilAwaited(bench.topology, name)
      if (from === 'Java') await inJava(bench.thread(), name, 'trySetPermits', 1)
      else await bench.node[0].getSemaphore(name).trySetPermits(1)
      await waiting
      await bench.node[0].getSemaphore(name).delete()
    })
  })

  describe('a semaphore whose permits can expire', () => {
    const inJava = (thread: JavaThread, name: string, ...call: Call) =>
      thread.call(['getPermitExpirableSemaphore', name], call)
    const inNode = (name: string) => bench.node[0].getPermitExpirableSemaphore(name)

    it('takes back in Node what was taken in Java, once', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      await inJava(thread, name, 'trySetPermits', 100)
      const ids = (await inJava(thread, name, 'acquire', 100)) as string[] // every byte there is, most likely
      expect(await inNode(name).acquiredPermits()).toBe(100)
      for (const id of ids.slice(50)) expect(await inNode(name).tryRelease(id)).toBe(true)
      await inNode(name).release(ids.slice(0, 50))
      expect(await inJava(thread, name, 'availablePermits')).toBe(100)
      await expect(inJava(thread, name, 'release', ids[0])).rejects.toThrow(/already been released/)
      expect(await inNode(name).tryRelease(String(ids[0]))).toBe(false)
      await inNode(name).delete()
    })

    it('takes back in Java what was taken in Node, once', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      await inNode(name).trySetPermits(100)
      const ids = await inNode(name).acquireMany(100)
      expect(await inJava(thread, name, 'acquiredPermits')).toBe(100)
      for (const id of ids.slice(50)) expect(await inJava(thread, name, 'tryRelease', id)).toBe(true)
      expect(await inJava(thread, name, 'tryRelease', ids.slice(0, 50))).toBe(50)
      expect(await inNode(name).availablePermits()).toBe(100)
      await expect(inNode(name).release(String(ids[0]))).rejects.toMatchObject({ code: 'PERMIT_NOT_HELD' })
      expect(await inJava(thread, name, 'tryRelease', ids[0])).toBe(false)
      await inNode(name).delete()
    })

    it('has leases that either side reads and changes', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      await inNode(name).trySetPermits(4)
      const ofNode = await inNode(name).acquire(LONG_MS)
      const ofJava = String(await inJava(thread, name, 'acquire', LONG_MS, 'MILLISECONDS'))
      const forEver = [await inNode(name).acquire(), String(await inJava(thread, name, 'acquire'))]
      expectAlmost(await inJava(thread, name, 'getLeaseTime', ofNode), LONG_MS)
      expectAlmost(await inNode(name).getLeaseTime(ofJava), LONG_MS)
      for (const id of forEver) {
        expect(await inNode(name).getLeaseTime(id)).toBe(-1)
        expect(await inJava(thread, name, 'getLeaseTime', id)).toBe(-1)
      }
      expect(await inJava(thread, name, 'updateLeaseTime', ofNode, 2 * LONG_MS, 'MILLISECONDS')).toBe(true)
      expect(await inNode(name).updateLeaseTime(ofJava, 2 * LONG_MS)).toBe(true)
      expectAlmost(await inNode(name).getLeaseTime(ofNode), 2 * LONG_MS)
      expectAlmost(await inJava(thread, name, 'getLeaseTime', ofJava), 2 * LONG_MS)
      await inNode(name).delete()
    })

    it.each(directions)(
      'whose lease ends that was taken in %s, goes to who waits in %s',
      async (from, to) => {
        const name = bench.name()
        await inNode(name).trySetPermits(1)
        const lapsed =
          from === 'Node'
            ? await inNode(name).acquire(BRIEFLY_MS)
            : String(await inJava(bench.thread(), name, 'acquire', BRIEFLY_MS, 'MILLISECONDS'))
        const give = await takeOn(bench, to, permitsOf(1), name)
        expect(await inNode(name).tryRelease(lapsed)).toBe(false)
        expect(await inJava(bench.thread(), name, 'tryRelease', lapsed)).toBe(false)
        await give()
        await inNode(name).delete()
      },
    )

    it('has as many permits as either side says', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      const expectBoth = async (permits: number, available: number) => {
        expect([await inNode(name).getPermits(), await inNode(name).availablePermits()]).toEqual([
          permits,
          available,
        ])
        expect(await inJava(thread, name, 'getPermits')).toBe(permits)
        expect(await inJava(thread, name, 'availablePermits')).toBe(available)
      }
      await inNode(name).trySetPermits(3)
      expect(await inJava(thread, name, 'trySetPermits', 9)).toBe(false)
      await inNode(name).acquire()
      await inJava(thread, name, 'acquire')
      await expectBoth(3, 1)
      await inJava(thread, name, 'setPermits', 1)
      await expectBoth(1, -1)
      await inNode(name).setPermits(5)
      await expectBoth(5, 3)
      await inJava(thread, name, 'addPermits', 2)
      await inNode(name).addPermits(-1)
      await expectBoth(6, 4)
      await inNode(name).delete()
    })
  })
}
