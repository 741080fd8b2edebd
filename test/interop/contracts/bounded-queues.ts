import { describe, expect, it } from 'vitest'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { describeCodecs, openSides } from './codec-pairs.js'

/** More than any test takes. */
const LONG_MS = 60_000

/** Long enough for a caller in Java to wait. */
const SETTLED_MS = 300

const settled = () => new Promise((resolve) => setTimeout(resolve, SETTLED_MS))

/** What bounded blocking queues of either side owe the other. */
export function boundedQueuesAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getBoundedBlockingQueue', name], call)

  describeCodecs(bench, 'a bounded queue', (sides, { values }) => {
    it.each(['границы', '{tag}:bounded', 'a{tag}b'])(
      'called %s has the same elements and the same capacity on both sides',
      async (at) => {
        const name = `${bench.name()}${at}`
        const queue = sides.node.getBoundedBlockingQueue(name)
        const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
        const [one, two, three] = values as [unknown, unknown, unknown]
        expect(await java('trySetCapacity', 3)).toBe(true)
        expect(await queue.trySetCapacity(4)).toBe(false)
        expect(await queue.add(one)).toBe(true)
        expect(await java('remainingCapacity')).toBe(2)
        expect(await java('offer', two)).toBe(true)
        await queue.put(three)
        expect(await java('offer', one)).toBe(false)
        expect(await queue.offer(one)).toBe(false)
        await expect(java('add', one)).rejects.toThrow('Queue is full')
        expect(await java('readAll')).toEqual([one, two, three])
        expect(await java('poll')).toEqual(one)
        expect(await queue.take()).toEqual(two)
        expect(await queue.remainingCapacity()).toBe(2)
        expect(await java('poll')).toEqual(three)
        expect(await java('addAll', [one, two, three])).toBe(true)
        expect(await queue.remove(two)).toBe(true)
        expect(await java('removeAll', [one])).toBe(true)
        expect(await java('remainingCapacity')).toBe(2)
        await queue.clear()
        expect(await java('remainingCapacity')).toBe(3)
        expect(await queue.trySetCapacity(5)).toBe(false)
        await queue.put(one)
        expect(await java('delete')).toBe(true)
        await expect(queue.remainingCapacity()).rejects.toMatchObject({ code: 'CAPACITY_NOT_SET' })
      },
    )
  })

  describe('a bounded queue', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })
    const java = (name: string, ...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)

    it('takes no value without a capacity on either side', async () => {
      const name = bench.name()
      const queue = sides.node.getBoundedBlockingQueue<string>(name)
      await expect(java(name, 'offer', 'a')).rejects.toThrow('has not been set')
      await expect(queue.offer('a')).rejects.toMatchObject({ code: 'CAPACITY_NOT_SET' })
      expect(await queue.trySetCapacity(1)).toBe(true)
      expect(await java(name, 'trySetCapacity', 2)).toBe(false)
      expect(await java(name, 'offer', 'a')).toBe(true)
      expect(await queue.delete()).toBe(true)
    })

    it('wakes a producer of either side for the room that the other makes', { tags: ['timed'] }, async () => {
      const name = bench.name()
      const queue = sides.node.getBoundedBlockingQueue<number>(name)
      await queue.trySetCapacity(2)
      await queue.addAll([1, 2])
      for (const make of [
        () => queue.poll(),
        () => queue.take(),
        () => queue.drainTo(1),
        () => queue.remove(2),
        () => queue.removeAll([2]),
        () => queue.pollFromAny([]),
        () => queue.retainAll([1]),
      ]) {
        const put = java(name, 'put', 2)
        await settled()
        await make()
        await put
        expect(await queue.remainingCapacity()).toBe(0)
        await queue.clear()
        await queue.addAll([1, 2])
      }
      for (const make of [
        () => java(name, 'poll'),
        () => java(name, 'take'),
        () => java(name, 'poll', 1, 'SECONDS'),
        () => java(name, 'removeAll', [1]),
      ]) {
        const put = queue.put(1)
        await settled()
        await make()
        await put
        await eventually(async () => {
          expect(await queue.remainingCapacity()).toBe(0)
        })
        await queue.clear()
        await queue.addAll([1, 2])
      }
      await queue.delete()
    })

    it('has never too many elements, and all its places in the end, with producers and consumers of both sides', async () => {
      const name = bench.name()
      const queue = sides.node.getBoundedBlockingQueue<number>(name)
      await queue.trySetCapacity(3)
      const values = Array.from({ length: 24 }, (_, n) => n)
      const [even, odd] = [values.filter((n) => n % 2 === 0), values.filter((n) => n % 2 === 1)]
      const put = even.map((n) => queue.put(n))
      const taken = values.slice(3).map(() => queue.take())
      for (const n of odd) expect(await java(name, 'offer', n, LONG_MS, 'MILLISECONDS')).toBe(true)
      const all: unknown[] = await Promise.all(taken)
      await Promise.all(put)
      expect(await queue.remainingCapacity()).toBe(0)
      for (let n = 0; n < 3; n += 1) all.push(await java(name, 'take'))
      expect(all.toSorted((a, b) => Number(a) - Number(b))).toEqual(values)
      expect(await queue.remainingCapacity()).toBe(3)
      await queue.delete()
      await askOwner(bench.topology, `redisson_bqs:{${name}}`, 'DEL')
    })

    it('is waited for by either side', async () => {
      const name = bench.name()
      const queue = sides.node.getBoundedBlockingQueue<string>(name)
      await queue.trySetCapacity(2)
      const mine = queue.take()
      await java(name, 'put', 'a')
      expect(await mine).toBe('a')
      const inThread = java(name, 'take')
      await queue.put('b')
      expect(await inThread).toBe('b')
      await eventually(async () => {
        expect(await queue.remainingCapacity()).toBe(2)
      })
      await queue.delete()
    })

    it('expires as a whole, whichever side says so', async () => {
      const name = bench.name()
      const queue = sides.node.getBoundedBlockingQueue<string>(name)
      const ttls = async () =>
        await Promise.all(
          [name, `redisson_bqs:{${name}}`].map(async (key) => {
            return Number(await askOwner(bench.topology, key, 'PTTL')) > 0
          }),
        )
      await queue.trySetCapacity(2)
      await queue.put('a')
      expect(await java(name, 'expire', 'PT600S')).toBe(true)
      expect(await ttls()).toEqual([true, true])
      expect(await queue.clearExpire()).toBe(true)
      expect(await ttls()).toEqual([false, false])
      expect(await queue.expire(600_000)).toBe(true)
      expect(await java(name, 'clearExpire')).toBe(true)
      expect(await ttls()).toEqual([false, false])
      await queue.delete()
    })
  })
}
