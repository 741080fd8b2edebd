import type { WithLockOptions } from '../shared/lock.api.js'
import type { AnyLock, RMultiLock } from './multi-lock.api.js'
import { OtherCopyError } from '../../errors/client-errors.js'
import { showOnly } from '../../util/show-only.js'
import { SameLockError } from './group.errors.js'
import { isBranded } from '../../util/brand.js'
import { inspectShort } from '../../util/inspect-short.js'
import type { CompositeDeps, CompositeLockEngine } from './composite-lock-engine.js'
import { CompositeNesting } from './composite-nesting.js'
import { holdAround } from '../shared/caller.js'
import { lockIdentity } from '../shared/hold/lock-names.js'
import type { LockDeps } from '../shared/lock-deps.js'
import { RedissonLock } from '../shared/lock.js'
import { MultiLockEngine } from './multi-lock-engine.js'
import { serversOf } from '../shared/engine/lock-order-key.js'
import { RedLockEngine } from './red-lock-engine.js'

/** All of several locks as one. */
export function multiLock(locks: readonly AnyLock[]): RMultiLock {
  const members = locks.map(depsOf).flatMap((deps) => (isMulti(deps) ? (deps.parts ?? []) : [deps]))
  return compositeLock('multi', members, (deps) => new MultiLockEngine(deps))
}

/**
 * Runs a function while all of several locks are held, with a signal that aborts when one of them is lost.
 *
 * They are one multi-lock, unless the flow holds some of them already, for which a multi-lock would wait as a new owner. Then they are
 * taken one inside the other, so that these are entered again, in the order of multi-locks. Where the flow holds a lock that comes later in it, two
 * calls may wait for each other, as with any locks that are taken one by one.
 *
 * @param signal - ends the waiting for them
 */
export async function withLocks<T>(
  locks: readonly AnyLock[],
  fn: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const members = inOrder(locks.map(depsOf))
  const waiting = signal === undefined ? {} : { signal }
  if (!members.some((deps) => holdAround(deps) !== undefined))
    return await multiLock(locks).withLock((hold) => fn(hold.signal), waiting)
  return await withEach(
    members.map((deps) => new RedissonLock(deps)),
    { fn, waiting },
  )
}

/** Takes the first lock, and inside it the others. */
async function withEach<T>(
  [lock, ...others]: readonly RedissonLock[],
  section: Section<T>,
  held: readonly AbortSignal[] = [],
): Promise<T> {
  if (lock === undefined) return await section.fn(AbortSignal.any([...held]))
  return await lock.withLock(({ signal }) => withEach(others, section, [...held, signal]), section.waiting)
}

/** What runs under several locks. */
interface Section<T> {
  readonly fn: (signal: AbortSignal) => Promise<T>
  readonly waiting: Pick<WithLockOptions, 'signal'>
}

/** A majority of locks at independent servers as one. */
export function redLock(locks: readonly AnyLock[]): RMultiLock {
  return compositeLock('red', locks.map(depsOf), (deps) => new RedLockEngine(deps))
}

/** The members of multi-locks are taken one by one, so that the order of all locks holds for them as well. */
function isMulti({ engine }: LockDeps): boolean {
  return engine instanceof MultiLockEngine
}

/** A group asks who is asking as the first member would that it was given. */
function compositeLock(
  kind: 'multi' | 'red',
  given: readonly LockDeps[],
  engineOf: (deps: CompositeDeps) => CompositeLockEngine,
): RMultiLock {
  const [first] = given
  if (first === undefined) throw new TypeError('Expected at least one lock, got none')
  const parts = inOrder(given)
  const { context, groups, asking } = first
  const identity = lockIdentity(kind, parts.map(distinctly).join(''))
  const engine = engineOf({ context, identity, holds: groups, members: parts.map((part) => part.engine) })
  const nesting = new CompositeNesting(
    { owners: context.owners, identity, engine },
    parts.map((part) => part.nesting),
  )
  return new RedissonMultiLock({
    context,
    groups,
    asking,
    name: engine.name,
    identity,
    engine,
    nesting,
    parts,
  })
}

class RedissonMultiLock extends RedissonLock {
  static {
    showOnly(this, 'RMultiLock', ({ name }) => ({ name }))
  }
}

/** Each lock once, in the order in which every process takes them; those without a place come last. */
function inOrder(given: readonly LockDeps[]): LockDeps[] {
  const distinct = new Map(given.map((deps) => [distinctly(deps), deps]))
  const placed = [...distinct.values()].map((deps) => ({ deps, order: orderOf(deps) }))
  demandOneClientEach(placed.flatMap(({ deps }) => leavesOf(deps)))
  placed.sort((one, other) => compare(one.order, other.order))
  return placed.map(({ deps }) => deps)
}

/** The sides of one read-write lock are at one place. */
function orderOf({ engine: { orderKey, name }, identity, nesting }: LockDeps): readonly string[] {
  if (orderKey === undefined) return ['at several places', name, identity]
  return ['at one place', orderKey, nesting.isTakenSecond ? 'then' : 'first']
}

/** By the first word in which they differ. */
function compare(one: readonly string[], other: readonly string[]): number {
  const index = one.findIndex((word, at) => word !== other[at])
  return index < 0 ? 0 : (one[index] ?? '') < (other[index] ?? '') ? -1 : 1
}

/** The single locks that a lock is made of. */
function leavesOf(deps: LockDeps): readonly LockDeps[] {
  return deps.parts?.flatMap(leavesOf) ?? [deps]
}

/** Demands that one client takes all that is at one place: what different clients take has no order there. */
function demandOneClientEach(leaves: readonly LockDeps[]): void {
  const clients = new Map<string, string>()
  for (const { context, engine, name } of leaves) {
    const { clientId } = context.owners
    const place = engine.orderKey ?? ''
    const other = clients.get(place) ?? clientId
    if (other !== clientId) throw new SameLockError({ lock: name, servers: serversOf(context.config.server) })
    clients.set(place, clientId)
  }
}

/** What tells a lock from others of this process: its client, and what it is to that. With its length no two lists of them read the same. */
function distinctly({ context, identity }: LockDeps): string {
  return `${context.owners.clientId} ${String(identity.length)} ${identity}`
}

function depsOf(lock: AnyLock): LockDeps {
  const deps = RedissonLock.depsOf(lock)
  if (deps !== undefined) return deps
  if (isBranded(lock)) throw new OtherCopyError('lock')
  const advice = Array.isArray(lock) ? '. Pass the locks as arguments: getMultiLock(a, b)' : ''
  throw new TypeError(`Expected a lock of this library, got ${inspectShort(lock)}${advice}`)
}
