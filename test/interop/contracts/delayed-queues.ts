import { describe, expect, it } from 'vitest'
import { Redisson } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { describeCodecs, openSides } from './codec-pairs.js'

/** So long that nothing gets to the destination meanwhile. */
const LONG_MS = 600_000

/** More than any test takes. */
const PATIENT = { waitMs: 60_000 }

/** What delayed queues of either side owe the other. */
export function delayedQueuesAcrossSides(bench: InteropFixture): void {
  /** Has Java use a delayed queue, and destroy it. */
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getDelayedQueue', name], call)
  const ofQueue = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getBlockingQueue', name], call)

  describeCodecs(bench, 'a delayed queue', (sides, { values }) => {
    it.each(['очередь', '{tag}:delayed', 'a{tag}b'])(
      'called %s has the same elements on both sides',
      async (at) => {
        const name = `${bench.name()}${at}`
        await using delayed = sides.node.getDelayedQueue(sides.node.getQueue(name))
        const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
        for (const value of values) await java('offer', value, LONG_MS, 'MILLISECONDS')
        expect(await delayed.readAll()).toEqual(values)
        for (const value of values) {
          expect(await delayed.contains(value)).toBe(true)
          expect(await delayed.poll()).toEqual(value)
        }
        for (const value of values) await delayed.offer(value, LONG_MS)
        expect(await java('readAll')).toEqual(values)
        for (const value of values) {
          expect(await java('contains', value)).toBe(true)
          expect(await java('remove', value)).toBe(true)
        }
        expect(await delayed.isExists()).toBe(false)
      },
    )

    it('gets to its queue from either side to the other', async () => {
      const name = bench.name()
      const queue = sides.node.getBlockingQueue(name)
      await using delayed = sides.node.getDelayedQueue(queue)
      for (const value of values) {
        await inJava(sides.java, name, 'offer', value, 20, 'MILLISECONDS')
        expect(await queue.poll(PATIENT)).toEqual(value)
        await delayed.offer(value, 20)
        expect(await ofQueue(sides.java, name, 'take')).toEqual(value)
      }
      expect(await delayed.isExists()).toBe(false)
    })
  })

  describe('a delayed queue', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it('is moved by Java for a client here that is gone', async () => {
      const name = bench.name()
      await sides.java.call(['getDelayedQueue', name, 'stays'], ['size'])
      const producer = await Redisson.create(bench.topology.options())
      await producer.getDelayedQueue(producer.getQueue<string>(name)).offer('a', 300)
      await producer.shutdown()
      expect(await ofQueue(sides.java, name, 'take')).toBe('a')
    })

    it('is moved here where only calls wait, for elements of Java', async () => {
      const name = bench.name()
      await inJava(sides.java, name, 'offer', 'later', 200, 'MILLISECONDS')
      await inJava(sides.java, name, 'offer', 'sooner', 100, 'MILLISECONDS')
      const queue = sides.node.getBlockingQueue<string>(name)
      expect([await queue.poll(PATIENT), await queue.poll(PATIENT)]).toEqual(['sooner', 'later'])
    })

    it('is polled and removed from by either side, with both keys', async () => {
      const name = bench.name()
      await using delayed = sides.node.getDelayedQueue(sides.node.getQueue<string>(name))
      const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
      const dueTimes = () => askOwner(bench.topology, `redisson_delay_queue_timeout:{${name}}`, 'ZCARD')
      for (const value of ['a', 'b', 'c', 'd', 'e', 'f']) await delayed.offer(value, LONG_MS)
      expect(await java('poll')).toBe('a')
      expect(await java('removeAll', ['b', 'f'])).toBe(true)
      expect(await delayed.removeAll(['c'])).toBe(true)
      expect(await java('size')).toBe(2)
      expect(await dueTimes()).toBe(2)
      expect(await java('retainAll', ['e'])).toBe(true)
      expect(await dueTimes()).toBe(2) // Java leaves the due time of `d`
      expect(await delayed.readAll()).toEqual(['e'])
      await delayed.offer('g', LONG_MS)
      expect(await delayed.retainAll(['g'])).toBe(true)
      expect(await java('readAll')).toEqual(['g'])
      expect(await java('delete')).toBe(true)
      expect(await delayed.isExists()).toBe(false)
      expect(await dueTimes()).toBe(0)
    })

    it('moves very many elements of Java that are due at once', async () => {
      const name = bench.name()
      const queue = sides.node.getQueue<number>(name)
      await using delayed = sides.node.getDelayedQueue(queue)
      const all = Array.from({ length: 300 }, (_, n) => n)
      await Promise.all(all.map((n) => inJava(sides.java, name, 'offer', n, 100 + (n % 7), 'MILLISECONDS')))
      await eventually(async () => {
        expect((await queue.readAll()).toSorted((a, b) => a - b)).toEqual(all)
      })
      expect(await delayed.isExists()).toBe(false)
      await queue.delete()
    })
  })
}
