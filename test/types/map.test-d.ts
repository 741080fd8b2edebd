import { describe, expectTypeOf, it } from 'vitest'
import {
  bytesCodec,
  longCodec,
  stringCodec,
  type RedissonClient,
  type RLock,
  type RMap,
  type RReadWriteLock,
  type RSemaphore,
} from '../../src/index.js'

declare const client: RedissonClient

interface User {
  readonly name: string
}

describe('the types of a map', () => {
  it('have texts as keys and unknown values, by default', () => {
    expectTypeOf(client.getMap('x')).toEqualTypeOf<RMap<string, unknown>>()
    expectTypeOf(client.getMap<string, User>('x')).toEqualTypeOf<RMap<string, User>>()
    expectTypeOf(client.getMap<'a' | 'b', User>('x').get('a')).resolves.toEqualTypeOf<User | undefined>()
  })

  it('demand a codec for keys that are no texts', () => {
    // @ts-expect-error: keys are texts without a codec
    client.getMap<number, User>('x')
    // @ts-expect-error: the codec is that of values
    client.getMap<number, string>('x', { codec: stringCodec() })
    // @ts-expect-error: the codec is one of texts
    client.getMap<number, User>('x', { codec: { key: stringCodec() } })
    const map = client.getMap<number, User>('x', { codec: { key: longCodec() } })
    expectTypeOf(map).toEqualTypeOf<RMap<number, User>>()
  })

  it('follow from the codecs', () => {
    expectTypeOf(client.getMap('x', { codec: bytesCodec() })).toExtend<RMap<string, Uint8Array>>()
    const map = client.getMap('x', { codec: { key: longCodec(), value: stringCodec() } })
    expectTypeOf(map).toEqualTypeOf<RMap<number, string>>()
  })

  it('tell the two forms of replace and remove apart', () => {
    const map = client.getMap<string, User>('x')
    expectTypeOf(map.replace('a', { name: '' })).resolves.toEqualTypeOf<User | undefined>()
    expectTypeOf(map.replace('a', { name: '' }, { name: '' })).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(map.remove('a')).resolves.toEqualTypeOf<User | undefined>()
    expectTypeOf(map.remove('a', { name: '' })).resolves.toEqualTypeOf<boolean>()
    // @ts-expect-error: undefined is no value
    void map.put('a', undefined)
  })

  it('take objects as entries where keys are texts', () => {
    void client.getMap<string, number>('x').putAll({ a: 1 })
    void client.getMap<string, number>('x').putAll(new Map([['a', 1]]))
    const numbers = client.getMap<number, number>('x', { codec: { key: longCodec() } })
    void numbers.putAll([[1, 2]])
    // @ts-expect-error: an object has texts as keys
    void numbers.putAll({ 1: 2 })
  })

  it('tell what a walk comes to', async () => {
    const map = client.getMap<string, User>('x')
    for await (const entry of map) expectTypeOf(entry).toEqualTypeOf<[string, User]>()
    for await (const key of map.keys()) expectTypeOf(key).toEqualTypeOf<string>()
    for await (const value of map.values()) expectTypeOf(value).toEqualTypeOf<User>()
  })

  it('tell a function that computes what it is given, and take what it returns', () => {
    const map = client.getMap<string, User>('x')
    const computed = map.compute('a', (key, value, { signal }) => {
      expectTypeOf(key).toEqualTypeOf<string>()
      expectTypeOf(value).toEqualTypeOf<User | undefined>()
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>()
      return value
    })
    expectTypeOf(computed).resolves.toEqualTypeOf<User | undefined>()
    void map.computeIfAbsent('a', async (key) => Promise.resolve({ name: key }))
    void map.computeIfPresent('a', (_, { name }) => (name === '' ? undefined : { name }))
    void map.merge('a', { name: 'b' }, (before, { name }) => ({ name: before.name + name }), { waitMs: 5 })
    // @ts-expect-error: the function returns a value of the map
    void map.compute('a', () => 5)
    // @ts-expect-error: the lock has no lease
    void map.compute('a', () => undefined, { leaseMs: 5 })
    // @ts-expect-error: undefined is no value
    void map.merge('a', undefined, (before) => before)
  })

  it('give the locks and synchronizers of an entry', () => {
    const map = client.getMap<number, User>('x', { codec: { key: longCodec() } })
    expectTypeOf(map.getLock(5)).toEqualTypeOf<RLock>()
    expectTypeOf(map.getReadWriteLock(5, { prefer: 'writer' })).toEqualTypeOf<RReadWriteLock>()
    expectTypeOf(map.getSemaphore(5, { permits: 2 })).toEqualTypeOf<RSemaphore>()
    // @ts-expect-error: keys are numbers
    map.getLock('5')
  })

  it('have a loader and a writer of the same keys and values', () => {
    client.getMap<string, User>('x', { loader: { load: (key) => Promise.resolve({ name: key }) } })
    client.getMap<string, User>('x', {
      writer: {
        write: (entries) => {
          expectTypeOf(entries).toEqualTypeOf<ReadonlyMap<string, User>>()
        },
        delete: (keys) => {
          expectTypeOf(keys).toEqualTypeOf<readonly string[]>()
        },
      },
    })
    // @ts-expect-error: the loader makes values of the map
    client.getMap<string, User>('x', { loader: { load: (key) => key } })
    // @ts-expect-error: there are two modes
    client.getMap<string, User>('x', { writeMode: 'BEHIND' })
  })
})
