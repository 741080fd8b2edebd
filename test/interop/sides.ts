import type { LockHold, RedissonClient, RLock } from '../../src/index.js'
import type { Call, JavaThread } from './java-peer.js'

/** Gives back what was taken. */
export type Give = () => Promise<unknown>

export type SideName = 'Node' | 'Java'

/** Both ways round, for `it.each`. */
export const directions: readonly (readonly [SideName, SideName])[] = [
  ['Node', 'Java'],
  ['Java', 'Node'],
]

/** How long a call in Java waits for a lock that does not become free: Redisson keeps a subscription for ever that is confirmed only when its call is over. */
export const IN_VAIN_MS = 1_000

/** Something with a limited number of holders, and how either side takes it. */
export interface Thing {
  readonly what: string
  /** Brings it into being, where it is not there without that. */
  create(client: RedissonClient, name: string): Promise<unknown>
  remove(client: RedissonClient, name: string): Promise<unknown>
  /** Takes it as an owner of its own, waiting as long as it takes. */
  inNode(client: RedissonClient, name: string): Promise<Give>
  readonly inJava: JavaWay
}

/** The calls that lead to an object, and those that take it and give it back. What `take` returns is passed to `give` if it is an id. */
export interface JavaWay {
  object(name: string): readonly Call[]
  readonly take: Call
  readonly give: Call
}

/** A lock of a certain kind, on either side. */
export interface LockKind extends Thing {
  lock(client: RedissonClient, name: string): RLock
}

const nothing = () => Promise.resolve()

const VALUES = ['one', 'größer']

function lockKind(what: string, lock: LockKind['lock'], object: JavaWay['object']): LockKind {
  return {
    what,
    lock,
    create: nothing,
    remove: nothing,
    inNode: async (client, name) => {
      const hold: LockHold = await lock(client, name).acquire()
      return () => hold.unlock()
    },
    inJava: { object, take: ['lock'], give: ['unlock'] },
  }
}

export const plainLock = lockKind(
  'a lock',
  (client, name) => client.getLock(name),
  (name) => [['getLock', name]],
)

export const fairLock = lockKind(
  'a fair lock',
  (client, name) => client.getFairLock(name),
  (name) => [['getFairLock', name]],
)

export const fencedLock = lockKind(
  'a fenced lock',
  (client, name) => client.getFencedLock(name),
  (name) => [['getFencedLock', name]],
)

export const writeLock = lockKind(
  'a write lock',
  (client, name) => client.getReadWriteLock(name).writeLock(),
  (name) => [['getReadWriteLock', name], ['writeLock']],
)

export const readLock = lockKind(
  'a read lock',
  (client, name) => client.getReadWriteLock(name).readLock(),
  (name) => [['getReadWriteLock', name], ['readLock']],
)

export const nonReentrantLock = lockKind(
  'a non-reentrant lock',
  (client, name) => client.getNonReentrantLock(name),
  (name) => [['getNonReentrantLock', name]],
)

/** Two values of a group as one; no value is in it twice. */
export const valueLock = lockKind(
  'a lock of values of a group',
  (client, name) => client.getMultiLock(name, VALUES),
  (name) => [['getMultiLock', name, VALUES]],
)

export const spinLock = lockKind(
  'a spin lock',
  (client, name) => client.getSpinLock(name),
  (name) => [['getSpinLock', name]],
)

/** A semaphore with that number of permits. */
export function semaphoreOf(permits: number): Thing {
  return {
    what: `a semaphore of ${permits}`,
    create: (client, name) => client.getSemaphore(name).trySetPermits(permits),
    remove: (client, name) => client.getSemaphore(name).delete(),
    inNode: async (client, name) => {
      const semaphore = client.getSemaphore(name)
      await semaphore.acquire()
      return () => semaphore.release()
    },
    inJava: { object: (name) => [['getSemaphore', name]], take: ['acquire'], give: ['release'] },
  }
}

/** A semaphore with that number of permits that can expire. */
export function permitsOf(permits: number): Thing {
  return {
    what: `a semaphore of ${permits} whose permits can expire`,
    create: (client, name) => client.getPermitExpirableSemaphore(name).trySetPermits(permits),
    remove: (client, name) => client.getPermitExpirableSemaphore(name).delete(),
    inNode: async (client, name) => {
      const semaphore = client.getPermitExpirableSemaphore(name)
      const id = await semaphore.acquire()
      return () => semaphore.release(id)
    },
    inJava: {
      object: (name) => [['getPermitExpirableSemaphore', name]],
      take: ['acquire'],
      give: ['release'],
    },
  }
}

/** Takes something in Java, as a certain thread. */
export async function takeInJava(thread: JavaThread, { inJava }: Thing, name: string): Promise<Give> {
  const object = inJava.object(name)
  const taken = await thread.call(...object, inJava.take)
  const give: Call = typeof taken === 'string' ? [...inJava.give, taken] : inJava.give
  return () => thread.call(...object, give)
}
