import { describe, expect, it } from 'vitest'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { expectAlmost } from '../measure.js'
import { describeCodecs, openSides } from './codec-pairs.js'

/** So long that no test waits for its end. */
const LONG_MS = 600_000

/** More than one poll removes here. */
const MANY = 6_000

/** What queues and deques of either side owe the other. */
export function queuesAcrossSides(bench: InteropFixture): void {
  const queueInJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getQueue', name], call)
  const dequeInJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getDeque', name], call)

  describeCodecs(bench, 'a queue', (sides, { values }) => {
    it.each(['очередь', '{tag}:queue', 'a{tag}b'])(
      'called %s has the same elements on both sides',
      async (at) => {
        const name = `${bench.name()}${at}`
        const queue = sides.node.getQueue(name)
        const content = () => askOwner(bench.topology, name, 'LRANGE', 0, -1)
        await queue.addAll(values)
        const bytes = await content()
        expect(await queueInJava(sides.java, name, 'readAll')).toEqual(values)
        for (const value of values) expect(await queueInJava(sides.java, name, 'poll')).toEqual(value)
        expect(await queue.isExists()).toBe(false)
        for (const value of values) expect(await queueInJava(sides.java, name, 'offer', value)).toBe(true)
        expect(await content()).toEqual(bytes)
        for (const [index, value] of values.entries()) {
          expect(await queue.indexOf(value)).toBe(index)
          expect(await queueInJava(sides.java, name, 'indexOf', value)).toBe(index)
        }
        expect(await queue.poll(values.length)).toEqual(values)
        expect(await queueInJava(sides.java, name, 'poll')).toBeNull()
      },
    )

    it('is used by either side', async () => {
      const name = `{${bench.name()}}`
      const target = `${name}:other`
      const queue = sides.node.getQueue(name)
      const [one, two, three] = values as [unknown, unknown, unknown]
      expect(await queue.add(one)).toBe(true)
      expect(await queueInJava(sides.java, name, 'addAll', [two, three, one])).toBe(true)
      expect(await queueInJava(sides.java, name, 'peek')).toEqual(await queue.peek())
      expect(await queueInJava(sides.java, name, 'element')).toEqual(await queue.element())
      expect(await queueInJava(sides.java, name, 'pollLastAndOfferFirstTo', target)).toEqual(one)
      expect(await queue.pollLastAndOfferFirstTo(target)).toEqual(three)
      expect(await queueInJava(sides.java, target, 'readAll')).toEqual([three, one])
      expect(await queue.move({ to: target, count: 2 })).toEqual([one, two])
      expect(await queueInJava(sides.java, target, 'poll', 3)).toEqual([three, one, one])
      expect(await queueInJava(sides.java, target, 'remove')).toEqual(two)
      await queue.addAll([one, two, one])
      expect(await queueInJava(sides.java, name, 'removeAll', [two])).toBe(true)
      expect(await queue.remove(one)).toBe(true)
      expect(await queueInJava(sides.java, name, 'size')).toBe(1)
      expect(await queue.delete()).toBe(true)
      expect(await queueInJava(sides.java, name, 'isExists')).toBe(false)
    })

    it('has two ends on both sides, as a deque', async () => {
      const name = `{${bench.name()}}`
      const target = `${name}:other`
      const deque = sides.node.getDeque(name)
      const [one, two, three] = values as [unknown, unknown, unknown]
      expect(await deque.addFirst(one, two)).toBe(2)
      expect(await dequeInJava(sides.java, name, 'addFirstIfExists', [three, one])).toBe(4)
      expect(await deque.readAll()).toEqual([one, three, two, one])
      expect(await dequeInJava(sides.java, name, 'addLastIfExists', [two, three])).toBe(6)
      expect(await deque.addLast(one)).toBe(7)
      expect(await dequeInJava(sides.java, name, 'offerFirst', two)).toBe(true)
      expect(await dequeInJava(sides.java, name, 'offerLast', two)).toBe(true)
      expect(await dequeInJava(sides.java, name, 'readAll')).toEqual([
        two,
        one,
        three,
        two,
        one,
        two,
        three,
        one,
        two,
      ])
      expect(await dequeInJava(sides.java, name, 'removeFirstOccurrence', one)).toBe(true)
      expect(await deque.removeLastOccurrence(one)).toBe(true)
      expect(await deque.readAll()).toEqual([two, three, two, one, two, three, two])
      for (const [method, expected] of [
        ['peekFirst', two],
        ['peekLast', two],
        ['getFirst', two],
        ['getLast', two],
      ] as const) {
        expect(await dequeInJava(sides.java, name, method)).toEqual(expected)
        expect(await deque[method]()).toEqual(expected)
      }
      expect(await allOf(deque.descendingIterator())).toEqual(
        await dequeInJava(sides.java, name, 'descendingIterator'),
      )
      expect(await dequeInJava(sides.java, name, 'pollLast', 2)).toEqual([two, three])
      expect(await deque.pollLast(2)).toEqual([two, one])
      expect(await dequeInJava(sides.java, name, 'pop')).toEqual(two)
      await dequeInJava(sides.java, name, 'push', one)
      expect(await deque.pollFirst(2)).toEqual([one, three])
      expect(await deque.pop()).toEqual(two)
      await deque.addLast(one, two)
      expect(await dequeInJava(sides.java, name, 'move', { poll: 'last', addFirstTo: target })).toEqual(two)
      expect(await deque.move({ poll: 'first', addLastTo: target })).toEqual(one)
      expect(await dequeInJava(sides.java, target, 'move', { poll: 'last', addLastTo: name })).toEqual(one)
      expect(await sides.node.getDeque(target).move({ poll: 'first', addFirstTo: name })).toEqual(two)
      expect(await dequeInJava(sides.java, name, 'readAll')).toEqual([two, one])
      await deque.delete()
    })
  })

  describe('a queue', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it('gives each element to one side', async () => {
      const name = bench.name()
      const queue = sides.node.getQueue<number>(name)
      const all = Array.from({ length: MANY }, (_, n) => n)
      await queue.addAll(all)
      const [mine, theirs] = await Promise.all([
        (async () => {
          const polled: number[] = []
          for (let next = await queue.poll(7); next.length > 0; next = await queue.poll(7))
            polled.push(...next)
          return polled
        })(),
        (async () => {
          const polled: number[] = []
          for (let next: number[] = [-1]; next.length > 0; polled.push(...next))
            next = (await queueInJava(sides.java, name, 'poll', 100)) as number[]
          return polled
        })(),
      ])
      expect([...mine, ...theirs].toSorted((a, b) => a - b)).toEqual(all)
      for (const polled of [mine, theirs]) expect(polled).toEqual(polled.toSorted((a, b) => a - b))
    })

    it('has errors of its own on each side where there is no element', async () => {
      const name = bench.name()
      for (const method of ['element', 'remove'] as const) {
        await expect(queueInJava(sides.java, name, method)).rejects.toMatchObject({
          type: 'NoSuchElementException',
        })
        await expect(sides.node.getQueue(name)[method]()).rejects.toMatchObject({ code: 'NO_SUCH_ELEMENT' })
      }
      for (const method of ['getFirst', 'getLast', 'removeFirst', 'removeLast', 'pop'] as const) {
        await expect(dequeInJava(sides.java, name, method)).rejects.toMatchObject({
          type: 'NoSuchElementException',
        })
        await expect(sides.node.getDeque(name)[method]()).rejects.toMatchObject({ code: 'NO_SUCH_ELEMENT' })
      }
    })

    it('has one time to live', async () => {
      const name = bench.name()
      const queue = sides.node.getQueue(name)
      await queueInJava(sides.java, name, 'add', 'a')
      expect(await queue.expire(LONG_MS)).toBe(true)
      expectAlmost(await queueInJava(sides.java, name, 'remainTimeToLive'), LONG_MS)
      expect(await queueInJava(sides.java, name, 'clearExpire')).toBe(true)
      expect(await queue.remainTimeToLive()).toBe(-1)
      await queue.delete()
    })
  })
}
