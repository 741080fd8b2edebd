import { describe, expectTypeOf, it } from 'vitest'
import { longCodec, type RBatch, type RedissonClient, type RMaps, type RMapsImport } from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

interface User {
  readonly name: string
}

describe('the types of several maps', () => {
  it('have keys that are texts and unknown values by default, and those of codecs', () => {
    expectTypeOf(client.getMaps()).toEqualTypeOf<RMaps<string, unknown>>()
    expectTypeOf(client.getMaps<string, User>()).toEqualTypeOf<RMaps<string, User>>()
    expectTypeOf(client.getMaps<number, User>({ codec: { key: longCodec() } })).toEqualTypeOf<
      RMaps<number, User>
    >()
    expectTypeOf(batch.getMaps<string, User>()).toEqualTypeOf<RMaps<string, User>>()
    // @ts-expect-error: keys that are no texts need a codec
    client.getMaps<number, User>()
  })

  it('take maps by their names', () => {
    const maps = client.getMaps<string, User>()
    const ada = { name: 'Ada' }
    expectTypeOf(maps.set({ a: { k: ada }, b: new Map([['k', ada]]) })).resolves.toEqualTypeOf<void>()
    expectTypeOf(maps.set([['a', { k: ada }]], { batchSize: 5 })).resolves.toEqualTypeOf<void>()
    // @ts-expect-error: a map has values of its type
    void maps.set({ a: { k: 5 } })
    // @ts-expect-error: keys that are no texts are no members of an object
    void client.getMaps<number, User>({ codec: { key: longCodec() } }).set({ a: { 5: ada } })
  })

  it('take values in the order of the fields', () => {
    const users = client.getMaps<'name' | 'town', string>().createImport({ fields: ['name', 'town'] })
    expectTypeOf(users).toEqualTypeOf<RMapsImport<string>>()
    expectTypeOf(users.add('a', ['Ada', 'London'])).resolves.toEqualTypeOf<void>()
    expectTypeOf(users.importedCount).toEqualTypeOf<number>()
    // @ts-expect-error: there is no such field
    client.getMaps<'name', string>().createImport({ fields: ['town'] })
    // @ts-expect-error: an import has fields
    client.getMaps().createImport({})
  })
})
