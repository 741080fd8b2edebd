import { describe, expect, it } from 'vitest'
import {
  bytesCodec,
  longCodec,
  msgpackCodec,
  stringCodec,
  type MapOptions,
  type RMap,
} from '../../../src/index.js'
import { allOf } from '../../support/all-of.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { everyTopology } from '../../support/topologies.js'

/** More than one request may be about. */
const MANY = 12_000

describe.each(everyTopology)('a map ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A map that is removed after the test. */
  const withMap = async (
    use: (map: RMap<string, unknown>, name: string) => Promise<void>,
    options?: MapOptions<string, unknown>,
    name = `map-${topology.kind}-${String(names++)}`,
  ) => {
    const map = clients.mine.getMap(name, options)
    try {
      await use(map, name)
    } finally {
      await map.delete()
    }
  }

  it('is shared by all clients, and is not there at first', async () => {
    await withMap(async (map, name) => {
      expect(await map.get('a')).toBeUndefined()
      expect(await map.isExists()).toBe(false)
      expect(await map.put('a', { name: 'Ada', none: null })).toBeUndefined()
      expect(await clients.other.getMap(name).get('a')).toEqual({ name: 'Ada', none: null })
      expect(await map.put('a', 2)).toEqual({ name: 'Ada', none: null })
    })
  })

  it('has nothing where it is not there', async () => {
    await withMap(async (map) => {
      expect(await map.getAll(['a', 'b'])).toEqual(new Map())
      expect(await map.getAll([])).toEqual(new Map())
      expect(await map.size()).toBe(0)
      expect(await map.isEmpty()).toBe(true)
      expect(await map.valueSize('a')).toBe(0)
      expect(await map.containsKey('a')).toBe(false)
      expect(await map.containsValue(1)).toBe(false)
      expect(await map.remove('a')).toBeUndefined()
      expect(await map.remove('a', 1)).toBe(false)
      expect(await map.fastRemove('a', 'b')).toBe(0)
      expect(await map.fastRemove()).toBe(0)
      expect(await map.replace('a', 1)).toBeUndefined()
      expect(await map.replace('a', 1, 2)).toBe(false)
      expect(await map.putIfExists('a', 1)).toBeUndefined()
      expect(await map.fastPutIfExists('a', 1)).toBe(false)
      expect(await map.fastReplace('a', 1)).toBe(false)
      expect(await map.randomKeys(3)).toEqual([])
      expect(await map.randomEntries(3)).toEqual(new Map())
      expect(await map.readAllKeySet()).toEqual([])
      expect(await map.readAllValues()).toEqual([])
      expect(await map.readAllEntrySet()).toEqual([])
      expect(await map.readAllMap()).toEqual(new Map())
      expect(await allOf(map)).toEqual([])
      expect(await allOf(map.keys())).toEqual([])
      await map.putAll([])
      await map.clear()
      expect(await map.isExists()).toBe(false)
    })
  })

  it('sets values, and tells what was there', async () => {
    await withMap(async (map) => {
      expect(await map.fastPut('a', 1)).toBe(true)
      expect(await map.fastPut('a', 2)).toBe(false)
      expect(await map.putIfAbsent('a', 3)).toBe(2)
      expect(await map.putIfAbsent('b', 3)).toBeUndefined()
      expect(await map.fastPutIfAbsent('b', 4)).toBe(false)
      expect(await map.fastPutIfAbsent('c', 4)).toBe(true)
      expect(await map.putIfExists('a', 5)).toBe(2)
      expect(await map.fastPutIfExists('a', 6)).toBe(true)
      expect(await map.replace('a', 7)).toBe(6)
      expect(await map.fastReplace('a', 8)).toBe(true)
      expect(await map.readAllMap()).toEqual(
        new Map([
          ['a', 8],
          ['b', 3],
          ['c', 4],
        ]),
      )
    })
  })

  it('compares values by their bytes', async () => {
    await withMap(async (map) => {
      await map.put('a', { x: 1, y: 2 })
      expect(await map.replace('a', { y: 2, x: 1 }, 1)).toBe(false)
      expect(await map.remove('a', { y: 2, x: 1 })).toBe(false)
      expect(await map.containsValue({ y: 2, x: 1 })).toBe(false)
      expect(await map.containsValue({ x: 1, y: 2 })).toBe(true)
      expect(await map.replace('a', { x: 1, y: 2 }, null)).toBe(true)
      expect(await map.get('a')).toBeNull()
      expect(await map.remove('a', null)).toBe(true)
      expect(await map.isExists()).toBe(false)
    })
  })

  it('removes keys, and tells what was there', async () => {
    await withMap(async (map) => {
      await map.putAll({ a: 1, b: 2, c: 3, d: 4 })
      expect(await map.remove('a')).toBe(1)
      expect(await map.fastRemove('a', 'b', 'b', 'c')).toBe(2)
      expect(await map.size()).toBe(1)
      await map.clear()
      expect(await map.isExists()).toBe(false)
    })
  })

  it('takes entries of all kinds at once, of which the last counts', async () => {
    await withMap(async (map) => {
      await map.putAll(new Map([['a', 1]]))
      await map.putAll([
        ['b', 2],
        ['c', 3],
        ['c', 4],
      ])
      await map.putAll(
        (function* () {
          yield ['d', 5] as const
        })(),
      )
      await map.putAll({ e: 6 })
      expect(await map.getAll(new Set(['e', 'none', 'a', 'c']))).toEqual(
        new Map([
          ['e', 6],
          ['a', 1],
          ['c', 4],
        ]),
      )
      expect([...(await map.getAll(['e', 'a'])).keys()]).toEqual(['e', 'a'])
      expect(await map.size()).toBe(5)
    })
  })

  it('adds to numbers', async () => {
    await withMap(async (map) => {
      expect(await map.addAndGet('n', 5)).toBe(5)
      expect(await map.addAndGet('n', -7.5)).toBe(-2.5)
      expect(await map.addAndGet('n', 2.5)).toBe(0)
      expect(await map.get('n')).toBe(0)
      expect(await map.addAndGet('large', 2n ** 53n)).toBe(2n ** 53n)
      expect(await map.addAndGet('large', 1)).toBe(2n ** 53n + 1n)
      expect(await map.addAndGet('small', 1e-7)).toBe(1e-7)
      await map.put('text', 'none')
      await expect(map.addAndGet('text', 1)).rejects.toMatchObject({ code: 'COMMAND' })
      expect(await map.get('text')).toBe('none')
    })
  })

  it('tells the length of a value, and whether there is one', async () => {
    await withMap(async (map) => {
      await map.put('a', '中')
      expect(await map.valueSize('a')).toBe(5)
      expect(await map.containsKey('a')).toBe(true)
      expect(await map.containsKey('A')).toBe(false)
      expect(await map.isEmpty()).toBe(false)
    })
  })

  it('gives away entries by chance', async () => {
    await withMap(async (map) => {
      await map.putAll({ a: 1, b: 2, c: 3 })
      expect((await map.randomKeys(10)).toSorted()).toEqual(['a', 'b', 'c'])
      expect(new Set(await map.randomKeys(2)).size).toBe(2)
      expect(await map.randomKeys(0)).toEqual([])
      const [entry] = await map.randomEntries(1)
      expect(Object.entries({ a: 1, b: 2, c: 3 })).toContainEqual(entry)
      expect((await map.randomEntries(10)).size).toBe(3)
      expect(await map.randomEntries(0)).toEqual(new Map())
    })
  })

  it.each(['', '__proto__', 'constructor', 'toString', 'a{b}c', 'é中😀', 'line\nand\0zero', '*?[a]', '0'])(
    'may have the key %o',
    async (key) => {
      const value: unknown = JSON.parse(`{${JSON.stringify(key)}:{"polluted":1}}`)
      await withMap(async (map) => {
        await map.putAll([[key, value]])
        expect(await map.get(key)).toEqual(value)
        expect(await map.containsKey(key)).toBe(true)
        expect([...(await map.getAll([key])).keys()]).toEqual([key])
        expect([...(await map.readAllMap()).keys()]).toEqual([key])
        expect(await allOf(map.keys())).toEqual([key])
        expect(await map.randomKeys(1)).toEqual([key])
        expect(await map.remove(key)).toEqual(value)
        expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
      })
    },
  )

  it.each(['a{tag}b', '{whole}', 'ключ', '中😀', 'with space\nand line', 'x'.repeat(5_000)])(
    'may have the name %o',
    async (name) => {
      await withMap(
        async (map) => {
          await map.put('k', 'v')
          expect(await askOwner(topology, name, 'HGET', 'k')).toBe('"v"')
          expect(await map.readAllMap()).toEqual(new Map([['k', 'v']]))
        },
        undefined,
        name,
      )
    },
  )

  it('has keys and values of all codecs', async () => {
    const name = `map-${topology.kind}-codecs`
    const numbers = clients.mine.getMap<number, Uint8Array>(name, {
      codec: { key: longCodec(), value: bytesCodec() },
    })
    const bytes = Buffer.of(0xff, 0x00, 0x80)
    await numbers.put(7, bytes)
    expect(await numbers.readAllMap()).toEqual(new Map([[7, bytes]]))
    expect(await numbers.containsValue(bytes)).toBe(true)
    expect(await numbers.replace(7, bytes, Buffer.of(1))).toBe(true)
    await numbers.delete()

    const raw = clients.mine.getMap<Uint8Array>(name, {
      codec: { key: bytesCodec(), value: msgpackCodec() },
    })
    await raw.putAll([[bytes, new Date(5)]])
    expect(await raw.get(bytes)).toEqual(new Date(5))
    expect(await raw.readAllEntrySet()).toEqual([[bytes, new Date(5)]])
    expect(await raw.fastRemove(bytes)).toBe(1)
  })

  it('holds many entries, and reads all of them, each once', async () => {
    await withMap(async (map) => {
      const all = Array.from({ length: MANY }, (_, n) => [`key-${String(n)}`, n] as const)
      await map.putAll(all)
      expect(await map.size()).toBe(MANY)
      const keys = all.map(([key]) => key).toSorted()
      const values = all.map(([, value]) => value)
      const ascending = (numbers: readonly unknown[]) => (numbers as number[]).toSorted((a, b) => a - b)
      expect((await map.readAllKeySet()).toSorted()).toEqual(keys)
      expect(ascending(await map.readAllValues())).toEqual(values)
      expect(await map.readAllEntrySet()).toHaveLength(MANY)
      expect(await map.readAllMap()).toEqual(new Map(all))
      expect(new Set(await allOf(map.keys({ count: 5_000 })))).toEqual(new Set(keys))
      expect(new Map(await allOf(map))).toEqual(new Map(all))
      expect(new Set(await allOf(map.values({ count: 700 })))).toEqual(new Set(values))
      expect(await map.getAll(keys)).toEqual(new Map(all))
      expect(await map.containsValue(MANY - 1)).toBe(true)
      expect(await map.containsValue(MANY)).toBe(false)
      expect(await map.randomKeys(MANY + 1)).toHaveLength(MANY)
      expect(await map.fastRemove(...keys)).toBe(MANY)
    })
  })

  it('walks through the keys that match a pattern', async () => {
    await withMap(async (map) => {
      await map.putAll({ 'a:1': 1, 'a:2': 2, 'b:1': 3, 'a*': 4 })
      expect((await allOf(map.keys({ pattern: 'a:*' }))).toSorted()).toEqual(['a:1', 'a:2'])
      expect(await allOf(map.keys({ pattern: 'a\\*' }))).toEqual(['a*'])
      expect((await allOf(map.values({ pattern: '?:1' }))).toSorted()).toEqual([1, 3])
      expect(await allOf(map.entries({ pattern: 'b*' }))).toEqual([['b:1', 3]])
      expect(await allOf(map.entries({ pattern: 'none' }))).toEqual([])
    })
  })

  it('begins a new walk for each loop, which may be ended at any time', async () => {
    await withMap(async (map) => {
      await map.putAll(Array.from({ length: 3_000 }, (_, n) => [String(n), n] as const))
      const keys = map.keys({ count: 10 })
      let seen = 0
      for await (const key of keys) {
        expect(key).toBeTypeOf('string')
        if (++seen === 15) break
      }
      expect(new Set(await allOf(keys)).size).toBe(3_000)

      const abort = new AbortController()
      const walk = map.entries({ count: 10, signal: abort.signal })[Symbol.asyncIterator]()
      expect((await walk.next()).done).toBe(false)
      abort.abort(new Error('enough'))
      await expect(walk.next()).rejects.toThrow('enough')
      expect((await walk.next()).done).toBe(true)
    })
  })

  it('ends a walk at what the codec cannot read, or leaves it out', async () => {
    await withMap(async (map, name) => {
      await clients.mine
        .getMap<string, string>(name, { codec: stringCodec() })
        .putAll({ good: '1', bad: '{not json' })
      const wrong = { code: 'CODEC', object: name, key: 'bad', codec: 'json' }
      await expect(allOf(map)).rejects.toMatchObject(wrong)
      await expect(map.get('bad')).rejects.toMatchObject(wrong)
      await expect(map.readAllMap()).rejects.toMatchObject(wrong)
      expect(await allOf(map.entries({ onInvalid: 'skip' }))).toEqual([['good', 1]])
      expect(await allOf(map.values({ onInvalid: 'skip' }))).toEqual([1])
      expect((await allOf(map.keys())).toSorted()).toEqual(['bad', 'good'])
    })
  })

  it('refuses another kind of object, and leaves it as it is', async () => {
    await withMap(async (map, name) => {
      await askOwner(topology, name, 'RPUSH', 'element')
      for (const call of [
        () => map.get('a'),
        () => map.getAll(['a']),
        () => map.put('a', 1),
        () => map.fastPut('a', 1),
        () => map.putAll({ a: 1 }),
        () => map.putIfAbsent('a', 1),
        () => map.fastPutIfAbsent('a', 1),
        () => map.putIfExists('a', 1),
        () => map.fastPutIfExists('a', 1),
        () => map.replace('a', 1, 2),
        () => map.remove('a'),
        () => map.remove('a', 1),
        () => map.fastRemove('a'),
        () => map.addAndGet('a', 1),
        () => map.containsKey('a'),
        () => map.containsValue(1),
        () => map.size(),
        () => map.clear(),
        () => map.valueSize('a'),
        () => map.randomKeys(1),
        () => map.readAllKeySet(),
        () => map.readAllMap(),
        () => allOf(map.keys()),
        () => allOf(map),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE', object: name })
      expect(await askOwner(topology, name, 'LRANGE', 0, -1)).toEqual(['element'])
      await askOwner(topology, name, 'DEL')
    })
  })
})

describe('a map of bad arguments', () => {
  const [single] = everyTopology
  if (single === undefined) throw new Error('Expected a topology')
  const clients = twoClients(single)
  const bad = () => clients.mine.getMap('bad')
  const none = undefined as unknown as string

  it('refuses undefined as a key or a value, and sends nothing', async () => {
    const map = bad()
    for (const call of [
      () => map.get(none),
      () => map.getAll(['a', none]),
      () => map.put(none, 1),
      () => map.put('a', undefined),
      () => map.fastPut('a', undefined),
      () =>
        map.putAll([
          ['a', 1],
          ['b', undefined],
        ]),
      () => map.putAll({ a: undefined }),
      () => map.putIfAbsent('a', undefined),
      () => map.fastPutIfAbsent('a', undefined),
      () => map.putIfExists('a', undefined),
      () => map.fastPutIfExists('a', undefined),
      () => map.replace('a', undefined),
      () => map.replace('a', undefined, 1),
      () => map.replace('a', 1, undefined),
      () => map.fastReplace('a', undefined),
      () => map.remove(none),
      () => map.remove('a', undefined),
      () => map.fastRemove('a', none),
      () => map.addAndGet(none, 1),
      () => map.containsKey(none),
      () => map.containsValue(undefined),
      () => map.valueSize(none),
    ])
      await expect(call()).rejects.toThrow(TypeError)
    expect(await map.isExists()).toBe(false)
  })

  it('refuses what cannot be written, of all entries before any is sent', async () => {
    const map = bad()
    for (const value of [NaN, () => 1, new Map()]) {
      await expect(map.put('a', value)).rejects.toMatchObject({ code: 'CODEC', object: 'bad', key: 'a' })
      await expect(map.putAll({ a: 1, b: value })).rejects.toMatchObject({ code: 'CODEC', key: 'b' })
    }
    for (const key of [5, null, {}, 'half \ud800'])
      await expect(map.put(key as string, 1)).rejects.toMatchObject({ code: 'CODEC', object: 'bad' })
    await expect(map.put(7 as unknown as string, 1)).rejects.toThrow(
      'bad: The codec string cannot encode this: expected a text (keys are texts: String(key), or another codec for keys), got a whole number',
    )
    expect(await map.isExists()).toBe(false)
  })

  it('refuses what is no list of keys or entries, and no number', async () => {
    const map = bad()
    for (const keys of ['abc', 5, null, undefined, {}])
      await expect(map.getAll(keys as never)).rejects.toThrow(TypeError)
    for (const entries of ['ab', 5, null, undefined, [5], () => 1])
      await expect(map.putAll(entries as never)).rejects.toThrow(TypeError)
    for (const delta of ['5', undefined, null, {}])
      await expect(map.addAndGet('a', delta as never)).rejects.toThrow(TypeError)
    for (const delta of [NaN, Infinity]) await expect(map.addAndGet('a', delta)).rejects.toThrow(RangeError)
    for (const count of [-1, 0.5, NaN, '1']) {
      await expect(map.randomKeys(count as number)).rejects.toThrow(RangeError)
      await expect(map.randomEntries(count as number)).rejects.toThrow(RangeError)
    }
    expect(await map.isExists()).toBe(false)
  })

  it('refuses options that are unknown or wrong, and arguments too many', async () => {
    const { mine } = clients
    for (const options of [{ ttl: 5 }, { exactlyOnce: 'yes' }, { codec: stringCodec }, { codec: {} }, 5])
      expect(() => mine.getMap('bad', options as never)).toThrow(TypeError)
    for (const options of [{ match: '*' }, { pattern: 5 }, { onInvalid: 'stop' }, { signal: {} }, 5])
      expect(() => bad().keys(options as never)).toThrow(TypeError)
    for (const count of [0, 5_001, 1.5]) expect(() => bad().values({ count })).toThrow(RangeError)
    for (const name of ['', 5, undefined, 'half \ud800'])
      expect(() => mine.getMap(name as string)).toThrow(TypeError)
    const map = bad() as unknown as Record<
      'put' | 'remove' | 'replace',
      (...args: unknown[]) => Promise<unknown>
    >
    await expect(map.put('a', 1, 5_000)).rejects.toThrow('no time to live')
    await expect(map.remove('a', 'b', 'c')).rejects.toThrow('fastRemove()')
    await expect(map.replace('a', 1, 2, 3)).rejects.toThrow(TypeError)
    expect(await bad().isExists()).toBe(false)
  })
})
