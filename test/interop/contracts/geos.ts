import { describe, expect, it } from 'vitest'
import type { GeoSearchOptions } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import type { InteropFixture } from '../interop-fixture.js'
import { PLAIN_JSON, type JavaThread } from '../java-peer.js'
import { describeCodecs, openSides } from './codec-pairs.js'

/** Places whose digits both sides have to write alike. The last degrees are not among them, which Java stores where Redis does not find them. */
const PLACES = [
  [13.361389, 38.115556],
  [-180, -85.05112878],
  [179.99999, 85.05112],
  [1e-7, -1e-7],
  [0.1 + 0.2, 100 / 3],
] as const

const near = { from: { longitude: 15, latitude: 37 }, radius: 200, unit: 'km', order: 'ASC' } as const

/** The same as Java is given it: `from` is part of the rest. */
function inJavaOf({ from, box, ...rest }: GeoSearchOptions<string>): unknown {
  return { ...from, ...box, ...rest }
}

/** What geos of either side owe the other. */
export function geosAcrossSides(bench: InteropFixture): void {
  const inJava = (thread: JavaThread, name: string, ...call: [string, ...unknown[]]) =>
    thread.call(['getGeo', name], call)

  describeCodecs(bench, 'a geo', (sides, { values }) => {
    it.each(['место', '{tag}:geo', 'a{tag}b'])(
      'called %s has the same members at the same places on both sides',
      async (at) => {
        const name = `${bench.name()}${at}`
        const geo = sides.node.getGeo(name)
        const content = () => askOwner(bench.topology, name, 'ZRANGE', '0', '-1', 'WITHSCORES')
        for (const value of values) {
          for (const [longitude, latitude] of PLACES) {
            await geo.add(longitude, latitude, value)
            const bytes = await content()
            expect(await inJava(sides.java, name, 'add', longitude, latitude, value)).toBe(0)
            expect(await content()).toEqual(bytes)
          }
          expect(await inJava(sides.java, name, 'tryAdd', 1, 1, value)).toBe(false)
          expect(await inJava(sides.java, name, 'addIfExists', 15, 37, value)).toBe(true)
          expect(await inJava(sides.java, name, 'search', inJavaOf(near))).toEqual([value])
          expect(await geo.search(near)).toEqual([value])
          expect(await geo.remove(value)).toBe(true)
          expect(await inJava(sides.java, name, 'addIfExists', 15, 37, value)).toBe(false)
          expect(await inJava(sides.java, name, 'tryAdd', 15, 37, value)).toBe(true)
          expect(await geo.tryAdd(1, 1, value)).toBe(false)
          expect([...(await geo.searchWithDistance(near)).entries()]).toEqual([[value, expect.closeTo(0, 3)]])
          expect(await inJava(sides.java, name, 'remove', value)).toBe(true)
        }
        expect(await geo.isExists()).toBe(false)
      },
    )
  })

  describe('a geo', () => {
    const sides = openSides(bench, { java: { codec: PLAIN_JSON } })

    const filled = async (name: string) => {
      const geo = sides.node.getGeo<string>(name)
      expect(await geo.add({ longitude: 13.361389, latitude: 38.115556, member: 'Palermo' })).toBe(1)
      expect(
        await inJava(sides.java, name, 'add', [
          [15.087269, 37.502669, 'Catania'],
          [13.583333, 37.316667, 'Agrigento'],
        ]),
      ).toBe(2)
      return geo
    }

    it('has the same distances, geohashes and places on both sides', async () => {
      const name = bench.name()
      const geo = await filled(name)
      const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
      for (const unit of ['m', 'km', 'mi', 'ft'] as const)
        expect(await java('dist', 'Palermo', 'Catania', unit)).toBe(
          await geo.dist('Palermo', 'Catania', unit),
        )
      expect(await java('dist', 'Palermo', 'none', 'm')).toBeNull()
      expect(await java('hash', ['Palermo', 'none', 'Agrigento'])).toEqual(
        Object.fromEntries(await geo.hash('Palermo', 'none', 'Agrigento')),
      )
      expect(await java('pos', ['Catania', 'none'])).toEqual(
        Object.fromEntries(await geo.pos('Catania', 'none')),
      )
      await geo.delete()
    })

    it('is searched with the same results by both sides', async () => {
      const name = bench.name()
      const geo = await filled(name)
      const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
      const searches: readonly GeoSearchOptions<string>[] = [
        near,
        { ...near, order: 'DESC' },
        { ...near, radius: 100, unit: 'mi' },
        { ...near, count: 2 },
        { from: { member: 'Palermo' }, radius: 100, unit: 'km', order: 'ASC' },
        { from: { member: 'Palermo' }, box: { width: 400, height: 200 }, unit: 'km', order: 'DESC' },
        { from: near.from, box: { width: 500_000, height: 900_000 }, unit: 'ft', order: 'ASC', count: 1 },
      ]
      for (const search of searches) {
        const args = inJavaOf(search)
        expect(await java('search', args)).toEqual(await geo.search(search))
        const distances = (await java('searchWithDistance', args)) as object
        expect(Object.entries(distances)).toEqual([...(await geo.searchWithDistance(search))])
        const places = (await java('searchWithPosition', args)) as object
        expect(Object.entries(places)).toEqual([...(await geo.searchWithPosition(search))])
      }
      expect(await java('search', inJavaOf({ ...near, countAny: 2 }))).toHaveLength(2)
      await geo.delete()
    })

    it('is stored by either side, and read by the other', async () => {
      const tag = `{${bench.name()}}`
      const geo = await filled(`${tag}:from`)
      const content = (key: string) => askOwner(bench.topology, key, 'ZRANGE', '0', '-1', 'WITHSCORES')
      const searches: readonly GeoSearchOptions<string>[] = [
        near,
        { from: near.from, box: { width: 400, height: 400 }, unit: 'mi' },
      ]
      for (const search of searches)
        for (const store of ['storeSearchTo', 'storeSortedSearchTo'] as const) {
          expect(await geo[store](`${tag}:node`, search)).toBe(3)
          expect(await inJava(sides.java, geo.name, store, `${tag}:java`, inJavaOf(search))).toBe(3)
          expect(await content(`${tag}:java`)).toEqual(await content(`${tag}:node`))
        }
      await sides.node.getKeys().delete(geo.name, `${tag}:node`, `${tag}:java`)
    })

    it('is also a scored sorted set on both sides', async () => {
      const name = bench.name()
      const geo = await filled(name)
      const java = (...call: [string, ...unknown[]]) => inJava(sides.java, name, ...call)
      expect(
        await java('addIfExists', [
          [13, 37, 'Palermo'],
          [1, 1, 'none'],
        ]),
      ).toBe(0) // Java counts those that are new
      expect(await geo.addIfExists({ longitude: 13.361389, latitude: 38.115556, member: 'Palermo' })).toBe(1)
      expect(
        await java('tryAdd', [
          [13, 37, 'Palermo'],
          [1, 1, 'new'],
        ]),
      ).toBe(1)
      expect(await java('readAll')).toEqual(await geo.readAll())
      expect(await java('getScore', 'Palermo')).toBe(await geo.getScore('Palermo'))
      expect(await java('pollFirst')).toBe('new')
      expect(await geo.pollLast()).toBe('Catania')
      await geo.delete()
    })
  })
}
