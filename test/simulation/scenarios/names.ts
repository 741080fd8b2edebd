import assert from 'node:assert/strict'
import type * as Library from '../../../src/index.js'
import { outcomeName } from './outcome-name.js'
import type { Scenario } from './scenario.js'

/** A lock whose name looks like a side of a read-write lock, and that side. */
const plainOf = (client: Library.RedissonClient) => client.getLock('write:users')
const sideOf = (client: Library.RedissonClient) => client.getReadWriteLock('users').writeLock()

const FORCED: Record<string, (client: Library.RedissonClient) => Library.RLock> = {
  lock: (client) => client.getLock('user'),
  'fair lock': (client) => client.getFairLock('user'),
  'fenced lock': (client) => client.getFencedLock('user'),
  'spin lock': (client) => client.getSpinLock('user'),
}

const MAPPERS: Record<string, () => string> = {
  'an empty text': () => '',
  'half a character': () => 'lock\ud800',
}

export const names: readonly Scenario[] = [
  {
    name: 'names-of-a-multi-lock',
    promise: 'A multi-lock takes all of its members, whatever their names are',
    run: async (stage) => {
      const mine = await stage.process('mine')
      await mine.run((client) => client.getMultiLock(sideOf(client), plainOf(client)).acquire())
      assert.ok(stage.has('users') && stage.has('write:users'), 'a member is not taken')
    },
  },
  {
    name: 'names-of-plain-locks',
    promise: 'unlock() gives back the lock that it is called on, whatever the names of others are',
    run: async (stage) => {
      const mine = await stage.process('mine')
      await mine.run(async (client) => {
        const locks = [sideOf(client), plainOf(client)]
        for (const lock of locks) await lock.lock()
        for (const lock of locks) await lock.unlock()
      })
      assert.ok(!stage.has('users') && !stage.has('write:users'), 'a lock is still taken')
    },
  },
  {
    name: 'names-in-one-thread',
    promise: 'A thread may ask for two locks at once, whatever their names are',
    run: async (stage) => {
      const mine = await stage.process('mine')
      const taken = mine.run((client) =>
        client.runAsThread(() => Promise.all([plainOf(client).tryLock(), sideOf(client).tryLock()])),
      )
      assert.deepEqual(await taken, [true, true])
    },
  },
  ...Object.entries(FORCED).map(([kind, lockOf]): Scenario => ({
    name: `names-forced-${kind.replaceAll(' ', '-')}`,
    promise: `forceUnlock() of a ${kind} changes no hash that is something else`,
    run: async (stage) => {
      const mine = await stage.process('mine')
      stage.redis.command('HSET', 'user', 'name', 'Ann', 'age', '40')
      const outcome = await outcomeName(mine.run((client) => lockOf(client).forceUnlock()))
      assert.deepEqual(stage.redis.command('HGETALL', 'user'), ['name', 'Ann', 'age', '40'])
      assert.equal(outcome, 'WrongTypeError')
    },
  })),
  {
    name: 'names-forced-values',
    promise: 'forceUnlock() of a lock leaves a group of values of the same name alone',
    run: async (stage) => {
      const [mine, other] = await Promise.all([stage.process('mine'), stage.process('other')])
      const hold = await mine.run((client) => client.getMultiLock('group', ['value']).acquire())
      await outcomeName(other.run((client) => client.getLock('group').forceUnlock()))
      const theirs = await other.run((client) => client.getMultiLock('group', ['value']).tryAcquire())
      assert.ok(!(theirs && hold.isHeld), 'two hold the value')
    },
  },
  ...Object.entries(MAPPERS).map(([what, nameMapper]): Scenario => ({
    name: `names-mapped-to-${what.replaceAll(' ', '-')}`,
    promise: `A name that is mapped to ${what} is refused`,
    run: async (stage) => {
      const mine = await stage.process('mine', { nameMapper })
      const outcome = await outcomeName(mine.run((client) => client.getLock('lock').tryAcquire()))
      assert.match(outcome, /^(TypeError|ConfigError)$/)
      assert.deepEqual(stage.redis.command('KEYS', '*'), [])
    },
  })),
]
