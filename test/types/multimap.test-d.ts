import { describe, expectTypeOf, it } from 'vitest'
import {
  longCodec,
  type RedissonClient,
  type RListMultimap,
  type RListMultimapValues,
  type RLock,
  type RSetMultimap,
  type RSetMultimapValues,
} from '../../src/index.js'

declare const client: RedissonClient

interface User {
  readonly name: string
}

describe('the types of multimaps', () => {
  it('have keys that are texts, and unknown values by default', () => {
    expectTypeOf(client.getSetMultimap('x')).toEqualTypeOf<RSetMultimap<string, unknown>>()
    expectTypeOf(client.getListMultimap<string, User>('x')).toEqualTypeOf<RListMultimap<string, User>>()
    expectTypeOf(
      client.getSetMultimap('x', { codec: { key: longCodec(), value: longCodec() } }),
    ).toEqualTypeOf<RSetMultimap<number, number>>()
    // @ts-expect-error: keys that are no texts need a codec
    client.getSetMultimap<number, User>('x')
    // @ts-expect-error: there is no such option
    client.getListMultimap('x', { loader: {} })
  })

  it('take and return keys and values', () => {
    const users = client.getSetMultimap<string, User>('x')
    expectTypeOf(users.getAll('a')).resolves.toEqualTypeOf<User[]>()
    expectTypeOf(users.removeAll('a')).resolves.toEqualTypeOf<User[]>()
    expectTypeOf(users.entries()).toEqualTypeOf<AsyncIterable<[string, User]>>()
    expectTypeOf(users.getLock('a')).toEqualTypeOf<RLock>()
    // @ts-expect-error: the values are one list
    void users.putAll('a', { name: 'Ada' })
    const words = client.getSetMultimap<string, string>('x')
    expectTypeOf(words.putAll('a', new Set(['text']))).resolves.toBeBoolean()
    // @ts-expect-error: a text would be a list of its letters
    void words.putAll('a', 'text')
    // @ts-expect-error: the same
    void words.replaceValues('a', 'text')
    // @ts-expect-error: the same
    void words.fastReplaceValues('a', 'text')
    // @ts-expect-error: keys are texts
    void users.put(5, { name: 'Ada' })
  })

  it('have the values of a key as a set or a list, which is no object of its own', () => {
    const set = client.getSetMultimap<string, User>('x').get('a')
    expectTypeOf(set).toEqualTypeOf<RSetMultimapValues<User>>()
    expectTypeOf(set.random(2)).resolves.toEqualTypeOf<User[]>()
    expectTypeOf(set.move('y', { name: 'Ada' })).resolves.toEqualTypeOf<boolean>()
    // @ts-expect-error: it has no database of its own
    void set.move(3)
    expectTypeOf(set).not.toHaveProperty('expire')
    const list = client.getListMultimap<string, User>('x').get('a')
    expectTypeOf(list).toEqualTypeOf<RListMultimapValues<User>>()
    expectTypeOf(list.get(0)).resolves.toEqualTypeOf<User | undefined>()
    expectTypeOf(list).not.toHaveProperty('rename')
  })
})
