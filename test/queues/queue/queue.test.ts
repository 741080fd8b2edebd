import { describe, expect, it } from 'vitest'
import {
  bytesCodec,
  msgpackCodec,
  stringCodec,
  type CodecError,
  type RQueue,
  type ValueOptions,
} from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** More than one request may be about. */
const MANY = 12_000

const LONG_MS = 600_000

const numbers = (length: number, first = 0) => Array.from({ length }, (_, n) => first + n)

describe.each(slottedTopologies)('a queue ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A queue that is removed after the test, and the name of another one in its slot. */
  const withQueue = async (
    use: (queue: RQueue<unknown>, name: string, other: string) => Promise<void>,
    content: readonly unknown[] = [],
    options?: ValueOptions<unknown>,
  ) => {
    const name = `queue-${topology.kind}-${String(names++)}`
    const other = `{${name}}:other`
    const queue = clients.mine.getQueue(name, options)
    try {
      await queue.addAll(content)
      await use(queue, name, other)
    } finally {
      await clients.mine.getKeys().delete(name, other)
    }
  }

  it('is shared by all clients, and is not there at first', async () => {
    await withQueue(async (queue, name) => {
      expect(await queue.isExists()).toBe(false)
      expect(await queue.add({ name: 'Ada', none: null })).toBe(true)
      expect(await queue.offer(null)).toBe(true)
      expect(await clients.other.getQueue(name).poll()).toEqual({ name: 'Ada', none: null })
      expect(await clients.other.getQueue(name).poll()).toBeNull()
      expect(await queue.isExists()).toBe(false)
    })
  })

  it('has nothing where it is not there', async () => {
    await withQueue(async (queue, name, other) => {
      expect(await queue.poll()).toBeUndefined()
      expect(await queue.poll(3)).toEqual([])
      expect(await queue.poll(0)).toEqual([])
      expect(await queue.peek()).toBeUndefined()
      expect(await queue.size()).toBe(0)
      expect(await queue.isEmpty()).toBe(true)
      expect(await queue.contains(1)).toBe(false)
      expect(await queue.containsAll([1])).toBe(false)
      expect(await queue.containsAll([])).toBe(true)
      expect(await queue.indexOf(1)).toBe(-1)
      expect(await queue.readAll()).toEqual([])
      expect(await allOf(queue)).toEqual([])
      expect(await queue.addAll([])).toBe(false)
      expect(await queue.remove(1)).toBe(false)
      expect(await queue.removeAll([1])).toBe(false)
      expect(await queue.retainAll([])).toBe(false)
      expect(await queue.pollLastAndOfferFirstTo(other)).toBeUndefined()
      expect(await queue.pollLastAndOfferFirstTo(name)).toBeUndefined()
      expect(await queue.move({ to: other, count: 2 })).toEqual([])
      expect(await queue.move({ to: name, exactly: true })).toEqual([])
      await queue.clear()
      expect(await queue.isExists()).toBe(false)
      expect(await clients.mine.getQueue(other).isExists()).toBe(false)
    })
  })

  it.each([false, true])('refuses to have no element (exactlyOnce: %o)', async (exactlyOnce) => {
    await withQueue(
      async (queue, name) => {
        const wrong = { code: 'NO_SUCH_ELEMENT', object: name, mayHaveRun: false }
        await expect(queue.element()).rejects.toMatchObject(wrong)
        await expect(queue.remove()).rejects.toMatchObject(wrong)
        expect(await queue.isExists()).toBe(false)
      },
      [],
      { exactlyOnce },
    )
  })

  it('returns elements in the order in which they were added', async () => {
    await withQueue(async (queue) => {
      await queue.add(1)
      expect(await queue.addAll(new Set([2, 3, 4]))).toBe(true)
      await queue.offer(5)
      expect(await queue.peek()).toBe(1)
      expect(await queue.element()).toBe(1)
      expect(await queue.poll()).toBe(1)
      expect(await queue.remove()).toBe(2)
      expect(await queue.poll(2)).toEqual([3, 4])
      expect(await queue.readAll()).toEqual([5])
      expect(await queue.poll(9)).toEqual([5])
      expect(await queue.isExists()).toBe(false)
    })
  })

  it('gives each element to one of several clients', async () => {
    await withQueue(async (queue, name) => {
      await queue.addAll(numbers(300))
      const pollers = [queue, clients.other.getQueue(name), clients.other.getQueue(name)]
      const polled = await Promise.all(
        pollers.map(async (poller) => {
          const mine: unknown[] = []
          for (let next = await poller.poll(7); next.length > 0; next = await poller.poll(7))
            mine.push(...next)
          return mine
        }),
      )
      for (const mine of polled) expect(mine).toEqual(mine.toSorted((a, b) => Number(a) - Number(b)))
      expect(polled.flat().toSorted((a, b) => Number(a) - Number(b))).toEqual(numbers(300))
    })
  })

  it('tells the removal of the head from that of a value', async () => {
    await withQueue(
      async (queue) => {
        expect(await queue.remove('b')).toBe(true)
        expect(await queue.remove('none')).toBe(false)
        expect(await queue.remove(null)).toBe(true)
        await expect(queue.remove(undefined)).rejects.toThrow(TypeError)
        expect(await queue.readAll()).toEqual(['a', 'c', 'b'])
        expect(await queue.remove()).toBe('a')
        expect(await queue.readAll()).toEqual(['c', 'b'])
      },
      ['a', 'b', null, 'c', 'b'],
    )
  })

  it('removes, keeps and finds values by their bytes', async () => {
    await withQueue(
      async (queue) => {
        expect(await queue.contains({ y: 2, x: 1 })).toBe(false)
        expect(await queue.contains({ x: 1, y: 2 })).toBe(true)
        expect(await queue.indexOf('1')).toBe(2)
        expect(await queue.containsAll([1, '1'])).toBe(true)
        expect(await queue.containsAll([1, 2])).toBe(false)
        expect(await queue.removeAll([1, 'none'])).toBe(true)
        expect(await queue.removeAll([1])).toBe(false)
        expect(await queue.retainAll([{ x: 1, y: 2 }])).toBe(true)
        expect(await queue.readAll()).toEqual([{ x: 1, y: 2 }])
        expect(await queue.retainAll([])).toBe(true)
        expect(await queue.isExists()).toBe(false)
      },
      [{ x: 1, y: 2 }, 1, '1', 1],
    )
  })

  it('is the list and the deque of its name', async () => {
    await withQueue(async (queue, name) => {
      await clients.other.getList(name).addAll(['a', 'b'])
      await clients.other.getDeque(name).addFirst('first')
      expect(await queue.poll(2)).toEqual(['first', 'a'])
      expect(await clients.other.getList(name).readAll()).toEqual(['b'])
    })
  })

  it('gives its last element to the front of another queue, or of itself', async () => {
    await withQueue(
      async (queue, name, other) => {
        expect(await queue.pollLastAndOfferFirstTo(other)).toBe('c')
        expect(await queue.pollLastAndOfferFirstTo(other)).toBe('b')
        expect(await clients.other.getQueue(other).readAll()).toEqual(['b', 'c'])
        await queue.addAll(['x', 'y'])
        expect(await queue.pollLastAndOfferFirstTo(name)).toBe('y')
        expect(await queue.readAll()).toEqual(['y', 'a', 'x'])
      },
      ['a', 'b', 'c'],
    )
  })

  it('moves elements from its head to the end of another queue, at most as many as it should', async () => {
    await withQueue(async (queue, _, other) => {
      const target = clients.other.getQueue(other)
      await target.add('there')
      expect(await queue.move({ to: other })).toEqual([0])
      expect(await queue.move({ to: other, count: 3 })).toEqual([1, 2, 3])
      expect(await target.readAll()).toEqual(['there', 0, 1, 2, 3])
      expect(await queue.readAll()).toEqual([4, 5])
      expect(await queue.move({ to: other, count: 3, exactly: true })).toEqual([])
      expect(await queue.readAll()).toEqual([4, 5])
      expect(await queue.move({ to: other, count: 2, exactly: true })).toEqual([4, 5])
      expect(await target.size()).toBe(7)
      expect(await queue.isExists()).toBe(false)
      await target.move({ to: queue.name, count: 5_000, exactly: false })
      expect(await queue.size()).toBe(7)
    }, numbers(6))
  })

  it('moves each element once where it goes around, and keeps its time to live', async () => {
    await withQueue(
      async (queue, name) => {
        await queue.expire(LONG_MS)
        expect(await queue.move({ to: name, count: 2 })).toEqual(['a', 'b'])
        expect(await queue.readAll()).toEqual(['c', 'a', 'b'])
        expect(await queue.move({ to: name, count: 100 })).toEqual(['c', 'a', 'b'])
        expect(await queue.readAll()).toEqual(['c', 'a', 'b'])
        expect(await queue.move({ to: name, count: 4, exactly: true })).toEqual([])
        await queue.poll(2)
        expect(await queue.move({ to: name, count: 5 })).toEqual(['b'])
        expect(await queue.pollLastAndOfferFirstTo(name)).toBe('b')
        expect(await queue.remainTimeToLive()).toBeGreaterThan(0)
      },
      ['a', 'b', 'c'],
    )
  })

  it('holds many elements, in their order', async () => {
    await withQueue(async (queue, _, other) => {
      const all = numbers(MANY)
      expect(await queue.addAll(all)).toBe(true)
      expect(await queue.readAll()).toEqual(all)
      expect(await allOf(queue.values({ count: 700 }))).toEqual(all)
      expect(await queue.containsAll(all)).toBe(true)
      expect(await queue.poll(5_000)).toEqual(all.slice(0, 5_000))
      expect(await queue.move({ to: other, count: 5_000, exactly: true })).toEqual(all.slice(5_000, 10_000))
      expect(await queue.retainAll(all)).toBe(false)
      expect(await queue.removeAll(all)).toBe(true)
      expect(await clients.other.getQueue(other).readAll()).toEqual(all.slice(5_000, 10_000))
    })
  })

  it('is walked through from its head, and keeps its elements', async () => {
    await withQueue(async (queue) => {
      const seen: unknown[] = []
      for await (const element of queue) if (seen.push(element) === 15) break
      expect(seen).toEqual(numbers(15))
      expect(await allOf(queue.values({ count: 4 }))).toEqual(numbers(30))
      expect(await queue.size()).toBe(30)
    }, numbers(30))
  })

  it('has values of all codecs', async () => {
    const bytes = Buffer.of(0xff, 0x00, 0x80)
    await withQueue(
      async (queue) => {
        expect(await queue.indexOf(bytes)).toBe(1)
        expect(await queue.poll(2)).toEqual([Buffer.of(1), bytes])
      },
      [Buffer.of(1), bytes],
      { codec: bytesCodec() as never },
    )
    await withQueue(async (queue) => expect(await queue.poll()).toEqual(new Date(5)), [new Date(5)], {
      codec: msgpackCodec() as never,
    })
  })

  it('gives back what it has removed and cannot read', async () => {
    await withQueue(async (queue, name, other) => {
      const texts = clients.mine.getQueue<string>(name, { codec: stringCodec() })
      await texts.addAll(['1', '{not json', '2', '{neither', '{nor'])
      const failureOf = async (call: Promise<unknown>) => {
        const error = (await call.catch((reason: unknown) => reason)) as CodecError
        expect(error).toMatchObject({ code: 'CODEC', object: name })
        return [error.taken(), error.unreadable().map(String)]
      }
      await expect(queue.readAll()).rejects.toMatchObject({ code: 'CODEC' })
      expect(await allOf(queue.values({ onInvalid: 'skip' }))).toEqual([1, 2])
      expect(await failureOf(queue.poll(3))).toEqual([[1, 2], ['{not json']])
      await expect(queue.peek()).rejects.toMatchObject({ code: 'CODEC' })
      expect(await failureOf(queue.remove())).toEqual([[], ['{neither']])
      expect(await failureOf(queue.move({ to: other }))).toEqual([[], ['{nor']])
      expect(await texts.isExists()).toBe(false)
      expect(await askOwner(topology, other, 'LRANGE', 0, -1)).toEqual(['{nor'])
    })
  })

  it('refuses another kind of object, and leaves it as it is', async () => {
    await withQueue(async (queue, name, other) => {
      await askOwner(topology, name, 'HSET', 'field', 'value')
      for (const call of [
        () => queue.add('a'),
        () => queue.addAll(['a']),
        () => queue.offer('a'),
        () => queue.poll(),
        () => queue.poll(2),
        () => queue.peek(),
        () => queue.element(),
        () => queue.remove(),
        () => queue.remove('a'),
        () => queue.removeAll(['a']),
        () => queue.retainAll(['a']),
        () => queue.pollLastAndOfferFirstTo(other),
        () => queue.pollLastAndOfferFirstTo(name),
        () => queue.move({ to: other }),
        () => queue.move({ to: name }),
        () => queue.contains('a'),
        () => queue.containsAll(['a']),
        () => queue.indexOf('a'),
        () => queue.size(),
        () => queue.clear(),
        () => queue.readAll(),
        () => allOf(queue),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE', object: name })
      expect(await askOwner(topology, name, 'HGETALL')).toEqual(['field', 'value'])
      expect(await askOwner(topology, other, 'EXISTS')).toBe(0)
    })
  })

  it('moves nothing to another kind of object', async () => {
    await withQueue(
      async (queue, _, other) => {
        await askOwner(topology, other, 'HSET', 'field', 'value')
        await expect(queue.move({ to: other, count: 2 })).rejects.toMatchObject({ code: 'WRONG_TYPE' })
        await expect(queue.pollLastAndOfferFirstTo(other)).rejects.toMatchObject({ code: 'WRONG_TYPE' })
        expect(await queue.readAll()).toEqual(['a', 'b'])
        expect(await askOwner(topology, other, 'HGETALL')).toEqual(['field', 'value'])
      },
      ['a', 'b'],
    )
  })

  it('moves nothing to another slot of a cluster', async () => {
    await withQueue(
      async (queue) => {
        const elsewhere = 'queue-elsewhere'
        const outcomes = await Promise.allSettled([
          queue.pollLastAndOfferFirstTo(elsewhere),
          queue.move({ to: elsewhere }),
        ])
        const isCluster = topology.kind === 'cluster'
        expect(
          outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as Error).name : '')),
        ).toEqual(isCluster ? ['CrossSlotError', 'CrossSlotError'] : ['', ''])
        expect(await queue.size()).toBe(isCluster ? 3 : 1)
        await clients.mine.getKeys().delete(elsewhere)
      },
      ['a', 'b', 'c'],
    )
  })

  it('is used in batches, but not in turns', async () => {
    await withQueue(async (queue, name, other) => {
      const results = await clients.mine.batch((batch) => {
        const batched = batch.getQueue<number>(name)
        return [
          batched.addAll([1, 2, 3, 4]),
          batched.poll(),
          batched.poll(2),
          batched.move({ to: other }),
          batched.readAll(),
        ]
      })
      expect(results).toEqual([true, 1, [2, 3], [4], []])
      await expect(
        clients.mine.batch((batch) => [batch.getQueue(name).addAll(numbers(5_001))]),
      ).rejects.toMatchObject({ code: 'NOT_IN_BATCH' })
      await expect(clients.mine.batch((batch) => [batch.getQueue(name).element()])).rejects.toMatchObject({
        code: 'BATCH',
        failures: [{ index: 0, error: { code: 'NO_SUCH_ELEMENT' } }],
      })
      expect(await queue.isExists()).toBe(false)
    })
  })
})

describe('a queue of bad arguments', () => {
  const [single] = slottedTopologies
  if (single === undefined) throw new Error('Expected a topology')
  const clients = twoClients(single)
  const bad = () => clients.mine.getQueue('bad')

  it('refuses undefined as a value, and sends nothing', async () => {
    const queue = bad()
    for (const call of [
      () => queue.add(undefined),
      () => queue.offer(undefined),
      () => queue.addAll(['a', undefined]),
      () => queue.remove(undefined),
      () => queue.removeAll([undefined]),
      () => queue.retainAll([undefined]),
      () => queue.contains(undefined),
      () => queue.containsAll([undefined]),
      () => queue.indexOf(undefined),
    ])
      await expect(call()).rejects.toThrow(TypeError)
    await expect(queue.add(undefined)).rejects.toThrow('poll() removes the head')
    expect(await queue.isExists()).toBe(false)
  })

  it('refuses what cannot be written, of all values before any is sent', async () => {
    const queue = bad()
    for (const value of [NaN, () => 1, new Map()]) {
      await expect(queue.add(value)).rejects.toMatchObject({ code: 'CODEC', object: 'bad' })
      await expect(queue.addAll([...numbers(6_000), value])).rejects.toMatchObject({ code: 'CODEC' })
    }
    expect(await queue.isExists()).toBe(false)
  })

  it('refuses counts that are none, or too large', async () => {
    const queue = bad()
    for (const count of [-1, 0.5, NaN, '1', null, {}, 5_001])
      await expect(queue.poll(count as never)).rejects.toThrow(RangeError)
    for (const count of [0, -1, 0.5, '1', null, 5_001])
      await expect(queue.move({ to: 'bad', count: count as never })).rejects.toThrow(RangeError)
  })

  it('refuses options that are unknown or wrong, and arguments too many', async () => {
    const { mine } = clients
    for (const options of [{ ttl: 5 }, { exactlyOnce: 'yes' }, { codec: stringCodec }, 5])
      expect(() => mine.getQueue('bad', options as never)).toThrow(TypeError)
    for (const name of ['', 5, undefined, 'half \ud800']) {
      expect(() => mine.getQueue(name as string)).toThrow(TypeError)
      await expect(bad().pollLastAndOfferFirstTo(name as string)).rejects.toThrow(TypeError)
      await expect(bad().move({ to: name as string })).rejects.toThrow(TypeError)
    }
    for (const options of [
      undefined,
      null,
      'other',
      {},
      { to: 'other', exact: true },
      { to: 'x', exactly: 1 },
    ])
      await expect(bad().move(options as never)).rejects.toThrow(TypeError)
    const queue = bad() as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
    for (const [method, args, hint] of [
      ['add', ['a', 'b'], 'addAll()'],
      ['offer', ['a', 'b'], 'addAll()'],
      ['addAll', [['a'], ['b']], 'one list'],
      ['poll', [1, 2], 'one count'],
      ['remove', ['a', 2], 'removeAll()'],
      ['pollLastAndOfferFirstTo', ['bad', 'b'], 'one other queue'],
      ['move', [{ to: 'bad' }, 2], 'one object of options'],
      ['peek', [1], 'this object alone'],
    ] as const)
      await expect(queue[method]?.(...args)).rejects.toThrow(hint)
    expect(await bad().isExists()).toBe(false)
  })
})
