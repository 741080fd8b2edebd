import type {
  AnyLock,
  LockHold,
  PermitHold,
  RedissonClient,
  RPermitExpirableSemaphore,
  RSemaphore,
} from '../../../src/index.js'
import { isLock, type AnyLockObject, type SharedObject } from '../objects.js'

/** How a flow acquires something. */
export interface Wish {
  readonly leaseMs?: number
  readonly signal?: AbortSignal
  readonly waitMs?: number
}

/** What a holder has. */
export interface Stay {
  isHeld(): boolean
  /** The owner in Redis, where it is known. */
  readonly owner?: string
  /** The id in Redis of what was taken, where it has one. */
  readonly id?: string
  readonly token?: number | undefined
  /** Has the lease last longer, where there is one. */
  extend?(leaseMs: number): Promise<void>
  leave(): Promise<void>
  /** Gives back what is still there. */
  dispose(): Promise<void>
}

/** The ways into what an object guards. */
export interface Entrance {
  acquire(wish: Wish): Promise<Stay>
  tryAcquire(wish: Wish): Promise<Stay | undefined>
  within(fn: (stay: Stay) => Promise<void>, wish: Wish): Promise<void>
  /** The lock itself, for those who enter step by step. */
  readonly lock: AnyLock | undefined
}

/** With what objects are used. */
export interface Clients {
  readonly client: RedissonClient
  /** Of servers that stand for themselves, one of each. */
  readonly others: readonly RedissonClient[]
}

/** The entrance of an object for a client, if it has one. */
export function entranceOf(clients: Clients, object: SharedObject, permits = 1): Entrance {
  const { client } = clients
  if (isLock(object)) return lockEntrance(lockOf(clients, object))
  switch (object.kind) {
    case 'semaphore':
      return semaphoreEntrance(client.getSemaphore(object.name), permits)
    case 'expirable':
      return expirableEntrance(client.getPermitExpirableSemaphore(object.name))
    default:
      throw new TypeError(`Expected an object that can be entered, got ${object.kind}`)
  }
}

export function lockOf({ client, others }: Clients, object: AnyLockObject): AnyLock {
  switch (object.kind) {
    case 'multi':
      return client.getMultiLock(...object.members.map((member) => lockOf({ client, others }, member)))
    case 'red': {
      const clients = [client, ...others].slice(0, object.servers)
      return client.getRedLock(...clients.map((each) => each.getLock(object.name)))
    }
    case 'values':
      return client.getMultiLock(object.name, object.values)
    case 'read':
      return client.getReadWriteLock(object.name, { prefer: object.prefer }).readLock()
    case 'write':
      return client.getReadWriteLock(object.name, { prefer: object.prefer }).writeLock()
    case 'lock':
      return client.getLock(object.name)
    case 'fair':
      return client.getFairLock(object.name)
    case 'fenced':
      return client.getFencedLock(object.name)
    case 'spin':
      return client.getSpinLock(object.name)
    case 'non-reentrant':
      return client.getNonReentrantLock(object.name)
    case 'non-reentrant-fair':
      return client.getNonReentrantFairLock(object.name)
  }
}

function lockEntrance(lock: AnyLock): Entrance {
  return {
    acquire: async ({ waitMs: _, ...wish }) => stayOf(await lock.acquire(wish)),
    tryAcquire: async (wish) => {
      const hold = await lock.tryAcquire(wish)
      return hold && stayOf(hold)
    },
    within: (fn, wish) => lock.withLock((hold) => fn(stayOf(hold)), wish),
    lock,
  }
}

function stayOf(hold: LockHold): Stay {
  return {
    isHeld: () => saysYes(hold),
    owner: hold.owner,
    token: hold.fencingToken,
    extend: (leaseMs) => (leaseMs === 0 ? hold.extend() : hold.extend(leaseMs)),
    leave: () => hold.unlock(),
    dispose: () => hold[Symbol.asyncDispose](),
  }
}

/** Permits without ids cannot be lost. */
function semaphoreEntrance(semaphore: RSemaphore, permits: number): Entrance {
  const release = () => semaphore.release(permits)
  const stay: Stay = { isHeld: () => true, leave: release, dispose: release }
  return {
    acquire: async ({ signal }) => {
      await semaphore.acquire({ permits, ...(signal && { signal }) })
      return stay
    },
    tryAcquire: async ({ leaseMs: _, ...wish }) => {
      return (await semaphore.tryAcquire({ permits, ...wish })) ? stay : undefined
    },
    within: (fn, { leaseMs: _, ...wish }) => semaphore.withPermit(() => fn(stay), { permits, ...wish }),
    lock: undefined,
  }
}

function expirableEntrance(semaphore: RPermitExpirableSemaphore): Entrance {
  return {
    acquire: async ({ waitMs: _, ...wish }) => stayWith(await semaphore.acquirePermit(wish)),
    tryAcquire: async (wish) => {
      const hold = await semaphore.tryAcquirePermit(wish)
      return hold && stayWith(hold)
    },
    within: (fn, wish) => semaphore.withPermit((hold) => fn(stayWith(hold)), wish),
    lock: undefined,
  }
}

function stayWith(hold: PermitHold): Stay {
  return {
    isHeld: () => saysYes(hold),
    id: hold.id,
    extend: (leaseMs) => (leaseMs === 0 ? hold.extend() : hold.extend(leaseMs)),
    leave: () => hold.release(),
    dispose: () => hold[Symbol.asyncDispose](),
  }
}

function saysYes(hold: { readonly isHeld: boolean; readonly signal: AbortSignal }): boolean {
  return hold.isHeld && !hold.signal.aborted
}
