import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { NestedComputeError, type MapLoader, type RMap } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { Monitor } from '../../support/monitor.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** What a program remembers of its requests for a while. */

describe.each(slottedTopologies)('a map with a loader ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A table, and two maps before it, of two clients, which record what they load. */
  const table = (rows: Record<string, unknown>, { all = true } = {}) => {
    const name = `loaded-${topology.kind}-${String(names++)}`
    const loads: string[] = []
    const loader: MapLoader<string, unknown> = {
      load: async (key) => {
        loads.push(key)
        await sleep(5)
        return rows[key]
      },
      ...(all && { loadAllKeys: () => Object.keys(rows) }),
    }
    const mine: RMap<string, unknown> = clients.mine.getMap(name, { loader })
    const other: RMap<string, unknown> = clients.other.getMap(name, { loader })
    return { mine, other, loads, plain: clients.mine.getMap(name), rows }
  }

  // Replicas are told each change as a command of its own, which a monitor sees as well.
  const withoutReplicas = it.runIf(topology.kind === 'single')

  withoutReplicas('loads by five requests: a look, the lock, a look, the value, the release', async () => {
    const { mine, plain } = table({ warm: 0, a: 1, b: 2 })
    for (const map of [mine, plain]) await map.computeIfAbsent('warm', () => 0) // so that the servers know all scripts
    const requestsOf = async (call: () => Promise<unknown>) => {
      await using monitor = await Monitor.of(topology.nodes)
      await call()
      return (await monitor.deeds())
        .filter(({ words, by }) => by === 'client' && words.some((word) => word.includes(mine.name)))
        .map(({ words: [command] }) => command)
    }
    expect(await requestsOf(() => mine.get('a'))).toEqual(['hget', 'evalsha', 'hget', 'evalsha', 'evalsha'])
    expect(await requestsOf(() => mine.get('a'))).toEqual(['hget'])
    for (const [map, key] of [
      [mine, 'b'],
      [plain, 'c'],
    ] as const)
      expect(await requestsOf(() => map.computeIfAbsent(key, () => 3))).toHaveLength(5)
    expect(await requestsOf(() => plain.computeIfAbsent('c', () => 3))).toEqual(['hget'])
    expect(await requestsOf(() => plain.compute('d', () => 3))).toHaveLength(4)
    expect(await plain.readAllMap()).toEqual(new Map(Object.entries({ warm: 0, a: 1, b: 2, c: 3, d: 3 })))
    await plain.delete()
  })

  it('loads what it does not have, once', async () => {
    const { mine, other, loads, plain } = table({ a: 1, b: null })
    const found = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? mine : other).get('a')),
    )
    expect(new Set(found)).toEqual(new Set([1]))
    expect(loads).toEqual(['a'])
    expect(await plain.get('a')).toBe(1)
    expect(await mine.get('b')).toBeNull()
    expect(await mine.get('b')).toBeNull()
    expect(loads).toEqual(['a', 'b'])
    await plain.delete()
  })

  it('has nothing where the loader has nothing, and asks it again', async () => {
    const { mine, loads, plain, rows } = table({})
    expect(await mine.get('a')).toBeUndefined()
    expect(await mine.containsKey('a')).toBe(false)
    expect(await plain.isExists()).toBe(false)
    rows['a'] = 2
    expect(await mine.containsKey('a')).toBe(true)
    expect(loads).toEqual(['a', 'a', 'a'])
    await plain.delete()
  })

  it('loads those of many keys that are missing', async () => {
    const { mine, loads, plain } = table({ a: 1, b: 2, c: 3 })
    await plain.put('b', 'there')
    expect([...(await mine.getAll(['c', 'b', 'x', 'a']))]).toEqual([
      ['c', 3],
      ['b', 'there'],
      ['a', 1],
    ])
    expect(loads.sort()).toEqual(['a', 'c', 'x'])
    await plain.delete()
  })

  it('computes from what is loaded', async () => {
    const { mine, plain } = table({ a: 1, b: 2 })
    expect(await mine.compute('a', (_, value) => [value])).toEqual([1])
    expect(await mine.computeIfAbsent('b', () => 'not called')).toBe(2)
    expect(await mine.computeIfAbsent('c', () => 'called')).toBe('called')
    expect(await mine.merge('d', 1, () => 2)).toBe(1)
    expect(await plain.readAllMap()).toEqual(
      new Map<string, unknown>([
        ['a', [1]],
        ['b', 2],
        ['c', 'called'],
        ['d', 1],
      ]),
    )
    await plain.delete()
  })

  it('may be read by the function that computes a value', async () => {
    const { mine, plain } = table({})
    expect(await mine.compute('a', async () => (await mine.get('a')) ?? 'none')).toBe('none')
    await plain.delete()
  })

  it('rejects with what the loader has thrown, and keeps nothing', async () => {
    const loader = {
      load: () => {
        throw new Error('no table')
      },
    }
    const map = clients.mine.getMap('not-loaded', { loader })
    await expect(map.get('a')).rejects.toThrow('no table')
    await expect(map.getAll(['a', 'b'])).rejects.toThrow('no table')
    await expect(map.loadAll({ keys: ['a'] })).rejects.toThrow('no table')
    expect(await map.isExists()).toBe(false)
  })

  it('loads all, or those that are asked for, and replaces them if that is wanted', async () => {
    const { mine, loads, plain, rows } = table({ a: 1, b: 2, c: 3 })
    await plain.put('a', 'there')
    await mine.loadAll()
    expect(await plain.readAllMap()).toEqual(
      new Map<string, unknown>([
        ['a', 'there'],
        ['b', 2],
        ['c', 3],
      ]),
    )
    expect(loads.sort()).toEqual(['b', 'c'])
    rows['c'] = 4
    delete rows['b']
    await mine.loadAll({ keys: ['c', 'b', 'a'], replaceExisting: true, parallelism: 1 })
    expect(await plain.readAllMap()).toEqual(
      new Map<string, unknown>([
        ['a', 1],
        ['b', 2],
        ['c', 4],
      ]),
    )
    await plain.delete()
  })

  it.each<[what: string, call: (map: RMap<string, unknown>) => Promise<unknown>]>([
    ['loadAll', (map) => map.loadAll({ parallelism: 1 })],
    ['loadAll that replaces', (map) => map.loadAll({ replaceExisting: true, parallelism: 1 })],
    ['loadAll of keys side by side', (map) => map.loadAll({ keys: ['x', 'b', 'bad', 'a'] })],
    ['getAll', (map) => map.getAll(['a', 'b', 'bad'])],
  ])('has %s say that it may have run, once something is loaded', async (_, call) => {
    const nested = new NestedComputeError('map')
    const rows: Record<string, unknown> = { a: 1, b: 2, bad: 3 }
    const name = `half-loaded-${topology.kind}-${String(names++)}`
    const plain = clients.other.getMap(name)
    const map: RMap<string, unknown> = clients.mine.getMap(name, {
      loader: {
        load: async (key) => {
          if (key !== 'bad') return rows[key]
          await eventually(async () => expect(await plain.size()).toBe(2))
          throw nested
        },
        loadAllKeys: () => Object.keys(rows),
      },
    })
    await expect(call(map)).rejects.toBe(nested)
    expect(nested.mayHaveRun).toBe(true)
    await plain.delete()
  })

  it.each<[what: string, call: (map: RMap<string, unknown>) => Promise<unknown>]>([
    ['loadAll', (map) => map.loadAll({ keys: ['there', 'missing', 'bad'], parallelism: 1 })],
    [
      'loadAll that replaces',
      (map) => map.loadAll({ keys: ['missing', 'bad'], replaceExisting: true, parallelism: 1 }),
    ],
    ['getAll', (map) => map.getAll(['there', 'missing', 'bad'])],
  ])('has %s not say so where nothing was loaded', async (_, call) => {
    const nested = new NestedComputeError('map')
    const name = `not-loaded-${topology.kind}-${String(names++)}`
    const map: RMap<string, unknown> = clients.mine.getMap(name, {
      loader: { load: (key) => (key === 'bad' ? Promise.reject(nested) : undefined) },
    })
    await map.put('there', 1)
    await expect(call(map)).rejects.toBe(nested)
    expect(nested.mayHaveRun).toBe(false)
    await map.delete()
  })

  it('says what it needs to load all', async () => {
    const { mine, plain } = table({ a: 1 }, { all: false })
    await expect(mine.loadAll()).rejects.toThrow('loadAllKeys()')
    await expect(plain.loadAll()).rejects.toThrow('`loader`')
    await expect(mine.loadAll({ keys: ['a'], parallelism: 0 })).rejects.toThrow(RangeError)
    await expect(mine.loadAll({ key: ['a'] } as never)).rejects.toThrow('`keys`')
  })

  it('refuses a loader that is none, and is not for batches', async () => {
    expect(() => clients.mine.getMap('m', { loader: { get: () => 1 } as never })).toThrow('`loader.load`')
    expect(() => clients.mine.getMap('m', { loader: 5 as never })).toThrow('`loader`')
    const batch = clients.mine.batch((objects) => [
      objects.getMap('m', { loader: { load: () => 1 } }).get('a'),
    ])
    await expect(batch).rejects.toThrow('loader')
  })
})
