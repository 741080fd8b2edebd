import { describe, expect, it } from 'vitest'
import type { Comparison, RAtomicDouble } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies, single } from '../../support/topologies.js'

describe.each(slottedTopologies)('a counter with a fraction ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A counter that is removed after the test. */
  const withCounter = async (
    use: (counter: RAtomicDouble, name: string) => Promise<void>,
    name = `atomic-double-${topology.kind}-${String(names++)}`,
  ) => {
    const counter = clients.mine.getAtomicDouble(name)
    try {
      await use(counter, name)
    } finally {
      await counter.delete()
    }
  }

  it('is 0 where there is none', async () => {
    await withCounter(async (counter) => {
      expect(await counter.get()).toBe(0)
      expect(await counter.getAndDelete()).toBe(0)
      expect(await counter.compareAndSet(1, 5)).toBe(false)
      expect(await counter.compareAndDelete('==', 0)).toBe(false)
      expect(await counter.isExists()).toBe(false)
      expect(await counter.getAndSet(0.5)).toBe(0)
      expect(await counter.getAndDelete()).toBe(0.5)
      expect(await counter.getAndAdd(0.25)).toBe(0)
      expect(await counter.delete()).toBe(true)
      expect(await counter.compareAndSet(-0, 1)).toBe(true)
    })
  })

  it('adds, and tells the value before or after', async () => {
    await withCounter(async (counter, name) => {
      expect(await counter.incrementAndGet()).toBe(1)
      expect(await counter.addAndGet(0.5)).toBe(1.5)
      expect(await counter.getAndIncrement()).toBe(1.5)
      expect(await counter.getAndDecrement()).toBe(2.5)
      expect(await counter.decrementAndGet()).toBe(0.5)
      expect(await clients.other.getAtomicDouble(name).getAndAdd(-2)).toBe(0.5)
      expect(await counter.getAndSet(1e21)).toBe(-1.5)
      expect(await counter.addAndGet(0)).toBe(1e21)
      expect(await counter.getAndDelete()).toBe(1e21)
    })
  })

  it('tells the value before an addition without rounding it', async () => {
    await withCounter(async (counter) => {
      await counter.set(0.1)
      expect(await counter.getAndAdd(1e15)).toBe(0.1)
    })
  })

  it.each([
    [0, '0.0'],
    [-0, '0.0'],
    [1, '1.0'],
    [-1.5, '-1.5'],
    [9_999_999, '9999999.0'],
    [1e7, '10000000'],
    [12_345_678.5, '12345678.5'],
    [1e21, '1000000000000000000000'],
    [0.001, '0.001'],
    [1e-4, '0.00010'],
    [1e-7, '0.00000010'],
    [1.25e-5, '0.0000125'],
    [0.1 + 0.2, '0.30000000000000004'],
    [Number.MAX_VALUE, `17976931348623157${'0'.repeat(292)}`],
    [Number.MIN_VALUE, `0.${'0'.repeat(323)}49`],
  ])('writes %d as Java does, and reads it again', async (value, text) => {
    await withCounter(async (counter, name) => {
      const written = () => askOwner(topology, name, 'GET')
      await counter.set(value)
      expect(await written()).toBe(text)
      expect(await counter.get()).toBe(value === 0 ? 0 : value)
      expect(await counter.compareAndSet(value, value)).toBe(true)
      expect(await written()).toBe(text)
      expect(await counter.setIfLess(value, value)).toBe(false)
      expect(await counter.setIfGreater(value, value)).toBe(false)
      await counter.getAndSet(value)
      expect(await written()).toBe(text)
      expect(await counter.compareAndDelete('==', value)).toBe(true)
    })
  })

  it.each([
    ['5', 5],
    ['1.50', 1.5],
    ['1.0E7', 1e7],
    ['-2.5e-3', -0.0025],
  ])('reads %s, and compares it as a number', async (text, value) => {
    await withCounter(async (counter, name) => {
      await askOwner(topology, name, 'SET', text)
      expect(await counter.get()).toBe(value)
      expect(await counter.compareAndSet(value, 1)).toBe(true)
      await askOwner(topology, name, 'SET', text)
      expect(await counter.addAndGet(1)).toBe(value + 1)
    })
  })

  it('is set by comparison', async () => {
    await withCounter(async (counter) => {
      expect(await counter.setIfLess(0, 5)).toBe(false)
      expect(await counter.setIfLess(0.5, 10.5)).toBe(true)
      expect(await counter.setIfLess(9.5, 1)).toBe(false)
      expect(await counter.setIfGreater(9.5, -1.5)).toBe(true)
      expect(await counter.get()).toBe(-1.5)
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
      for (const value of [9.5, 10, 10.5]) {
        await counter.set(value)
        removed.push(await counter.compareAndDelete(comparison, 10))
      }
      expect(removed).toEqual(expected)
    })
  })

  it('says what it is incremented to, also where it expires at once', async () => {
    await withCounter(async (counter) => {
      await counter.set(4)
      expect(await counter.incrementAndGet({ by: 0.5, expire: new Date(0) })).toBe(4.5)
      expect(await counter.isExists()).toBe(false)
    })
  })

  it('keeps its time to live while it counts, and loses it when it is set', async () => {
    await withCounter(async (counter) => {
      await counter.set(1)
      await counter.expire(60_000)
      await counter.addAndGet(0.5)
      await counter.getAndAdd(0.5)
      expect(await counter.remainTimeToLive()).toBeGreaterThan(50_000)
      await counter.compareAndSet(2, 3)
      expect(await counter.remainTimeToLive()).toBe(-1)
    })
  })

  it('refuses another kind of object', async () => {
    await withCounter(async (counter, name) => {
      const calls = [
        () => counter.addAndGet(1),
        () => counter.getAndAdd(1),
        () => counter.compareAndSet(0, 2),
        () => counter.setIfGreater(1, 2),
        () => counter.compareAndDelete('!=', 1),
      ]
      const wrong = { code: 'WRONG_TYPE', mayHaveRun: false }
      await askOwner(topology, name, 'RPUSH', 'element')
      for (const call of [
        ...calls,
        () => counter.get(),
        () => counter.getAndSet(1),
        () => counter.getAndDelete(),
        () => counter.delete(),
      ])
        await expect(call()).rejects.toMatchObject(wrong)
      await askOwner(topology, name, 'DEL')
      for (const text of ['text', '1,5', '0x10']) {
        await askOwner(topology, name, 'SET', text)
        for (const call of text === '0x10' ? calls.slice(2) : calls)
          await expect(call()).rejects.toMatchObject(wrong)
        expect(await askOwner(topology, name, 'GET')).toBe(text)
      }
    })
  })

  it('is incremented within bounds', async () => {
    const counter = clients.mine.getAtomicDouble(`bounded-${topology.kind}`)
    expect(await counter.incrementAndGet({})).toBe(1)
    expect(await counter.incrementAndGet({ by: 0.25, upperBound: 1.2 })).toBe(1)
    expect(await counter.incrementAndGet({ by: 0.25, upperBound: 1.2, saturate: true })).toBe(1.2)
    expect(await counter.incrementAndGet({ by: -5, lowerBound: -0.5, saturate: true, expire: 60_000 })).toBe(
      -0.5,
    )
    expect(await counter.remainTimeToLive()).toBeGreaterThan(0)
    expect(await counter.incrementAndGet({ by: -5, lowerBound: -1, clearExpire: true })).toBe(-0.5)
    expect(await counter.remainTimeToLive()).toBeGreaterThan(0)
    await counter.set(0.1)
    expect(await counter.incrementAndGet({ by: 0.2, upperBound: 0.3 })).toBe(0.3) // as Redis adds, and not as Lua
    await counter.delete()
    expect(await counter.incrementAndGet({ by: 5, upperBound: 3 })).toBe(0)
    expect(await counter.isExists()).toBe(false)
    await expect(counter.incrementAndGet({ by: NaN })).rejects.toThrow(RangeError)
    await expect(counter.incrementAndGet({ lowerBound: 1, upperBound: 0 })).rejects.toThrow(RangeError)
    await clients.mine.getBucket(`bounded-${topology.kind}`).set('no number')
    await expect(counter.incrementAndGet({ by: 2 })).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await counter.delete()
  })
})

describe('a counter with a fraction and bad arguments', () => {
  const clients = twoClients(single)

  it.each([NaN, Infinity, '5', undefined, 5n])('refuses %o', async (value) => {
    const counter = clients.mine.getAtomicDouble('bad')
    const number = value as number
    for (const call of [
      () => counter.set(number),
      () => counter.getAndSet(number),
      () => counter.addAndGet(number),
      () => counter.getAndAdd(number),
      () => counter.compareAndSet(0, number),
      () => counter.compareAndSet(number, 0),
      () => counter.setIfLess(number, 0),
      () => counter.setIfGreater(0, number),
      () => counter.compareAndDelete('==', number),
    ])
      await expect(call()).rejects.toThrow(RangeError)
    expect(await counter.isExists()).toBe(false)
  })

  it('refuses unknown comparisons and options', async () => {
    const { mine } = clients
    await expect(mine.getAtomicDouble('bad').compareAndDelete('=' as Comparison, 0)).rejects.toThrow(
      RangeError,
    )
    expect(() => mine.getAtomicDouble('bad', { bigint: true } as never)).toThrow(TypeError)
    expect(() => mine.getAtomicDouble('bad', { exactlyOnce: 1 as never })).toThrow(TypeError)
  })
})
