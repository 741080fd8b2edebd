import { describe, expect, it } from 'vitest'
import {
  bytesCodec,
  CapacityNotSetError,
  NoSuchElementError,
  stringCodec,
  type RRingBuffer,
  type ValueOptions,
} from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** More than one request may be about. */
const MANY = 12_000

/** The largest integer of Java. */
const MOST = 2 ** 31 - 1

const LONG_MS = 600_000

const numbers = (length: number, first = 0) => Array.from({ length }, (_, n) => first + n)

describe.each(slottedTopologies)('a ring buffer ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A buffer that is removed after the test, with a capacity unless that is 0. */
  const withBuffer = async (
    capacity: number,
    use: (buffer: RRingBuffer<unknown>, name: string) => Promise<void>,
    content: readonly unknown[] = [],
    options?: ValueOptions<unknown>,
  ) => {
    const name = `ring-${topology.kind}-${String(names++)}`
    const buffer = clients.mine.getRingBuffer(name, options)
    try {
      if (capacity > 0) await buffer.setCapacity(capacity)
      await buffer.addAll(content)
      await use(buffer, name)
    } finally {
      await buffer.delete()
    }
  }

  /** What a raw command says about the key of the capacity. */
  const ofCapacity = (name: string, command: string, ...args: readonly (string | number)[]) =>
    askOwner(topology, `redisson_rb:{${name}}`, command, ...args)

  it('keeps the newest elements, whichever client adds them', async () => {
    await withBuffer(3, async (buffer, name) => {
      const other = clients.other.getRingBuffer(name)
      expect(await buffer.add('a')).toBe(true)
      expect(await other.offer(null)).toBe(true)
      expect(await buffer.add({ c: [1] })).toBe(true)
      expect(await other.readAll()).toEqual(['a', null, { c: [1] }])
      expect(await other.add('d')).toBe(true)
      expect(await buffer.offer('e')).toBe(true)
      expect(await buffer.readAll()).toEqual([{ c: [1] }, 'd', 'e'])
      expect(await buffer.addAll(['f', 'g'])).toBe(true)
      expect(await allOf(other)).toEqual(['e', 'f', 'g'])
      expect(await buffer.addAll(new Set([1, 2, 3, 4, 5]))).toBe(true)
      expect(await other.readAll()).toEqual([3, 4, 5])
      expect(await buffer.addAll([])).toBe(false)
    })
  })

  it('keeps one element at a capacity of one, and as many as Java can count at the largest', async () => {
    await withBuffer(1, async (buffer) => {
      await buffer.addAll(['a', 'b'])
      await buffer.add('c')
      expect(await buffer.readAll()).toEqual(['c'])
      expect(await buffer.remainingCapacity()).toBe(0)
      await buffer.setCapacity(MOST)
      expect(await buffer.remainingCapacity()).toBe(MOST - 1)
      await buffer.add('d')
      expect(await buffer.readAll()).toEqual(['c', 'd'])
    })
  })

  it.each([false, true])('adds nothing without a capacity (exactlyOnce: %o)', async (exactlyOnce) => {
    await withBuffer(
      0,
      async (buffer, name) => {
        const unset = { code: 'CAPACITY_NOT_SET', object: name, mayHaveRun: false }
        for (const call of [
          () => buffer.add(1),
          () => buffer.offer(1),
          () => buffer.addAll([1, 2]),
          () => buffer.addAll(numbers(MANY)),
          () => buffer.remainingCapacity(),
        ]) {
          await expect(call()).rejects.toThrow(CapacityNotSetError)
          await expect(call()).rejects.toMatchObject(unset)
        }
        expect(await buffer.addAll([])).toBe(false)
        expect(await buffer.isExists()).toBe(false)
        expect(await buffer.trySetCapacity(1)).toBe(true)
        await buffer.add(1)
        await ofCapacity(name, 'DEL')
        await expect(buffer.add(2)).rejects.toMatchObject(unset)
        expect(await buffer.readAll()).toEqual([1])
      },
      [],
      { exactlyOnce },
    )
  })

  it('has no capacity at first, and one that is tried only once', async () => {
    await withBuffer(0, async (buffer, name) => {
      expect(await buffer.capacity()).toBe(0)
      expect(await buffer.trySetCapacity(4)).toBe(true)
      expect(await buffer.trySetCapacity(5)).toBe(false)
      expect(await clients.other.getRingBuffer(name).capacity()).toBe(4)
      expect(await buffer.remainingCapacity()).toBe(4)
      await buffer.addAll([1, 2, 3])
      expect(await buffer.capacity()).toBe(4)
      expect(await buffer.remainingCapacity()).toBe(1)
    })
  })

  it('keeps the newest elements where it gets a smaller capacity', async () => {
    await withBuffer(
      5,
      async (buffer) => {
        await buffer.setCapacity(3)
        expect(await buffer.readAll()).toEqual([3, 4, 5])
        await buffer.setCapacity(4)
        await buffer.setCapacity(4)
        expect(await buffer.readAll()).toEqual([3, 4, 5])
        await buffer.addAll([6, 7])
        expect(await buffer.readAll()).toEqual([4, 5, 6, 7])
      },
      [1, 2, 3, 4, 5],
    )
  })

  it('leaves elements that are there when a capacity is tried, until the next one is added', async () => {
    await withBuffer(0, async (buffer, name) => {
      await clients.other.getQueue(name).addAll([1, 2, 3, 4, 5])
      expect(await buffer.trySetCapacity(2)).toBe(true)
      expect(await buffer.size()).toBe(5)
      expect(await buffer.remainingCapacity()).toBe(0)
      await buffer.add(6)
      expect(await buffer.readAll()).toEqual([5, 6])
    })
  })

  it('reads elements of either end', async () => {
    await withBuffer(
      4,
      async (buffer) => {
        expect(await buffer.readNewest(2)).toEqual([4, 5])
        expect(await buffer.readOldest(2)).toEqual([2, 3])
        expect(await buffer.readNewest(9)).toEqual([2, 3, 4, 5])
        expect(await buffer.readOldest(9)).toEqual([2, 3, 4, 5])
        expect(await buffer.readNewest(Number.MAX_SAFE_INTEGER)).toHaveLength(4)
        expect(await buffer.readOldest(Number.MAX_SAFE_INTEGER)).toHaveLength(4)
        expect(await buffer.readNewest(0)).toEqual([])
        expect(await buffer.readOldest(0)).toEqual([])
        expect(await buffer.peek()).toBe(2)
        expect(await buffer.element()).toBe(2)
        expect(await buffer.peekLast()).toBe(5)
        expect(await buffer.size()).toBe(4)
      },
      [1, 2, 3, 4, 5],
    )
  })

  it('has nothing where there are no elements', async () => {
    await withBuffer(2, async (buffer, name) => {
      expect(await buffer.isExists()).toBe(false)
      expect(await buffer.readNewest(3)).toEqual([])
      expect(await buffer.readOldest(3)).toEqual([])
      expect(await buffer.peek()).toBeUndefined()
      expect(await buffer.peekLast()).toBeUndefined()
      expect(await buffer.poll()).toBeUndefined()
      expect(await buffer.poll(3)).toEqual([])
      expect(await buffer.size()).toBe(0)
      expect(await buffer.isEmpty()).toBe(true)
      expect(await buffer.contains(1)).toBe(false)
      expect(await buffer.remove(1)).toBe(false)
      await expect(buffer.element()).rejects.toThrow(NoSuchElementError)
      await expect(buffer.remove()).rejects.toThrow(NoSuchElementError)
      expect(await buffer.expire(LONG_MS)).toBe(false)
      expect(await buffer.copy(`{${name}}2`)).toBe(false)
      await expect(buffer.rename(`{${name}}2`)).rejects.toMatchObject({ code: 'NO_SUCH_OBJECT' })
      expect(await buffer.capacity()).toBe(2)
      expect(await buffer.delete()).toBe(false)
      expect(await buffer.capacity()).toBe(0)
    })
  })

  it('is a queue: its elements are polled, found and removed', async () => {
    await withBuffer(
      6,
      async (buffer, name) => {
        expect(await buffer.poll()).toBe(1)
        expect(await buffer.poll(2)).toEqual([2, 3])
        expect(await buffer.remainingCapacity()).toBe(3)
        expect(await buffer.remove()).toBe(4)
        expect(await buffer.indexOf(6)).toBe(1)
        expect(await buffer.containsAll([5, 6])).toBe(true)
        expect(await buffer.remove(5)).toBe(true)
        await buffer.addAll([7, 8])
        expect(await buffer.removeAll([6])).toBe(true)
        expect(await buffer.retainAll([7, 8])).toBe(false)
        expect(await clients.other.getQueue(name).readAll()).toEqual([7, 8])
      },
      [1, 2, 3, 4, 5, 6],
    )
  })

  it('keeps its capacity where all elements are removed, and loses it where it is', async () => {
    await withBuffer(3, async (buffer, name) => {
      for (const empty of [
        () => buffer.clear(),
        () => buffer.retainAll([]),
        () => buffer.poll(3),
        () => buffer.removeAll([1, 2, 3]),
      ]) {
        await buffer.addAll([1, 2, 3])
        await empty()
        expect(await buffer.isExists()).toBe(false)
        expect(await buffer.capacity()).toBe(3)
      }
      expect(await buffer.retainAll([])).toBe(false)
      await buffer.clear()
      for (const remove of ['delete', 'unlink'] as const) {
        await buffer.setCapacity(3)
        await buffer.add(1)
        expect(await buffer[remove]()).toBe(true)
        expect(await ofCapacity(name, 'EXISTS')).toBe(0)
      }
    })
  })

  it('has its capacity wherever it goes', async () => {
    await withBuffer(
      2,
      async (buffer, name) => {
        const renamed = clients.mine.getRingBuffer(`{${name}}2`)
        await buffer.rename(`{${name}}2`)
        expect(await buffer.capacity()).toBe(0)
        await renamed.add(3)
        expect(await renamed.readAll()).toEqual([2, 3])
        expect(await renamed.copy(name)).toBe(true)
        expect(await buffer.capacity()).toBe(2)
        expect(await renamed.sizeInMemory()).toBeGreaterThan(
          await clients.mine.getQueue(`{${name}}2`).sizeInMemory(),
        )
        expect(await renamed.delete()).toBe(true)
        await buffer.add(4)
        expect(await buffer.readAll()).toEqual([3, 4])
      },
      [1, 2],
    )
  })

  it('expires with its capacity, even if it was empty meanwhile, or gets another one', async () => {
    await withBuffer(
      2,
      async (buffer, name) => {
        const lives = async (key: string) => Number(await askOwner(topology, key, 'PTTL')) > LONG_MS / 2
        expect(await buffer.expire(LONG_MS)).toBe(true)
        expect(await lives(`redisson_rb:{${name}}`)).toBe(true)
        await buffer.clear()
        await buffer.addAll([4, 5, 6])
        expect(await lives(name)).toBe(true)
        await buffer.setCapacity(1)
        expect(await lives(`redisson_rb:{${name}}`)).toBe(true)
        expect(await buffer.clearExpire()).toBe(true)
        expect(await ofCapacity(name, 'PTTL')).toBe(-1)
        expect(await askOwner(topology, name, 'PTTL')).toBe(-1)
        await ofCapacity(name, 'DEL')
        await buffer.expire(LONG_MS)
        expect(await buffer.trySetCapacity(2)).toBe(true)
        expect(await lives(`redisson_rb:{${name}}`)).toBe(true)
      },
      [1, 2, 3],
    )
  })

  it('is no longer full once it has more than its capacity, and a value is added', async () => {
    await withBuffer(
      2,
      async (buffer, name) => {
        const source = clients.mine.getQueue<number>(`{${name}}:source`)
        await source.addAll([3, 4, 5])
        expect(await source.move({ to: name, count: 2 })).toEqual([3, 4])
        expect(await source.pollLastAndOfferFirstTo(name)).toBe(5)
        expect(await buffer.readAll()).toEqual([5, 1, 2, 3, 4])
        expect(await buffer.remainingCapacity()).toBe(0)
        await buffer.add(6)
        expect(await buffer.readAll()).toEqual([4, 6])
      },
      [1, 2],
    )
  })

  it('moves elements to other queues', async () => {
    await withBuffer(
      4,
      async (buffer, name) => {
        const target = clients.mine.getQueue<number>(`{${name}}:target`)
        expect(await buffer.move({ to: target.name, count: 2 })).toEqual([1, 2])
        expect(await buffer.pollLastAndOfferFirstTo(target.name)).toBe(4)
        expect(await buffer.pollLastAndOfferFirstTo(name)).toBe(3)
        expect(await target.readAll()).toEqual([4, 1, 2])
        expect(await buffer.readAll()).toEqual([3])
        await target.delete()
      },
      [1, 2, 3, 4],
    )
  })

  it.runIf(topology.kind === 'single')('is moved to another database with its capacity', async () => {
    await withBuffer(
      2,
      async (buffer, name) => {
        expect(await buffer.move(1)).toBe(true)
        expect(await buffer.capacity()).toBe(0)
        const script = `redis.call('select', 1) return {redis.call('get', KEYS[1]), redis.call('del', KEYS[1], KEYS[2])}`
        const keys = [`redisson_rb:{${name}}`, name]
        expect(await topology.nodes[0].command('EVAL', script, 2, ...keys)).toEqual(['2', 2])
      },
      [1],
    )
  })

  it('has the newest of very many values', async () => {
    await withBuffer(MANY / 2, async (buffer) => {
      expect(await buffer.addAll(numbers(MANY))).toBe(true)
      expect(await buffer.size()).toBe(MANY / 2)
      expect(await allOf(buffer)).toEqual(numbers(MANY / 2, MANY / 2))
      expect(await buffer.readNewest(2)).toEqual([MANY - 2, MANY - 1])
      await buffer.setCapacity(7)
      expect(await buffer.readAll()).toEqual(numbers(7, MANY - 7))
    })
  })

  it('works in a batch', async () => {
    await withBuffer(0, async (_, name) => {
      const results = await clients.mine.batch((batch) => {
        const buffer = batch.getRingBuffer<number>(name)
        return [
          buffer.trySetCapacity(2),
          buffer.addAll([1, 2, 3]),
          buffer.add(4),
          buffer.remainingCapacity(),
          buffer.readNewest(1),
          buffer.peekLast(),
        ]
      })
      expect(results).toEqual([true, true, true, 0, [4], 4])
    })
  })

  it('has the values of its codec', async () => {
    const text = { codec: stringCodec() } as ValueOptions<unknown>
    await withBuffer(
      2,
      async (buffer, name) => {
        const raw = clients.mine.getRingBuffer(name, { codec: bytesCodec() })
        expect(await raw.readAll()).toEqual([Buffer.from('é'), Buffer.from('')])
        expect(await buffer.peekLast()).toBe('')
      },
      ['x', 'é', ''],
      text,
    )
  })

  it('refuses what is no capacity or count, and sends nothing', async () => {
    await withBuffer(
      2,
      async (buffer) => {
        for (const capacity of [0, -1, 0.5, NaN, Infinity, MOST + 1, '3' as unknown as number]) {
          await expect(buffer.setCapacity(capacity)).rejects.toThrow(RangeError)
          await expect(buffer.trySetCapacity(capacity)).rejects.toThrow(RangeError)
        }
        for (const count of [-1, 0.5, NaN]) {
          await expect(buffer.readNewest(count)).rejects.toThrow(RangeError)
          await expect(buffer.readOldest(count)).rejects.toThrow(RangeError)
        }
        await expect(buffer.add(undefined)).rejects.toThrow(TypeError)
        await expect(buffer.addAll([1, undefined])).rejects.toThrow(TypeError)
        expect(await buffer.capacity()).toBe(2)
        expect(await buffer.readAll()).toEqual([1])
      },
      [1],
    )
  })

  it('refuses a name that belongs to something else, with and without a capacity', async () => {
    await withBuffer(0, async (buffer, name) => {
      const wrong = { code: 'WRONG_TYPE', mayHaveRun: false }
      await clients.other.getBucket(name).set('a text')
      for (let turn = 0; turn < 2; turn += 1) {
        for (const call of [
          () => buffer.trySetCapacity(3),
          () => buffer.setCapacity(3),
          () => buffer.capacity(),
          () => buffer.remainingCapacity(),
          () => buffer.add(1),
          () => buffer.addAll([1]),
          () => buffer.clear(),
          () => buffer.peekLast(),
          () => buffer.readNewest(1),
        ])
          await expect(call()).rejects.toMatchObject(wrong)
        expect(await ofCapacity(name, 'EXISTS')).toBe(turn)
        await ofCapacity(name, 'SET', 2)
      }
      await clients.other.getBucket(name).delete()
    })
  })

  it('refuses a capacity that is no number', async () => {
    await withBuffer(0, async (buffer, name) => {
      const wrong = { code: 'WRONG_TYPE', mayHaveRun: false }
      await ofCapacity(name, 'SET', 'many')
      for (const call of [
        () => buffer.trySetCapacity(3),
        () => buffer.setCapacity(3),
        () => buffer.capacity(),
        () => buffer.add(1),
      ])
        await expect(call()).rejects.toMatchObject(wrong)
      expect(await buffer.size()).toBe(0)
    })
  })
})
