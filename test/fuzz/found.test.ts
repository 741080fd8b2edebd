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
  ['no listener to end', (client) => client.off('lockLost', untyped(undefined))],
  ['an event that never happens', (client) => client.on(untyped('lockLoss'), () => undefined)],
  ['what cannot name an event', (client) => client.off(untyped([Object.create(null)]), () => undefined)],
  ['no list of clients', () => Redisson.createRedLock(untyped(1), 'a')],
  ['no clients in a list', () => Redisson.createRedLock(untyped([1]), 'a')],
  ['null for the settings of a lock', (client) => client.getLock('a', untyped(null))],
  ['null for the options of unlock()', (client) => client.getLock('a').unlock(untyped(null))],
  ['null for the options of a thread', (client) => client.runAsThread(() => 1, untyped(null))],
  ['null for a backoff', (client) => client.getSpinLock('a', { backoff: untyped(null) })],
  ['no operand', (client) => client.getFencingGuard('a').run(1, 'SET', untyped({}))],
  [
    'more permits at once than a list can have',
    (client) => client.getPermitExpirableSemaphore('a').tryAcquireMany(2 ** 53 - 1),
  ],
]

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
    expect(() => client.getReadWriteLock('a', { prefer: untyped('nobody') })).toThrow(/^Expected /)
  })
})
