import { describe, expect, it } from 'vitest'
import { longCodec, stringCodec } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { openSides } from './codec-pairs.js'

/** In the order of their UTF-16 code units, which is not that of their bytes. */
const TEXTS = ['', '"', '10', '9', 'B', '\\', 'a\nb', 'ab', 'é', '\ud7ff', '😀', '\ue000', '\ufffd']

const NUMBERS = [-1000, -12, -1, 0, 2, 9, 9, 10, 2_147_483_647]

/** What priority queues of either side owe the other. */
export function priorityQueuesAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getPriorityBlockingDeque', name], call)

  describe.each([
    ['JSON', PLAIN_JSON, undefined],
    ['texts', 'org.redisson.client.codec.StringCodec', stringCodec()],
  ] as const)('a priority queue of texts, written as %s', (_, codec, own) => {
    const sides = openSides(bench, { java: { codec } })
    const queueOf = (name: string) =>
      sides.node.getPriorityBlockingDeque(name, own === undefined ? {} : { codec: own })

    it.each(['очередь', '{tag}:priority', 'a{tag}b'])(
      'called %s has the same order on both sides, whichever adds',
      async (at) => {
        const name = `${bench.name()}${at}`
        const queue = queueOf(name)
        const twice = TEXTS.flatMap((text) => [text, text])
        for (const text of TEXTS.toReversed()) {
          expect(await queue.add(text)).toBe(true)
          expect(await inJava(sides.java, name, 'add', text)).toBe(true)
        }
        expect(await inJava(sides.java, name, 'readAll')).toEqual(twice)
        expect(await queue.readAll()).toEqual(twice)
        expect(await allOf(queue.descendingIterator())).toEqual(twice.toReversed())
        expect(await inJava(sides.java, name, 'peek')).toBe(await queue.peek())
        expect(await inJava(sides.java, name, 'peekLast')).toBe(await queue.peekLast())
        for (const text of TEXTS) {
          expect(await inJava(sides.java, name, 'contains', text)).toBe(true)
          expect(await queue.remove(text)).toBe(true)
          expect(await queue.contains(text)).toBe(true)
          expect(await inJava(sides.java, name, 'remove', text)).toBe(true)
        }
        expect(await queue.isExists()).toBe(false)
      },
    )

    it('is polled by either side, and waited for', async () => {
      const name = bench.name()
      const queue = queueOf(name)
      expect(await inJava(sides.java, name, 'addAll', ['d', 'b', 'a', 'c', 'e', 'f'])).toBe(true)
      expect(await queue.poll()).toBe('a')
      expect(await inJava(sides.java, name, 'poll')).toBe('b')
      expect(await inJava(sides.java, name, 'pollLast')).toBe('f')
      expect(await queue.takeLast()).toBe('e')
      expect(await queue.poll(5)).toEqual(['c', 'd'])
      const waiting = queue.take()
      expect(await inJava(sides.java, name, 'add', 'late')).toBe(true)
      expect(await waiting).toBe('late')
      const theirs = inJava(sides.java, name, 'take')
      await queue.put('later')
      expect(await theirs).toBe('later')
      expect(await queue.isExists()).toBe(false)
    })

    it('gives its last element to another queue of either side', async () => {
      const name = `{${bench.name()}}`
      const queue = queueOf(name)
      const to = `${name}:to`
      await queue.addAll(['a', 'b', 'c'])
      expect(await inJava(sides.java, name, 'pollLastAndOfferFirstTo', to)).toBe('c')
      expect(await queue.pollLastAndOfferFirstTo(to)).toBe('b')
      expect(await sides.java.call(['getQueue', to], ['readAll'])).toEqual(['b', 'c'])
      await sides.node.getKeys().delete(name, to)
    })
  })

  describe('a priority queue of numbers', () => {
    const sides = openSides(bench, { java: { codec: 'org.redisson.client.codec.LongCodec' } })

    it('has the same order on both sides', async () => {
      const name = bench.name()
      const queue = sides.node.getPriorityDeque(name, { codec: longCodec() })
      await queue.addAll(NUMBERS.toReversed())
      expect(await inJava(sides.java, name, 'readAll')).toEqual(NUMBERS)
      expect(await inJava(sides.java, name, 'poll')).toBe(-1000)
      expect(await queue.pollLast()).toBe(2_147_483_647)
      expect(await inJava(sides.java, name, 'delete')).toBe(true)
      expect(await queue.isExists()).toBe(false)
    })
  })

  describe('the lock of a priority queue', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    it('keeps changes of Node out while Java has it', async () => {
      const name = bench.name()
      const queue = sides.node.getPriorityBlockingQueue(name)
      const lock: [string, string] = ['getLock', `redisson_sortedset_lock:{${name}}`]
      await sides.java.call(lock, ['lock'])
      const calls = [queue.add('b'), queue.take()]
      expect(await inJava(sides.java, name, 'add', 'a')).toBe(true)
      expect(await queue.readAll()).toEqual(['a'])
      await sides.java.call(lock, ['unlock'])
      expect((await calls[0]) as boolean).toBe(true)
      const taken = await calls[1]
      expect(await queue.readAll()).toEqual(['a', 'b'].filter((each) => each !== taken))
      await queue.delete()
    })

    it('lets both sides add and poll at once, and each element is in its place', async () => {
      const name = bench.name()
      const queue = sides.node.getPriorityDeque(name)
      const values = Array.from({ length: 40 }, (_, n) => `v${String((n * 17) % 40).padStart(2, '0')}`)
      const [polled] = await Promise.all([
        Promise.all(values.slice(0, 10).map(() => queue.pollLast())),
        ...values.map((value) => queue.add(value)),
        inJava(sides.java, name, 'addAll', values.toReversed()),
      ])
      const gone = polled.filter((each) => each !== undefined)
      const left = await queue.readAll()
      expect(left).toEqual(left.toSorted())
      expect([...left, ...gone].toSorted()).toEqual([...values, ...values].toSorted())
      expect(await askOwner(bench.topology, name, 'LLEN')).toBe(left.length)
      await queue.delete()
    })
  })
}
