import { describe, expect, it } from 'vitest'
import type { LockHold, RedissonClient, RLock } from '../../src/index.js'
import { twoClients } from '../support/clients.js'
import { Monitor } from '../support/monitor.js'
import { noLeaks } from '../support/no-leaks.js'
import { single } from '../support/topologies.js'

/** The commands of a lock that is free: those that take it, and those that give it back. */
const locks: readonly (readonly [
  string,
  (client: RedissonClient, name: string) => RLock,
  acquire: string,
  release: string,
])[] = [
  ['a lock', (it, name) => it.getLock(name), 'exists hset pexpire', 'hlen hget exists del publish'],
  ['a fair lock', (it, name) => it.getFairLock(name), 'exists hset pexpire', 'hlen hget exists del'],
  [
    'a fenced lock',
    (it, name) => it.getFencedLock(name),
    'exists hset pexpire incr',
    'hlen hget exists del publish',
  ],
  ['a spin lock', (it, name) => it.getSpinLock(name), 'exists hset pexpire', 'hlen hget exists del'],
  [
    'a non-reentrant lock',
    (it, name) => it.getNonReentrantLock(name),
    'exists hset pexpire',
    'hlen hget exists del publish',
  ],
  [
    'a read lock',
    (it, name) => it.getReadWriteLock(name).readLock(),
    'exists hset pexpire set',
    'hlen hmget exists exists del publish',
  ],
  [
    'a write lock',
    (it, name) => it.getReadWriteLock(name).writeLock(),
    'exists hset pexpire',
    'hlen hmget exists del publish',
  ],
  [
    'a lock of two values',
    (it, name) => it.getMultiLock(name, ['one', 'two']),
    'exists time hset pexpireat set',
    'exists hlen hmget time del set publish',
  ],
]

describe('the scripts of what is done most often', () => {
  noLeaks(single, { keeps: /^redisson_lock_token:/ })
  const clients = twoClients(single)

  /** The commands of the scripts that a call runs. A server that does not know them yet gets them before. */
  const commandsOf = async (call: () => Promise<unknown>): Promise<string> => {
    await using monitor = await Monitor.of(single.nodes)
    await call()
    const deeds = await monitor.deeds()
    return deeds.flatMap(({ by, words }) => (by === 'script' ? (words[0] ?? []) : [])).join(' ')
  }

  it.each(locks)('of %s that is free', async (what, lockOf, acquire, release) => {
    const lock = lockOf(clients.mine, what)
    await lock.withLock(() => undefined)
    let hold: LockHold | undefined
    const taking = async () => (hold = await lock.acquire())
    expect(await commandsOf(taking)).toBe(acquire)
    expect(await commandsOf(async () => hold?.unlock())).toBe(release)
  })

  it('of a lock that another owner has', async () => {
    await using _ = await clients.other.getLock('held').acquire()
    const lock = clients.mine.getLock('held')
    await lock.tryLock()
    expect(await commandsOf(() => lock.tryLock())).toBe('exists hlen hgetall pttl')
  })

  it('of permits and counts', async () => {
    const semaphore = clients.mine.getSemaphore('permits')
    await semaphore.trySetPermits(2)
    await semaphore.withPermit(() => undefined)
    expect(await commandsOf(() => semaphore.acquire())).toBe('get get set decrby')
    expect(await commandsOf(() => semaphore.release())).toBe('get get del incrby publish set')
    const latch = clients.mine.getCountDownLatch('counts')
    await latch.trySetCount(3)
    await latch.countDown()
    expect(await commandsOf(() => latch.countDown())).toBe('get get decr set')
    await Promise.all([semaphore.delete(), latch.delete()])
  })

  it('of permits that expire', async () => {
    const semaphore = clients.mine.getPermitExpirableSemaphore('expiring')
    await semaphore.trySetPermits(1)
    await semaphore.withPermit(() => undefined)
    let id = ''
    const acquire = 'exists get zrange time zadd decrby pttl zcard'
    expect(await commandsOf(async () => (id = await semaphore.acquire()))).toBe(acquire)
    expect(await commandsOf(() => semaphore.tryAcquire())).toBe('exists get zrange time zcard')
    expect(await commandsOf(() => semaphore.release(id))).toBe(
      'exists get zrange time zrem incrby set publish',
    )
    expect(await commandsOf(async () => (id = await semaphore.acquire(60_000)))).toBe(acquire)
    await semaphore.release(id)
    await semaphore.delete()
  })
})
