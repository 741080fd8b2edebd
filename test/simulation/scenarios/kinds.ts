import type * as Library from '../../../src/index.js'
import type { Scenario } from './scenario.js'

/** Gets the lock that a scenario is about, which is the key `lock` in Redis, of one kind. */
export type LockOf = (client: Library.RedissonClient) => Library.AnyLock

const LOCKS = {
  lock: (client) => client.getLock('lock'),
  'fair lock': (client) => client.getFairLock('lock'),
  'fenced lock': (client) => client.getFencedLock('lock'),
  'non-reentrant lock': (client) => client.getNonReentrantLock('lock'),
  'non-reentrant fair lock': (client) => client.getNonReentrantFairLock('lock'),
  'read lock': (client) => client.getReadWriteLock('lock').readLock(),
  'write lock': (client) => client.getReadWriteLock('lock').writeLock(),
  'preferred write lock': (client) => client.getReadWriteLock('lock', { prefer: 'writer' }).writeLock(),
  'spin lock': (client) => client.getSpinLock('lock'),
  'multi-lock': (client) => client.getMultiLock(client.getLock('lock')),
  'lock on values': (client) => client.getMultiLock('lock', ['one', 'other']),
} satisfies Record<string, LockOf>

export type Kind = keyof typeof LOCKS

/** Where a lock of that kind lets others of its kind in. */
const RIVALS: Partial<Record<Kind, Kind>> = { 'read lock': 'write lock' }

/**
 * Makes a scenario for each of some kinds of locks. The kind becomes a part of its name.
 *
 * @param scenarioOf - is given the lock, and one that cannot be had by another owner while that is held
 */
export function forKinds(
  kinds: readonly Kind[],
  scenarioOf: (kind: Kind, lockOf: LockOf, rivalOf: LockOf) => Scenario,
): readonly Scenario[] {
  return kinds.map((kind) => {
    const scenario = scenarioOf(kind, LOCKS[kind], LOCKS[RIVALS[kind] ?? kind])
    return { ...scenario, name: `${scenario.name}-${kind.replaceAll(' ', '-')}` }
  })
}
