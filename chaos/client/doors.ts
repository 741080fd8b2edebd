import {
  Redisson,
  type LockHold,
  type LockSettings,
  type PermitHold,
  type RedissonClient,
  type RFencedLock,
  type RLock,
  type RMultiLock,
  type RPermitExpirableSemaphore,
} from '../../src/index.js'
import type { LockName, Side } from '../history.js'

/** How a flow acquires something. */
export interface Wish {
  readonly leaseMs?: number
  readonly signal?: AbortSignal
}

export interface HastyWish extends Wish {
  readonly waitMs: number
}

/** What a holder has. */
export interface Stay {
  /** Whether it says that it is held, by either way of asking. */
  isHeld(): boolean
  readonly token: number | undefined
  leave(): Promise<void>
}

/** One way into what a lock guards. */
export interface Door {
  readonly name: string
  readonly side: Side
  /** Whether it excludes all other holders. */
  readonly exclusive: boolean
  acquire(wish: Wish): Promise<Stay>
  tryAcquire(wish: HastyWish): Promise<Stay | undefined>
  /** Lets a function in. */
  within(fn: (stay: Stay) => Promise<void>, wish: Wish): Promise<void>
  /** The doors to try from inside, as the same owner. */
  readonly inner: readonly Door[]
  /** The same step by step, for those who are a thread. */
  readonly thread: ThreadDoor | undefined
}

export interface ThreadDoor {
  run(fn: () => Promise<void>): Promise<void>
  /** Returns the token, where the lock mints one. */
  lock(wish: Wish): Promise<number | undefined>
  unlock(): Promise<void>
}

/** The doors of a lock: two for a read-write lock, otherwise one. */
export function doorsOf(
  lock: LockName,
  name: string,
  clients: readonly RedissonClient[],
  settings: LockSettings,
): readonly Door[] {
  const [client] = clients
  if (client === undefined) throw new RangeError('Expected a client, got none')
  const only = (found: RMultiLock): readonly Door[] => [lockDoor(client, found, 'write')]
  switch (lock) {
    case 'rlock':
      return only(client.getLock(name, settings))
    case 'non-reentrant':
      return only(client.getNonReentrantLock(name, settings))
    case 'fair':
      return only(client.getFairLock(name, settings))
    case 'fenced':
      return [fencedDoor(client, client.getFencedLock(name, settings))]
    case 'redlock':
      return only(Redisson.createRedLock(clients, name, settings))
    case 'rw': {
      const sides = client.getReadWriteLock(name, settings)
      const read = lockDoor(client, sides.readLock(), 'read')
      return [read, lockDoor(client, sides.writeLock(), 'write', [read])]
    }
    case 'semaphore':
      return [permitDoor(client.getPermitExpirableSemaphore(name))]
  }
}

function lockDoor(
  client: RedissonClient,
  lock: RMultiLock,
  side: Side,
  otherInner: readonly Door[] = [],
): Door {
  const door: Door = {
    name: lock.name,
    side,
    exclusive: side === 'write',
    acquire: async (wish) => stayOf(await lock.acquire(wish)),
    tryAcquire: async (wish) => stayIfHeld(await lock.tryAcquire(wish)),
    within: (fn, wish) => lock.withLock((hold) => fn(stayOf(hold)), wish),
    get inner() {
      return [door, ...otherInner]
    },
    thread: threadDoor(client, lock, async (wish) => {
      await lock.lock(wish)
      return undefined
    }),
  }
  return door
}

function fencedDoor(client: RedissonClient, lock: RFencedLock): Door {
  const door: Door = {
    ...lockDoor(client, lock, 'write'),
    get inner() {
      return [door]
    },
    thread: threadDoor(client, lock, (wish) => lock.lockAndGetToken(wish)),
  }
  return door
}

function threadDoor(
  client: RedissonClient,
  lock: Pick<RLock, 'unlock'>,
  take: ThreadDoor['lock'],
): ThreadDoor {
  return { run: (fn) => client.runAsThread(fn), lock: take, unlock: () => lock.unlock() }
}

/** Permits have no owner, so that there is nothing to enter again. */
function permitDoor(semaphore: RPermitExpirableSemaphore): Door {
  return {
    name: semaphore.name,
    side: 'write',
    exclusive: false,
    acquire: async (wish) => stayWith(await semaphore.acquirePermit(wish)),
    tryAcquire: async (wish) => {
      const hold = await semaphore.tryAcquirePermit(wish)
      return hold && stayWith(hold)
    },
    within: (fn, wish) => semaphore.withPermit((hold) => fn(stayWith(hold)), wish),
    inner: [],
    thread: undefined,
  }
}

function stayIfHeld(hold: LockHold | undefined): Stay | undefined {
  return hold && stayOf(hold)
}

function stayOf(hold: LockHold): Stay {
  return { isHeld: () => saysYes(hold), token: hold.fencingToken, leave: () => hold.unlock() }
}

function stayWith(hold: PermitHold): Stay {
  return { isHeld: () => saysYes(hold), token: undefined, leave: () => hold.release() }
}

function saysYes(hold: { readonly isHeld: boolean; readonly signal: AbortSignal }): boolean {
  return hold.isHeld && !hold.signal.aborted
}
