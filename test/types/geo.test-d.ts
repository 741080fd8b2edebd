import { describe, expectTypeOf, it } from 'vitest'
import {
  longCodec,
  type GeoPosition,
  type RBatch,
  type RedissonClient,
  type RGeo,
  type RScoredSortedSet,
} from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

interface Shop {
  readonly id: number
}

const center = { longitude: 15, latitude: 37 }

describe('the types of a geo', () => {
  it('have unknown members by default, and those of a codec', () => {
    expectTypeOf(client.getGeo('x')).toEqualTypeOf<RGeo<unknown>>()
    expectTypeOf(client.getGeo<Shop>('x')).toEqualTypeOf<RGeo<Shop>>()
    expectTypeOf(client.getGeo('x', { codec: longCodec() })).toEqualTypeOf<RGeo<number>>()
    expectTypeOf(batch.getGeo<Shop>('x')).toEqualTypeOf<RGeo<Shop>>()
    expectTypeOf(client.getGeo<Shop>('x')).toExtend<RScoredSortedSet<Shop>>()
  })

  it('tell one member from many', () => {
    const geo = client.getGeo<Shop>('x')
    const entry = { ...center, member: { id: 1 } }
    expectTypeOf(geo.add(1, 2, { id: 1 })).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(geo.add(1, { id: 1 })).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(geo.add(entry, entry)).resolves.toEqualTypeOf<number>()
    expectTypeOf(geo.tryAdd(1, 2, { id: 1 })).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(geo.addIfExists(entry)).resolves.toEqualTypeOf<number>()
    expectTypeOf(geo.pos({ id: 1 })).resolves.toEqualTypeOf<Map<Shop, GeoPosition>>()
    expectTypeOf(geo.hash({ id: 1 }, { id: 2 })).resolves.toEqualTypeOf<Map<Shop, string>>()
    expectTypeOf(geo.dist({ id: 1 }, { id: 2 }, 'ft')).resolves.toEqualTypeOf<number | undefined>()
    // @ts-expect-error: a place has two numbers
    void geo.tryAdd(1, { id: 1 })
    // @ts-expect-error: an entry has a member
    void geo.add(center)
    // @ts-expect-error: there is no such unit
    void geo.dist({ id: 1 }, { id: 2 }, 'yd')
  })

  it('take one center, one area and one number', () => {
    const geo = client.getGeo<Shop>('x')
    const near = { from: center, radius: 3, unit: 'km' } as const
    expectTypeOf(geo.search(near)).resolves.toEqualTypeOf<Shop[]>()
    expectTypeOf(geo.searchWithDistance({ ...near, count: 3 })).resolves.toEqualTypeOf<Map<Shop, number>>()
    expectTypeOf(
      geo.searchWithPosition({ from: { member: { id: 1 } }, box: { width: 1, height: 2 }, unit: 'mi' }),
    ).resolves.toEqualTypeOf<Map<Shop, GeoPosition>>()
    // @ts-expect-error: no unit is the usual one
    void geo.search({ from: center, radius: 3 })
    // @ts-expect-error: an area is needed
    void geo.search({ from: center, unit: 'km' })
    // @ts-expect-error: a circle or a rectangle
    void geo.search({ ...near, box: { width: 1, height: 2 } })
    // @ts-expect-error: the nearest, or any
    void geo.search({ ...near, count: 1, countAny: 1 })
    // @ts-expect-error: a place or a member
    void geo.search({ ...near, from: { ...center, member: { id: 1 } } })
    // @ts-expect-error: a member is one of this geo
    void geo.search({ ...near, from: { member: 'Palermo' } })
  })
})
