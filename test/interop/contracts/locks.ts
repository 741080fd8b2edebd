import { describe, expect, it } from 'vitest'
import type { RedissonClient } from '../../../src/index.js'
import { untilAwaited } from '../../support/channels.js'
import { elsewhere } from '../../support/elsewhere.js'
import { eventually } from '../../support/eventually.js'
import type { InteropFixture } from '../interop-fixture.js'
import type { Call, JavaThread } from '../java-peer.js'
import { expectAlmost, expectToPassWhenLeaseEnds, waitOn } from '../measure.js'
import {
  directions,
  fairLock,
  fencedLock,
  IN_VAIN_MS,
  plainLock,
  writeLock,
  type LockKind,
} from '../sides.js'

const kinds: readonly LockKind[] = [plainLock, fairLock, fencedLock, writeLock]

/** Long enough that no test waits for its end. */
const LONG_MS = 600_000

/** What every lock owes that threads in Java and in Node share. */
export function locksAcrossSides(bench: InteropFixture): void {
  describe.each(kinds)('$what', (kind) => {
    const inNode = (name: string, client: RedissonClient = bench.node[0]) => kind.lock(client, name)
    const inJava = (thread: JavaThread, name: string, ...call: Call) =>
      thread.call(...kind.inJava.object(name), call)

    it('held in Node, is refused in Java in time, and then granted', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      const hold = await inNode(name).acquire()
      expect(await inJava(thread, name, 'tryLock')).toBe(false)
      expect(await inJava(thread, name, 'tryLock', IN_VAIN_MS, 'MILLISECONDS')).toBe(false)
      await hold.unlock()
      expect(await inJava(thread, name, 'tryLock', 50, 'MILLISECONDS')).toBe(true)
      await inJava(thread, name, 'unlock')
    })

    it('held in Java, is refused in Node in time, and then granted', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      await inJava(thread, name, 'lock')
      expect(await inNode(name).tryAcquire()).toBeUndefined()
      expect(await inNode(name).tryAcquire({ waitMs: 300 })).toBeUndefined()
      await inJava(thread, name, 'unlock')
      const hold = await inNode(name).tryAcquire({ waitMs: 300 })
      await hold?.unlock()
      expect(hold).toBeDefined()
    })

    it('leased in Node, is seen by Java with its time', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      const hold = await inNode(name).acquire({ leaseMs: LONG_MS })
      await eventually(async () => expect(await inJava(thread, name, 'isLocked')).toBe(true)) // may ask a replica
      expectAlmost(await inJava(thread, name, 'remainTimeToLive'), LONG_MS)
      await hold.unlock()
      await eventually(async () => expect(await inJava(thread, name, 'isLocked')).toBe(false))
    })

    it('leased in Java, is seen by Node with its time', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      await inJava(thread, name, 'lock', LONG_MS, 'MILLISECONDS')
      expect(await inNode(name).isLocked()).toBe(true)
      expect(await inNode(name).isHeldByThread(await thread.owner())).toBe(true)
      expectAlmost(await inNode(name).remainTimeToLive(), LONG_MS)
      await inJava(thread, name, 'unlock')
      expect(await inNode(name).isLocked()).toBe(false)
    })

    it.each(directions)('leased in %s, goes to who waits in %s when the lease ends', (...sides) =>
      expectToPassWhenLeaseEnds(bench, kind, sides),
    )

    it('counts the holds of one thread, whichever side enters or leaves for it', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      const threadId = await thread.owner()
      const holds = () =>
        elsewhere(() => bench.node[0].runAsThread(() => inNode(name).getHoldCount(), { threadId }))

      await inJava(thread, name, 'lock')
      expect(await holds()).toBe(1)
      await inNode(name).lock({ threadId })
      expect(await inJava(thread, name, 'getHoldCount')).toBe(2)
      await inJava(thread, name, 'lock')
      expect(await holds()).toBe(3)

      await inNode(name).unlock({ threadId })
      await inJava(thread, name, 'unlock')
      expect(await inJava(thread, name, 'getHoldCount')).toBe(1)
      expect(await inNode(name).tryAcquire()).toBeUndefined()
      await inNode(name).unlock({ threadId })
      await expect(inJava(thread, name, 'isHeldByCurrentThread')).resolves.toBe(false)
      expect(await inNode(name).isLocked()).toBe(false)
    })

    it('forced open by Java, is lost for its holder in Node', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      const hold = await inNode(name, bench.crowd.node[0]).acquire() // its watchdog will soon find out
      const waiting = await waitOn(bench, 'Java', kind, name)
      expect(await inJava(thread, name, 'forceUnlock')).toBe(true)
      const give = await waiting.taken
      await eventually(() => hold.signal.aborted, { what: 'the holder to be notified' })
      await expect(hold.unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
      expect(await inNode(name).isLocked()).toBe(true)
      await give()
    })

    it('forced open by Node, is lost for its holder in Java', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      await inJava(thread, name, 'lock')
      const waiting = inNode(name).acquire()
      await untilAwaited(bench.topology, name)
      expect(await inNode(name, bench.node[1]).forceUnlock()).toBe(true)
      const hold = await waiting
      await expect(inJava(thread, name, 'unlock')).rejects.toMatchObject({
        type: 'IllegalMonitorStateException',
      })
      expect(hold.isHeld).toBe(true)
      await hold.unlock()
    })

    it('is not given back by who does not hold it', async () => {
      const [name, thread] = [bench.name(), bench.thread()]
      const hold = await inNode(name).acquire()
      await expect(inJava(thread, name, 'unlock')).rejects.toMatchObject({
        type: 'IllegalMonitorStateException',
      })
      await hold.unlock()
      await inJava(thread, name, 'lock')
      await expect(inNode(name).unlock()).rejects.toMatchObject({ code: 'NOT_HELD' })
      expect(await inJava(thread, name, 'isHeldByCurrentThread')).toBe(true)
      await inJava(thread, name, 'unlock')
    })
  })
}
