import { describe, expect, it } from 'vitest'
import type { RBuckets, SetOptions } from '../../../src/index.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** More than one request may be about. */
const MANY = 12_000

const LONG_MS = 600_000

describe.each(slottedTopologies)('buckets ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  const buckets = (): RBuckets<unknown> => clients.mine.getBuckets()
  const bucket = (name: string) => clients.other.getBucket(name)
  const remove = (all: readonly string[]) => Promise.all(all.map((name) => bucket(name).delete()))
  /** Names in several slots of a cluster. */
  const some = (count = 3) => Array.from({ length: count }, () => `ведро-${topology.kind}-${String(names++)}`)
  /** Names in one slot. */
  const together = (count = 3) => some(count).map((name) => `{${topology.kind}}${name}`)
  const numbered = (all: readonly string[]) => Object.fromEntries(all.map((name, n) => [name, n]))
  const read = async (all: readonly string[]) => Object.fromEntries(await buckets().get(...all))

  it('are nothing where there is nothing', async () => {
    expect(await buckets().get()).toEqual(new Map())
    expect(await buckets().get(...some())).toEqual(new Map())
    await buckets().set({})
    expect(await buckets().trySet([])).toBe(true)
    expect(await buckets().setIfAllKeysAbsent({})).toBe(true)
    expect(await buckets().setIfAllKeysExist(new Map())).toBe(true)
  })

  it('are set and read by name, in the order of the names', async () => {
    const all = some(20)
    await buckets().set(new Map(all.map((name, n) => [name, { n }])))
    const found = await buckets().get(...all.toReversed(), 'none', String(all[0]))
    expect([...found.keys()]).toEqual(all.toReversed())
    expect(found.get(String(all[3]))).toEqual({ n: 3 })
    expect(await bucket(String(all[3])).get()).toEqual({ n: 3 })
    await bucket(String(all[3])).expire(LONG_MS)
    await buckets().set(numbered(all))
    expect(await bucket(String(all[3])).remainTimeToLive()).toBe(-1)
    await remove(all)
  })

  it('are tried to be set only where none is there', async () => {
    const [a = '', b = '', c = ''] = together()
    expect(await buckets().trySet({ [a]: 1, [b]: null })).toBe(true)
    expect(await buckets().trySet({ [b]: 3, [c]: 4 })).toBe(false)
    expect(await read([a, b, c])).toEqual({ [a]: 1, [b]: null })
    await remove([a, b])
  })

  it.each([
    ['not at all', {}, -1],
    ['after a time', { expire: LONG_MS }, LONG_MS],
    ['at a moment', { expire: new Date(Date.now() + LONG_MS) }, LONG_MS],
  ] satisfies [string, SetOptions, number][])(
    'are set if all of them are there, or none, and expire %s',
    async (_, options, expected) => {
      const [a = '', b = '', c = ''] = together()
      const ttlOf = async (name: string) => {
        const leftMs = await bucket(name).remainTimeToLive()
        if (expected < 0) expect(leftMs).toBe(expected)
        else expect(Math.abs(leftMs - expected)).toBeLessThan(LONG_MS / 2)
      }
      expect(await buckets().setIfAllKeysExist({ [a]: 1, [b]: 2 }, options)).toBe(false)
      expect(await buckets().setIfAllKeysAbsent({ [a]: 1, [b]: 2 }, options)).toBe(true)
      await ttlOf(a)
      await ttlOf(b)
      expect(await buckets().setIfAllKeysAbsent({ [b]: 3, [c]: 3 }, options)).toBe(false)
      expect(await buckets().setIfAllKeysExist({ [b]: 3, [c]: 3 }, options)).toBe(false)
      expect(await read([a, b, c])).toEqual({ [a]: 1, [b]: 2 })
      await bucket(a).clearExpire()
      expect(await buckets().setIfAllKeysExist({ [a]: 4, [b]: 5 }, options)).toBe(true)
      await ttlOf(a)
      expect(await read([a, b, c])).toEqual({ [a]: 4, [b]: 5 })
      await remove([a, b])
    },
  )

  it('keep their times to live if that is asked for', async () => {
    const [a = '', b = ''] = together(2)
    await bucket(a).set(1, LONG_MS)
    await bucket(b).set(1)
    expect(await buckets().setIfAllKeysExist({ [a]: 2, [b]: 2 }, { keepTTL: true })).toBe(true)
    expect(await bucket(a).remainTimeToLive()).toBeGreaterThan(0)
    expect(await bucket(b).remainTimeToLive()).toBe(-1)
    await remove([a, b])
  })

  it('are set for each slot by itself', async () => {
    const all = some(30)
    const [first = ''] = all
    await bucket(first).set('there')
    expect(await buckets().setIfAllKeysAbsent(numbered(all))).toBe(false)
    expect(await bucket(first).get()).toBe('there')
    const set = Object.keys(await read(all)).length
    expect(set).toBeLessThan(all.length + 1)
    expect(set > 1).toBe(topology.kind === 'cluster')
    await remove(all)
  })

  it('are many', async () => {
    const all = together(MANY)
    await buckets().set(numbered(all))
    const found = await buckets().get(...all)
    expect(found.size).toBe(MANY)
    expect(found.get(String(all[MANY - 1]))).toBe(MANY - 1)
    expect(await buckets().setIfAllKeysExist(numbered(all))).toBe(true)
    expect(await buckets().trySet(numbered(all.slice(0, 2)))).toBe(false)
    for (let at = 0; at < MANY; at += 1_000) await remove(all.slice(at, at + 1_000))
  })

  it('leave out what is no bucket, and name what cannot be read', async () => {
    const [list = '', bad = ''] = together(2)
    await clients.other.getMap(list).put('k', 1)
    expect(await read([list])).toEqual({})
    await clients.other.getAtomicLong(bad).set(5)
    expect(await read([bad])).toEqual({ [bad]: 5 })
    await clients.other
      .getBucket<Uint8Array>(bad, { codec: { name: 'raw', encode: String, decode: (b) => b } })
      .set('{no json' as never)
    await expect(buckets().get(bad)).rejects.toMatchObject({ code: 'CODEC', object: bad })
    await clients.other.getMap(list).delete()
    await remove([bad])
  })

  it('refuse bad arguments, and send nothing', async () => {
    const [name = ''] = some(1)
    for (const call of [
      () => buckets().set({ [name]: 1, other: undefined }),
      () => buckets().set(5 as never),
      () => buckets().trySet([[name]] as never),
      () => buckets().setIfAllKeysAbsent({ [name]: undefined }),
      () => buckets().setIfAllKeysAbsent({ [name]: 1 }, { ttl: 5 } as never),
      () => buckets().setIfAllKeysExist({ [name]: 1 }, { expire: 5, keepTTL: true }),
      () => buckets().setIfAllKeysExist({ [name]: 1 }, { expire: 'soon' } as never),
      () => buckets().setIfAllKeysAbsent({ [name]: 1 }, { keepTTL: 1 } as never),
      () => buckets().setIfAllKeysAbsent({ '': 1, [name]: 1 }),
      () => buckets().get(name, ''),
    ])
      await expect(call()).rejects.toThrow(TypeError)
    for (const expire of [0, -1, NaN, new Date(NaN)])
      await expect(buckets().setIfAllKeysAbsent({ [name]: 1 }, { expire })).rejects.toThrow(RangeError)
    await expect(buckets().set({ [name]: 1, other: NaN })).rejects.toMatchObject({ code: 'CODEC' })
    expect(await bucket(name).isExists()).toBe(false)
  })
})
