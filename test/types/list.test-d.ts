import { describe, expectTypeOf, it } from 'vitest'
import { bytesCodec, type RedissonClient, type RList } from '../../src/index.js'

declare const client: RedissonClient

describe('the types of a list', () => {
  it('have unknown values, by default, or those of the codec', () => {
    expectTypeOf(client.getList('x')).toEqualTypeOf<RList<unknown>>()
    expectTypeOf(client.getList<string>('x')).toEqualTypeOf<RList<string>>()
    expectTypeOf(client.getList('x', { codec: bytesCodec() })).toExtend<RList<Uint8Array>>()
  })

  it('tell an index from a value', () => {
    const list = client.getList<string>('x')
    expectTypeOf(list.add('a')).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(list.add(0, 'a')).resolves.toEqualTypeOf<void>()
    expectTypeOf(list.removeAt(0)).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(list.remove('a', 2)).resolves.toEqualTypeOf<boolean>()
    // @ts-expect-error: an index is no value
    void list.remove(0)
    // @ts-expect-error: a value is no index
    void list.add('a', 'b')
    // @ts-expect-error: undefined is no value
    void list.add(undefined)
    // @ts-expect-error: a text would be its letters
    void list.addAll('a', 'b')
  })

  it('tell what may be absent', async () => {
    const list = client.getList<string>('x')
    expectTypeOf(list.get(0)).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(list.getAll([0])).resolves.toEqualTypeOf<(string | undefined)[]>()
    expectTypeOf(list.set(0, 'a')).resolves.toEqualTypeOf<string>()
    expectTypeOf(list.range(1)).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(list.range(1, 2)).resolves.toEqualTypeOf<string[]>()
    for await (const element of list) expectTypeOf(element).toEqualTypeOf<string>()
    // @ts-expect-error: a range has one or two ends
    void list.range()
  })

  it('have the events of lists', () => {
    void client.getList('x').addListener('trimmed', (name) => name.length)
    // @ts-expect-error: that is an event of maps
    void client.getList('x').addListener('put', (name) => name.length)
  })
})
