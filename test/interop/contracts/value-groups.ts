import { describe, expect, it } from 'vitest'
import { elsewhere } from '../../support/elsewhere.js'
import type { InteropFixture } from '../interop-fixture.js'
import type { JavaThread } from '../java-peer.js'
import { expectAlmost, expectToPassWhenLeaseEnds } from '../measure.js'
import { directions, valueLock } from '../sides.js'

/** Long enough that no test waits for its end. */
const LONG_MS = 600_000

/**
 * What the values of a group owe that threads in Java and in Node share.
 *
 * In Java such a lock cannot be asked about its time and its holds, so only Node looks.
 */
export function valueGroupsAcrossSides(bench: InteropFixture): void {
  describe('values of a group', () => {
    const inNode = (group: string, ...values: string[]) => bench.node[0].getMultiLock(group, values)
    const inJava = (thread: JavaThread, group: string, values: string[], ...call: [string, ...unknown[]]) =>
      thread.call(['getMultiLock', group, values], call)

    it('held in Node, are refused in Java with any other value, which is free by itself', async () => {
      const [group, thread] = [bench.name(), bench.thread()]
      const hold = await inNode(group, 'a', 'ü').acquire()
      expect(await inJava(thread, group, ['ü', 'b'], 'tryLock')).toBe(false)
      expect(await inJava(thread, group, ['b'], 'tryLock')).toBe(true)
      await inJava(thread, group, ['b'], 'unlock')
      await hold.unlock()
      expect(await inJava(thread, group, ['ü', 'b'], 'tryLock')).toBe(true)
      await inJava(thread, group, ['ü', 'b'], 'unlock')
    })

    it('held in Java, are refused in Node with any other value, which is free by itself', async () => {
      const [group, thread] = [bench.name(), bench.thread()]
      await inJava(thread, group, ['a', 'ü'], 'lock')
      expect(await inNode(group, 'ü', 'b').tryAcquire({ waitMs: 300 })).toBeUndefined()
      await (await inNode(group, 'b').acquire()).unlock()
      await inJava(thread, group, ['a', 'ü'], 'unlock')
      await (await inNode(group, 'ü', 'b').acquire()).unlock()
    })

    it('leased in Java, are seen by Node with their time, their holder and their holds', async () => {
      const [group, thread] = [bench.name(), bench.thread()]
      const threadId = await thread.owner()
      await inJava(thread, group, ['a', 'b'], 'lock', LONG_MS, 'MILLISECONDS')
      await inJava(thread, group, ['a', 'b'], 'lock', LONG_MS, 'MILLISECONDS')
      const lock = inNode(group, 'a', 'b')
      expect(await lock.isLocked()).toBe(true)
      expect(await lock.isHeldByThread(threadId)).toBe(true)
      expectAlmost(await lock.remainTimeToLive(), LONG_MS)
      const holds = () => elsewhere(() => bench.node[0].runAsThread(() => lock.getHoldCount(), { threadId }))
      expect(await holds()).toBe(2)
      await inJava(thread, group, ['a', 'b'], 'unlock')
      expect(await holds()).toBe(1)
      await lock.unlock({ threadId })
      expect(await lock.isLocked()).toBe(false)
    })

    it.each(directions)('leased in %s, go to who waits in %s when the lease ends', (...sides) =>
      expectToPassWhenLeaseEnds(bench, valueLock, sides),
    )

    it('forced open by Node, are lost for their holder in Java', async () => {
      const [group, thread] = [bench.name(), bench.thread()]
      await inJava(thread, group, ['a', 'b'], 'lock')
      expect(await inNode(group, 'a', 'b').forceUnlock()).toBe(true)
      await expect(inJava(thread, group, ['a', 'b'], 'unlock')).rejects.toMatchObject({
        type: 'IllegalMonitorStateException',
      })
    })
  })
}
