import { describe, expect, it } from 'vitest'
import { Redisson, stringCodec, type GeoSearchOptions, type RGeo } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** More than one request may be about. */
const MANY = 12_000

const PALERMO = { longitude: 13.361389, latitude: 38.115556 }
const CATANIA = { longitude: 15.087269, latitude: 37.502669 }
const AGRIGENTO = { longitude: 13.583333, latitude: 37.316667 }
const CENTER = { longitude: 15, latitude: 37 }

/** Half of a cell: as far as what comes back may be from what was given. */
const HALF_A_CELL = { longitude: 180 / 2 ** 26, latitude: 85.05112878 / 2 ** 26 }

const entries = [
  { ...PALERMO, member: 'Palermo' },
  { ...CATANIA, member: 'Catania' },
  { ...AGRIGENTO, member: 'Agrigento' },
]

const near = {
  from: CENTER,
  radius: 200,
  unit: 'km',
  order: 'ASC',
} as const satisfies GeoSearchOptions<string>

describe.each(slottedTopologies)('a geo ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A geo that is removed after the test. */
  const withGeo = async <V = string>(
    use: (geo: RGeo<V>, name: string) => Promise<void>,
    name = `geo-${topology.kind}-${String(names++)}`,
  ) => {
    const geo = clients.mine.getGeo<V>(name)
    try {
      await use(geo, name)
    } finally {
      await geo.delete()
    }
  }

  it('is shared by all clients, and is not there at first', async () => {
    await withGeo(async (geo, name) => {
      expect(await geo.isExists()).toBe(false)
      expect(await geo.add(13.361389, 38.115556, 'é中😀')).toBe(true)
      expect(await geo.add(13, 38, 'é中😀')).toBe(false)
      expect(await clients.other.getGeo<string>(name).contains('é中😀')).toBe(true)
    })
  })

  it.each(['{braces}:geo', 'a{b}c', 'имя'])('may be called %s', async (name) => {
    await withGeo(async (geo) => {
      await geo.add(...entries)
      expect(await geo.search(near)).toEqual(['Catania', 'Agrigento', 'Palermo'])
    }, name)
  })

  it('has nothing where it is not there', async () => {
    await withGeo(async (geo, name) => {
      expect(await geo.add()).toBe(0)
      expect(await geo.tryAdd()).toBe(0)
      expect(await geo.addIfExists()).toBe(0)
      expect(await geo.addIfExists(1, 2, 'a')).toBe(false)
      expect(await geo.dist('a', 'b', 'm')).toBeUndefined()
      expect(await geo.hash()).toEqual(new Map())
      expect(await geo.hash('a')).toEqual(new Map())
      expect(await geo.pos()).toEqual(new Map())
      expect(await geo.pos('a')).toEqual(new Map())
      expect(await geo.search(near)).toEqual([])
      expect(await geo.search({ ...near, from: { member: 'a' } })).toEqual([])
      expect(await geo.searchWithDistance(near)).toEqual(new Map())
      expect(await geo.searchWithPosition(near)).toEqual(new Map())
      expect(await geo.storeSearchTo(`{${name}}:to`, near)).toBe(0)
      expect(await geo.storeSortedSearchTo(`{${name}}:to`, near)).toBe(0)
      expect(await geo.isExists()).toBe(false)
    })
  })

  it('adds members, or moves them, as each method says', async () => {
    await withGeo(async (geo) => {
      const at = async () => {
        const position = (await geo.pos('a')).get('a')
        return position && [Math.round(position.longitude), Math.round(position.latitude)]
      }
      expect(await geo.addIfExists(1, 1, 'a')).toBe(false)
      expect(await at()).toBeUndefined()
      expect(await geo.tryAdd(2, 2, 'a')).toBe(true)
      expect(await geo.tryAdd(3, 3, 'a')).toBe(false)
      expect(await at()).toEqual([2, 2])
      expect(await geo.addIfExists(4, 4, 'a')).toBe(true)
      expect(await geo.addIfExists(4, 4, 'a')).toBe(true)
      expect(await at()).toEqual([4, 4])
      expect(await geo.add(5, -5, 'a')).toBe(false)
      expect(await at()).toEqual([5, -5])
      const [a, b] = [
        { longitude: 6, latitude: 6, member: 'a' },
        { longitude: 7, latitude: 7, member: 'b' },
      ]
      expect(await geo.addIfExists(a, b)).toBe(1)
      expect(await at()).toEqual([6, 6])
      expect(await geo.tryAdd({ ...a, latitude: 0 }, b)).toBe(1)
      expect(await at()).toEqual([6, 6])
      expect(await geo.add({ ...a, latitude: 1 }, { ...a, latitude: 2 }, { ...b, member: 'c' })).toBe(1)
      expect(await at()).toEqual([6, 2])
      expect(await geo.readAll()).toEqual(expect.arrayContaining(['a', 'b', 'c']))
      expect(await geo.size()).toBe(3)
    })
  })

  it('returns places to half a cell, up to the bounds', async () => {
    await withGeo<number>(async (geo) => {
      const places = [
        [0, 0],
        [-180, -85.05112878],
        [180, 85.05112878],
        [13.361389, 38.115556],
        [-122.419416, 37.774929],
        [1e-7, -1e-7],
        [179.9999999, -85.05],
      ] as const
      for (const [n, [longitude, latitude]] of places.entries()) {
        expect(await geo.add(longitude, latitude, n)).toBe(true)
        const position = (await geo.pos(n)).get(n)
        const east = Math.abs((position?.longitude ?? NaN) - longitude)
        expect(Math.min(east, 360 - east)).toBeLessThan(HALF_A_CELL.longitude * 1.001)
        expect(Math.abs((position?.latitude ?? NaN) - latitude)).toBeLessThan(HALF_A_CELL.latitude * 1.001)
      }
    })
  })

  it('returns distances, geohashes and places of those that are there', async () => {
    await withGeo<string | { id: number }>(async (geo) => {
      const shop = { id: 7 }
      await geo.add(...entries)
      await geo.add(CENTER.longitude, CENTER.latitude, shop)
      expect(await geo.dist('Palermo', 'Catania', 'm')).toBe(166274.1516)
      expect(await geo.dist('Palermo', 'Catania', 'km')).toBe(166.2742)
      expect(await geo.dist('Palermo', 'Catania', 'mi')).toBe(103.3182)
      expect(await geo.dist('Palermo', 'Catania', 'ft')).toBe(545518.87)
      expect(await geo.dist('Palermo', 'Palermo', 'km')).toBe(0)
      expect(await geo.dist('Palermo', 'none', 'km')).toBeUndefined()
      const hashes = await geo.hash('Palermo', 'none', 'Catania', shop)
      expect([...hashes]).toEqual([
        ['Palermo', 'sqc8b49rny0'],
        ['Catania', 'sqdtr74hyu0'],
        [shop, expect.stringMatching(/^sq[0-9b-z]{8}0$/)],
      ])
      const places = await geo.pos('none', shop, 'Palermo')
      expect([...places.keys()]).toEqual([shop, 'Palermo'])
      expect([...places.keys()][0]).toBe(shop)
      expect(places.get('Palermo')).toEqual({ longitude: 13.361389338970184, latitude: 38.1155563954963 })
    })
  })

  it('finds members in a circle and in a box, around a place and around a member', async () => {
    await withGeo(async (geo) => {
      await geo.add(...entries)
      const found = (options: Partial<GeoSearchOptions<string>>) =>
        geo.search({ ...near, ...options } as GeoSearchOptions<string>)
      expect(await geo.search(near)).toEqual(['Catania', 'Agrigento', 'Palermo'])
      expect(await found({ order: 'DESC' })).toEqual(['Palermo', 'Agrigento', 'Catania'])
      expect(await found({ radius: 100 })).toEqual(['Catania'])
      expect(await found({ radius: 100, unit: 'mi' })).toEqual(['Catania', 'Agrigento'])
      expect(await found({ radius: 60_000, unit: 'm' })).toEqual(['Catania'])
      expect(await found({ radius: 200_000, unit: 'ft' })).toEqual(['Catania'])
      expect(await found({ radius: 0 })).toEqual([])
      expect(await found({ count: 2 })).toEqual(['Catania', 'Agrigento'])
      expect(await found({ count: 1, order: 'DESC' })).toEqual(['Palermo'])
      expect(await geo.search({ from: CENTER, radius: 200, unit: 'km', count: 1 })).toEqual(['Catania'])
      const any = await geo.search({ from: CENTER, radius: 200, unit: 'km', countAny: 2 })
      expect(new Set(any).size).toBe(2)
      expect(['Catania', 'Agrigento', 'Palermo']).toEqual(expect.arrayContaining(any))
      expect(new Set(await geo.search({ from: CENTER, radius: 200, unit: 'km' })).size).toBe(3)
      expect(await found({ from: { member: 'Palermo' }, radius: 100 })).toEqual(['Palermo', 'Agrigento'])
      const box = { from: { member: 'Palermo' }, unit: 'km', order: 'DESC' } as const
      expect(await geo.search({ ...box, box: { width: 400, height: 200 } })).toEqual([
        'Catania',
        'Agrigento',
        'Palermo',
      ])
      expect(await geo.search({ ...box, box: { width: 100, height: 200 } })).toEqual(['Agrigento', 'Palermo'])
      expect(await geo.search({ ...box, box: { width: 400, height: 0 } })).toEqual(['Palermo'])
      expect(await geo.search({ ...box, box: { width: 400, height: 200 }, count: 1 })).toEqual(['Catania'])
    })
  })

  it('returns distances and places in the order of the search', async () => {
    await withGeo(async (geo) => {
      await geo.add(...entries)
      expect([...(await geo.searchWithDistance(near))]).toEqual([
        ['Catania', 56.4413],
        ['Agrigento', 130.4235],
        ['Palermo', 190.4424],
      ])
      expect([...(await geo.searchWithDistance({ ...near, unit: 'm', radius: 200_000 })).values()]).toEqual([
        56441.2579, 130423.4871, 190442.4298,
      ])
      const places = await geo.searchWithPosition({ ...near, order: 'DESC' })
      expect([...places.keys()]).toEqual(['Palermo', 'Agrigento', 'Catania'])
      expect(places).toEqual(await geo.pos('Palermo', 'Agrigento', 'Catania'))
    })
  })

  it('finds what is beyond the meridian of the date', async () => {
    await withGeo(async (geo) => {
      await geo.add(179.9, 10, 'east')
      const found = await geo.search({ from: { longitude: -179.9, latitude: 10 }, radius: 30, unit: 'km' })
      expect(found).toEqual(['east'])
    })
  })

  it('finds what is at the edges of the map', async () => {
    await withGeo(async (geo) => {
      await geo.add(180, 10, 'east')
      await geo.add(-180, 10, 'west')
      await geo.add(20, 85.05112878, 'north')
      await geo.add(20, -85.05112878, 'south')
      for (const longitude of [180, 179.99, -179.99, -180])
        expect(
          (await geo.search({ from: { longitude, latitude: 10 }, radius: 50, unit: 'km' })).toSorted(),
        ).toEqual(['east', 'west'])
      for (const [latitude, member] of [
        [85.05, 'north'],
        [-85.05, 'south'],
      ] as const)
        expect(await geo.search({ from: { longitude: 20, latitude }, radius: 1, unit: 'km' })).toEqual([
          member,
        ])
    })
  })

  it('stores what it finds, as a geo or by distances', async () => {
    await withGeo(async (geo, name) => {
      const to = `{${name}}:to`
      await geo.add(...entries)
      const stored = clients.other.getGeo<string>(to)
      expect(await geo.storeSearchTo(to, { ...near, count: 2 })).toBe(2)
      expect(await stored.pos('Catania', 'Agrigento')).toEqual(await geo.pos('Catania', 'Agrigento'))
      expect(await stored.size()).toBe(2)
      expect(await geo.storeSortedSearchTo(to, near)).toBe(3)
      const distances = await clients.other.getScoredSortedSet<string>(to).readAllEntries()
      expect(distances.map(([member, km]) => [member, Number(km.toFixed(4))])).toEqual([
        ...(await geo.searchWithDistance(near)),
      ])
      expect(await geo.storeSearchTo(to, { ...near, radius: 1 })).toBe(0)
      expect(await stored.isExists()).toBe(false)
      await clients.other.getBucket(to).set('text')
      expect(
        await geo.storeSearchTo(to, { from: CENTER, box: { width: 200, height: 200 }, unit: 'km' }),
      ).toBe(1)
      await stored.delete()
      expect(await geo.storeSearchTo(name, { ...near, radius: 150 })).toBe(2)
      expect(await geo.pos('Palermo')).toEqual(new Map())
      expect(
        await geo.storeSortedSearchTo(name, {
          ...near,
          from: { member: 'Catania' },
          unit: 'm',
          radius: 1000,
        }),
      ).toBe(1)
      expect(await geo.getScore('Catania')).toBe(0)
    })
  })

  it('stores nothing under a name of another slot', async () => {
    await withGeo(async (geo) => {
      await geo.add(...entries)
      const stored = geo.storeSearchTo('another-slot', near)
      if (topology.kind === 'cluster') await expect(stored).rejects.toMatchObject({ code: 'CROSS_SLOT' })
      else expect(await stored).toBe(3)
      const distances = geo.storeSortedSearchTo('another-slot', near)
      if (topology.kind === 'cluster') await expect(distances).rejects.toMatchObject({ code: 'CROSS_SLOT' })
      else expect(await distances).toBe(3)
      await clients.other.getKeys().delete('another-slot')
    })
  })

  it('maps the names under which it stores', async () => {
    const nameMapper = { map: (each: string) => `mapped:${each}`, unmap: (each: string) => each.slice(7) }
    await using client = await Redisson.create({ ...topology.options(), nameMapper })
    const geo = client.getGeo<string>('{geo-mapped}:from')
    await geo.add(...entries)
    expect(await geo.storeSearchTo('{geo-mapped}:to', near)).toBe(3)
    expect(await askOwner(topology, 'mapped:{geo-mapped}:to', 'ZCARD')).toBe(3)
    await client.getKeys().delete('{geo-mapped}:from', '{geo-mapped}:to')
  })

  it('says which object lacks the member around which it is searched, and changes nothing', async () => {
    await withGeo(async (geo, name) => {
      const to = `{${name}}:to`
      await geo.add(...entries)
      await clients.other.getSet<number>(to).add(1)
      const around = { ...near, from: { member: 'Atlantis' } }
      for (const search of [
        () => geo.search(around),
        () => geo.searchWithDistance(around),
        () => geo.searchWithPosition(around),
        () => geo.storeSearchTo(to, around),
        () => geo.storeSortedSearchTo(to, around),
        () => clients.mine.batch((batch) => [batch.getGeo<string>(name).search(around)]).catch(firstOf),
      ]) {
        const error: unknown = await search().catch((reason: unknown) => reason)
        expect(error).toMatchObject({ code: 'NO_SUCH_MEMBER', object: name, mayHaveRun: false })
        expect((error as Error).message).not.toContain('Atlantis')
      }
      expect(await clients.other.getSet<number>(to).readAll()).toEqual([1])
      await clients.other.getSet(to).delete()
    })
  })

  it('is also a scored sorted set, whose scores are geohashes', async () => {
    await withGeo(async (geo) => {
      expect(await geo.add(3479099956230698, 'Palermo')).toBe(true)
      expect((await geo.hash('Palermo')).get('Palermo')).toBe('sqc8b49rny0')
      expect(await geo.addIfExists(3479447370796909, 'Palermo')).toBe(true)
      expect(await geo.addIfExists(3479447370796909, 'Palermo')).toBe(false)
      expect(await geo.addIfExists(1, 'none')).toBe(false)
      expect((await geo.hash('Palermo')).get('Palermo')).toBe('sqdtr74hyu0')
      await geo.add(...entries)
      expect(await geo.getScore('Palermo')).toBe(3479099956230698)
      expect(await geo.rank('Catania')).toBe(2)
      expect(await geo.remove('Catania')).toBe(true)
      expect(await geo.pollFirst(2)).toEqual(['Agrigento', 'Palermo'])
      const taken = geo.takeFirst()
      await clients.other.getGeo<string>(geo.name).add(1, 2, 'late')
      expect(await taken).toBe('late')
    })
  })

  it.each([false, true])('takes many members, with exactlyOnce %s', async (exactlyOnce) => {
    const name = `geo-many-${topology.kind}-${String(exactlyOnce)}`
    const geo = clients.mine.getGeo<number>(name, { exactlyOnce })
    const many = Array.from({ length: MANY }, (_, n) => ({
      longitude: (n % 100) / 100,
      latitude: Math.floor(n / 100) / 100,
      member: n,
    }))
    expect(await geo.add(...many.slice(0, MANY - 1))).toBe(MANY - 1)
    expect(await geo.tryAdd(...many)).toBe(1)
    expect(await geo.addIfExists(...many)).toBe(MANY)
    const members = many.map(({ member }) => member)
    expect([...(await geo.hash(...members)).keys()]).toEqual(members)
    const places = await geo.pos(...members, -1)
    expect(places.size).toBe(MANY)
    for (const { longitude, member } of many)
      expect(Math.abs((places.get(member)?.longitude ?? NaN) - longitude)).toBeLessThan(1e-5)
    const all = { from: { longitude: 0.5, latitude: 0.6 }, radius: 200, unit: 'km' } as const
    expect(new Set(await geo.search(all)).size).toBe(MANY)
    expect((await geo.search({ ...all, countAny: 7000 })).length).toBe(7000)
    await geo.delete()
  })

  it.each(['pipeline', 'atomic'] as const)('is the same in a batch, %s', async (mode) => {
    await withGeo(async (geo, name) => {
      const results = await clients.mine.batch(
        (batch) => {
          const batched = batch.getGeo<string>(name)
          return [
            batched.add(...entries),
            batched.add(1, 2, 'other'),
            batched.tryAdd(1, 2, 'other'),
            batched.addIfExists(2, 2, 'other'),
            batched.addIfExists({ longitude: 1, latitude: 2, member: 'other' }),
            batched.dist('Palermo', 'Catania', 'km'),
            batched.dist('Palermo', 'none', 'km'),
            batched.hash('Palermo', 'none'),
            batched.pos('none'),
            batched.search(near),
            batched.searchWithDistance({ ...near, count: 1 }),
            batched.searchWithPosition({ ...near, radius: 1 }),
            batched.storeSearchTo(`{${name}}:to`, near),
            batched.storeSortedSearchTo(`{${name}}:to`, near),
          ]
        },
        { mode },
      )
      expect(results).toEqual([
        3,
        true,
        false,
        true,
        1,
        166.2742,
        undefined,
        new Map([['Palermo', 'sqc8b49rny0']]),
        new Map(),
        ['Catania', 'Agrigento', 'Palermo'],
        new Map([['Catania', 56.4413]]),
        new Map(),
        3,
        3,
      ])
      expect(await geo.size()).toBe(4)
      await clients.other.getKeys().delete(`{${name}}:to`)
    })
  })

  it('adds to a batch no more than one request has', async () => {
    const many = Array.from({ length: 5_001 }, (_, member) => ({ longitude: 1, latitude: 1, member }))
    const added = clients.mine.batch((batch) => [batch.getGeo<number>('geo-too-many').add(...many)])
    await expect(added).rejects.toMatchObject({ code: 'NOT_IN_BATCH' })
    expect(await clients.mine.getGeo('geo-too-many').isExists()).toBe(false)
  })

  it('does not read a value that is none', async () => {
    await withGeo<unknown>(async (geo, name) => {
      await clients.other.getGeo<string>(name, { codec: stringCodec() }).add(15, 37, '{no JSON')
      for (const read of [
        () => geo.search(near),
        () => geo.searchWithDistance(near),
        () => geo.searchWithPosition(near),
      ])
        await expect(read()).rejects.toMatchObject({ code: 'CODEC' })
      expect(await geo.size()).toBe(1)
    })
  })

  it.each<[string, () => unknown, ErrorConstructor]>([
    ['a longitude beyond the map', () => ({ longitude: 180.1, latitude: 0 }), RangeError],
    ['a longitude without an end', () => ({ longitude: -Infinity, latitude: 0 }), RangeError],
    ['a latitude near a pole', () => ({ longitude: 0, latitude: 85.06 }), RangeError],
    ['a latitude near the other pole', () => ({ longitude: 0, latitude: -85.05112879 }), RangeError],
    ['no longitude', () => ({ latitude: 0 }), TypeError],
    ['a latitude that is no number', () => ({ longitude: 0, latitude: NaN }), TypeError],
    ['a longitude as a text', () => ({ longitude: '13.4', latitude: 0 }), TypeError],
  ])('refuses a place with %s', async (_, make, kind) => {
    await withGeo<unknown>(async (geo) => {
      const place = make() as { longitude: number; latitude: number }
      const { longitude, latitude } = place
      for (const call of [
        () => geo.add(longitude, latitude, 'a'),
        () => geo.tryAdd(longitude, latitude, 'a'),
        () => geo.addIfExists(longitude, latitude, 'a'),
        () => geo.add({ longitude: 1, latitude: 1, member: 'a' }, { ...place, member: 'b' }),
        () => geo.tryAdd({ ...place, member: 'a' }),
        () => geo.addIfExists({ ...place, member: 'a' }),
        () => geo.search({ ...near, from: place }),
        () => geo.storeSearchTo(geo.name, { ...near, from: place }),
      ])
        await expect(call()).rejects.toThrow(kind)
      expect(await geo.isExists()).toBe(false)
    })
  })

  it.each<[string, object, ErrorConstructor]>([
    ['no center', { from: undefined }, TypeError],
    ['a center that is a member by itself', { from: 'Palermo' }, TypeError],
    ['a center that is a place and a member', { from: { ...CENTER, member: 'a' } }, TypeError],
    ['a center that is no member', { from: { member: undefined } }, TypeError],
    ['an unknown part of a center', { from: { ...CENTER, altitude: 3 } }, TypeError],
    ['no area', { radius: undefined }, TypeError],
    ['two areas', { box: { width: 1, height: 1 } }, TypeError],
    ['a negative radius', { radius: -1 }, RangeError],
    ['a radius without an end', { radius: Infinity }, RangeError],
    ['a radius that is no number', { radius: '200' }, TypeError],
    ['a box without a height', { radius: undefined, box: { width: 1 } }, TypeError],
    ['a box with a negative width', { radius: undefined, box: { width: -1, height: 1 } }, RangeError],
    ['a box that is a number', { radius: undefined, box: 3 }, TypeError],
    ['no unit', { unit: undefined }, TypeError],
    ['an unknown unit', { unit: 'KM' }, TypeError],
    ['an unknown order', { order: 'asc' }, TypeError],
    ['no members', { count: 0 }, RangeError],
    ['half a member', { countAny: 0.5 }, RangeError],
    ['two numbers of members', { count: 1, countAny: 1 }, TypeError],
    ['an unknown option', { limit: 3 }, TypeError],
  ])('refuses a search with %s', async (_, options, kind) => {
    await withGeo(async (geo) => {
      const search = { ...near, ...options } as unknown as GeoSearchOptions<string>
      for (const call of [
        () => geo.search(search),
        () => geo.searchWithDistance(search),
        () => geo.searchWithPosition(search),
        () => geo.storeSearchTo(geo.name, search),
        () => geo.storeSortedSearchTo(geo.name, search),
      ])
        await expect(call()).rejects.toThrow(kind)
    })
  })

  it('refuses what is no member, no entry, and no unit', async () => {
    await withGeo<unknown>(async (geo) => {
      for (const call of [
        () => geo.add(1, 2, undefined),
        () => geo.tryAdd(1, 2, undefined),
        () => geo.add({ longitude: 1, latitude: 2, member: undefined }),
        () => geo.add({ longitude: 1, latitude: 2 } as never),
        () => geo.add({ longitude: 1, latitude: 2, member: 'a' }, 7 as never),
        () => geo.addIfExists([1, 2, 'a'] as never),
        () => geo.dist('a', undefined, 'm'),
        () => geo.dist('a', 'b', 'miles' as never),
        () => geo.dist('a', 'b', undefined as never),
        () => geo.hash('a', undefined),
        () => geo.pos(undefined),
      ])
        await expect(call()).rejects.toThrow(TypeError)
      await expect(geo.add(1, 2, () => 1)).rejects.toMatchObject({ code: 'CODEC' })
      expect(await geo.isExists()).toBe(false)
    })
  })

  it('refuses another kind of object', async () => {
    await withGeo(async (geo, name) => {
      await clients.other.getBucket(name).set('text')
      for (const call of [
        () => geo.add(1, 2, 'a'),
        () => geo.add(...entries),
        () => geo.tryAdd(1, 2, 'a'),
        () => geo.addIfExists(1, 2, 'a'),
        () => geo.addIfExists(...entries),
        () => geo.dist('a', 'b', 'm'),
        () => geo.hash('a'),
        () => geo.pos('a'),
        () => geo.search(near),
        () => geo.storeSearchTo(name, near),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'WRONG_TYPE' })
      await clients.other.getBucket(name).delete()
    })
  })
})

function firstOf(error: unknown): never {
  throw (error as { results: readonly PromiseRejectedResult[] }).results[0]?.reason
}
