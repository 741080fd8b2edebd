import { describe, expect, it } from 'vitest'
import { bytesCodec, stringCodec, type RBloomFilter, type ValueOptions } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** More than one request may be about. */
const MANY = 12_000

/** So long that no test waits for its end. */
const LONG_MS = 600_000

describe.each(slottedTopologies)('a Bloom filter ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A filter that is removed after the test. */
  const withFilter = async (
    use: (filter: RBloomFilter<unknown>, name: string) => Promise<void>,
    options?: ValueOptions<unknown>,
    name = `bloom-${topology.kind}-${String(names++)}`,
  ) => {
    const filter = clients.mine.getBloomFilter(name, options)
    try {
      await use(filter, name)
    } finally {
      await filter.delete()
    }
  }

  it('is initialized once, and shared by all clients', async () => {
    await withFilter(async (filter, name) => {
      const theirs = clients.other.getBloomFilter(name)
      expect(await filter.isExists()).toBe(false)
      expect(await filter.tryInit(100, 0.03)).toBe(true)
      expect(await theirs.tryInit(1_000, 0.5)).toBe(false)
      expect(await theirs.isExists()).toBe(true)
      expect(await theirs.getExpectedInsertions()).toBe(100)
      expect(await theirs.getFalseProbability()).toBe(0.03)
      expect(await theirs.getSize()).toBe(729)
      expect(await theirs.getHashIterations()).toBe(5)
      expect(await filter.add('a')).toBe(true)
      expect(await theirs.contains('a')).toBe(true)
      expect(await theirs.add('a')).toBe(false)
    })
  })

  it('counts what is added and what is there', async () => {
    await withFilter(async (filter) => {
      await filter.tryInit(100, 0.03)
      expect(await filter.count()).toBe(0)
      expect(await filter.addAll(['1', '2', '3'])).toBe(3)
      expect(await filter.addAll(new Set(['1', '2', '3']))).toBe(0)
      expect(await filter.addAll(['1', '5', '5'])).toBe(1)
      expect(await filter.addAll([])).toBe(0)
      expect(await filter.count()).toBe(4)
      expect(await filter.containsEach(['5', 'none', '1', '1'])).toEqual([true, false, true, true])
      expect(await filter.exists(['5', 'none', '1', '1'])).toEqual(['5', '1', '1'])
      expect(await filter.countContained(['5', 'none', '1', '1'])).toBe(3)
      expect(await filter.containsEach([])).toEqual([])
      expect(await filter.exists([])).toEqual([])
      expect(await filter.countContained([])).toBe(0)
    })
  })

  it('finds all that was added, and hardly anything else, of more values than one request is about', async () => {
    await withFilter(async (filter) => {
      await filter.tryInit(MANY, 0.01)
      const added = Array.from({ length: MANY }, (_, n) => n)
      const news = await filter.addAll(added)
      expect(news).toBeGreaterThan(MANY * 0.98)
      expect(await filter.countContained(added)).toBe(MANY)
      const found = await filter.exists(Array.from({ length: MANY }, (_, n) => -1 - n))
      expect(found.length).toBeLessThan(MANY * 0.02)
      expect(Math.abs((await filter.count()) - MANY)).toBeLessThan(MANY * 0.02)
    })
  })

  it('is refused by all that needs its settings while it has none', async () => {
    await withFilter(async (filter, name) => {
      const calls: readonly (() => Promise<unknown>)[] = [
        () => filter.add('a'),
        () => filter.addAll(['a']),
        () => filter.contains('a'),
        () => filter.containsEach(['a']),
        () => filter.exists(['a']),
        () => filter.countContained(['a']),
        () => filter.count(),
        () => filter.getExpectedInsertions(),
        () => filter.getFalseProbability(),
        () => filter.getSize(),
        () => filter.getHashIterations(),
      ]
      for (const exactlyOnce of [false, true])
        await expect(clients.mine.getBloomFilter(name, { exactlyOnce }).add('a')).rejects.toMatchObject({
          code: 'FILTER_NOT_INITIALIZED',
          object: name,
          mayHaveRun: false,
        })
      for (const call of calls)
        await expect(call(), String(call)).rejects.toMatchObject({
          code: 'FILTER_NOT_INITIALIZED',
          object: name,
        })
      expect(await askOwner(topology, name, 'EXISTS')).toBe(0)
    })
  })

  it('uses the settings that the filter has at that moment, also where another client has made it anew', async () => {
    await withFilter(async (filter, name) => {
      await filter.tryInit(1_000, 0.001)
      await filter.addAll(['a', 'b'])
      const theirs = clients.other.getBloomFilter(name)
      await theirs.delete()
      await theirs.tryInit(5, 0.3)
      expect(await filter.contains('a')).toBe(false)
      expect(await filter.add('a')).toBe(true)
      expect(await theirs.contains('a')).toBe(true)
      expect(await filter.getSize()).toBe(12)
      expect(await askOwner(topology, name, 'STRLEN')).toBeLessThanOrEqual(2)
    })
  })

  it('keeps its settings and its bits together when it is renamed, copied and deleted', async () => {
    await withFilter(
      async (filter, name) => {
        const other = clients.mine.getBloomFilter(`{${name}}:other`)
        await filter.tryInit(100, 0.03)
        await filter.rename(other.name)
        expect(await filter.isExists()).toBe(false)
        expect(await other.add('a')).toBe(true)
        expect(await other.copy(name)).toBe(true)
        expect(await filter.contains('a')).toBe(true)
        expect(await other.delete()).toBe(true)
        expect(await askOwner(topology, other.name, 'EXISTS')).toBe(0)
        await expect(other.contains('a')).rejects.toMatchObject({ code: 'FILTER_NOT_INITIALIZED' })
        await expect(other.rename(name)).rejects.toMatchObject({ code: 'NO_SUCH_OBJECT' })
        expect(await filter.contains('a')).toBe(true)
      },
      {},
      `bloom-renamed-${topology.kind}`,
    )
  })

  it('leaves a string alone that has its name, where there are no settings', async () => {
    await withFilter(async (filter, name) => {
      await askOwner(topology, name, 'SET', 'session', 'PX', LONG_MS)
      expect(await filter.isExists()).toBe(false)
      expect(await filter.delete()).toBe(false)
      expect(await filter.unlink()).toBe(false)
      expect(await filter.touch()).toBe(false)
      expect(await filter.sizeInMemory()).toBe(0)
      expect(await filter.clearExpire()).toBe(false)
      expect(await filter.expire(1)).toBe(false)
      expect(await askOwner(topology, name, 'GET')).toBe('session')
      expect(Number(await askOwner(topology, name, 'PTTL'))).toBeGreaterThan(LONG_MS / 2)
      await askOwner(topology, name, 'DEL')
    })
  })

  it('expires as a whole, also if its first value comes after its time was set', async () => {
    await withFilter(async (filter, name) => {
      await filter.tryInit(100, 0.03)
      expect(await filter.expire(LONG_MS)).toBe(true)
      await filter.add('a')
      const [bits, settings] = [
        await askOwner(topology, name, 'PEXPIRETIME'),
        (await filter.getExpireTime())?.getTime(),
      ]
      expect(bits).toBe(settings)
      expect(await filter.clearExpire()).toBe(true)
      expect(await askOwner(topology, name, 'PTTL')).toBe(-1)
      await filter.add('b')
      expect(await filter.remainTimeToLive()).toBe(-1)
      await filter.expire(1)
      await eventually(async () => !(await filter.isExists()))
      expect(await askOwner(topology, name, 'EXISTS')).toBe(0)
    })
  })

  it('uses the codec for what its bits are', async () => {
    await withFilter(async (filter, name) => {
      await filter.tryInit(100, 0.001)
      await filter.add('a')
      expect(await clients.mine.getBloomFilter(name, { codec: stringCodec() }).contains('"a"')).toBe(true)
      expect(await clients.mine.getBloomFilter(name, { codec: stringCodec() }).contains('a')).toBe(false)
      expect(
        await clients.mine.getBloomFilter(name, { codec: bytesCodec() }).contains(Buffer.from('"a"')),
      ).toBe(true)
    })
  })

  it.each(['pipeline', 'atomic'] as const)('is part of a batch (%s)', async (mode) => {
    await withFilter(async (_, name) => {
      const many = Array.from({ length: 2_500 }, (_, n) => n)
      const results = await clients.mine.batch(
        (batch) => {
          const filter = batch.getBloomFilter<number>(name)
          return [
            filter.tryInit(3_000, 0.001),
            filter.addAll(many),
            filter.countContained(many),
            filter.contains(-1),
            filter.getHashIterations(),
          ]
        },
        { mode },
      )
      expect(results).toEqual([true, expect.any(Number) as number, 2_500, false, 10])
      expect(results[1]).toBeGreaterThan(2_450)
    })
  })

  it('is refused where one of its keys belongs to something else, which stays', async () => {
    await withFilter(async (filter, name) => {
      await askOwner(topology, name, 'LPUSH', 'something')
      const calls: readonly (() => Promise<unknown>)[] = [
        () => filter.tryInit(100, 0.03),
        () => filter.delete(),
        () => filter.isExists(),
        () => filter.expire(LONG_MS),
        () => filter.rename(`{${name}}:other`),
      ]
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      expect(await askOwner(topology, name, 'LLEN')).toBe(1)
      await askOwner(topology, name, 'DEL')
      await filter.tryInit(100, 0.03)
      await askOwner(topology, name, 'LPUSH', 'something')
      for (const call of [() => filter.add('a'), () => filter.contains('a'), () => filter.count()])
        await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE', object: name })
      await askOwner(topology, name, 'DEL')
    })
  })

  it.each([
    ['text', 'many'],
    ['no bits', '0'],
    ['more bits than a string has', '4294967297'],
  ])('is refused where another program has written settings that are none: %s', async (_, size) => {
    await withFilter(async (filter, name) => {
      const config = `{${name}}:config`
      await askOwner(topology, config, 'HSET', 'size', size, 'hashIterations', '5')
      for (const call of [() => filter.add('a'), () => filter.contains('a'), () => filter.count()])
        await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE', object: name })
      await askOwner(topology, config, 'HSET', 'size', '100', 'hashIterations', '1075')
      await expect(filter.add('a')).rejects.toMatchObject({ code: 'WRONG_TYPE', object: name })
      await askOwner(topology, config, 'HDEL', 'hashIterations')
      await expect(filter.add('a')).rejects.toMatchObject({ code: 'FILTER_NOT_INITIALIZED' })
    })
  })

  it('counts without an end where all bits are set', async () => {
    await withFilter(async (filter, name) => {
      await filter.tryInit(5, 0.5)
      await askOwner(topology, name, 'SET', '\x7f\x7f\x7f\x7f')
      expect(await filter.count()).toBe(Infinity)
    })
  })

  it.each<[string, unknown, unknown]>([
    ['no expected values', 0, 0.03],
    ['less than that', -5, 0.03],
    ['a fraction of a value', 1.5, 0.03],
    ['NaN values', NaN, 0.03],
    ['a text', '100', 0.03],
    ['a negative probability', 100, -1],
    ['no probability', 100, 0],
    ['a probability that no hash has', 10, 2 ** -129],
    ['the smallest probability', 10, Number.MIN_VALUE],
    ['certainty', 100, 1],
    ['more than certainty', 100, 2],
    ['NaN as a probability', 100, NaN],
    ['a text as a probability', 100, '0.03'],
    ['a filter without a bit', 1, 0.9],
    ['a filter that is too large', 10 ** 9, 0.001],
  ])('is not initialized with %s', async (_, insertions, probability) => {
    await withFilter(async (filter) => {
      const made = filter.tryInit(insertions as number, probability as number)
      await expect(made).rejects.toThrow(RangeError)
      await expect(made).rejects.toThrow(/^Expected `/)
      expect(await filter.isExists()).toBe(false)
    })
  })

  it('sends nothing of values that are none, or that its codec cannot write', async () => {
    await withFilter(async (filter, name) => {
      await filter.tryInit(100, 0.03)
      await expect(filter.add(undefined)).rejects.toThrow(TypeError)
      await expect(filter.contains(undefined)).rejects.toThrow(TypeError)
      await expect(filter.addAll(['a', undefined])).rejects.toThrow(TypeError)
      await expect(filter.addAll('abc')).rejects.toThrow('iterable of values')
      await expect(filter.addAll(['a', () => 1])).rejects.toMatchObject({ code: 'CODEC', object: name })
      expect(await filter.count()).toBe(0)
    })
  })
})
