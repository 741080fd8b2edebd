import type { RLock } from '../api/locks/lock.js'
import type { RMultiLock } from '../api/locks/multi-lock.js'
import { shown } from '../util/shown.js'
import type { GroupFacts, GroupKeeper } from './group-keeper.js'
import { RedissonLock, type LockFacts } from './lock.js'
import { MultiKeeper } from './multi-keeper.js'
import { RedKeeper } from './red-keeper.js'

/** All of several locks as one. */
export function multiLock(locks: readonly RLock[]): RMultiLock {
  const members = locks.map(factsOf).flatMap((facts) => (isMulti(facts) ? (facts.parts ?? []) : [facts]))
  return groupLock('multi', members, (facts) => new MultiKeeper(facts))
}

/** A majority of locks at independent servers as one. */
export function redLock(locks: readonly RLock[]): RMultiLock {
  return groupLock('red', locks.map(factsOf), (facts) => new RedKeeper(facts))
}

/** The members of multi-locks are taken one by one, so that the order of all locks holds for them as well. */
function isMulti({ keeper }: LockFacts): boolean {
  return keeper instanceof MultiKeeper
}

/** A group asks who is asking as the first member would that it was given. */
function groupLock(
  kind: string,
  given: readonly LockFacts[],
  keeperOf: (facts: GroupFacts) => GroupKeeper,
): RMultiLock {
  const [first] = given
  if (first === undefined) throw new TypeError('Expected at least one lock, got none')
  const parts = inOrder(given)
  const { context, groups: holds } = first
  const key = `${kind}:${JSON.stringify(parts.map(identityOf))}`
  const keeper = keeperOf({ context, key, holds, members: parts.map((part) => part.keeper) })
  return new RedissonLock({ ...first, name: keeper.name, key, keeper, parts })
}

/** Each lock once, in the order in which everybody takes them. */
function inOrder(given: readonly LockFacts[]): LockFacts[] {
  const distinct = new Map(given.map((facts) => [identityOf(facts).join(' '), facts]))
  const placed = Array.from(distinct.values(), (facts) => ({ facts, place: facts.keeper.place }))
  placed.sort(({ place: one }, { place: other }) => (one < other ? -1 : one > other ? 1 : 0))
  return placed.map(({ facts }) => facts)
}

/** What tells a lock from others of this process: its client, and what it is to that. */
function identityOf({ context, key }: LockFacts): readonly [string, string] {
  return [context.owners.clientId, key]
}

function factsOf(lock: RLock): LockFacts {
  if (lock instanceof RedissonLock) return lock.facts
  throw new TypeError(`Expected a lock of this library, got ${shown(lock)}`)
}
