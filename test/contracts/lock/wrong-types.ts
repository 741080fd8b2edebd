import { describe, expect, it } from 'vitest'
import { WrongTypeError, type RLock } from '../../../src/index.js'
import { noLeaks } from '../../support/no-leaks.js'
import type { LockFixture } from '../lock-fixture.js'

/** What a reader has beside a lock that is taken away as a whole. It ends with the lease. */
const BESIDE = { except: /:rwlock_timeout:/ }

type Words = readonly [command: string, ...args: (string | number)[]]

interface Other {
  readonly kind: string
  readonly make: Words
  readonly look: Words
}

const owner = '00000000-0000-4000-8000-000000000000:1'

/** What may stand under a lock's name instead, and how it looks. */
const others = (bench: LockFixture): readonly Other[] => [
  { kind: 'a string', make: ['SET', 'text'], look: ['GET'] },
  { kind: 'a list', make: ['RPUSH', 'a', 'b'], look: ['LRANGE', 0, -1] },
  { kind: 'a set', make: ['SADD', 'a'], look: ['SMEMBERS'] },
  { kind: 'a hash of the program', make: ['HSET', 'name', 'a', 'visits', 2], look: ['HGETALL'] },
  { kind: 'a hash of one number', make: ['HSET', 'visits', 2], look: ['HGETALL'] },
  { kind: 'a hash of one text', make: ['HSET', 'user:1', 'Ada'], look: ['HGETALL'] },
  { kind: 'a rate limiter', make: ['HSET', 'rate', 1, 'interval', 1000, 'type', 0], look: ['HGETALL'] },
  { kind: 'another kind of lock', make: ['HSET', ...bench.anotherKind(owner)], look: ['HGETALL'] },
]

const operations: readonly (readonly [string, (lock: RLock) => Promise<unknown>])[] = [
  ['lock()', (lock) => lock.lock()],
  ['lock(leaseMs)', (lock) => lock.lock(1_000)],
  ['lock({ threadId })', (lock) => lock.lock({ threadId: owner })],
  ['tryLock()', (lock) => lock.tryLock()],
  ['tryLock(waitMs)', (lock) => lock.tryLock(15_000)],
  ['acquire()', (lock) => lock.acquire()],
  ['tryAcquire()', (lock) => lock.tryAcquire()],
  ['withLock()', (lock) => lock.withLock(() => 'ran')],
  ['unlock({ threadId })', (lock) => lock.unlock({ threadId: owner })],
  ['forceUnlock()', (lock) => lock.forceUnlock()],
  ['isLocked()', (lock) => lock.isLocked()],
  ['isHeldByThread()', (lock) => lock.isHeldByThread(owner)],
  ['remainTimeToLive()', (lock) => lock.remainTimeToLive()],
]

const ofThreads: typeof operations = [
  ['unlock()', (lock) => lock.unlock()],
  ['isHeldByCurrentThread()', (lock) => lock.isHeldByCurrentThread()],
  ['getHoldCount()', (lock) => lock.getHoldCount()],
]

export function wrongTypes(bench: LockFixture): void {
  describe.each(others(bench))('where the name belongs to $kind', ({ make: [command, ...args], look }) => {
    noLeaks(bench.topology, BESIDE)

    const read = () => bench.ask(...look)

    it.each(operations)('%s rejects and changes nothing', async (_, operate) => {
      await bench.ask(command, ...args)
      const before = await read()
      const error: unknown = await operate(bench.lock).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(WrongTypeError)
      expect(error).toMatchObject({ code: 'WRONG_TYPE', object: bench.name })
      expect(await read()).toEqual(before)
      expect(await bench.ask('PTTL')).toBe(-1)
      await bench.ask('DEL')
    })

    it.each(ofThreads)('%s of a thread rejects and changes nothing', async (_, operate) => {
      await bench.ask(command, ...args)
      const before = await read()
      await expect(bench.mine.runAsThread(() => operate(bench.lock))).rejects.toBeInstanceOf(WrongTypeError)
      expect(await read()).toEqual(before)
      await bench.ask('DEL')
    })

    it('an earlier holder is notified, and its watchdog leaves the key alone', async () => {
      const hold = await bench.lock.acquire()
      await bench.ask('DEL')
      await bench.ask(command, ...args)
      await expect(hold.unlock()).rejects.toBeInstanceOf(WrongTypeError)
      expect(await bench.ask('PTTL')).toBe(-1)
      await bench.ask('DEL')
    })
  })
}
