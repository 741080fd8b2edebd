import { describe, expect, it } from 'vitest'
import { bytesCodec, stringCodec, type RDeque, type ValueOptions } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

const LONG_MS = 600_000

const numbers = (length: number, first = 0) => Array.from({ length }, (_, n) => first + n)

describe.each(slottedTopologies)('a deque ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A deque that is removed after the test, and the name of another one in its slot. */
  const withDeque = async (
    use: (deque: RDeque<unknown>, name: string, other: string) => Promise<void>,
    content: readonly unknown[] = [],
    options?: ValueOptions<unknown>,
  ) => {
    const name = `deque-${topology.kind}-${String(names++)}`
    const other = `{${name}}:other`
    const deque = clients.mine.getDeque(name, options)
    try {
      await deque.addAll(content)
      await use(deque, name, other)
    } finally {
      await clients.mine.getKeys().delete(name, other)
    }
  }

  it('adds values at both ends, and returns the size', async () => {
    await withDeque(async (deque, name) => {
      expect(await deque.addLast('a', 'b')).toBe(2)
      expect(await deque.addFirst('c', 'd')).toBe(4)
      expect(await deque.offerFirst('e')).toBe(true)
      expect(await deque.offerLast(null)).toBe(true)
      await deque.push('f')
      expect(await clients.other.getDeque(name).readAll()).toEqual(['f', 'e', 'd', 'c', 'a', 'b', null])
    })
  })

  it('adds values if there is any element', async () => {
    await withDeque(async (deque) => {
      expect(await deque.addFirstIfExists('a')).toBe(0)
      expect(await deque.addLastIfExists('a', 'b')).toBe(0)
      expect(await deque.isExists()).toBe(false)
      await deque.add('x')
      expect(await deque.addFirstIfExists('a', 'b')).toBe(3)
      expect(await deque.addLastIfExists('c', 'd')).toBe(5)
      expect(await deque.readAll()).toEqual(['b', 'a', 'x', 'c', 'd'])
    })
  })

  it('has nothing where it is not there', async () => {
    await withDeque(async (deque, name, other) => {
      expect(await deque.pollFirst()).toBeUndefined()
      expect(await deque.pollLast()).toBeUndefined()
      expect(await deque.pollFirst(2)).toEqual([])
      expect(await deque.pollLast(2)).toEqual([])
      expect(await deque.pollLast(0)).toEqual([])
      expect(await deque.peekFirst()).toBeUndefined()
      expect(await deque.peekLast()).toBeUndefined()
      expect(await deque.removeFirstOccurrence('a')).toBe(false)
      expect(await deque.removeLastOccurrence('a')).toBe(false)
      expect(await deque.move({ poll: 'first', addLastTo: other })).toBeUndefined()
      expect(await deque.move({ poll: 'last', addLastTo: name })).toBeUndefined()
      expect(await allOf(deque.descendingIterator())).toEqual([])
      expect(await deque.isExists()).toBe(false)
    })
  })

  it.each([false, true])('refuses to have no element (exactlyOnce: %o)', async (exactlyOnce) => {
    await withDeque(
      async (deque, name) => {
        const wrong = { code: 'NO_SUCH_ELEMENT', object: name, mayHaveRun: false }
        for (const call of [
          () => deque.getFirst(),
          () => deque.getLast(),
          () => deque.removeFirst(),
          () => deque.removeLast(),
          () => deque.pop(),
          () => deque.element(),
          () => deque.remove(),
        ])
          await expect(call()).rejects.toMatchObject(wrong)
        expect(await deque.isExists()).toBe(false)
      },
      [],
      { exactlyOnce },
    )
  })

  it('reads and removes elements at both ends', async () => {
    await withDeque(async (deque) => {
      expect(await deque.peekFirst()).toBe(0)
      expect(await deque.peekLast()).toBe(11)
      expect(await deque.getFirst()).toBe(0)
      expect(await deque.getLast()).toBe(11)
      expect(await deque.pollFirst()).toBe(0)
      expect(await deque.pollLast()).toBe(11)
      expect(await deque.removeFirst()).toBe(1)
      expect(await deque.removeLast()).toBe(10)
      expect(await deque.pop()).toBe(2)
      expect(await deque.poll()).toBe(3)
      expect(await deque.pollFirst(2)).toEqual([4, 5])
      expect(await deque.pollLast(2)).toEqual([9, 8])
      expect(await deque.pollLast(9)).toEqual([7, 6])
      expect(await deque.isExists()).toBe(false)
    }, numbers(12))
  })

  it('is a stack', async () => {
    await withDeque(async (deque) => {
      await deque.push('a')
      await deque.push('b')
      expect(await deque.peek()).toBe('b')
      expect(await deque.pop()).toBe('b')
      expect(await deque.pop()).toBe('a')
    })
  })

  it('removes the first or the last element that is equal to a value', async () => {
    await withDeque(
      async (deque) => {
        expect(await deque.removeLastOccurrence('a')).toBe(true)
        expect(await deque.readAll()).toEqual(['a', 'b', 'a', 'c'])
        expect(await deque.removeFirstOccurrence('a')).toBe(true)
        expect(await deque.readAll()).toEqual(['b', 'a', 'c'])
        expect(await deque.removeFirstOccurrence('none')).toBe(false)
        expect(await deque.removeLastOccurrence('none')).toBe(false)
      },
      ['a', 'b', 'a', 'c', 'a'],
    )
  })

  it('moves an element from either end to either end', async () => {
    await withDeque(
      async (deque, _, other) => {
        const target = clients.other.getDeque(other)
        expect(await deque.move({ poll: 'first', addLastTo: other })).toBe('a')
        expect(await deque.move({ poll: 'last', addLastTo: other })).toBe('d')
        expect(await deque.move({ poll: 'first', addFirstTo: other })).toBe('b')
        expect(await deque.move({ poll: 'last', addFirstTo: other })).toBe('c')
        expect(await target.readAll()).toEqual(['c', 'b', 'a', 'd'])
        expect(await deque.isExists()).toBe(false)
        expect(await target.move({ to: deque.name, count: 2 })).toEqual(['c', 'b'])
        expect(await deque.readAll()).toEqual(['c', 'b'])
      },
      ['a', 'b', 'c', 'd'],
    )
  })

  it('goes around, and keeps its time to live', async () => {
    await withDeque(
      async (deque, name) => {
        await deque.expire(LONG_MS)
        expect(await deque.move({ poll: 'first', addLastTo: name })).toBe('a')
        expect(await deque.readAll()).toEqual(['b', 'c', 'a'])
        expect(await deque.move({ poll: 'last', addFirstTo: name })).toBe('a')
        expect(await deque.move({ poll: 'first', addFirstTo: name })).toBe('a')
        expect(await deque.readAll()).toEqual(['a', 'b', 'c'])
        await deque.pollLast(2)
        expect(await deque.move({ poll: 'last', addFirstTo: name })).toBe('a')
        expect(await deque.remainTimeToLive()).toBeGreaterThan(0)
      },
      ['a', 'b', 'c'],
    )
  })

  it.each([0, 1, 999, 1_000, 1_001, 2_000, 2_500])(
    'is walked through from its last element to its first: %i of them',
    async (length) => {
      await withDeque(async (deque) => {
        expect(await allOf(deque.descendingIterator())).toEqual(numbers(length).toReversed())
        expect(await deque.size()).toBe(length)
      }, numbers(length))
    },
  )

  it('begins a new walk for each loop, which may be ended at any time', async () => {
    await withDeque(async (deque) => {
      const elements = deque.descendingIterator()
      const seen: unknown[] = []
      for await (const element of elements) if (seen.push(element) === 3) break
      expect(seen).toEqual([29, 28, 27])
      await deque.addLast('last')
      expect(await allOf(elements)).toEqual(['last', ...numbers(30).toReversed()])
    }, numbers(30))
  })

  it('takes as many values as one request has', async () => {
    await withDeque(async (deque) => {
      const all = numbers(5_000)
      expect(await deque.addLast(...all)).toBe(5_000)
      expect(await deque.pollLast(5_000)).toEqual(all.toReversed())
      expect(await deque.addFirst(...all)).toBe(5_000)
      expect(await deque.pollFirst(5_000)).toEqual(all.toReversed())
      await expect(deque.addFirst(...numbers(5_001))).rejects.toThrow(RangeError)
      await expect(deque.addLastIfExists(...numbers(5_001))).rejects.toThrow(
        'from 1 to 5000 values, got 5001',
      )
    })
  })

  it('has values of all codecs', async () => {
    const bytes = Buffer.of(0xff, 0x00, 0x80)
    await withDeque(
      async (deque) => {
        await deque.addFirst(bytes)
        expect(await deque.removeLastOccurrence(Buffer.of(1))).toBe(true)
        expect(await deque.pollLast()).toEqual(bytes)
      },
      [Buffer.of(1)],
      { codec: bytesCodec() as never },
    )
  })

  it('ends a walk at what the codec cannot read, and gives back what it has removed', async () => {
    await withDeque(async (deque, name, other) => {
      await clients.mine.getDeque<string>(name, { codec: stringCodec() }).addAll(['{first', '1', '{last'])
      const wrong = { code: 'CODEC', object: name }
      await expect(allOf(deque.descendingIterator())).rejects.toMatchObject(wrong)
      await expect(deque.peekLast()).rejects.toMatchObject(wrong)
      const error: unknown = await deque.pollLast(2).catch((reason: unknown) => reason)
      expect(error).toMatchObject(wrong)
      expect((error as { taken(): unknown }).taken()).toEqual([1])
      await expect(deque.move({ poll: 'last', addFirstTo: other })).rejects.toMatchObject(wrong)
      expect(await askOwner(topology, other, 'LRANGE', 0, -1)).toEqual(['{first'])
    })
  })

  it('refuses another kind of object, and leaves it as it is', async () => {
    await withDeque(async (deque, name, other) => {
      await askOwner(topology, name, 'HSET', 'field', 'value')
      for (const call of [
        () => deque.addFirst('a'),
        () => deque.addLast('a'),
        () => deque.addFirstIfExists('a'),
        () => deque.addLastIfExists('a'),
        () => deque.offerFirst('a'),
        () => deque.offerLast('a'),
        () => deque.push('a'),
        () => deque.pop(),
        () => deque.pollFirst(),
        () => deque.pollFirst(2),
        () => deque.pollLast(),
        () => deque.pollLast(2),
        () => deque.peekFirst(),
        () => deque.peekLast(),
        () => deque.getFirst(),
        () => deque.getLast(),
        () => deque.removeFirst(),
        () => deque.removeLast(),
        () => deque.removeFirstOccurrence('a'),
        () => deque.removeLastOccurrence('a'),
        () => deque.move({ poll: 'first', addLastTo: other }),
        () => allOf(deque.descendingIterator()),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE', object: name })
      expect(await askOwner(topology, name, 'HGETALL')).toEqual(['field', 'value'])
      const [from, to] = [clients.mine.getDeque(other), { poll: 'first', addLastTo: name } as const]
      await from.add('stays')
      await expect(from.move(to)).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      expect(await from.readAll()).toEqual(['stays'])
    })
  })

  it('moves nothing to another slot of a cluster', async () => {
    await withDeque(
      async (deque) => {
        const moved = deque.move({ poll: 'first', addLastTo: 'deque-elsewhere' })
        if (topology.kind === 'cluster') await expect(moved).rejects.toMatchObject({ name: 'CrossSlotError' })
        else expect(await moved).toBe('a')
        await clients.mine.getKeys().delete('deque-elsewhere')
      },
      ['a', 'b'],
    )
  })

  it('is used in batches, but not walked through', async () => {
    await withDeque(async (deque, name, other) => {
      const results = await clients.mine.batch((batch) => {
        const batched = batch.getDeque<number>(name)
        return [
          batched.addLast(1, 2, 3),
          batched.pollLast(),
          batched.move({ poll: 'first', addLastTo: other }),
          batched.getLast(),
          batched.removeFirst(),
        ]
      })
      expect(results).toEqual([3, 3, 1, 2, 2])
      await expect(
        clients.mine.batch((batch) => [batch.getDeque(name).descendingIterator()]),
      ).rejects.toMatchObject({ code: 'NOT_IN_BATCH' })
      expect(await deque.isExists()).toBe(false)
    })
  })
})

describe('a deque of bad arguments', () => {
  const [single] = slottedTopologies
  if (single === undefined) throw new Error('Expected a topology')
  const clients = twoClients(single)
  const bad = () => clients.mine.getDeque('bad')

  it('refuses undefined as a value, and no value at all, and sends nothing', async () => {
    const deque = bad()
    for (const call of [
      () => deque.addFirst(undefined),
      () => deque.addLast('a', undefined),
      () => deque.addFirstIfExists(undefined),
      () => deque.addLastIfExists(undefined),
      () => deque.offerFirst(undefined),
      () => deque.offerLast(undefined),
      () => deque.push(undefined),
      () => deque.removeFirstOccurrence(undefined),
      () => deque.removeLastOccurrence(undefined),
    ])
      await expect(call()).rejects.toThrow(TypeError)
    for (const call of [
      () => deque.addFirst(),
      () => deque.addLast(),
      () => deque.addFirstIfExists(),
      () => deque.addLastIfExists(),
    ])
      await expect(call()).rejects.toThrow('from 1 to 5000 values, got 0')
    expect(await deque.isExists()).toBe(false)
  })

  it('refuses counts that are none, or too large', async () => {
    for (const count of [-1, 0.5, NaN, '1', null, {}, 5_001]) {
      await expect(bad().pollFirst(count as never)).rejects.toThrow(RangeError)
      await expect(bad().pollLast(count as never)).rejects.toThrow(RangeError)
    }
  })

  it('refuses a move that is none, and arguments too many', async () => {
    for (const options of [
      undefined,
      null,
      {},
      { poll: 'first' },
      { poll: 'first', addFirstTo: 'a', addLastTo: 'b' },
      { poll: 'first', to: 'a' },
      { poll: 'first', addFirstTo: '' },
      { poll: 'first', addFirstTo: null },
      { poll: 'first', addLastTo: 5 },
      { poll: 'last', addLastTo: 'bad', count: 2 },
    ])
      await expect(bad().move(options as never)).rejects.toThrow(TypeError)
    for (const poll of [undefined, null, 'head', 1])
      await expect(bad().move({ poll, addLastTo: 'bad' } as never)).rejects.toThrow(
        "`poll` to be 'first' or 'last'",
      )
    const deque = bad() as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
    for (const [method, args, hint] of [
      ['offerFirst', ['a', 'b'], 'one value'],
      ['offerLast', ['a', 'b'], 'one value'],
      ['push', ['a', 'b'], 'one value'],
      ['pollFirst', [1, 2], 'one count'],
      ['pollLast', [1, 2], 'one count'],
      ['removeFirstOccurrence', ['a', 'b'], 'one element'],
      ['removeLastOccurrence', ['a', 'b'], 'one element'],
      ['move', [{ poll: 'first', addLastTo: 'bad' }, 2], 'one object of options'],
      ['pop', [1], 'this object alone'],
    ] as const)
      await expect(deque[method]?.(...args)).rejects.toThrow(hint)
    expect(await bad().isExists()).toBe(false)
  })
})
