import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  NoSuchElementError,
  Redisson,
  stringCodec,
  type RBlockingQueue,
  type RDelayedQueue,
} from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { channelsOf } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** More than one request may be about. */
const MANY = 12_000

/** So long that nothing gets to the destination meanwhile. */
const LONG_MS = 600_000

/** Twelve days, and longer than the time since 1970. */
const [DISTANT_MS, ENDLESS_MS] = [1e9, 4e12]

/** More than the time in which all elements are offered. */
const APART_MS = 60_000

/** Longer than a round trip. */
const SOON_MS = 60

const tagged = (name: string) => (name.includes('{') ? name : `{${name}}`)

const numbers = (length: number, first = 0) => Array.from({ length }, (_, n) => first + n)

describe.each(slottedTopologies)('a delayed queue ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A destination, and what is to get there later. Both are removed after the test. */
  const withQueue = async (
    use: (delayed: RDelayedQueue<unknown>, queue: RBlockingQueue<unknown>) => Promise<void>,
    content: readonly unknown[] = [],
  ) => {
    const queue = clients.mine.getBlockingQueue(`delayed-${topology.kind}-${String(names++)}`)
    await using delayed = clients.mine.getDelayedQueue(queue)
    try {
      for (const element of content) await delayed.offer(element, LONG_MS)
      await use(delayed, queue)
    } finally {
      await delayed.delete()
      await queue.delete()
    }
  }

  /** What a raw command says about the keys of records and of due times. */
  const look = async ({ name }: { readonly name: string }) => [
    await askOwner(topology, `redisson_delay_queue:${tagged(name)}`, 'LLEN'),
    await askOwner(topology, `redisson_delay_queue_timeout:${tagged(name)}`, 'ZCARD'),
  ]

  /** Halves all due times: those that are decades away stay in the future, and others become past. */
  const hurry = async ({ name }: { readonly name: string }) => {
    const dueTimes = `redisson_delay_queue_timeout:{${name}}`
    await askOwner(topology, dueTimes, 'ZUNIONSTORE', 1, dueTimes, 'WEIGHTS', 0.5)
  }

  it('adds elements to their queue in the order of their due times', { tags: ['timed'] }, async () => {
    await withQueue(async (delayed, queue) => {
      await delayed.offer('later', 1_500)
      await delayed.offer(null, 750) // long enough for a machine that is busy
      await delayed.offer({ a: [1] }, 0)
      expect([await queue.take(), await queue.take(), await queue.take()]).toEqual([
        { a: [1] },
        null,
        'later',
      ])
      expect(await look(delayed)).toEqual([0, 0])
    })
  })

  it('adds no element before its time', { tags: ['timed'] }, async () => {
    await withQueue(async (delayed, queue) => {
      const since = performance.now()
      await delayed.offer('a', 200)
      expect(await queue.size()).toBe(0)
      await queue.take()
      expect(performance.now() - since).toBeGreaterThan(195)
    })
  })

  it('adds equal elements as often as they were offered', async () => {
    await withQueue(async (delayed, queue) => {
      await Promise.all([delayed.offer('a', SOON_MS), delayed.offer('a', SOON_MS), delayed.offer('a', 0)])
      await eventually(async () => {
        expect(await queue.readAll()).toEqual(['a', 'a', 'a'])
      })
    })
  })

  it('has elements that wait, in the order in which they were offered', async () => {
    await withQueue(
      async (delayed, queue) => {
        await delayed.offer('first to be due', LONG_MS / 2)
        expect(await delayed.readAll()).toEqual(['a', 'b', 'a', 'first to be due'])
        expect(await allOf(delayed)).toEqual(['a', 'b', 'a', 'first to be due'])
        expect(await allOf(delayed.values({ count: 1 }))).toEqual(['a', 'b', 'a', 'first to be due'])
        expect(await delayed.size()).toBe(4)
        expect(await delayed.isEmpty()).toBe(false)
        expect(await delayed.peek()).toBe('a')
        expect(await delayed.element()).toBe('a')
        expect(await delayed.contains('b')).toBe(true)
        expect(await delayed.contains('c')).toBe(false)
        expect(await delayed.containsAll(['a', 'b', 'a'])).toBe(true)
        expect(await delayed.containsAll(['a', 'c'])).toBe(false)
        expect(await delayed.containsAll([])).toBe(true)
        expect(await queue.size()).toBe(0)
      },
      ['a', 'b', 'a'],
    )
  })

  it('removes elements that wait, which do not get to their queue then', async () => {
    await withQueue(
      async (delayed) => {
        expect(await delayed.remove('c')).toBe(true)
        expect(await delayed.remove('none')).toBe(false)
        expect(await delayed.poll()).toBe('a')
        expect(await delayed.remove()).toBe('b')
        expect(await delayed.readAll()).toEqual(['c', 'd', 'e', 'f', 'f'])
        expect(await delayed.poll(2)).toEqual(['c', 'd'])
        expect(await delayed.poll(0)).toEqual([])
        expect(await delayed.removeAll(['f', 'none'])).toBe(true)
        expect(await delayed.removeAll(['none'])).toBe(false)
        expect(await delayed.removeAll([])).toBe(false)
        expect(await delayed.readAll()).toEqual(['e'])
        expect(await look(delayed)).toEqual([1, 1])
        await delayed.clear()
        expect(await look(delayed)).toEqual([0, 0])
        expect(await delayed.poll()).toBeUndefined()
        expect(await delayed.poll(3)).toEqual([])
        expect(await delayed.peek()).toBeUndefined()
        await expect(delayed.remove()).rejects.toBeInstanceOf(NoSuchElementError)
        await expect(delayed.element()).rejects.toBeInstanceOf(NoSuchElementError)
      },
      ['a', 'b', 'c', 'c', 'd', 'e', 'f', 'f'],
    )
  })

  it('retains elements, and forgets the due times of all others', async () => {
    await withQueue(
      async (delayed) => {
        expect(await delayed.retainAll(['a', 'c', 'none'])).toBe(true)
        expect(await delayed.readAll()).toEqual(['a', 'c', 'a'])
        expect(await look(delayed)).toEqual([3, 3])
        expect(await delayed.retainAll(['a', 'c'])).toBe(false)
        expect(await delayed.retainAll([])).toBe(true)
        expect(await look(delayed)).toEqual([0, 0])
      },
      ['a', 'b', 'c', 'a', 'b'],
    )
  })

  it('moves the element that was offered last to another queue at once', async () => {
    await withQueue(
      async (delayed, queue) => {
        expect(await delayed.pollLastAndOfferFirstTo(queue.name)).toBe('b')
        expect(await delayed.pollLastAndOfferFirstTo(queue.name)).toBe('a')
        expect(await delayed.pollLastAndOfferFirstTo(queue.name)).toBeUndefined()
        expect(await queue.readAll()).toEqual(['a', 'b'])
        expect(await look(delayed)).toEqual([0, 0])
      },
      ['a', 'b'],
    )
  })

  it('has very many elements, which are due at the same time', async () => {
    await withQueue(async (delayed, queue) => {
      const all = numbers(MANY)
      await Promise.all(all.map((n) => delayed.offer(n, DISTANT_MS - n * APART_MS)))
      expect(await delayed.size()).toBe(MANY)
      expect(await delayed.containsAll(all)).toBe(true)
      expect(await delayed.removeAll(all.slice(0, 5_001))).toBe(true)
      expect(await delayed.retainAll(all.slice(0, 11_000))).toBe(true)
      expect(await delayed.readAll()).toEqual(all.slice(5_001, 11_000))
      expect(await look(delayed)).toEqual([5_999, 5_999])
      await hurry(queue)
      await delayed.offer('last', 0) // has the client look
      await eventually(async () => {
        expect(await queue.size()).toBe(6_000)
      })
      expect((await queue.readAll()).slice(0, -1)).toEqual(all.slice(5_001, 11_000).toReversed())
      expect(await look(delayed)).toEqual([0, 0])
    })
  }, 60_000)

  it.each([
    ['as they are due', (n: number) => n],
    ['in reverse', (n: number) => -n],
    ['in any order', (n: number) => (n * 7919) % 3_001],
  ])('finds the records of what is due where they were offered %s, and leaves all others', async (_, at) => {
    await withQueue(async (delayed, queue) => {
      const all = numbers(3_000)
      const [kept, due] = [all.filter((n) => n % 7 === 0), all.filter((n) => n % 7 !== 0)]
      await Promise.all(
        all.map((n) => delayed.offer(n, (n % 7 === 0 ? ENDLESS_MS : DISTANT_MS) + at(n) * APART_MS)),
      )
      await hurry(queue)
      await delayed.offer('last', 0) // has the client look
      await eventually(async () => {
        expect(await queue.readAll()).toEqual([...due.toSorted((a, b) => at(a) - at(b)), 'last'])
      })
      expect(await delayed.readAll()).toEqual(kept)
      expect(await look(delayed)).toEqual([kept.length, kept.length])
    })
  })

  it('is moved by any client that has made one, also where that which has offered is gone', async () => {
    await withQueue(async (delayed, queue) => {
      const producer = await Redisson.create(topology.options())
      await producer.getDelayedQueue(producer.getQueue(queue.name)).offer('a', 3 * SOON_MS)
      await producer.shutdown()
      await eventually(async () => {
        expect(await queue.readAll()).toEqual(['a'])
      })
      expect(await delayed.isExists()).toBe(false)
    })
  })

  it(
    'is moved by a client whose calls wait for elements, and which has made none',
    { tags: ['timed'] },
    async () => {
      const name = `delayed-${topology.kind}-consumer`
      const producer = await Redisson.create(topology.options())
      await producer.getDelayedQueue(producer.getQueue(name)).offer('a', 3 * SOON_MS)
      await producer.shutdown()
      const queue = clients.other.getBlockingQueue(name)
      expect(await queue.poll()).toBeUndefined()
      expect(await queue.poll({ waitMs: LONG_MS })).toBe('a')
      expect(await look(queue)).toEqual([0, 0])
      await eventually(async () => {
        expect(await channelsOf(topology)).not.toContain(`redisson_delay_queue_channel:{${name}}`)
      })
    },
  )

  it('is moved to any of the queues for which a call waits', async () => {
    const [name, other] = [`{delayed-any}-${topology.kind}`, `delayed-any-${topology.kind}`]
    const producer = await Redisson.create(topology.options())
    await producer.getDelayedQueue(producer.getDeque(other)).offer('a', 3 * SOON_MS)
    await producer.shutdown()
    const deque = clients.other.getBlockingDeque(name)
    expect(await deque.pollFromAnyWithName([other], { waitMs: LONG_MS })).toEqual([other, 'a'])
  })

  it('is moved for a call of the client that waits, although its object is destroyed', async () => {
    const queue = clients.mine.getBlockingQueue(`delayed-${topology.kind}-${String(names++)}`)
    const first = queue.take()
    for (const element of ['a', 'b']) {
      await using later = clients.mine.getDelayedQueue(queue)
      await later.offer(element, SOON_MS)
    }
    expect([await first, await queue.take()]).toEqual(['a', 'b'])
  })

  it('is moved as long as one object of a client is not destroyed', async () => {
    await withQueue(async (delayed, queue) => {
      const second = clients.mine.getDelayedQueue(queue)
      await second.destroy()
      await second.destroy()
      await delayed.offer('a', 0)
      expect(await queue.take()).toBe('a')
      await delayed.destroy()
      await eventually(async () => {
        expect(await channelsOf(topology)).not.toContain(`redisson_delay_queue_channel:{${queue.name}}`)
      })
      await delayed.offer('b', 0) // it is still of use
      await sleep(SOON_MS)
      expect(await queue.poll()).toBeUndefined()
      expect(await delayed.readAll()).toEqual(['b'])
      await using third = clients.mine.getDelayedQueue(queue)
      expect(await queue.take()).toBe('b')
      expect(await third.size()).toBe(0)
    })
  })

  it('is renamed and copied with both keys, and moved to the queue of the new name then', async () => {
    const [name, newName] = [`{delayed-${topology.kind}}:a`, `{delayed-${topology.kind}}:b`]
    const [queue, renamed] = [clients.mine.getBlockingQueue(name), clients.other.getBlockingQueue(newName)]
    await using delayed = clients.mine.getDelayedQueue(queue)
    await using waiting = clients.other.getDelayedQueue(renamed)
    await waiting.offer('replaced', LONG_MS)
    await delayed.offer('a', 4 * SOON_MS)
    expect(await delayed.renamenx(newName)).toBe(false)
    await delayed.rename(newName)
    expect(await look(queue)).toEqual([0, 0])
    expect(await waiting.readAll()).toEqual(['a'])
    expect(await renamed.take()).toBe('a')
    await delayed.offer('b', 4 * SOON_MS)
    expect(await delayed.copy(newName)).toBe(true)
    expect(await look(renamed)).toEqual([1, 1])
    expect([await queue.take(), await renamed.take()]).toEqual(['b', 'b'])
    expect(await look(renamed)).toEqual([0, 0])
  })

  it('expires with both keys, and leaves the destination', async () => {
    await withQueue(
      async (delayed, queue) => {
        await queue.put('x')
        expect(await delayed.expire(LONG_MS)).toBe(true)
        for (const key of [
          `redisson_delay_queue:{${queue.name}}`,
          `redisson_delay_queue_timeout:{${queue.name}}`,
        ])
          expect(Number(await askOwner(topology, key, 'PTTL'))).toBeGreaterThan(0)
        expect(await delayed.sizeInMemory()).toBeGreaterThan(100)
        expect(await delayed.delete()).toBe(true)
        expect(await delayed.delete()).toBe(false)
        expect(await queue.readAll()).toEqual(['x'])
      },
      ['a'],
    )
  })

  it('has the codec of its destination, whichever queue that is', async () => {
    const name = `delayed-${topology.kind}-codec`
    const deque = clients.mine.getDeque(name, { codec: stringCodec() })
    await using delayed = clients.mine.getDelayedQueue(deque)
    expect(delayed.name).toBe(name)
    expect(delayed.codec).toBe(deque.codec)
    await delayed.offer('a', 0)
    await eventually(async () => {
      expect(await askOwner(topology, name, 'LRANGE', 0, -1)).toEqual(['a'])
    })
    await deque.delete()
  })

  it('is offered elements by a batch, and read by it', async () => {
    await withQueue(async (delayed, queue) => {
      const [, , size] = await clients.other.batch((batch) => {
        const inBatch = batch.getDelayedQueue(batch.getQueue(queue.name))
        return [inBatch.offer('a', LONG_MS), inBatch.offer('b', LONG_MS), inBatch.size()] as const
      })
      expect(size).toBe(2)
      expect(await delayed.readAll()).toEqual(['a', 'b'])
    })
  })

  it('refuses what is no delay, no value and no queue, and then sends nothing', async () => {
    await withQueue(async (delayed, queue) => {
      for (const delayMs of [-1, Infinity, 8e15, NaN, '1', undefined, null])
        await expect(delayed.offer('a', delayMs as number)).rejects.toThrow(RangeError)
      await expect(delayed.offer(undefined, 1)).rejects.toThrow(TypeError)
      await expect(delayed.remove(undefined)).rejects.toThrow(TypeError)
      for (const destination of ['a', null, undefined, {}, clients.mine.getList('a')])
        expect(() => clients.mine.getDelayedQueue(destination as never)).toThrow(TypeError)
      expect(() => clients.mine.getDelayedQueue(queue, { codec: stringCodec() } as never)).toThrow(TypeError)
      expect(await delayed.isExists()).toBe(false)
    })
  })

  it('refuses keys of other kinds, and leaves everything as it is', async () => {
    await withQueue(async (delayed, queue) => {
      const [records, dueTimes] = [
        `redisson_delay_queue:{${queue.name}}`,
        `redisson_delay_queue_timeout:{${queue.name}}`,
      ]
      await askOwner(topology, dueTimes, 'SET', 'x')
      await askOwner(topology, records, 'RPUSH', 'x')
      for (const call of [
        () => delayed.offer('a', 1),
        () => delayed.poll(),
        () => delayed.pollLastAndOfferFirstTo(queue.name),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      expect(await askOwner(topology, records, 'LRANGE', 0, -1)).toEqual(['x'])
      await askOwner(topology, records, 'SET', 'x')
      await expect(delayed.size()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      await expect(delayed.delete()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      for (const key of [records, dueTimes]) await askOwner(topology, key, 'DEL')
    })
  })
})
