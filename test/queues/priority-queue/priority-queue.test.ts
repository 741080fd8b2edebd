import { describe, expect, it } from 'vitest'
import {
  longCodec,
  stringCodec,
  type Codec,
  type RPriorityDeque,
  type SortedValue,
  type ValueOptions,
} from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** In the order of their UTF-16 code units, which is not that of their bytes: that has the last two the other way round. */
const TEXTS = ['', '"', '10', '9', '\\', 'a\nb', 'ab', 'é', '\ud7ff', '😀', '\ue000', '\uffff']

const NUMBERS = [-1e21, -12, -2.5, -1, 0, 1e-7, 0.5, 1, 2, 9, 10, 1000, 1e21]

describe.each(slottedTopologies)('a priority queue ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A queue that is removed after the test. */
  const withQueue = async <V extends SortedValue = string>(
    use: (queue: RPriorityDeque<V>, name: string) => Promise<void>,
    options?: ValueOptions<V>,
    name = `{priority-${topology.kind}-${String(names++)}}`,
  ) => {
    const queue = clients.mine.getPriorityDeque<V>(name, options)
    try {
      await use(queue, name)
    } finally {
      await queue.delete()
    }
  }

  const bytesIn = (name: string) => askOwner(topology, name, 'LRANGE', '0', '-1')

  it.each([
    [['a', 'b'], [1]],
    [
      [1, 2],
      ['1', '2'],
    ],
  ])('keeps %j where %j are to be retained, which cannot be compared with them', async (values, retained) => {
    await withQueue<SortedValue>(async (queue) => {
      await queue.addAll(values)
      await expect(queue.retainAll(retained)).rejects.toThrow(TypeError)
      expect(await queue.readAll()).toEqual(values)
    })
  })

  it('has nothing where it is not there', async () => {
    await withQueue(async (queue) => {
      expect(await queue.poll()).toBeUndefined()
      expect(await queue.poll(3)).toEqual([])
      expect(await queue.poll(0)).toEqual([])
      expect(await queue.pollLast()).toBeUndefined()
      expect(await queue.peek()).toBeUndefined()
      expect(await queue.peekLast()).toBeUndefined()
      for (const call of [
        () => queue.element(),
        () => queue.remove(),
        () => queue.getFirst(),
        () => queue.getLast(),
        () => queue.removeFirst(),
        () => queue.removeLast(),
        () => queue.pop(),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'NO_SUCH_ELEMENT' })
      expect(await queue.remove('a')).toBe(false)
      expect(await queue.removeAll(['a'])).toBe(false)
      expect(await queue.removeAll([])).toBe(false)
      expect(await queue.retainAll(['a'])).toBe(false)
      expect(await queue.retainAll([])).toBe(false)
      expect(await queue.removeLastOccurrence('a')).toBe(false)
      expect(await queue.addAll([])).toBe(false)
      expect(await queue.contains('a')).toBe(false)
      expect(await queue.containsAll([])).toBe(true)
      expect(await queue.indexOf('a')).toBe(-1)
      expect([await queue.size(), await queue.isEmpty(), await queue.readAll()]).toEqual([0, true, []])
      expect(await queue.pollLastAndOfferFirstTo(`${queue.name}:to`)).toBeUndefined()
      expect(await queue.move({ to: `${queue.name}:to` })).toEqual([])
      expect(await allOf(queue)).toEqual([])
      expect(await allOf(queue.descendingIterator())).toEqual([])
      await queue.clear()
      expect(await queue.isExists()).toBe(false)
    })
  })

  it.each([undefined, stringCodec()] as (Codec<string> | undefined)[])(
    'has texts in the order of their UTF-16 code units (%#)',
    async (codec) => {
      await withQueue(async (queue) => {
        for (const text of TEXTS.toReversed()) expect(await queue.add(text)).toBe(true)
        expect(await queue.addAll(TEXTS.toReversed())).toBe(true)
        const twice = TEXTS.flatMap((text) => [text, text])
        expect(await queue.readAll()).toEqual(twice)
        expect(await allOf(queue.values({ count: 3 }))).toEqual(twice)
        expect(await allOf(queue.descendingIterator())).toEqual(twice.toReversed())
        for (const [n, text] of TEXTS.entries()) expect(await queue.indexOf(text)).toBe(2 * n)
        expect(await queue.containsAll(TEXTS)).toBe(true)
        expect(await queue.containsAll([...TEXTS, 'none'])).toBe(false)
        for (const text of twice) expect(await queue.poll()).toBe(text)
      }, codec && { codec })
    },
  )

  it('has numbers in the order of their values', async () => {
    await withQueue<number>(async (queue) => {
      await queue.addAll(NUMBERS.toReversed())
      await queue.offer(9)
      expect(await queue.poll(9)).toEqual(NUMBERS.slice(0, 9))
      expect(await queue.poll(9)).toEqual([9, ...NUMBERS.slice(9)])
    })
    const longs = [-(2n ** 63n), -9007199254740993n, 9007199254740992n, 9007199254740993n]
    await withQueue<bigint>(
      async (queue) => {
        await queue.addAll(longs.toReversed())
        expect(await queue.readAll()).toEqual(longs)
      },
      { codec: longCodec({ bigint: true }) },
    )
  })

  it('keeps equal elements in the order in which they were added', async () => {
    await withQueue<number>(async (queue, name) => {
      await askOwner(topology, name, 'RPUSH', '0', '1.0', '1.00', '2')
      await queue.add(1)
      expect(await bytesIn(name)).toEqual(['0', '1.0', '1.00', '1', '2'])
      await queue.addAll([2, 0, 1, 1])
      expect(await bytesIn(name)).toEqual(['0', '0', '1.0', '1.00', '1', '1', '1', '2', '2'])
      expect(await queue.indexOf(1)).toBe(2)
      expect(await queue.remove(1)).toBe(true)
      expect(await bytesIn(name)).toEqual(['0', '0', '1.00', '1', '1', '1', '2', '2'])
      await askOwner(topology, name, 'LINSERT', 'BEFORE', '2', '1.000')
      expect(await queue.removeLastOccurrence(1)).toBe(true)
      expect(await queue.removeFirstOccurrence(2)).toBe(true)
      expect(await bytesIn(name)).toEqual(['0', '0', '1.00', '1', '1', '1', '2'])
      expect(await queue.removeAll([1, 5])).toBe(true)
      expect(await bytesIn(name)).toEqual(['0', '0', '2'])
      expect(await queue.removeAll([1])).toBe(false)
    })
  })

  it('retains what is equal to one of the values', async () => {
    await withQueue<number>(async (queue, name) => {
      await askOwner(topology, name, 'RPUSH', '1', '1.0', '2', '2', '3', '4.0', '4')
      expect(await queue.retainAll([1, 4, 5])).toBe(true)
      expect(await bytesIn(name)).toEqual(['1', '1.0', '4.0', '4'])
      expect(await queue.retainAll([1, 4])).toBe(false)
      expect(await queue.retainAll([])).toBe(true)
      expect(await queue.isExists()).toBe(false)
    })
  })

  it('is removed from at both ends', async () => {
    await withQueue(async (queue) => {
      await queue.addAll(['d', 'a', 'c', 'b', 'f', 'e', 'g', 'h', 'i'])
      expect([await queue.peek(), await queue.element(), await queue.peekFirst()]).toEqual(['a', 'a', 'a'])
      expect([await queue.getFirst(), await queue.getLast(), await queue.peekLast()]).toEqual(['a', 'i', 'i'])
      expect([await queue.pollFirst(), await queue.pollLast()]).toEqual(['a', 'i'])
      expect([await queue.pollFirst(2), await queue.pollLast(2)]).toEqual([
        ['b', 'c'],
        ['h', 'g'],
      ])
      expect([await queue.removeLast(), await queue.removeFirst(), await queue.pop()]).toEqual([
        'f',
        'd',
        'e',
      ])
      expect(await queue.isExists()).toBe(false)
    })
  })

  it('gives elements to other queues, and not to itself', async () => {
    await withQueue(async (queue, name) => {
      await queue.addAll(['d', 'a', 'c', 'b', 'e'])
      const other = clients.other.getQueue<string>(`${name}:to`)
      await other.add('m')
      expect(await queue.pollLastAndOfferFirstTo(other.name)).toBe('e')
      expect(await queue.move({ to: other.name, count: 2 })).toEqual(['a', 'b'])
      expect(await queue.move({ to: other.name, count: 3, exactly: true })).toEqual([])
      expect(await other.readAll()).toEqual(['e', 'm', 'a', 'b'])
      for (const call of [
        () => queue.move({ to: name }),
        () => queue.pollLastAndOfferFirstTo(name),
        () => clients.mine.getPriorityBlockingQueue(name).takeLastAndOfferFirstTo(name),
      ])
        await expect(call()).rejects.toThrow(TypeError)
      await other.delete()
      await clients.mine.getBucket(other.name).set('text')
      await expect(queue.move({ to: other.name })).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      await expect(queue.pollLastAndOfferFirstTo(other.name)).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      expect(await queue.readAll()).toEqual(['c', 'd'])
      await clients.mine.getBucket(other.name).delete()
    })
  })

  it('adds each element in its place, however many clients add at once', async () => {
    await withQueue<number>(async (queue, name) => {
      const other = clients.other.getPriorityQueue<number>(name)
      const numbers = Array.from({ length: 60 }, (_, n) => (n * 37) % 20)
      await Promise.all(numbers.flatMap((value) => [queue.add(value), other.add(value)]))
      expect(await queue.readAll()).toEqual([...numbers, ...numbers].toSorted((a, b) => a - b))
    })
  })

  it('has many elements', async () => {
    await withQueue<number>(async (queue) => {
      const many = Array.from({ length: 6_000 }, (_, n) => (n * 7) % 3_000)
      const sorted = many.toSorted((a, b) => a - b)
      expect(await queue.addAll(many)).toBe(true)
      expect(await queue.readAll()).toEqual(sorted)
      expect(await allOf(queue)).toEqual(sorted)
      expect(await allOf(queue.descendingIterator())).toEqual(sorted.toReversed())
      expect(await queue.pollLast(5_000)).toEqual(sorted.toReversed().slice(0, 5_000))
      expect(await queue.retainAll([3, 499])).toBe(true)
      expect(await queue.readAll()).toEqual([3, 3, 499, 499])
    })
  })

  it('waits while another client has the lock of Java, and reads meanwhile', async () => {
    await withQueue(async (queue, name) => {
      await queue.addAll(['a', 'c', 'y', 'z'])
      const hold = await clients.other.getLock(`redisson_sortedset_lock:${name}`).acquire()
      const calls = [
        queue.add('m'),
        queue.remove('c'),
        queue.pollLast(),
        queue.pollLastAndOfferFirstTo(`${name}:to`),
      ]
      let settled = 0
      for (const call of calls) void call.then(() => (settled += 1))
      expect(await queue.readAll()).toEqual(['a', 'c', 'y', 'z'])
      expect([await queue.contains('m'), await queue.indexOf('y')]).toEqual([false, 2])
      expect(settled).toBe(0)
      await hold.unlock()
      const results = await Promise.all(calls)
      expect(results.slice(0, 2)).toEqual([true, true])
      expect(results.slice(2).toSorted()).toEqual(['y', 'z'])
      expect(await queue.readAll()).toEqual(['a', 'm'])
      await clients.mine.getQueue(`${name}:to`).delete()
    })
  })

  it('finds nothing at once while it is empty, whoever has the lock of Java', async () => {
    await withQueue(async (queue, name) => {
      const hold = await clients.other.getLock(`redisson_sortedset_lock:${name}`).acquire()
      expect(await queue.poll()).toBeUndefined()
      expect(await queue.pollLastAndOfferFirstTo(`${name}:to`)).toBeUndefined()
      await hold.unlock()
    })
  })

  it('is part of a batch, unless a client has the lock of Java', async () => {
    await withQueue(async (queue, name) => {
      const results = await clients.mine.batch((batch) => {
        const some = batch.getPriorityDeque(name)
        return [some.addAll(['c', 'a', 'b', 'a']), some.remove('a'), some.pollLast(), some.readAll()]
      })
      expect(results).toEqual([true, true, 'c', ['a', 'b']])
      const hold = await clients.other.getLock(`redisson_sortedset_lock:${name}`).acquire()
      for (const call of [
        (batched: RPriorityDeque<string>) => batched.add('x'),
        (batched: RPriorityDeque<string>) => batched.poll(),
      ])
        await expect(
          clients.mine.batch((batch) => [call(batch.getPriorityDeque(name))]),
        ).rejects.toMatchObject({ code: 'BATCH', cause: { code: 'NOT_IN_BATCH' } })
      await hold.unlock()
      await expect(
        clients.mine.batch((batch) => [batch.getPriorityBlockingQueue(name).take()]),
      ).rejects.toMatchObject({ code: 'NOT_IN_BATCH' })
      expect(await queue.readAll()).toEqual(['a', 'b'])
    })
  })

  it('is not changed by value where a client in Java gave it another order, but read and polled', async () => {
    await withQueue(async (queue, name) => {
      await askOwner(topology, name, 'RPUSH', '"b"', '"a"')
      await askOwner(topology, `${name}:redisson_sortedset_comparator`, 'SET', 'a.Class:sign')
      for (const call of [
        () => queue.add('c'),
        () => queue.remove('a'),
        () => queue.contains('a'),
        () => queue.indexOf('a'),
        () => queue.retainAll(['a']),
        () => queue.removeLastOccurrence('a'),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE', object: name })
      expect(await queue.readAll()).toEqual(['b', 'a'])
      expect(await queue.poll()).toBe('b')
      expect(await queue.delete()).toBe(true)
      expect(await queue.add('c')).toBe(true)
    })
  })

  it('is refused where the name belongs to another kind of object, and leaves that as it is', async () => {
    const name = `priority-${topology.kind}-wrong`
    const bucket = clients.mine.getBucket(name)
    await bucket.set('mine')
    const queue = clients.mine.getPriorityBlockingDeque(name)
    for (const call of [
      () => queue.add('a'),
      () => queue.remove('a'),
      () => queue.retainAll(['a']),
      () => queue.retainAll([]),
      () => queue.indexOf('a'),
      () => queue.poll(),
      () => queue.take(),
      () => queue.pollLast({ waitMs: 300 }),
      () => queue.peek(),
      () => allOf(queue),
      () => queue.delete(),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    expect(await bucket.get()).toBe('mine')
    await bucket.delete()
  })

  it('is no destination of a delayed queue', () => {
    const queue = clients.mine.getPriorityQueue('priority-delayed')
    expect(() => clients.mine.getDelayedQueue(queue as never)).toThrow(TypeError)
  })
})

describe('bad input to a priority queue', () => {
  const [single] = slottedTopologies
  if (single === undefined) throw new Error('Expected a topology')
  const clients = twoClients(single)

  it('is refused where it has no place in an order, and nothing is sent', async () => {
    const queue = clients.mine.getPriorityDeque('bad-priority')
    for (const value of [undefined, null, NaN, Infinity, {}, true, '\ud83d'] as unknown as string[])
      for (const call of [
        () => queue.add(value),
        () => queue.addAll(['a', value]),
        () => queue.contains(value),
        () => queue.remove(value),
        () => queue.removeLastOccurrence(value),
        () => queue.retainAll([value]),
        () => queue.indexOf(value),
      ])
        await expect(call()).rejects.toThrow(TypeError)
    await expect(queue.addAll('abc')).rejects.toThrow(TypeError)
    await expect(queue.poll(5_001)).rejects.toThrow(RangeError)
    expect(await queue.isExists()).toBe(false)
  })

  it('is refused where it is of another kind than what is there, and nothing is changed', async () => {
    const queue = clients.mine.getPriorityQueue<SortedValue>('bad-priority')
    await queue.addAll(['a', 'b'])
    for (const call of [
      () => queue.add(5),
      () => queue.addAll([5, 6]),
      () => queue.remove(5),
      () => queue.removeAll([5]),
      () => queue.contains(5),
      () => queue.indexOf(5),
      () => queue.addAll(['c', 5]),
    ])
      await expect(call()).rejects.toThrow(TypeError)
    expect(await queue.readAll()).toEqual(['a', 'b'])
    await queue.delete()
  })
})
