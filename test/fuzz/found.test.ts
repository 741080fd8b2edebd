import { describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient } from '../../src/index.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'

const unshowable = {
  [Symbol.for('nodejs.util.inspect.custom')]() {
    throw new TypeError('this was not to be called')
  },
}

/** As a program without types calls. */
const untyped = (value: unknown): never => value as never

const refused: readonly (readonly [string, (client: RedissonClient) => unknown])[] = [
  [
    'a signal that can only be listened to',
    (client) => client.getLock('a').lock({ signal: untyped(new EventTarget()) }),
  ],
  ['a value that cannot be shown', (client) => client.getLock('a').isHeldByThread(untyped(unshowable))],
  ['no function to run as a thread', (client) => client.runAsThread(untyped(null))],
  ['a name with half a character', (client) => client.getLock('half \ud800')],
  ['no listener', (client) => client.on('lockLost', untyped(1))],
  ['no listener for once', (client) => client.once('lockLost', untyped(1))],
  ['an event that has no listeners', (client) => client.listenerCount(untyped('lockLoss'))],
  ['no listener to end', (client) => client.off('lockLost', untyped(undefined))],
  ['an event that never happens', (client) => client.on(untyped('lockLoss'), () => undefined)],
  ['what cannot name an event', (client) => client.off(untyped([Object.create(null)]), () => undefined)],
  ['no list of clients', () => Redisson.createRedLock(untyped(1), 'a')],
  ['no clients in a list', () => Redisson.createRedLock(untyped([1]), 'a')],
  ['null for the settings of a lock', (client) => client.getLock('a', untyped(null))],
  ['null for the options of unlock()', (client) => client.getLock('a').unlock(untyped(null))],
  ['null for the options of a thread', (client) => client.runAsThread(() => 1, untyped(null))],
  ['null for a backoff', (client) => client.getSpinLock('a', { backoff: untyped(null) })],
  ['a proxy that was revoked for options', (client) => client.getLock('a', revoked())],
  ['a check of values that does not exist', (client) => client.getMap('a', { validate: untyped('read') })],
  ['null for a check of values', (client) => client.getTopic('a', { validate: untyped(null) })],
  ['no operand', (client) => client.getFencingGuard('a').run(1, 'SET', untyped({}))],
  [
    'more permits at once than a list can have',
    (client) => client.getPermitExpirableSemaphore('a').tryAcquireMany(2 ** 53 - 1),
  ],
]

/** A proxy at which nothing can be seen. */
function revoked(): never {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy as never
}

/** What is no record of entries, or one that would lose some of them. */
const strangeEntries: Readonly<Record<string, () => unknown>> = {
  'a list with holes': () => new Array<unknown>(3),
  'a list of pairs with a hole': () => [['a', 1], , ['b', 2]], // eslint-disable-line no-sparse-arrays
  'a pair with holes': () => [new Array<unknown>(2)],
  'a list of texts of two letters': () => ['ab'],
  'a list of three items': () => [['a', 1, 2]],
  'a text': () => 'ab',
  'a promise': () => Promise.resolve({ a: 1 }),
  'a date': () => new Date(0),
  'an object of a class': () =>
    new (class Prices {
      a = 1
    })(),
  'an object that inherits its members': () => Object.create({ a: 1 }) as unknown,
  'an object with a symbol': () => ({ a: 1, [Symbol('b')]: 2 }),
  'an object that says it can be walked': () => ({ a: 1, [Symbol.iterator]: true }),
  'an object with a getter that throws': () => ({
    get a() {
      throw new Error('planted')
    },
  }),
  'a proxy that throws': () =>
    new Proxy(
      {},
      {
        get() {
          throw new Error('planted')
        },
      },
    ),
  'a proxy that was revoked': revoked,
  'an object with a member that is undefined': () => ({ a: 1, b: undefined }),
  'a list of numbers': () => new Uint8Array(2),
  nothing: () => undefined,
  null: () => null,
  'a function': () => () => [['a', 1]],
}

describe('what the fuzzing found', () => {
  noLeaks(single)

  it.each(refused)('%s is refused in words', async (_, ask) => {
    await using client = await Redisson.create(single.options())
    const error: unknown = await (async () => await ask(client))().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Error)
    expect((error as Error).message).toMatch(/^Expected /)
  })

  it.each([[30_001], [2 ** 37]])('a lease of %i ms is as good as any for a red lock', async (leaseMs) => {
    await using client = await Redisson.create(single.options())
    const hold = await client.getRedLock(client.getLock('red')).acquire({ leaseMs })
    await hold.unlock()
  })

  it('a lock asked for when the shutdown has begun is not taken any more', async () => {
    const client = await Redisson.create(single.options())
    const closed = client.shutdown()
    await expect(client.getLock('late').lock({ leaseMs: 1000 })).rejects.toMatchObject({ code: 'CLOSED' })
    await closed
  })

  it('an unknown kind of back-off is refused', async () => {
    await using client = await Redisson.create(single.options())
    expect(() => client.getSpinLock('a', { backoff: { type: untyped('linear') } })).toThrow(/^Expected /)
  })

  it('an unknown preference of a read-write lock is refused', async () => {
    await using client = await Redisson.create(single.options())
    expect(() => client.getReadWriteLock('a', { prefer: untyped('unknown') })).toThrow(/^Expected /)
  })

  it.each(Object.entries(strangeEntries))('%s is no entries', async (_, make) => {
    await using client = await Redisson.create(single.options())
    const map = client.getMap('strange')
    for (const take of [
      () => map.putAll(untyped(make())),
      () => client.getBuckets().set(untyped(make())),
      () => client.getBuckets().trySet(untyped(make())),
    ]) {
      const error: unknown = await take().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(TypeError)
      expect((error as Error).message).toMatch(/^Expected /)
    }
    expect(await map.isExists()).toBe(false)
    expect((await client.getBuckets().get('a', 'b')).size).toBe(0)
  })

  it('an object without a prototype is as good as any for entries', async () => {
    await using client = await Redisson.create(single.options())
    const entries = Object.assign(Object.create(null) as Record<string, number>, { a: 1, ['__proto__']: 2 })
    await client.getBuckets<number>().set(entries)
    expect(await client.getBuckets().get('a', '__proto__')).toEqual(
      new Map([
        ['a', 1],
        ['__proto__', 2],
      ]),
    )
    for (const name of ['a', '__proto__']) await client.getBucket(name).delete()
  })
})
