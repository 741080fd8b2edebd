import { describe, expect, it } from 'vitest'
import {
  CrossSlotError,
  NotInBatchError,
  Redisson,
  UnsafeIntegerError,
  WrongTypeError,
  type RBitSet,
} from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { cluster, slottedTopologies, single } from '../../support/topologies.js'
import { COMBINATIONS } from './model.js'

const LAST = 2 ** 32 - 1

/** So long that no test waits for its end. */
const LONG_MS = 600_000

/** How many bits one request sets of a range. */
const ONE_STEP = 2 ** 26

/** Adds this much at the same time from two clients. */
const TURNS = 50

describe.each(slottedTopologies)('a bit set ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const at = (name: string) => `{bits-${topology.kind}}:${name}`
  const bitSet = (name: string) => clients.mine.getBitSet(at(name))
  const all = async (bits: RBitSet) => allOf(bits.indexes())

  it('sets, reads and clears bits, for all clients', async () => {
    const bits = bitSet('one')
    expect(await bits.set(5)).toBe(false)
    expect(await bits.set(5)).toBe(true)
    expect(await bits.set(5, true)).toBe(true)
    expect(await clients.other.getBitSet(bits.name).get(5)).toBe(true)
    expect(await bits.get(4)).toBe(false)
    expect(await bits.set(5, false)).toBe(true)
    expect(await bits.set(5, false)).toBe(false)
    expect(await bits.set(6, false)).toBe(false)
    expect(await bits.get(5)).toBe(false)
    expect(await bits.isExists()).toBe(true)
    await bits.clear()
    expect(await bits.isExists()).toBe(false)
  })

  it('has no bits where it is absent', async () => {
    const absent = bitSet('absent')
    expect(await absent.get(LAST)).toBe(false)
    expect(await absent.getEach([0, LAST])).toEqual([false, false])
    expect([await absent.cardinality(), await absent.length(), await absent.size()]).toEqual([0, 0, 0])
    expect(await absent.toByteArray()).toHaveLength(0)
    expect(await all(absent)).toEqual([])
    expect(await absent.not()).toBe(0)
    expect(await absent.getSigned(64, LAST - 63)).toBe(0)
    await absent.clear()
    for (const { name } of COMBINATIONS) expect(await absent[name]([at('absent-too')]), name).toBe(0)
    expect(await absent.isExists()).toBe(false)
  })

  it('sets and reads several bits, as many as there are', async () => {
    const bits = bitSet('several')
    await bits.setAll([])
    await bits.setAll([], false)
    expect(await bits.getEach([])).toEqual([])
    expect(await bits.isExists()).toBe(false)
    const many = Array.from({ length: 5_000 }, (_, n) => n * 3)
    await bits.setAll(new Set(many))
    expect(await bits.cardinality()).toBe(many.length)
    expect(await bits.getEach(many.flatMap((index) => [index, index + 1]))).toEqual(
      many.flatMap(() => [true, false]),
    )
    await bits.setAll(many.slice(2), false)
    expect(await all(bits)).toEqual([0, 3])
    await bits.setAll([7, 7, 8])
    expect(await bits.getEach([7, 8, 7])).toEqual([true, true, true])
    await bits.delete()
  })

  it('keeps no other call back until all of a long list is sent', async () => {
    const bits = bitSet('long-list')
    const many = Array.from({ length: 20_000 }, (_, n) => n)
    const last = many.length - 1
    const setting = bits.setAll(many)
    expect(await bits.get(last)).toBe(false)
    await setting
    const reading = bits.getEach(many)
    expect(await bits.set(last, false)).toBe(true)
    expect(await reading).toEqual(many.map((index) => index !== last))
    await bits.delete()
  })

  it('counts its bits, and knows the highest', async () => {
    const bits = bitSet('counts')
    for (const [highest, bytes] of [
      [0, 1],
      [7, 1],
      [8, 2],
      [70_001, 8_751],
    ] as const) {
      await bits.set(highest)
      expect([await bits.length(), await bits.size()]).toEqual([highest + 1, bytes * 8])
    }
    expect(await bits.cardinality()).toBe(4)
    for (const [cleared, length] of [
      [70_001, 9],
      [8, 8],
      [0, 8],
      [7, 0],
    ] as const) {
      await bits.set(cleared, false)
      expect(await bits.length()).toBe(length)
    }
    expect([await bits.cardinality(), await bits.size()]).toEqual([0, 8_751 * 8])
    await bits.delete()
  })

  it('sets and clears the bits of a range and no others', async () => {
    const bits = bitSet('range')
    for (const [from, to] of [
      [0, 0],
      [3, 3],
      [3, 4],
      [2, 7],
      [0, 8],
      [7, 9],
      [5, 40],
      [8, 24],
      [1, 8 * 65_536 + 9],
      [13, 8 * 200_000 + 3],
    ] as const) {
      const range = `${from} to ${to}`
      const ends = [from, Math.max(from, to - 1), to]
      await bits.set(to + 20)
      await bits.setRange(from, to)
      expect([await bits.cardinality(), await bits.length()], range).toEqual([to - from + 1, to + 21])
      expect(await bits.getEach(ends), range).toEqual([to > from, to > from, false])
      await bits.setRange(0, to + 20)
      await bits.setRange(from, to, false)
      expect(await bits.cardinality(), range).toBe(from + 20 + 1)
      expect(await bits.getEach(ends), range).toEqual([to === from, to === from, true])
      await bits.delete()
    }
  })

  it('does not become longer for zeros of a range', async () => {
    const bits = bitSet('zeros')
    await bits.setRange(5, LAST + 1, false)
    expect(await bits.isExists()).toBe(false)
    await bits.setRange(0, 20)
    await bits.setRange(10, LAST + 1, false)
    await bits.setRange(LAST, LAST + 1, false)
    expect([await bits.length(), await bits.size()]).toEqual([10, 24])
    await bits.delete()
  })

  it('sets a range that takes several requests', async () => {
    const bits = bitSet('long')
    await bits.setRange(3, ONE_STEP + 21)
    expect([await bits.cardinality(), await bits.length()]).toEqual([ONE_STEP + 18, ONE_STEP + 21])
    await bits.setRange(9, ONE_STEP + 20, false)
    expect(await all(bits)).toEqual([3, 4, 5, 6, 7, 8, ONE_STEP + 20])
    await bits.delete()
  })

  it('has bytes, in which the first bit is the highest', async () => {
    const bits = bitSet('bytes')
    await bits.setAll([0, 15])
    expect(Buffer.from(await bits.toByteArray()).toString('hex')).toBe('8001')
    await bits.setByteArray(Uint8Array.of(0x40, 0, 0x03))
    expect([await all(bits), await bits.size()]).toEqual([[1, 22, 23], 24])
    await bits.setByteArray(Buffer.from('abc').subarray(1, 2))
    expect(Buffer.from(await bits.toByteArray()).toString()).toBe('b')
    await bits.setByteArray(new Uint8Array())
    expect(await bits.toByteArray()).toHaveLength(0)
    expect(await bits.length()).toBe(0)
    await bits.delete()
  })

  it('has its bytes in memory of their own, which may be handed over', async () => {
    const bits = bitSet('handed-over')
    await bits.setByteArray(Uint8Array.of(1, 2))
    const [first, second] = await Promise.all([bits.toByteArray(), bits.toByteArray()])
    structuredClone(first, { transfer: [first.buffer as ArrayBuffer] })
    expect([...second]).toEqual([1, 2])
    expect(second.buffer.byteLength).toBe(2)
    await bits.delete()
  })

  it('is iterated over in the order of its indexes, page by page', async () => {
    const bits = bitSet('walk')
    const page = 65_536 * 8
    const wanted = [0, 9, page - 1, page, 3 * page - 1]
    await bits.setAll(wanted)
    expect(await all(bits)).toEqual(wanted)
    const found: number[] = []
    for await (const index of bits) {
      found.push(index)
      if (index === 9) await bits.set(page, false)
      if (index === page - 1) break
    }
    expect(found).toEqual([0, 9, page - 1])
    expect(await all(bits)).toEqual(wanted.filter((index) => index !== page))
    await bits.delete()
  })

  it('is iterated over until a signal aborts', async () => {
    const bits = bitSet('aborted')
    await bits.setAll([1, 2, 3])
    const ending = new AbortController()
    const found: number[] = []
    const walking = (async () => {
      for await (const index of bits.indexes({ signal: ending.signal })) {
        found.push(index)
        if (index === 2) ending.abort(new Error('enough'))
      }
    })()
    await expect(walking).rejects.toThrow('enough')
    expect(found).toEqual([1, 2])
    await bits.delete()
  })

  it('inverts the bits of whole bytes', async () => {
    const bits = bitSet('not')
    await bits.setAll([0, 9])
    expect(await bits.not()).toBe(2)
    expect(await all(bits)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15])
    await bits.delete()
  })

  describe.each(COMBINATIONS)('combined with others by $name', (combination) => {
    /** The bits of each set; an absent one has none. Names may come twice, and be that of the set itself. */
    const sets = { own: [0, 1, 2, 3, 17], two: [1, 2, 40], three: [2, 3, 4, 40], absent: [] }
    type Name = keyof typeof sets

    it('has the bits that it should', async () => {
      const lists: readonly (readonly Name[])[] = [
        ['two'],
        ['two', 'three'],
        ['absent'],
        ['absent', 'three', 'two'],
        ['own'],
        ['two', 'own'],
        ['own', 'three'],
        ['two', 'two'],
        ['two', 'three', 'own', 'two'],
      ]
      for (const names of lists) {
        for (const [name, indexes] of Object.entries(sets)) await bitSet(name).setAll(indexes)
        const others = names.map((name) => sets[name])
        const { bits, bytes } = combination.of(sets.own, others)
        expect(await bitSet('own')[combination.name](names.map(at)), names.join()).toBe(bytes)
        expect(await all(bitSet('own')), names.join()).toEqual(bits)
        for (const name of ['two', 'three'] as const) expect(await all(bitSet(name))).toEqual(sets[name])
        await clients.mine.getKeys().delete(...Object.keys(sets).map(at))
      }
    })

    it('refuses objects of other kinds, and leaves nothing of what it has begun', async () => {
      const [target, wrong] = [bitSet('own'), clients.mine.getList(at('wrong'))]
      await target.set(3)
      await bitSet('two').set(4)
      await wrong.add(1)
      const others = [at('two'), wrong.name]
      await expect(target[combination.name](others)).rejects.toBeInstanceOf(WrongTypeError)
      expect(await all(target)).toEqual([3])
      await target.delete()
      await clients.mine.getList(target.name).add(1)
      await expect(target[combination.name]([at('two')])).rejects.toBeInstanceOf(WrongTypeError)
      await clients.mine.getKeys().delete(target.name, at('two'), wrong.name)
    })

    it('refuses no names, and names of other slots', async () => {
      const target = bitSet('own')
      await expect(target[combination.name]([])).rejects.toThrow(RangeError)
      await expect(target[combination.name]('two' as never)).rejects.toThrow(TypeError)
      await expect(target[combination.name]([''])).rejects.toThrow(TypeError)
      const many = Array.from({ length: 5_001 }, (_, n) => at(String(n)))
      await expect(target[combination.name](many)).rejects.toThrow('5001')
      if (topology === cluster)
        await expect(target[combination.name](['{elsewhere}:bits'])).rejects.toBeInstanceOf(CrossSlotError)
    })

    it('takes many names, also with exactlyOnce', async () => {
      const many = Array.from({ length: 5_000 }, (_, n) => at(String(n)))
      const target = clients.mine.getBitSet(at('own'), { exactlyOnce: true })
      await target.set(9)
      const { bits } = combination.of(
        [9],
        many.map(() => []),
      )
      await target[combination.name](many)
      expect(await all(target)).toEqual(bits)
      await target.delete()
    })
  })

  it('keeps its time to live, unless it is replaced or combined', async () => {
    const bits = bitSet('expires')
    const wide = clients.mine.getBitSet(bits.name, { bigint: true })
    await bitSet('another').setAll([1, 2])
    const keeping: readonly (() => Promise<unknown>)[] = [
      () => bits.set(3),
      () => bits.setAll([4, 5]),
      () => bits.setRange(6, 90),
      () => bits.setRange(6, 9, false),
      () => bits.setSigned(8, 3, 5),
      () => bits.incrementAndGetInteger(3, 5),
      () => wide.setLong(3, 5n),
    ]
    await bits.set(1)
    await bits.expire(LONG_MS)
    for (const change of keeping) {
      await change()
      expect(await bits.remainTimeToLive(), String(change)).toBeGreaterThan(0)
    }
    const ending = [
      () => bits.setByteArray(Uint8Array.of(0xff)),
      () => bits.not(),
      ...COMBINATIONS.map(
        ({ name }) =>
          () =>
            bits[name]([at('another')]),
      ),
    ]
    for (const change of ending) {
      await bits.setByteArray(Uint8Array.of(0x70))
      await bits.expire(LONG_MS)
      await change()
      expect(await bits.remainTimeToLive(), String(change)).toBe(-1)
    }
    await clients.mine.getKeys().delete(bits.name, at('another'))
  })

  it('has signed and unsigned cells of any size, anywhere', async () => {
    const bits = clients.mine.getBitSet(at('cells'), { bigint: true })
    for (let size = 1; size <= 64; size += 1) {
      const half = 2n ** BigInt(size - 1)
      for (const value of [-half, half - 1n]) {
        expect(await bits.setSigned(size, 13, value)).toBe(0n)
        expect(await bits.getSigned(size, 13)).toBe(value)
        expect(await bits.setSigned(size, 13, 0n)).toBe(value)
      }
      expect(await bits.incrementAndGetSigned(size, 13, -half)).toBe(-half)
      expect(await bits.incrementAndGetSigned(size, 13, -1n)).toBe(half - 1n)
      await bits.delete()
      if (size === 64) continue
      const most = 2n * half - 1n
      expect(await bits.setUnsigned(size, 13, most)).toBe(0n)
      expect(await bits.getUnsigned(size, 13)).toBe(most)
      expect(await bits.incrementAndGetUnsigned(size, 13, 1n)).toBe(0n)
      expect(await bits.incrementAndGetUnsigned(size, 13, -1n)).toBe(most)
      expect(await bits.setUnsigned(size, 13, 0n)).toBe(most)
      await bits.delete()
    }
  })

  it.each([
    [8, 'getByte', 'setByte', 'incrementAndGetByte'],
    [16, 'getShort', 'setShort', 'incrementAndGetShort'],
    [32, 'getInteger', 'setInteger', 'incrementAndGetInteger'],
    [64, 'getLong', 'setLong', 'incrementAndGetLong'],
  ] as const)('has integers of %i bits', async (size, get, set, increment) => {
    const bits = clients.mine.getBitSet(at('integers'), { bigint: true, exactlyOnce: true })
    const least = -(2n ** BigInt(size - 1))
    expect(await bits[set](7, least)).toBe(0n)
    expect(await bits[get](7)).toBe(least)
    expect(await bits.getSigned(size, 7)).toBe(least)
    expect(await bits[increment](7, 1n)).toBe(least + 1n)
    expect(await bits[set](7, 5n)).toBe(least + 1n)
    expect(await bits[increment](7, -7n)).toBe(-2n)
    await expect(bits[set](7, -least)).rejects.toThrow(RangeError)
    await expect(bits.setUnsigned(size - 1, 7, least)).rejects.toThrow(RangeError)
    await bits.delete()
  })

  it('does several things with cells as one step', async () => {
    const bits = bitSet('fields')
    expect(await bits.bitField([])).toEqual([])
    expect(await bits.bitField([{ get: 'u8', offset: 0 }])).toEqual([0])
    expect(await bits.isExists()).toBe(false)
    expect(
      await bits.bitField([
        { set: 'u8', offset: 0, value: 200 },
        { get: 'i8', offset: 0 },
        { increment: 'u8', offset: 0, by: 100 },
        { increment: 'u8', offset: 0, by: 300, overflow: 'SAT' },
        { increment: 'u8', offset: 0, by: 1, overflow: 'FAIL' },
        { set: 'u8', offset: 0, value: 256, overflow: 'FAIL' },
        { increment: 'u8', offset: 0, by: -256, overflow: 'SAT' },
        { set: 'u4', offset: 8, value: 17 },
        { set: 'u4', offset: 8, value: -3, overflow: 'SAT' },
        { set: 'u4', offset: 8, value: 99, overflow: 'SAT' },
        { set: 'u4', offset: 8, value: -3, overflow: 'FAIL' },
        { set: 'i4', offset: 8, value: -99, overflow: 'SAT' },
        { get: 'i4', offset: 8 },
      ]),
    ).toEqual([0, -56, 44, 255, undefined, undefined, 0, 0, 1, 0, undefined, -1, -8])
    await bits.delete()
  })

  it('does the same with cells of more than 53 bits', async () => {
    for (const exactlyOnce of [false, true]) {
      const bits = clients.mine.getBitSet(at('wide'), { bigint: true, exactlyOnce })
      const most = 2n ** 63n - 1n
      expect(
        await bits.bitField([
          { set: 'i64', offset: 1, value: most },
          { get: 'u63', offset: 2 },
          { increment: 'i64', offset: 1, by: 2n, overflow: 'FAIL' },
          { increment: 'i64', offset: 1, by: 2n, overflow: 'SAT' },
          { increment: 'i64', offset: 1, by: 2n },
          { set: 'u63', offset: 1, value: most },
          { set: 'u54', offset: 70, value: 2n ** 54n - 1n },
          { increment: 'u54', offset: 70, by: -2n },
          { set: 'u1', offset: 0, value: 1n },
          { get: 'i64', offset: 1 },
        ]),
      ).toEqual([0n, most, undefined, most, -most, 2n ** 62n, 0n, 2n ** 54n - 3n, 0n, -1n])
      await bits.delete()
    }
  })

  it('saturates at the nearest number, however far the other one is', async () => {
    const bits = clients.mine.getBitSet(at('saturated'), { bigint: true })
    const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n]
    for (const [type, first, last] of [
      ['i8', -128n, 127n],
      ['i2', -2n, 1n],
      ['i63', -(2n ** 62n), 2n ** 62n - 1n],
      ['i64', least, most],
    ] as const)
      expect(
        await bits.bitField([
          { set: type, offset: 3, value: least, overflow: 'SAT' },
          { get: type, offset: 3 },
          { set: type, offset: 3, value: most, overflow: 'SAT' },
          { get: type, offset: 3 },
          { set: type, offset: 3, value: 0n },
        ]),
      ).toEqual([0n, first, first, last, last])
    await bits.delete()
  })

  it('says so where a number would lose digits', async () => {
    const bits = bitSet('unsafe')
    await bits.setLong(0, 2 ** 53 - 1)
    expect(await bits.getLong(0)).toBe(2 ** 53 - 1)
    await expect(bits.incrementAndGetLong(0, 1)).rejects.toBeInstanceOf(UnsafeIntegerError)
    await expect(bits.getLong(0)).rejects.toMatchObject({ digits: String(2 ** 53) })
    await expect(bits.bitField([{ get: 'i64', offset: 0 }])).rejects.toBeInstanceOf(UnsafeIntegerError)
    expect(await bits.incrementAndGetLong(0, -1)).toBe(2 ** 53 - 1)
    await bits.delete()
  })

  it('refuses what is not right, and sends nothing', async () => {
    const bits = bitSet('refused')
    const wide = clients.mine.getBitSet(bits.name, { bigint: true })
    const indexes = [-1, LAST + 1, 0.5, NaN, '1', 1n, null, undefined] as number[]
    for (const index of indexes) {
      await expect(bits.get(index)).rejects.toThrow(RangeError)
      await expect(bits.set(index)).rejects.toThrow(RangeError)
      await expect(bits.getEach([0, index])).rejects.toThrow(RangeError)
      await expect(bits.setAll([0, index])).rejects.toThrow(RangeError)
      await expect(bits.getByte(index)).rejects.toThrow(RangeError)
    }
    for (const [from, to] of [
      [5, 4],
      [-1, 4],
      [0, LAST + 2],
      [0.5, 2],
    ] as const)
      await expect(bits.setRange(from, to)).rejects.toThrow(RangeError)
    await expect(bits.set(1, 0 as unknown as boolean)).rejects.toThrow(TypeError)
    await expect(bits.setAll([1], 1 as unknown as boolean)).rejects.toThrow(TypeError)
    await expect(bits.setRange(1, 2, 0 as unknown as boolean)).rejects.toThrow(TypeError)
    await expect(bits.getEach(5 as unknown as [])).rejects.toThrow(TypeError)
    await expect(bits.setByteArray('ab' as unknown as Uint8Array)).rejects.toThrow(TypeError)
    for (const [size, offset] of [
      [0, 0],
      [65, 0],
      [1.5, 0],
      [8, LAST - 6],
    ] as const)
      await expect(bits.setSigned(size, offset, 0)).rejects.toThrow(RangeError)
    await expect(bits.getUnsigned(64, 0)).rejects.toThrow(RangeError)
    await expect(bits.setByte(0, 128)).rejects.toThrow(RangeError)
    await expect(bits.setUnsigned(8, 0, -1)).rejects.toThrow(RangeError)
    await expect(bits.incrementAndGetByte(0, 2 ** 53)).rejects.toThrow(RangeError)
    await expect(wide.setLong(0, 2n ** 63n)).rejects.toThrow(RangeError)
    await expect(wide.incrementAndGetLong(0, 1 as unknown as bigint)).rejects.toThrow(TypeError)
    for (const operation of [
      null,
      {},
      { get: 'u64', offset: 0 },
      { get: 'i8' },
      { get: 'x8', offset: 0 },
      { get: 8, offset: 0 },
      { get: 'u8', offset: 0, value: 1 },
      { set: 'u8', offset: 0 },
      { set: 'u8', offset: LAST, value: 1 },
      { increment: 'u8', offset: 0, by: 1, overflow: 'wrap' },
    ])
      await expect(bits.bitField([operation] as unknown as [])).rejects.toThrow(/^Expected/)
    const many = Array.from({ length: 1_001 }, () => ({ get: 'u1', offset: 0 }) as const)
    await expect(bits.bitField(many)).rejects.toThrow('1001')
    expect(() => clients.mine.getBitSet('a', { bigint: 1 as unknown as true })).toThrow(TypeError)
    expect(await bits.isExists()).toBe(false)
  })

  it('refuses keys of other kinds', async () => {
    const wrong = bitSet('wrong')
    await clients.mine.getList(wrong.name).add(1)
    for (const call of [
      () => wrong.get(1),
      () => wrong.set(1),
      () => wrong.getEach([1]),
      () => wrong.setAll([1]),
      () => wrong.setRange(1, 20),
      () => wrong.cardinality(),
      () => wrong.length(),
      () => wrong.size(),
      () => wrong.toByteArray(),
      () => all(wrong),
      () => wrong.not(),
      () => wrong.setByte(0, 1),
      () => wrong.setLong(0, 1),
    ])
      await expect(call(), String(call)).rejects.toBeInstanceOf(WrongTypeError)
    await clients.mine.getList(wrong.name).delete()
  })

  it.each(['pipeline', 'atomic'] as const)('belongs to batches (%s)', async (mode) => {
    await bitSet('batch-other').setAll([2, 3])
    const found = await clients.mine.batch(
      (batch) => {
        const bits = batch.getBitSet(at('batch'))
        const wide = batch.getBitSet(at('batch'), { bigint: true })
        return [
          bits.set(1),
          bits.setAll([2, 5]),
          bits.setRange(6, 8),
          bits.getEach([1, 3]),
          bits.or([at('batch-other')]),
          bits.andOr([at('batch-other')]),
          bits.length(),
          bits.cardinality(),
          wide.setLong(8, 2n ** 60n),
          wide.getLong(8),
        ]
      },
      { mode },
    )
    expect(found).toEqual([false, undefined, undefined, [true, false], 1, 1, 4, 2, 0n, 2n ** 60n])
    await clients.mine.getKeys().delete(at('batch'), at('batch-other'))
  })

  it('takes long lists in a batch', async () => {
    const many = Array.from({ length: 12_000 }, (_, n) => n)
    const [, found] = await clients.mine.batch((batch) => {
      const bits = batch.getBitSet(at('batch'))
      return [bits.setAll(many), bits.getEach(many), bits.clear()]
    })
    expect(found).toEqual(many.map(() => true))
  })

  it('is not iterated over in a batch, nor set over more than one step can', async () => {
    await clients.mine.batch((batch) => {
      expect(() => batch.getBitSet(at('batch')).indexes()).toThrow(NotInBatchError)
      return []
    })
    await expect(
      clients.mine.batch((batch) => [batch.getBitSet(at('batch')).setRange(0, ONE_STEP + 1)]),
    ).rejects.toThrow('67108864')
  })

  it('counts what two clients add at the same time', async () => {
    const both = [clients.mine, clients.other].map((client) => client.getBitSet(at('race')))
    const turns = Array.from({ length: TURNS }, () => both).flat()
    const sums = await Promise.all(turns.map((bits) => bits.incrementAndGetUnsigned(16, 3, 1)))
    expect(sums.sort((one, other) => one - other)).toEqual(turns.map((_, n) => n + 1))
    await bitSet('race').delete()
  })

  it('is combined by two clients at the same time, by one after the other', async () => {
    const both = [clients.mine, clients.other].map((client) => client.getBitSet(at('race')))
    await bitSet('race-others').setAll([2, 3])
    await bitSet('race').setAll([1, 2])
    const turns = Array.from({ length: TURNS }, () => both).flat()
    await Promise.all(turns.map((bits) => bits.setExclusive([at('race-others')])))
    expect(await all(bitSet('race'))).toEqual([1, 2]) // every second turn undoes the one before
    await clients.mine.getKeys().delete(at('race'), at('race-others'))
  })

  it('combines by the names that a name mapper makes', async () => {
    const nameMapper = { map: (name: string) => `${name}:mapped`, unmap: (name: string) => name.slice(0, -7) }
    await using client = await Redisson.create({ ...topology.options(), nameMapper })
    const [one, two] = [client.getBitSet(at('one')), client.getBitSet(at('two'))]
    await one.setAll([1, 2])
    await two.setAll([2, 3])
    await one.or([two.name])
    await one.setExclusive([two.name])
    expect(await all(clients.mine.getBitSet(`${one.name}:mapped`))).toEqual([1])
    await clients.mine.getKeys().delete(`${one.name}:mapped`, `${two.name}:mapped`)
  })
})

describe('the highest index', { tags: ['full'] }, () => {
  noLeaks(single)
  const clients = twoClients(single)

  it('takes 512 MB, and is counted, read and cleared', { timeout: 60_000 }, async () => {
    const bits = clients.mine.getBitSet('bits-highest')
    expect(await bits.set(LAST)).toBe(false)
    expect([await bits.get(LAST), await bits.length(), await bits.size()]).toEqual([true, 2 ** 32, 2 ** 32])
    expect(await bits.setUnsigned(8, LAST - 7, 3)).toBe(1)
    expect(await bits.cardinality()).toBe(2)
    await bits.setRange(LAST - 20, LAST + 1)
    expect(await bits.cardinality()).toBe(21)
    await bits.setRange(9, LAST + 1, false)
    expect(await bits.length()).toBe(0)
    await bits.unlink()
  })
})
