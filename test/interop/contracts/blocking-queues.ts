import { describe, expect, it } from 'vitest'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { describeCodecs, openSides } from './codec-pairs.js'

/** More than any test takes. */
const LONG_MS = 60_000

/** What blocking queues of either side owe the other. */
export function blockingQueuesAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getBlockingDeque', name], call)

  describeCodecs(bench, 'a blocking queue', (sides, { values }) => {
    it('hands elements over in both directions', async () => {
      const name = bench.name()
      const deque = sides.node.getBlockingDeque(name)
      for (const value of values) {
        const taken = deque.take()
        await inJava(sides.java, name, 'put', value)
        expect(await taken).toEqual(value)
        const inThread = inJava(sides.java, name, 'take')
        await deque.put(value)
        expect(await inThread).toEqual(value)
      }
      expect(await deque.isExists()).toBe(false)
    })
  })

  describe('a blocking queue', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it('is waited for at both ends by either side', async () => {
      const name = bench.name()
      const deque = sides.node.getBlockingDeque<string>(name)
      const last = deque.pollLast({ waitMs: LONG_MS })
      await inJava(sides.java, name, 'putFirst', 'a')
      expect(await last).toBe('a')
      const inThread = inJava(sides.java, name, 'takeLast')
      await deque.putFirst('b')
      expect(await inThread).toBe('b')
      await deque.addAll(['c', 'd', 'e'])
      expect(await inJava(sides.java, name, 'pollLast', 1)).toEqual(['e'])
      expect(await inJava(sides.java, name, 'poll')).toBe('c')
      expect(await deque.poll()).toBe('d')
      expect(await inJava(sides.java, name, 'poll')).toBeNull()
    })

    it('gives each element to one taker of one side', async () => {
      const name = bench.name()
      const deque = sides.node.getBlockingDeque<string>(name)
      const taken = [inJava(sides.java, name, 'take'), ...Array.from({ length: 20 }, () => deque.take())]
      const values = taken.map((_, n) => `v${String(n)}`)
      for (const value of values) await deque.put(value)
      expect((await Promise.all(taken)).toSorted()).toEqual(values.toSorted())
      expect(await deque.isExists()).toBe(false)
    })

    it('moves elements for either side', async () => {
      const tag = `{${bench.name()}}`
      const deque = sides.node.getBlockingDeque<string>(`${tag}:from`)
      const target = sides.node.getBlockingDeque<string>(`${tag}:to`)
      const moved = deque.takeLastAndOfferFirstTo(target.name)
      await inJava(sides.java, deque.name, 'put', 'a')
      expect(await moved).toBe('a')
      const inThread = inJava(sides.java, deque.name, 'takeLastAndOfferFirstTo', target.name)
      await deque.put('b')
      expect(await inThread).toBe('b')
      expect(await target.drainTo()).toEqual(['b', 'a'])
    })

    it('is looked at among others by either side', async () => {
      const tag = `{${bench.name()}}`
      const deque = sides.node.getBlockingDeque<string>(`${tag}:first`)
      const other = sides.node.getBlockingDeque<string>(`${tag}:second`)
      const polled = deque.pollFromAnyWithName([other.name], { waitMs: LONG_MS })
      await inJava(sides.java, other.name, 'put', 'a')
      expect(await polled).toEqual([other.name, 'a'])
      expect(await other.isExists()).toBe(false)
    })
  })
}
