import { describe, expect, it } from 'vitest'
import {
  bytesCodec,
  CapacityNotSetError,
  NoSuchElementError,
  QueueFullError,
  stringCodec,
  type RBoundedBlockingQueue,
  type ValueOptions,
} from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** The most that one request adds. */
const MOST = 5_000

/** The largest integer of Java. */
const LARGEST = 2 ** 31 - 1

const LONG_MS = 600_000

const numbers = (length: number, first = 0) => Array.from({ length }, (_, n) => first + n)

describe.each(slottedTopologies)('a bounded blocking queue ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A queue that is removed after the test, with a capacity unless that is 0. */
  const withQueue = async (
    capacity: number,
    use: (queue: RBoundedBlockingQueue<unknown>, name: string) => Promise<void>,
    content: readonly unknown[] = [],
    options?: ValueOptions<unknown>,
  ) => {
    const name = `bounded-${topology.kind}-${String(names++)}`
    const queue = clients.mine.getBoundedBlockingQueue(name, options)
    try {
      if (capacity > 0) await queue.trySetCapacity(capacity)
      await queue.addAll(content)
      await use(queue, name)
    } finally {
      await queue.delete()
    }
  }

  /** What a raw command says about the key of the places. */
  const ofPlaces = (name: string, command: string, ...args: readonly (string | number)[]) =>
    askOwner(topology, `redisson_bqs:{${name}}`, command, ...args)

  it('takes elements as long as it has room, whichever client adds them', async () => {
    await withQueue(3, async (queue, name) => {
      const other = clients.other.getBoundedBlockingQueue(name)
      expect(await queue.remainingCapacity()).toBe(3)
      expect(await queue.add('a')).toBe(true)
      expect(await other.offer(null)).toBe(true)
      await queue.put({ c: [1] })
      expect(await other.remainingCapacity()).toBe(0)
      expect(await queue.offer('d')).toBe(false)
      expect(await other.offer('d', { waitMs: 1 })).toBe(false)
      expect(await queue.readAll()).toEqual(['a', null, { c: [1] }])
      expect(await other.poll()).toBe('a')
      expect(await queue.remainingCapacity()).toBe(1)
      expect(await other.offer('d', { waitMs: LONG_MS })).toBe(true)
      expect(await allOf(other)).toEqual([null, { c: [1] }, 'd'])
    })
  })

  it('says that it is full, and what it may have', async () => {
    await withQueue(
      2,
      async (queue, name) => {
        await expect(queue.add('c')).rejects.toThrow(QueueFullError)
        const full = { code: 'QUEUE_FULL', queue: name, capacity: 2, waitMs: 0, mayHaveRun: false }
        await expect(queue.add('c')).rejects.toMatchObject(full)
        expect(await queue.readAll()).toEqual(['a', 'b'])
      },
      ['a', 'b'],
    )
  })

  it('adds all of some values or none', async () => {
    await withQueue(4, async (queue) => {
      expect(await queue.addAll([1, 2])).toBe(true)
      expect(await queue.addAll([3, 4, 5])).toBe(false)
      expect(await queue.remainingCapacity()).toBe(2)
      expect(await queue.addAll([])).toBe(false)
      expect(await queue.addAll(new Set([3, 4]))).toBe(true)
      expect(await queue.readAll()).toEqual([1, 2, 3, 4])
    })
    await withQueue(LARGEST, async (queue) => {
      await expect(queue.addAll(numbers(MOST + 1))).rejects.toThrow(RangeError)
      expect(await queue.addAll(numbers(MOST))).toBe(true)
      expect(await queue.remainingCapacity()).toBe(LARGEST - MOST)
      expect(await queue.drainTo()).toEqual(numbers(MOST))
      expect(await queue.remainingCapacity()).toBe(LARGEST)
    })
  })

  it.each([false, true])('adds nothing without a capacity (exactlyOnce: %o)', async (exactlyOnce) => {
    await withQueue(
      0,
      async (queue, name) => {
        const unset = { code: 'CAPACITY_NOT_SET', object: name, mayHaveRun: false }
        for (const call of [
          () => queue.add(1),
          () => queue.offer(1),
          () => queue.offer(1, { waitMs: LONG_MS }),
          () => queue.put(1),
          () => queue.addAll([1, 2]),
          () => queue.remainingCapacity(),
        ]) {
          await expect(call()).rejects.toThrow(CapacityNotSetError)
          await expect(call()).rejects.toMatchObject(unset)
        }
        expect(await queue.addAll([])).toBe(false)
        expect(await queue.isExists()).toBe(false)
        expect(await queue.trySetCapacity(1)).toBe(true)
        await queue.add(1)
        await ofPlaces(name, 'DEL')
        await expect(queue.add(2)).rejects.toMatchObject(unset)
        expect(await queue.take()).toBe(1)
        expect(await ofPlaces(name, 'EXISTS')).toBe(0) // no place is given back to what has no capacity
      },
      [],
      { exactlyOnce },
    )
  })

  it('has a capacity that is set once, and counts the elements that are there', async () => {
    await withQueue(0, async (queue, name) => {
      const plain = clients.other.getQueue(name)
      await plain.addAll([1, 2, 3])
      expect(await queue.trySetCapacity(4)).toBe(true)
      expect(await queue.trySetCapacity(5)).toBe(false)
      expect(await queue.remainingCapacity()).toBe(1)
      await queue.delete()
      await plain.addAll([1, 2, 3])
      expect(await queue.trySetCapacity(2)).toBe(true)
      expect(await queue.remainingCapacity()).toBe(0)
      await expect(queue.add(4)).rejects.toMatchObject({ capacity: 2 })
      expect(await queue.poll()).toBe(1)
      expect(await queue.offer(4)).toBe(false)
      expect(await queue.poll()).toBe(2)
      expect(await queue.offer(4)).toBe(true)
      expect(await queue.readAll()).toEqual([3, 4])
    })
  })

  it.each<[string, number, (queue: RBoundedBlockingQueue<unknown>, name: string) => unknown]>([
    ['poll()', 1, (queue) => queue.poll()],
    ['poll(3)', 3, (queue) => queue.poll(3)],
    ['poll(9)', 6, (queue) => queue.poll(9)],
    ['poll({ waitMs })', 1, (queue) => queue.poll({ waitMs: LONG_MS })],
    ['poll(2, { waitMs })', 2, (queue) => queue.poll(2, { waitMs: LONG_MS })],
    ['take()', 1, (queue) => queue.take()],
    ['drainTo()', 6, (queue) => queue.drainTo()],
    ['drainTo(2)', 2, (queue) => queue.drainTo(2)],
    ['pollFromAny()', 1, (queue) => queue.pollFromAny([])],
    ['pollLastFromAny()', 2, (queue, name) => queue.pollLastFromAny([`{${name}}b`], 2)],
    ['remove()', 1, (queue) => queue.remove()],
    ['remove() of a value', 1, (queue) => queue.remove('c')],
    ['remove() of none', 0, (queue) => queue.remove('x')],
    ['removeAll() of one that is there three times', 3, (queue) => queue.removeAll(['c', 'x'])],
    ['removeAll() of none', 0, (queue) => queue.removeAll(['x'])],
    ['retainAll()', 3, (queue) => queue.retainAll(['c', 'x'])],
    ['retainAll() of none', 6, (queue) => queue.retainAll([])],
    ['clear()', 6, (queue) => queue.clear()],
    ['move()', 2, (queue, name) => queue.move({ to: `{${name}}b`, count: 2 })],
    ['move({ waitMs })', 2, (queue, name) => queue.move({ to: `{${name}}b`, count: 2, waitMs: LONG_MS })],
    [
      'move() of as many as there are not',
      0,
      (queue, name) => queue.move({ to: `{${name}}b`, count: 9, exactly: true }),
    ],
    ['move() to itself', 0, (queue, name) => queue.move({ to: name, count: 4 })],
    ['pollLastAndOfferFirstTo()', 1, (queue, name) => queue.pollLastAndOfferFirstTo(`{${name}}b`)],
    ['pollLastAndOfferFirstTo() itself', 0, (queue, name) => queue.pollLastAndOfferFirstTo(name)],
    ['takeLastAndOfferFirstTo()', 1, (queue, name) => queue.takeLastAndOfferFirstTo(`{${name}}b`)],
  ])('gets back the place of each element that is removed by %s', async (_, count, remove) => {
    await withQueue(
      8,
      async (queue, name) => {
        const target = clients.mine.getQueue(`{${name}}b`)
        await remove(queue, name)
        expect(await queue.size()).toBe(6 - count)
        expect(await queue.remainingCapacity()).toBe(2 + count)
        expect(await ofPlaces(`${name}}b`, 'EXISTS')).toBe(0)
        await target.delete()
      },
      ['a', 'b', 'c', 'c', 'd', 'c'],
    )
  })

  it('removes the first of equal elements, and all of them if that is asked for', async () => {
    await withQueue(
      4,
      async (queue) => {
        expect(await queue.remove('a')).toBe(true)
        expect(await queue.readAll()).toEqual(['b', 'a', 'a'])
        expect(await queue.removeAll(['a'])).toBe(true)
        expect(await queue.removeAll(['a'])).toBe(false)
        expect(await queue.readAll()).toEqual(['b'])
        expect(await queue.remainingCapacity()).toBe(3)
      },
      ['a', 'b', 'a', 'a'],
    )
  })

  it('gives places back to the queue from which an element was removed', async () => {
    await withQueue(2, async (first, name) => {
      const second = clients.other.getBoundedBlockingQueue(`{${name}}b`)
      const plain = clients.other.getBlockingQueue(`{${name}}c`)
      await second.trySetCapacity(2)
      await second.addAll(['b', 'c'])
      await plain.put('d')
      const names = [second.name, plain.name]
      expect(await first.pollFromAnyWithName(names)).toEqual([second.name, 'b'])
      expect(await first.pollFromAnyWithName(names, { waitMs: LONG_MS })).toEqual([second.name, 'c'])
      expect(await first.pollFromAny(names)).toBe('d')
      expect(await first.pollFromAny(names)).toBeUndefined()
      expect([await first.remainingCapacity(), await second.remainingCapacity()]).toEqual([2, 2])
      expect(await ofPlaces(plain.name, 'EXISTS')).toBe(0)
      await second.delete()
    })
  })

  it('takes places of another queue for what it moves there, even if that is full', async () => {
    await withQueue(
      4,
      async (source, name) => {
        const target = clients.mine.getBoundedBlockingQueue(`{${name}}b`)
        await target.trySetCapacity(2)
        await target.expire(LONG_MS)
        expect(await source.pollLastAndOfferFirstTo(target.name)).toBe(4)
        expect([await source.remainingCapacity(), await target.remainingCapacity()]).toEqual([1, 1])
        expect(await source.move({ to: target.name, count: 2 })).toEqual([1, 2])
        expect([await source.remainingCapacity(), await target.remainingCapacity()]).toEqual([3, 0])
        await expect(target.add('x')).rejects.toMatchObject({ capacity: 2 })
        expect(await target.drainTo(2)).toEqual([4, 1])
        expect(await target.remainingCapacity()).toBe(1)
        await target.delete()
      },
      [1, 2, 3, 4],
    )
  })

  it('has nothing where there are no elements', async () => {
    await withQueue(2, async (queue, name) => {
      expect(await queue.isExists()).toBe(false)
      expect(await queue.poll()).toBeUndefined()
      expect(await queue.poll(3)).toEqual([])
      expect(await queue.peek()).toBeUndefined()
      expect(await queue.drainTo()).toEqual([])
      expect(await queue.remove(1)).toBe(false)
      await expect(queue.element()).rejects.toThrow(NoSuchElementError)
      await expect(queue.remove()).rejects.toThrow(NoSuchElementError)
      expect(await queue.expire(LONG_MS)).toBe(false)
      expect(await ofPlaces(name, 'PTTL')).toBe(-1)
      expect(await queue.copy(`{${name}}2`)).toBe(false)
      await expect(queue.rename(`{${name}}2`)).rejects.toMatchObject({ code: 'NO_SUCH_OBJECT' })
      expect(await queue.remainingCapacity()).toBe(2)
      expect(await queue.delete()).toBe(false)
      expect(await ofPlaces(name, 'EXISTS')).toBe(0)
    })
  })

  it('keeps its capacity where all elements are removed, and loses it where it is', async () => {
    await withQueue(3, async (queue, name) => {
      for (const empty of [
        () => queue.clear(),
        () => queue.retainAll([]),
        () => queue.poll(3),
        () => queue.removeAll([1, 2, 3]),
        () => queue.drainTo(),
      ]) {
        await queue.addAll([1, 2, 3])
        await empty()
        expect(await queue.isExists()).toBe(false)
        expect(await queue.remainingCapacity()).toBe(3)
        expect(await ofPlaces(name, 'PTTL')).toBe(-1)
      }
      expect(await queue.retainAll([])).toBe(false)
      await queue.clear()
      for (const remove of ['delete', 'unlink'] as const) {
        await queue.trySetCapacity(3)
        await queue.add(1)
        expect(await queue[remove]()).toBe(true)
        expect(await ofPlaces(name, 'EXISTS')).toBe(0)
      }
    })
  })

  it('has its capacity wherever it goes', async () => {
    await withQueue(
      3,
      async (queue, name) => {
        const renamed = clients.mine.getBoundedBlockingQueue(`{${name}}2`)
        await queue.rename(renamed.name)
        await expect(queue.remainingCapacity()).rejects.toThrow(CapacityNotSetError)
        expect(await renamed.remainingCapacity()).toBe(1)
        expect(await renamed.copy(name)).toBe(true)
        expect(await queue.remainingCapacity()).toBe(1)
        expect(await renamed.sizeInMemory()).toBeGreaterThan(
          await clients.mine.getQueue(renamed.name).sizeInMemory(),
        )
        expect(await renamed.delete()).toBe(true)
        expect(await queue.take()).toBe(1)
        expect(await queue.remainingCapacity()).toBe(2)
      },
      [1, 2],
    )
  })

  it('expires with its capacity, even if it was empty meanwhile, or gets another one', async () => {
    await withQueue(
      3,
      async (queue, name) => {
        const lives = async (key: string) => Number(await askOwner(topology, key, 'PTTL')) > LONG_MS / 2
        const areAlike = async (value: boolean) => {
          expect([await lives(name), await lives(`redisson_bqs:{${name}}`)]).toEqual([value, value])
        }
        expect(await queue.expire(LONG_MS)).toBe(true)
        await areAlike(true)
        for (const add of [
          () => queue.put(1),
          () => queue.addAll([1, 2]),
          () => clients.mine.getBoundedBlockingQueue(`{${name}}b`).pollLastAndOfferFirstTo(name),
        ]) {
          await queue.clear()
          expect(await lives(`redisson_bqs:{${name}}`)).toBe(true)
          await clients.mine.getQueue(`{${name}}b`).add(7)
          await add()
          await areAlike(true)
        }
        expect(await queue.clearExpire()).toBe(true)
        await areAlike(false)
        await ofPlaces(name, 'DEL')
        await queue.expire(LONG_MS)
        expect(await queue.trySetCapacity(2)).toBe(true)
        await areAlike(true)
        await clients.mine.getQueue(`{${name}}b`).delete()
      },
      [1, 2],
    )
  })

  it.runIf(topology.kind === 'single')('is moved to another database with its capacity', async () => {
    await withQueue(
      2,
      async (queue, name) => {
        expect(await queue.move(1)).toBe(true)
        await expect(queue.remainingCapacity()).rejects.toThrow(CapacityNotSetError)
        const script = `redis.call('select', 1) return {redis.call('get', KEYS[1]), redis.call('del', KEYS[1], KEYS[2])}`
        const keys = [`redisson_bqs:{${name}}`, name]
        expect(await topology.nodes[0].command('EVAL', script, 2, ...keys)).toEqual(['1', 2])
      },
      [1],
    )
  })

  it('works in a batch, where it does not wait', async () => {
    await withQueue(0, async (_, name) => {
      const results = await clients.mine.batch((batch) => {
        const queue = batch.getBoundedBlockingQueue<number>(name)
        return [
          queue.trySetCapacity(3),
          queue.addAll([1, 2]),
          queue.offer(3),
          queue.offer(4),
          queue.remainingCapacity(),
          queue.poll(),
          queue.remove(3),
          queue.drainTo(),
          queue.remainingCapacity(),
        ]
      })
      expect(results).toEqual([true, true, true, false, 0, 1, true, [2], 3])
      const waits = { code: 'NOT_IN_BATCH' }
      await expect(clients.mine.batch((b) => [b.getBoundedBlockingQueue(name).put(1)])).rejects.toMatchObject(
        waits,
      )
      await expect(
        clients.mine.batch((b) => [b.getBoundedBlockingQueue(name).offer(1, { waitMs: 1 })]),
      ).rejects.toMatchObject(waits)
    })
  })

  it('has the values of its codec, also where it waits for them', async () => {
    const text = { codec: stringCodec() } as ValueOptions<unknown>
    await withQueue(
      4,
      async (queue, name) => {
        const raw = clients.mine.getBoundedBlockingQueue(name, { codec: bytesCodec() })
        expect(await raw.take()).toEqual(Buffer.from('é'))
        expect(await raw.poll({ waitMs: LONG_MS })).toEqual(Buffer.from(''))
        expect(await queue.take()).toBe('x')
      },
      ['é', '', 'x'],
      text,
    )
  })

  it('refuses what is no capacity, value or option, and sends nothing', async () => {
    await withQueue(
      2,
      async (queue) => {
        for (const capacity of [0, -1, 0.5, NaN, Infinity, LARGEST + 1, '3' as unknown as number])
          await expect(queue.trySetCapacity(capacity)).rejects.toThrow(RangeError)
        await expect(queue.add(undefined)).rejects.toThrow(TypeError)
        await expect(queue.put(undefined)).rejects.toThrow(TypeError)
        await expect(queue.addAll([1, undefined])).rejects.toThrow(TypeError)
        await expect(queue.put(1, { waitMs: 1 } as object)).rejects.toThrow('is an option of offer()')
        await expect(queue.offer(1, { timeout: 1 } as object)).rejects.toThrow('did you mean `waitMs`?')
        expect(await queue.readAll()).toEqual([1])
      },
      [1],
    )
  })

  it('is no destination of a delayed queue, which does not take places', async () => {
    await withQueue(2, (queue) => {
      expect(() => clients.mine.getDelayedQueue(queue)).toThrow(TypeError)
      return Promise.resolve()
    })
  })

  it('refuses a name that belongs to something else, with and without a capacity', async () => {
    await withQueue(0, async (queue, name) => {
      const wrong = { code: 'WRONG_TYPE', mayHaveRun: false }
      await clients.other.getBucket(name).set('a text')
      for (let turn = 0; turn < 2; turn += 1) {
        for (const call of [
          () => queue.trySetCapacity(3),
          () => queue.remainingCapacity(),
          () => queue.add(1),
          () => queue.put(1),
          () => queue.take(),
          () => queue.poll(2),
          () => queue.remove(1),
          () => queue.removeAll([1]),
          () => queue.clear(),
          () => queue.move({ to: `{${name}}b` }),
        ])
          await expect(call()).rejects.toMatchObject(wrong)
        expect(await ofPlaces(name, 'EXISTS')).toBe(turn)
        await ofPlaces(name, 'SET', 2)
      }
      await clients.other.getBucket(name).delete()
    })
  })

  it('refuses places that are no number, and removes nothing', async () => {
    await withQueue(0, async (queue, name) => {
      await clients.other.getQueue(name).addAll([1, 2])
      const wrong = { code: 'WRONG_TYPE', mayHaveRun: false }
      for (const set of [() => ofPlaces(name, 'SET', 'many'), () => ofPlaces(name, 'RPUSH', 'many')]) {
        await ofPlaces(name, 'DEL')
        await set()
        for (const call of [
          () => queue.trySetCapacity(3),
          () => queue.remainingCapacity(),
          () => queue.add(1),
          () => queue.take(),
          () => queue.poll(2),
          () => queue.remove(1),
          () => queue.removeAll([1]),
          () => queue.clear(),
          () => queue.move({ to: `{${name}}b` }),
        ])
          await expect(call()).rejects.toMatchObject(wrong)
        expect(await queue.readAll()).toEqual([1, 2])
      }
    })
  })
})
