import { describe, expect, it } from 'vitest'
import { CodecError, stringCodec, type RTimeSeries } from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** More than one request may be about. */
const MANY = 12_000

const ttlKey = (name: string) =>
  name.includes('{') ? `redisson__ts_ttl:${name}` : `redisson__ts_ttl:{${name}}`

/** Values whose timestamps are their places. */
const pairs = (count: number, from = 0) =>
  Array.from({ length: count }, (_, place) => [from + place, from + place] as const)

describe.each(slottedTopologies)('a time series ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A series that is removed after the test. */
  const withSeries = async <V = string, L = string>(
    use: (series: RTimeSeries<V, L>, name: string) => Promise<void>,
    name = `series-${topology.kind}-${String(names++)}`,
  ) => {
    const series = clients.mine.getTimeSeries<V, L>(name)
    try {
      await use(series, name)
    } finally {
      await series.delete()
    }
  }

  const ask = (key: string, command: string, ...args: readonly (string | number)[]) =>
    askOwner(topology, key, command, ...args)

  /** Has all entries from one timestamp to another end, past the library. */
  const end = async (name: string, from: number, to: number) => {
    for (let start = from; start <= to; start += 2_000) {
      const owner = await ownerOf(topology, name)
      const found = await owner.command(
        'EVAL',
        `local found = redis.call('zrangebyscore', KEYS[1], ARGV[1], ARGV[2])
         for _, record in ipairs(found) do redis.call('zadd', KEYS[2], 1, record) end
         return #found`,
        2,
        name,
        ttlKey(name),
        start,
        Math.min(to, start + 1_999),
      )
      expect(found).toBe(Math.min(to, start + 1_999) - start + 1)
    }
  }

  it('is shared by all clients, and is not there at first', async () => {
    await withSeries(async (series, name) => {
      expect(await series.isExists()).toBe(false)
      await series.add(1_000, 'é中😀')
      expect(await clients.other.getTimeSeries<string>(name).get(1_000)).toBe('é中😀')
    })
  })

  it.each(['{braces}:series', 'a{b}c', 'имя'])('may be called %s', async (name) => {
    await withSeries(async (series) => {
      await series.add(1, 'a')
      expect(await series.size()).toBe(1)
      expect(await series.delete()).toBe(true)
      expect(await ask(name, 'EXISTS', ttlKey(name))).toBe(0)
    }, name)
  })

  it('has nothing where it is not there', async () => {
    await withSeries(async (series) => {
      await series.addAll([])
      await series.addAll(new Map())
      expect(await series.size()).toBe(0)
      for (const one of [
        series.get(1),
        series.getEntry(1),
        series.getAndRemove(1),
        series.getAndRemoveEntry(1),
        series.first(),
        series.firstEntry(),
        series.firstTimestamp(),
        series.last(),
        series.lastEntry(),
        series.lastTimestamp(),
        series.pollFirst(),
        series.pollFirstEntry(),
        series.pollLast(),
        series.pollLastEntry(),
      ])
        expect(await one).toBeUndefined()
      for (const many of [
        series.first(3),
        series.firstEntries(3),
        series.last(3),
        series.lastEntries(3),
        series.pollFirst(3),
        series.pollFirstEntries(3),
        series.pollLast(3),
        series.pollLastEntries(3),
        series.range(-Infinity, Infinity),
        series.rangeReversed(0, 9),
        series.entryRange(0, 9),
        series.entryRangeReversed(0, 9, 3),
        allOf(series),
        allOf(series.entries()),
      ])
        expect(await many).toEqual([])
      expect(await series.remove(1)).toBe(false)
      expect(await series.removeRange(-Infinity, Infinity)).toBe(0)
      expect(await series.isExists()).toBe(false)
    })
  })

  it('returns entries in the order of their timestamps, whenever they were added and whenever they end', async () => {
    await withSeries(async (series) => {
      await series.add(3_000, 'c', { ttlMs: 600_000 })
      await series.add(new Date(1_000), 'a', { label: 'first' })
      await series.addAll([{ timestamp: new Date(2_000), value: 'b', label: 'second' }], { ttlMs: 60_000 })
      await series.addAll(new Map([[-1_000, 'z']]))
      await series.addAll([[4_000, 'd']], { ttlMs: 0 })
      const entries = [
        { timestamp: -1_000, value: 'z' },
        { timestamp: 1_000, value: 'a', label: 'first' },
        { timestamp: 2_000, value: 'b', label: 'second' },
        { timestamp: 3_000, value: 'c' },
        { timestamp: 4_000, value: 'd' },
      ]
      expect(await series.size()).toBe(5)
      expect(await series.get(2_000)).toBe('b')
      expect(await series.getEntry(new Date(2_000))).toEqual(entries[2])
      expect(Object.keys((await series.getEntry(3_000)) ?? {})).toEqual(['timestamp', 'value'])
      expect(await series.first()).toBe('z')
      expect(await series.first(2)).toEqual(['z', 'a'])
      expect(await series.firstEntry()).toEqual(entries[0])
      expect(await series.firstEntries(9)).toEqual(entries)
      expect(await series.firstTimestamp()).toBe(-1_000)
      expect(await series.last()).toBe('d')
      expect(await series.last(2)).toEqual(['c', 'd'])
      expect(await series.lastEntry()).toEqual(entries[4])
      expect(await series.lastEntries(2)).toEqual(entries.slice(-2))
      expect(await series.lastTimestamp()).toBe(4_000)
      expect(await series.first(0)).toEqual([])
      expect(await series.range(1_000, 3_000)).toEqual(['a', 'b', 'c'])
      expect(await series.range(1_001, new Date(2_999))).toEqual(['b'])
      expect(await series.range(-Infinity, Infinity, 2)).toEqual(['z', 'a'])
      expect(await series.range(3_000, 1_000)).toEqual([])
      expect(await series.rangeReversed(1_000, 3_000)).toEqual(['c', 'b', 'a'])
      expect(await series.rangeReversed(-Infinity, 3_000, 2)).toEqual(['c', 'b'])
      expect(await series.entryRange(1_000, 3_000)).toEqual(entries.slice(1, 4))
      expect(await series.entryRangeReversed(1_000, 3_000, 2)).toEqual([entries[3], entries[2]])
      expect(await allOf(series)).toEqual(['z', 'a', 'b', 'c', 'd'])
      expect(await allOf(series.values({ count: 2 }))).toEqual(['z', 'a', 'b', 'c', 'd'])
      expect(await allOf(series.entries({ count: 5 }))).toEqual(entries)
    })
  })

  it('removes entries, and what is kept of their ends', async () => {
    await withSeries(async (series, name) => {
      await series.addAll(pairs(10).map(([timestamp, value]) => [timestamp, `v${String(value)}`]))
      expect(await series.remove(0)).toBe(true)
      expect(await series.remove(0)).toBe(false)
      expect(await series.getAndRemove(1)).toBe('v1')
      expect(await series.getAndRemoveEntry(2)).toEqual({ timestamp: 2, value: 'v2' })
      expect(await series.pollFirst()).toBe('v3')
      expect(await series.pollLast()).toBe('v9')
      expect(await series.pollFirstEntry()).toEqual({ timestamp: 4, value: 'v4' })
      expect(await series.pollLastEntry()).toEqual({ timestamp: 8, value: 'v8' })
      expect(await series.pollFirst(0)).toEqual([])
      expect(await series.pollLast(2)).toEqual(['v6', 'v7'])
      await series.add(6, 'v6')
      expect(await series.pollFirstEntries(9)).toEqual([
        { timestamp: 5, value: 'v5' },
        { timestamp: 6, value: 'v6' },
      ])
      expect(await ask(name, 'EXISTS', ttlKey(name))).toBe(0)
      await series.addAll(pairs(4).map(([timestamp]) => [timestamp, 'x']))
      expect(await series.removeRange(1, 2)).toBe(2)
      expect(await series.pollLastEntries(9)).toEqual([
        { timestamp: 0, value: 'x' },
        { timestamp: 3, value: 'x' },
      ])
      expect(await ask(name, 'EXISTS', ttlKey(name))).toBe(0)
    })
  })

  it('has several entries of one timestamp, also of one value', async () => {
    await withSeries(async (series) => {
      await series.addAll([
        [7, 'a'],
        [7, 'a'],
      ])
      await series.add(7, 'b', { label: 'x' })
      expect(await series.size()).toBe(3)
      expect((await series.range(7, 7)).toSorted()).toEqual(['a', 'a', 'b'])
      expect(await series.remove(7)).toBe(true)
      expect(await series.size()).toBe(2)
      expect(await series.removeRange(7, 7)).toBe(2)
    })
  })

  it('hides entries as soon as they end, whether or not they were removed', async () => {
    await withSeries(async (series, name) => {
      await series.add(1, 'ends', { ttlMs: 600_000, label: 'x' })
      await series.add(2, 'stays', { ttlMs: 600_000 })
      await series.add(3, 'ends', { ttlMs: 1 })
      await end(name, 1, 1)
      await eventually(async () => (await series.size()) === 1)
      expect(await ask(name, 'ZCARD')).toBe(3)
      expect(await series.get(1)).toBeUndefined()
      expect(await series.getEntry(3)).toBeUndefined()
      for (const one of [series.first(), series.last()]) expect(await one).toBe('stays')
      for (const many of [
        series.first(3),
        series.last(3),
        series.range(0, 9),
        series.rangeReversed(0, 9, 3),
        allOf(series),
      ])
        expect(await many).toEqual(['stays'])
      for (const timestamp of [series.firstTimestamp(), series.lastTimestamp()])
        expect(await timestamp).toBe(2)
      expect(await series.remove(1)).toBe(false)
      await end(name, 2, 2)
      expect(await series.pollFirst()).toBeUndefined()
      expect(await ask(name, 'EXISTS', ttlKey(name))).toBe(0)
    })
  })

  it('finds the entry of a timestamp that has not ended beside one that has', async () => {
    await withSeries(async (series, name) => {
      for (let round = 0; round < 8; round += 1) {
        await series.add(1, 'ended')
        await end(name, 1, 1)
        await series.add(1, 'there')
        expect(await series.get(1)).toBe('there')
        expect(await series.getAndRemove(1)).toBe('there')
        expect(await series.removeRange(0, 9)).toBe(0)
      }
    })
  })

  it('has more entries than one request may be about', async () => {
    await withSeries<number>(async (series, name) => {
      await series.addAll(pairs(MANY))
      const values = pairs(MANY).map(([value]) => value)
      expect(await series.size()).toBe(MANY)
      expect(await series.range(0, MANY)).toEqual(values)
      expect(await series.rangeReversed(0, MANY)).toEqual(values.toReversed())
      expect(await series.range(0, MANY, 7_000)).toEqual(values.slice(0, 7_000))
      expect(await series.last(7_000)).toEqual(values.slice(-7_000))
      expect(await allOf(series)).toEqual(values)
      expect(await series.pollFirst(5_000)).toEqual(values.slice(0, 5_000))
      expect(await series.removeRange(5_000, MANY)).toBe(7_000)
      expect(await ask(name, 'EXISTS', ttlKey(name))).toBe(0)
    })
  })

  it('passes over more entries that have ended than one request may be about', async () => {
    await withSeries<number>(async (series, name) => {
      await series.addAll(pairs(MANY))
      await end(name, 0, MANY - 4)
      expect(await series.size()).toBe(3)
      expect(await series.first()).toBe(MANY - 3)
      expect(await series.first(9)).toEqual([MANY - 3, MANY - 2, MANY - 1])
      expect(await series.last(9)).toEqual([MANY - 3, MANY - 2, MANY - 1])
      expect(await allOf(series.values({ count: 2 }))).toEqual([MANY - 3, MANY - 2, MANY - 1])
      expect(await series.range(0, 10)).toEqual([])
      expect(await series.pollFirst()).toBe(MANY - 3)
      expect(await ask(name, 'ZCARD')).toBe(2)
      await series.addAll(pairs(MANY, MANY))
      await end(name, MANY, 2 * MANY - 1)
      expect(await series.removeRange(-Infinity, Infinity)).toBe(2)
      expect(await ask(name, 'EXISTS', ttlKey(name))).toBe(0)
    })
  })

  it('goes on where it was when the entry there is removed', async () => {
    await withSeries<number>(async (series) => {
      await series.addAll([...pairs(6), [5, 5], [5, 5], ...pairs(4, 6)])
      const walk = series.values({ count: 2 })[Symbol.asyncIterator]()
      const found: (number | undefined)[] = []
      for (;;) {
        const { done, value } = await walk.next()
        if (done === true) break
        found.push(value)
        if (found.length % 2 === 0 && value < 5) await series.removeRange(value, value)
      }
      expect(found).toEqual([0, 1, 2, 3, 4, 5, 5, 5, 6, 7, 8, 9])
    })
  })

  it('is walked through with entries of one timestamp that are removed meanwhile', async () => {
    await withSeries<number>(async (series) => {
      await series.addAll(Array.from({ length: 30 }, (_, value) => [1, value] as const))
      const seen = new Set<number>()
      let count = 0
      for await (const value of series.values({ count: 3 })) {
        seen.add(value)
        count += 1
        if (count === 9) await series.remove(1)
      }
      expect(seen.size).toBe(count)
      expect(count).toBeGreaterThanOrEqual(29)
    })
  })

  it('refuses what makes no sense, and sends nothing', async () => {
    await withSeries(async (series) => {
      const wrong = (call: unknown) => call as never
      for (const time of ['1', null, undefined, 1n, {}, NaN, 0.5, Infinity, 2 ** 53, new Date(NaN)]) {
        const kind = typeof time === 'number' || time instanceof Date ? RangeError : TypeError
        await expect(series.add(wrong(time), 'a')).rejects.toThrow(kind)
        await expect(series.get(wrong(time))).rejects.toThrow(kind)
        await expect(series.remove(wrong(time))).rejects.toThrow(kind)
        if (time !== Infinity) await expect(series.range(0, wrong(time))).rejects.toThrow(kind)
      }
      await expect(series.add(1, wrong(undefined))).rejects.toThrow(TypeError)
      await expect(series.add(1, 'a', { ttlMs: -1 })).rejects.toThrow(RangeError)
      await expect(series.add(1, 'a', wrong({ ttl: 1 }))).rejects.toThrow(TypeError)
      await expect(series.add(1, 'a', wrong(5))).rejects.toThrow(TypeError)
      await expect(series.addAll(wrong([[1]]))).rejects.toThrow(TypeError)
      await expect(series.addAll(wrong([{ timestamp: 1, value: 'a', ttlMs: 1 }]))).rejects.toThrow(TypeError)
      await expect(series.addAll(wrong({ 1: 'a' }))).rejects.toThrow(TypeError)
      await expect(series.first(-1)).rejects.toThrow(RangeError)
      await expect(series.range(0, 1, 0)).rejects.toThrow(RangeError)
      await expect(series.pollFirst(5_001)).rejects.toThrow(RangeError)
      expect(() => series.values({ count: 5_001 })).toThrow(RangeError)
      expect(await series.isExists()).toBe(false)
    })
  })

  it('refuses a name of an object of another kind, and leaves it as it is', async () => {
    const name = `series-${topology.kind}-other`
    await clients.mine.getBucket(name).set('text')
    const series = clients.mine.getTimeSeries(name)
    const wrong = { code: 'WRONG_TYPE' }
    await expect(series.add(1, 'a')).rejects.toMatchObject(wrong)
    await expect(series.size()).rejects.toMatchObject(wrong)
    await expect(series.first()).rejects.toMatchObject(wrong)
    await expect(series.pollFirst()).rejects.toMatchObject(wrong)
    await expect(series.removeRange(0, 1)).rejects.toMatchObject(wrong)
    await expect(series.delete()).rejects.toMatchObject(wrong)
    expect(await ask(ttlKey(name), 'EXISTS')).toBe(0)
    await clients.mine.getBucket(name).delete()
  })

  it('says which entries it has removed and cannot read', async () => {
    await withSeries<unknown>(async (series, name) => {
      await series.add(1, 'a')
      await ask(name, 'ZADD', 2, 'no record')
      await clients.mine.getTimeSeries(name, { codec: stringCodec() }).add(3, '{')
      const failed = series.firstEntries(3)
      await expect(failed).rejects.toMatchObject({ code: 'CODEC' })
      expect(await allOf(series.values({ onInvalid: 'skip' }))).toEqual(['a'])
      const error: unknown = await series.pollFirst(3).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(CodecError)
      expect((error as CodecError).taken()).toEqual(['a'])
      expect((error as CodecError).unreadable()).toHaveLength(2)
      expect(await series.isExists()).toBe(false)
    })
  })

  it('polls as many as one call may by one request, although others have ended', async () => {
    await withSeries<number>(async (series, name) => {
      await series.addAll(pairs(5_002))
      await end(name, 1, 2)
      const [polled] = await clients.mine.batch((batch) => [
        batch.getTimeSeries<number>(name).pollFirst(5_000),
      ])
      expect(polled).toHaveLength(5_000)
      expect(await series.size()).toBe(0)
    })
  })

  it('is part of a batch, where each call is one request', async () => {
    const name = `series-${topology.kind}-batch`
    const found = await clients.mine.batch((batch) => {
      const series = batch.getTimeSeries<number, string>(name)
      return [
        series.add(1, 1, { label: 'x' }),
        series.addAll(pairs(3, 2)),
        series.size(),
        series.getEntry(1),
        series.range(2, 3),
        series.last(2),
        series.pollFirst(),
        series.removeRange(0, 9),
      ]
    })
    expect(found).toEqual([
      undefined,
      undefined,
      4,
      { timestamp: 1, value: 1, label: 'x' },
      [2, 3],
      [3, 4],
      1,
      3,
    ])
    const series = clients.mine.getTimeSeries<number>(name)
    await series.addAll(pairs(MANY))
    const tooMany = clients.mine.batch((batch) => [batch.getTimeSeries(name).range(0, MANY)])
    await expect(tooMany).rejects.toMatchObject({ code: 'BATCH' })
    await series.delete()
  })
})
