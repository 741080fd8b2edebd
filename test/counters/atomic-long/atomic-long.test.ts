import { describe, expect, it } from 'vitest'
import type { Comparison, RAtomicLong } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies, single } from '../../support/topologies.js'

const LARGEST = 2n ** 63n - 1n
const SMALLEST = -(2n ** 63n)
const UNSAFE = 2n ** 53n

describe.each(slottedTopologies)('a counter of integers ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A counter that is removed after the test, as `number` and as `bigint`. */
  const withCounter = async (
    use: (counter: RAtomicLong, whole: RAtomicLong<bigint>, name: string) => Promise<void>,
    name = `atomic-long-${topology.kind}-${String(names++)}`,
  ) => {
    try {
      await use(clients.mine.getAtomicLong(name), clients.mine.getAtomicLong(name, { bigint: true }), name)
    } finally {
      await askOwner(topology, name, 'DEL')
    }
  }

  it('is 0 where there is none', async () => {
    await withCounter(async (counter, whole) => {
      expect(await counter.get()).toBe(0)
      expect(await whole.get()).toBe(0n)
      expect(await counter.getAndDelete()).toBe(0)
      expect(await counter.compareAndSet(-1, 5)).toBe(false)
      expect(await counter.compareAndDelete('==', 0)).toBe(false)
      expect(await counter.isExists()).toBe(false)
      expect(await counter.getAndSet(0)).toBe(0)
      expect(await counter.isExists()).toBe(true)
    })
  })

  it('counts up and down, and tells the value before or after', async () => {
    await withCounter(async (counter) => {
      expect(await counter.incrementAndGet()).toBe(1)
      expect(await counter.getAndIncrement()).toBe(1)
      expect(await counter.addAndGet(40)).toBe(42)
      expect(await counter.getAndAdd(-50)).toBe(42)
      expect(await counter.decrementAndGet()).toBe(-9)
      expect(await counter.getAndDecrement()).toBe(-9)
      expect(await counter.getAndSet(7)).toBe(-10)
      expect(await counter.getAndDelete()).toBe(7)
      expect(await counter.isExists()).toBe(false)
    })
  })

  it('counts every call of all clients once', async () => {
    await withCounter(async (counter, _, name) => {
      const theirs = clients.other.getAtomicLong(name)
      const calls = Array.from({ length: 100 }, (_, at) => (at % 2 ? counter : theirs).incrementAndGet())
      expect(new Set(await Promise.all(calls)).size).toBe(100)
      expect(await counter.get()).toBe(100)
    })
  })

  it.each(['a{tag}b', '{whole}', 'ключ', '中😀', 'with space\nand line', 'x'.repeat(5_000)])(
    'may have the name %o',
    async (name) => {
      await withCounter(async (counter) => {
        await counter.set(-5)
        expect(await askOwner(topology, name, 'GET')).toBe('-5')
      }, name)
    },
  )

  it('has no digit lost over the whole of 64 bits', async () => {
    await withCounter(async (_, counter) => {
      await counter.set(LARGEST - 1n)
      expect(await counter.get()).toBe(LARGEST - 1n)
      expect(await counter.incrementAndGet()).toBe(LARGEST)
      expect(await counter.getAndAdd(-LARGEST)).toBe(LARGEST)
      expect(await counter.addAndGet(SMALLEST)).toBe(SMALLEST)
      expect(await counter.compareAndSet(SMALLEST + 1n, 0n)).toBe(false)
      expect(await counter.compareAndSet(SMALLEST, LARGEST)).toBe(true)
      expect(await counter.setIfLess(LARGEST, 0n)).toBe(false)
      expect(await counter.setIfGreater(LARGEST, 0n)).toBe(false)
      expect(await counter.setIfGreater(LARGEST - 1n, UNSAFE + 1n)).toBe(true)
      expect(await counter.compareAndDelete('==', UNSAFE)).toBe(false)
      expect(await counter.setIfLess(UNSAFE + 2n, SMALLEST)).toBe(true)
      expect(await counter.getAndSet(LARGEST)).toBe(SMALLEST)
      expect(await counter.getAndDelete()).toBe(LARGEST)
    })
  })

  it('refuses a sum of more than 64 bits, and stays as it is', async () => {
    await withCounter(async (counter, whole, name) => {
      const overflow = { code: 'COUNTER_OVERFLOW', object: name, mayHaveRun: false }
      await whole.set(LARGEST)
      await expect(counter.incrementAndGet()).rejects.toMatchObject(overflow)
      await expect(whole.getAndAdd(LARGEST)).rejects.toMatchObject(overflow)
      expect(await whole.get()).toBe(LARGEST)
      await whole.set(SMALLEST)
      await expect(whole.decrementAndGet()).rejects.toMatchObject(overflow)
      expect(await whole.get()).toBe(SMALLEST)
    })
  })

  it('tells the digits of what is too large for a number', async () => {
    await withCounter(async (counter, whole) => {
      await counter.set(Number.MAX_SAFE_INTEGER)
      const unsafe = { code: 'UNSAFE_INTEGER', digits: String(UNSAFE), mayHaveRun: true }
      await expect(counter.incrementAndGet()).rejects.toMatchObject(unsafe)
      expect(await whole.get()).toBe(UNSAFE)
      await expect(counter.get()).rejects.toMatchObject(unsafe)
      await expect(counter.getAndAdd(1)).rejects.toMatchObject(unsafe)
      expect(await counter.setIfGreater(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)).toBe(true)
      expect(await counter.getAndIncrement()).toBe(Number.MAX_SAFE_INTEGER)
      await expect(counter.getAndDelete()).rejects.toMatchObject(unsafe)
      expect(await counter.isExists()).toBe(false)
    })
  })

  it('is set by comparison, and 0 where there is none', async () => {
    await withCounter(async (counter) => {
      expect(await counter.setIfLess(0, 5)).toBe(false)
      expect(await counter.setIfGreater(0, 5)).toBe(false)
      expect(await counter.setIfLess(1, 5)).toBe(true)
      expect(await counter.setIfGreater(-9, -10)).toBe(true)
      expect(await counter.setIfLess(-10, 1)).toBe(false)
      expect(await counter.setIfLess(-9, 10)).toBe(true)
      expect(await counter.compareAndSet(9, 0)).toBe(false)
      expect(await counter.compareAndSet(10, 0)).toBe(true)
      expect(await counter.delete()).toBe(true)
      expect(await counter.compareAndSet(0, 3)).toBe(true)
      expect(await counter.get()).toBe(3)
    })
  })

  it.each<[Comparison, readonly [boolean, boolean, boolean]]>([
    ['<', [true, false, false]],
    ['<=', [true, true, false]],
    ['>', [false, false, true]],
    ['>=', [false, true, true]],
    ['==', [false, true, false]],
    ['!=', [true, false, true]],
  ])('is removed by the comparison %s', async (comparison, expected) => {
    await withCounter(async (counter) => {
      const removed: boolean[] = []
      for (const value of [9, 10, 11]) {
        await counter.set(value)
        removed.push(await counter.compareAndDelete(comparison, 10))
        expect(await counter.isExists()).toBe(!removed.at(-1))
      }
      expect(removed).toEqual(expected)
    })
  })

  it('compares what others have written as a number', async () => {
    await withCounter(async (counter, _, name) => {
      await askOwner(topology, name, 'SET', '-0005')
      expect(await counter.get()).toBe(-5)
      expect(await counter.setIfLess(-5, 1)).toBe(false)
      expect(await counter.compareAndSet(-5, 1)).toBe(true)
      await askOwner(topology, name, 'SET', '-00')
      expect(await counter.compareAndDelete('==', 0)).toBe(true)
    })
  })

  it('keeps its time to live while it counts, and loses it when it is set', async () => {
    await withCounter(async (counter) => {
      const leftAfter = async (call: () => Promise<unknown>) => {
        await counter.set(1)
        await counter.expire(60_000)
        await call()
        return await counter.remainTimeToLive()
      }
      expect(await leftAfter(() => counter.addAndGet(2))).toBeGreaterThan(50_000)
      expect(await leftAfter(() => counter.setIfLess(0, 2))).toBeGreaterThan(50_000)
      expect(await leftAfter(() => counter.set(2))).toBe(-1)
      expect(await leftAfter(() => counter.getAndSet(2))).toBe(-1)
      expect(await leftAfter(() => counter.compareAndSet(1, 2))).toBe(-1)
      expect(await leftAfter(() => counter.setIfGreater(0, 2))).toBe(-1)
    })
  })

  it('refuses another kind of object, which set() replaces', async () => {
    await withCounter(async (counter, _, name) => {
      const wrong = { code: 'WRONG_TYPE', mayHaveRun: false }
      const calls = [
        () => counter.addAndGet(1),
        () => counter.getAndAdd(1),
        () => counter.compareAndSet(0, 2),
        () => counter.setIfLess(1, 2),
        () => counter.compareAndDelete('!=', 1),
        () => counter.delete(),
      ]
      await askOwner(topology, name, 'RPUSH', 'element')
      for (const call of [
        ...calls,
        () => counter.get(),
        () => counter.getAndSet(1),
        () => counter.getAndDelete(),
      ])
        await expect(call()).rejects.toMatchObject(wrong)
      expect(await askOwner(topology, name, 'LRANGE', 0, -1)).toEqual(['element'])
      await askOwner(topology, name, 'SET', '1.5')
      for (const call of calls) await expect(call()).rejects.toMatchObject(wrong)
      await expect(counter.get()).rejects.toMatchObject({ code: 'UNEXPECTED_REPLY' })
      expect(await askOwner(topology, name, 'GET')).toBe('1.5')
      await counter.set(1)
      expect(await counter.get()).toBe(1)
    })
  })

  it('is incremented within bounds', async () => {
    const counter = clients.mine.getAtomicLong(`bounded-${topology.kind}`)
    expect(await counter.incrementAndGet({})).toBe(1)
    expect(await counter.incrementAndGet({ by: 9 })).toBe(10)
    expect(await counter.incrementAndGet({ by: 5, upperBound: 12 })).toBe(10)
    expect(await counter.incrementAndGet({ by: 2, upperBound: 12 })).toBe(12)
    expect(await counter.incrementAndGet({ by: 5, upperBound: 14, saturate: true })).toBe(14)
    expect(await counter.incrementAndGet({ by: -20, lowerBound: 0 })).toBe(14)
    expect(await counter.incrementAndGet({ by: -20, lowerBound: 0, saturate: true })).toBe(0)
    expect(await counter.incrementAndGet({ by: -1, lowerBound: -1, upperBound: 1 })).toBe(-1)
    await counter.delete()
    expect(await counter.incrementAndGet({ by: 5, upperBound: 3 })).toBe(0)
    expect(await counter.isExists()).toBe(false)
    expect(await counter.incrementAndGet({ lowerBound: 7, saturate: true })).toBe(7)
    await counter.delete()
  })

  it('is incremented within bounds over the whole of 64 bits', async () => {
    const counter = clients.mine.getAtomicLong(`bounded-${topology.kind}`, { bigint: true })
    const most = 2n ** 63n - 1n
    await counter.set(most - 2n)
    expect(await counter.incrementAndGet({ by: 1n, upperBound: most - 1n })).toBe(most - 1n)
    expect(await counter.incrementAndGet({ by: 1n, upperBound: most - 1n })).toBe(most - 1n)
    expect(await counter.incrementAndGet({ by: most, upperBound: most, saturate: true })).toBe(most)
    expect(await counter.incrementAndGet({ by: -most, lowerBound: 1n })).toBe(most)
    expect(await counter.incrementAndGet({ by: -(2n ** 63n), lowerBound: -1n })).toBe(-1n)
    await counter.set(most)
    await expect(counter.incrementAndGet({ by: 1n, lowerBound: 0n })).rejects.toMatchObject({
      code: 'COUNTER_OVERFLOW',
    })
    expect(await counter.get()).toBe(most)
    await counter.delete()
  })

  it('expires, or never does, as an increment says', async () => {
    const counter = clients.mine.getAtomicLong(`bounded-${topology.kind}`)
    const ttl = () => counter.remainTimeToLive()
    await counter.incrementAndGet({ expire: 60_000 })
    expect(await ttl()).toBeGreaterThan(30_000)
    await counter.incrementAndGet({ expire: 600_000, expireIfNotSet: true })
    expect(await ttl()).toBeLessThan(60_001)
    await counter.incrementAndGet({ upperBound: 2, expire: 600_000 })
    expect(await ttl()).toBeLessThan(60_001)
    await counter.incrementAndGet({ upperBound: 2, saturate: true })
    expect(await ttl()).toBeGreaterThan(0)
    await counter.incrementAndGet({ expire: new Date(Date.now() + 600_000) })
    expect(await ttl()).toBeGreaterThan(300_000)
    await counter.incrementAndGet({ clearExpire: true })
    expect(await ttl()).toBe(-1)
    await counter.incrementAndGet({ expire: 600_000, expireIfNotSet: true })
    expect(await ttl()).toBeGreaterThan(300_000)
    await counter.delete()
  })

  it('says what it is incremented to, also where it expires at once', async () => {
    const counter = clients.mine.getAtomicLong(`bounded-${topology.kind}`)
    await counter.set(4)
    expect(await counter.incrementAndGet({ by: 3, expire: new Date(0) })).toBe(7)
    expect(await counter.isExists()).toBe(false)
    expect(await counter.incrementAndGet({ upperBound: 0, saturate: true, expire: new Date(0) })).toBe(0)
    expect(await counter.isExists()).toBe(false)
  })

  it('is not incremented with bad options', async () => {
    const counter = clients.mine.getAtomicLong(`bounded-${topology.kind}`)
    for (const options of [
      { by: '1' },
      { upperBound: 0.5 },
      { lowerBound: 2, upperBound: 1 },
      { expire: 0 },
      { expire: new Date(NaN) },
    ])
      await expect(counter.incrementAndGet(options as never)).rejects.toThrow(RangeError)
    for (const options of [
      5,
      { to: 5 },
      { saturate: 1 },
      { expire: 5, clearExpire: true },
      { expire: 'soon' },
    ])
      await expect(counter.incrementAndGet(options as never)).rejects.toThrow(TypeError)
    expect(await counter.isExists()).toBe(false)
    await clients.mine.getMap(`bounded-${topology.kind}`).put('k', 1)
    await expect(counter.incrementAndGet({ upperBound: 1 })).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await clients.mine.getMap(`bounded-${topology.kind}`).delete()
  })
})

describe('a counter of integers with bad arguments', () => {
  const clients = twoClients(single)

  it.each([1.5, NaN, Infinity, '5', undefined, null, 2 ** 53, 5n])(
    'refuses %o as a number',
    async (value) => {
      const counter = clients.mine.getAtomicLong('bad') as RAtomicLong<never>
      for (const call of [
        () => counter.set(value as never),
        () => counter.getAndSet(value as never),
        () => counter.addAndGet(value as never),
        () => counter.getAndAdd(value as never),
        () => counter.compareAndSet(0 as never, value as never),
        () => counter.compareAndSet(value as never, 0 as never),
        () => counter.setIfLess(value as never, 0 as never),
        () => counter.setIfGreater(0 as never, value as never),
        () => counter.compareAndDelete('==', value as never),
      ])
        await expect(call()).rejects.toThrow(RangeError)
      expect(await counter.isExists()).toBe(false)
    },
  )

  it('refuses what is no bigint of 64 bits', async () => {
    const counter = clients.mine.getAtomicLong('bad', { bigint: true })
    await expect(counter.set(5 as never)).rejects.toThrow(TypeError)
    await expect(counter.addAndGet(LARGEST + 1n)).rejects.toThrow(RangeError)
    await expect(counter.compareAndSet(SMALLEST - 1n, 0n)).rejects.toThrow(RangeError)
    expect(await counter.isExists()).toBe(false)
  })

  it('refuses unknown comparisons and options, and names that are none', async () => {
    const { mine } = clients
    const counter = mine.getAtomicLong('bad')
    for (const comparison of ['=', '~=', 'toString', undefined])
      await expect(counter.compareAndDelete(comparison as Comparison, 0)).rejects.toThrow(RangeError)
    expect(() => mine.getAtomicLong('bad', { codec: 5 } as never)).toThrow(TypeError)
    expect(() => mine.getAtomicLong('bad', { bigint: 1 as never })).toThrow(TypeError)
    expect(() => mine.getAtomicLong('bad', { exactlyOnce: 'yes' as never })).toThrow(TypeError)
    for (const name of ['', 5, undefined, 'half \ud800'])
      expect(() => mine.getAtomicLong(name as string)).toThrow(TypeError)
  })
})
