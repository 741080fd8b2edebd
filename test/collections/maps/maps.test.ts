import { describe, expect, it } from 'vitest'
import {
  CodecError,
  jsonCodec,
  longCodec,
  NotInBatchError,
  Redisson,
  WrongTypeError,
} from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { Look } from '../../support/look.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

const LONG_MS = 600_000

describe.each(slottedTopologies)('several maps ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const look = new Look(topology)
  let names = 0

  const maps = () => clients.mine.getMaps()
  const map = (name: string) => clients.other.getMap(name)
  const contentOf = async (name: string) => Object.fromEntries(await map(name).readAllMap())
  const contents = (all: readonly string[]) => Promise.all(all.map(contentOf))
  const remove = (all: readonly string[]) =>
    Promise.all(all.map((name) => clients.other.getBucket(name).delete()))

  /** Names in several slots of a cluster, which are free after the test. */
  const withNames = async (count: number, use: (...all: string[]) => Promise<void>) => {
    const all = Array.from({ length: count }, () => `карты-${topology.kind}-${String(names++)}`)
    try {
      await use(...all)
    } finally {
      await remove(all)
    }
  }

  it('are written to any slots, and read one by one', async () => {
    await withNames(20, async (...all) => {
      await maps().set(new Map(all.map((name, n) => [name, { n, é: 'ä', none: null }])))
      expect(await contents(all)).toEqual(all.map((_, n) => ({ n, é: 'ä', none: null })))
    })
  })

  it('are nothing where none is given', async () => {
    await maps().set({})
    await maps().set([])
    await maps().set(new Map())
  })

  it('are replaced as a whole, with their times to live', async () => {
    await withNames(2, async (a = '', b = '') => {
      await map(a).putAll({ old: 1, both: 2 })
      await map(a).expire(LONG_MS)
      await maps().set([
        [a, [['both', 3]]],
        [b, new Map([['new', 4]])],
      ])
      expect(await contents([a, b])).toEqual([{ both: 3 }, { new: 4 }])
      expect(await map(a).remainTimeToLive()).toBe(-1)
    })
  })

  it('are removed where they have no entries', async () => {
    await withNames(2, async (a = '', b = '') => {
      await map(a).put('k', 1)
      await maps().set({ [a]: {}, [b]: new Map() })
      expect(await map(a).isExists()).toBe(false)
      expect(await map(b).isExists()).toBe(false)
    })
  })

  it('are written once each, of which the last counts', async () => {
    await withNames(1, async (a = '') => {
      await maps().set([
        [a, { first: 1 }],
        [a, { second: 2 }],
      ])
      expect(await contentOf(a)).toEqual({ second: 2 })
    })
  })

  it('may be called anything', async () => {
    const all = ['{braces}:maps', 'a{b}c', '__proto__']
    await maps().set(all.map((name) => [name, { k: name }]))
    expect(await contents(all)).toEqual(all.map((name) => ({ k: name })))
    await remove(all)
  })

  it('are written in parts of a size', async () => {
    await withNames(7, async (...all) => {
      await maps().set(new Map(all.map((name) => [name, { k: name }])), { batchSize: 3 })
      expect(await contents(all)).toEqual(all.map((name) => ({ k: name })))
    })
  })

  it('may be large', async () => {
    await withNames(1, async (a = '') => {
      const entries = Array.from({ length: 12_000 }, (_, n): [string, number] => [`k${String(n)}`, n])
      await maps().set([[a, entries]])
      await maps().set([[a, entries]])
      expect(await map(a).size()).toBe(12_000)
      expect(await map(a).get('k11999')).toBe(11_999)
      const more = Array.from({ length: 100_001 }, (_, n): [string, number] => [String(n), n])
      await expect(maps().set([[a, more]])).rejects.toThrow('at most 100000 entries')
      expect(await map(a).size()).toBe(12_000)
    })
  })

  it('have keys of any codec', async () => {
    await withNames(1, async (a = '') => {
      const codec = { key: longCodec(), value: jsonCodec() }
      await clients.mine.getMaps<number>({ codec }).set({ [a]: new Map([[7, 'Ada']]) })
      expect(await contentOf(a)).toEqual({ 7: 'Ada' })
    })
  })

  it('leave another object alone that has one of the names', async () => {
    await withNames(2, async (a = '', b = '') => {
      await clients.other.getList(a).add(1)
      for (const wrong of [{ [a]: { k: 1 } }, { [a]: {} }])
        await expect(maps().set(wrong)).rejects.toThrow(WrongTypeError)
      await expect(maps().set({ [b]: { k: 1 }, [a]: { k: 1 } })).rejects.toMatchObject({ mayHaveRun: true })
      expect(await clients.other.getList(a).readAll()).toEqual([1])
      expect(await contentOf(b)).toEqual({ k: 1 })
    })
  })

  it('send nothing if a codec cannot write one of them', async () => {
    await withNames(2, async (a = '', b = '') => {
      await expect(maps().set({ [a]: { k: 1 }, [b]: { k: NaN } })).rejects.toThrow(CodecError)
      await expect(maps().set({ [a]: { k: undefined } })).rejects.toThrow(TypeError)
      expect(await contents([a, b])).toEqual([{}, {}])
    })
  })

  it('refuse what is no map, and options that are wrong', async () => {
    const wrong: (() => Promise<unknown>)[] = [
      () => maps().set(5 as never),
      () => maps().set('ab' as never),
      () => maps().set({ a: 5 } as never),
      () => maps().set([['a', [['k']]]] as never),
      () => maps().set({ '': { k: 1 } }),
      () => maps().set({}, { size: 5 } as never),
    ]
    for (const call of wrong) await expect(call()).rejects.toThrow(TypeError)
    for (const batchSize of [0, -1, 1.5, 5_001])
      await expect(maps().set({}, { batchSize })).rejects.toThrow('`batchSize`')
  })

  it('are written in a batch', async () => {
    await withNames(3, async (a = '', b = '', c = '') => {
      await clients.mine.batch((batch) => [
        batch.getMaps().set({ [a]: { k: 1 }, [b]: { k: 2 }, [c]: { k: 3 } }, { batchSize: 1 }),
      ])
      expect(await contents([a, b, c])).toEqual([{ k: 1 }, { k: 2 }, { k: 3 }])
      await expect(
        clients.mine.batch((batch) => [
          batch
            .getMaps()
            .createImport({ fields: ['a'] })
            .flush(),
        ]),
      ).rejects.toThrow(NotInBatchError)
    })
  })

  it('are imported in parts, and the rest at the end', async () => {
    await withNames(5, async (...all) => {
      const [a = '', b = '', c = '', d = '', e = ''] = all
      {
        await using users = clients.mine.getMaps().createImport({ fields: ['name', 'n'], batchSize: 2 })
        await users.add(a, ['Ada', 1])
        expect(users.importedCount).toBe(0)
        expect(await contentOf(a)).toEqual({})
        await users.add(b, new Set(['Alan', 2]))
        expect(users.importedCount).toBe(2)
        await users.add(c, ['Grace', 3])
        await users.flush()
        expect(users.importedCount).toBe(3)
        await users.flush()
        await users.add(d, ['gone', 4])
        await users.add(d, ['Edsger', 4])
        expect(users.importedCount).toBe(3)
        await Promise.all([users.add(e, ['first', 5]), users.flush(), users.add(e, ['Barbara', 5])])
      }
      expect(await contents(all)).toEqual([
        { name: 'Ada', n: 1 },
        { name: 'Alan', n: 2 },
        { name: 'Grace', n: 3 },
        { name: 'Edsger', n: 4 },
        { name: 'Barbara', n: 5 },
      ])
    })
  })

  it('are not imported any more by an import that was disposed of', async () => {
    await withNames(1, async (a = '') => {
      const users = maps().createImport({ fields: ['k'] })
      await users.add(a, [1])
      await users[Symbol.asyncDispose]()
      await users[Symbol.asyncDispose]()
      await users.flush()
      expect(users.importedCount).toBe(1)
      await expect(users.add(a, [2])).rejects.toThrow('disposed of')
      expect(await contentOf(a)).toEqual({ k: 1 })
    })
  })

  it('wait in the import if they could not be written, and are written by the next flush', async () => {
    await withNames(2, async (a = '', b = '') => {
      await clients.other.getList(a).add(1)
      const users = maps().createImport({ fields: ['k'] })
      await users.add(a, [1])
      await users.add(b, [2])
      await expect(users.flush()).rejects.toMatchObject({ code: 'WRONG_TYPE', mayHaveRun: true })
      expect(users.importedCount).toBe(1)
      await expect(users.flush()).rejects.toMatchObject({ code: 'WRONG_TYPE', mayHaveRun: false })
      await clients.other.getList(a).delete()
      await users.flush()
      expect(users.importedCount).toBe(2)
      expect(await contents([a, b])).toEqual([{ k: 1 }, { k: 2 }])
    })
  })

  it('are refused by an import that does not fit', async () => {
    const importOf = (fields: never) => maps().createImport({ fields })
    expect(() => importOf([] as never)).toThrow('`fields` to have at least one')
    expect(() => importOf(['a', 'a'] as never)).toThrow('twice')
    expect(() => importOf('ab' as never)).toThrow(TypeError)
    expect(() => importOf([undefined] as never)).toThrow(TypeError)
    expect(() => maps().createImport({ fields: ['a'], batchSize: 0 })).toThrow(RangeError)
    await withNames(1, async (a = '') => {
      const users = maps().createImport({ fields: ['a', 'b'] })
      await expect(users.add(a, [1])).rejects.toThrow('Expected `values` to be 2')
      await expect(users.add(a, [1, 2, 3])).rejects.toThrow(RangeError)
      await expect(users.add(a, [1, undefined])).rejects.toThrow(TypeError)
      await expect(users.add(a, [1, NaN])).rejects.toThrow(CodecError)
      await expect(users.add('', [1, 2])).rejects.toThrow(TypeError)
      await users.flush()
      expect(users.importedCount).toBe(0)
      expect(await contentOf(a)).toEqual({})
    })
  })

  it('have the names that the mapper makes', async () => {
    const mapped = await Redisson.create({ ...topology.options(), nameMapper: (name) => `app:${name}` })
    await withNames(1, async (a = '') => {
      await mapped.getMaps().set({ [a]: { k: 1 } })
      expect(await look.ask(`app:${a}`, 'HGETALL')).toEqual(['k', '1'])
      await remove([`app:${a}`])
    })
    await mapped.shutdown()
  })
})
