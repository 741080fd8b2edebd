import { describe, expectTypeOf, it } from 'vitest'
import { longCodec, stringCodec, type RedissonClient, type RLock, type RSet } from '../../src/index.js'

declare const client: RedissonClient

interface User {
  readonly name: string
}

describe('the types of a set', () => {
  it('have unknown values by default, and those of the codec', () => {
    expectTypeOf(client.getSet('x')).toEqualTypeOf<RSet<unknown>>()
    expectTypeOf(client.getSet<User>('x')).toEqualTypeOf<RSet<User>>()
    expectTypeOf(client.getSet('x', { codec: stringCodec() })).toEqualTypeOf<RSet<string>>()
    // @ts-expect-error: the codec is of another type
    client.getSet<User>('x', { codec: longCodec() })
    // @ts-expect-error: there is no such option
    client.getSet('x', { ttlMs: 5 })
  })

  it('take values, and iterables of them', () => {
    const set = client.getSet<number>('x')
    void set.addAll(new Set([1]))
    void set.tryAdd(1, 2)
    // @ts-expect-error: the values are numbers
    void set.add('a')
    // @ts-expect-error: one value is no list
    void set.addAll(1)
    // @ts-expect-error: names are texts
    void set.union([1])
    // @ts-expect-error: a limit is an option
    void set.countIntersection(['a'], 5)
    expectTypeOf(set.getLock(1)).toEqualTypeOf<RLock>()
  })

  it('return values, or undefined for none', () => {
    const set = client.getSet<User>('x')
    expectTypeOf(set.random()).resolves.toEqualTypeOf<User | undefined>()
    expectTypeOf(set.random(2)).resolves.toEqualTypeOf<User[]>()
    expectTypeOf(set.removeRandom()).resolves.toEqualTypeOf<User | undefined>()
    expectTypeOf(set.removeRandom(2)).resolves.toEqualTypeOf<User[]>()
    expectTypeOf(set.containsEach([])).resolves.toEqualTypeOf<boolean[]>()
    expectTypeOf(set.readUnion(['a'])).resolves.toEqualTypeOf<User[]>()
    expectTypeOf(set.readSort()).resolves.toEqualTypeOf<User[]>()
    expectTypeOf(set.readSort<number>({ get: ['age:*'] })).resolves.toEqualTypeOf<(number | undefined)[]>()
    expectTypeOf(set.values()).toEqualTypeOf<AsyncIterable<User>>()
    expectTypeOf(set.move('y', { name: 'Ada' })).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(set.move(1)).resolves.toEqualTypeOf<boolean>()
    // @ts-expect-error: which value is moved?
    void set.move('y')
  })

  it('have events of their own', () => {
    const hear = (name: string) => name
    for (const event of ['added', 'removed', 'removedRandom', 'stored', 'deleted'] as const)
      void client.getSet('x').addListener(event, hear)
    // @ts-expect-error: that is an event of maps
    void client.getSet('x').addListener('put', hear)
    // @ts-expect-error: a text is no list of names
    void client.getSet('x').readUnion('abc')
  })
})
