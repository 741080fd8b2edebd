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

  it('take rows of an interface, and of a type', () => {
    interface Row {
      readonly name: string
      readonly town?: string
    }
    interface Other {
      id: string
    }
    type Alias = { readonly name: string }
    const maps = client.getMaps<string, string | undefined>()
    const texts = client.getMaps<string, string>()
    const row: Row = { name: 'Ada' }
    const other: Other = { id: 'a' }
    const alias: Alias = { name: 'Ada' }
    const rows: Record<string, Other> = { a: other }
    expectTypeOf(texts.set({ a: other, b: alias })).resolves.toEqualTypeOf<void>()
    expectTypeOf(
      texts.set({ a: other, b: new Map([['k', 'v']]), c: { k: 'v' } }),
    ).resolves.toEqualTypeOf<void>()
    expectTypeOf(texts.set([['a', other]])).resolves.toEqualTypeOf<void>()
    expectTypeOf(texts.set(new Map([['a', other]]), { batchSize: 5 })).resolves.toEqualTypeOf<void>()
    expectTypeOf(texts.set(rows)).resolves.toEqualTypeOf<void>()
    expectTypeOf(maps.set({ a: row })).resolves.toEqualTypeOf<void>()
    expectTypeOf(client.getMaps().set({ a: row, b: other })).resolves.toEqualTypeOf<void>()
    expectTypeOf(client.getMaps<keyof Other, string>().set({ a: other })).resolves.toEqualTypeOf<void>()
    // @ts-expect-error: a value may be missing
    void texts.set({ a: row })
    // @ts-expect-error: the values are texts
    void client.getMaps<string, number>().set({ a: other })
    // @ts-expect-error: the same of one among others
    void client.getMaps<string, number>().set({ a: { k: 1 }, b: other })
    // @ts-expect-error: there is no such field
    void client.getMaps<'name', string>().set({ a: other })
    // @ts-expect-error: keys that are no texts are no members of an object
    void client.getMaps<number, string>({ codec: { key: longCodec() } }).set({ a: other })
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
