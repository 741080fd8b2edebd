import type { RLock } from '../../locks/shared/lock.api.js'
import type { LockSettings } from '../../locks/locks.api.js'
import type { ReadWriteLockOptions, RReadWriteLock } from '../../locks/read-write/read-write-lock.api.js'
import type { RCountDownLatch } from '../../synchronizers/count-down-latch/count-down-latch.api.js'
import type { RPermitExpirableSemaphore } from '../../synchronizers/permit-expirable-semaphore/permit-expirable-semaphore.api.js'
import type { RSemaphore, SemaphoreSettings } from '../../synchronizers/semaphore/semaphore.api.js'
import { entryObject, type EntryObjectKind } from '../../core/context/names.js'
import type { LockContext, ObjectContext } from '../../core/context/object-context.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectSettings } from '../../core/redisson-object.js'
import { Locks } from '../../locks/locks.js'
import { Synchronizers } from '../../synchronizers/synchronizers.js'
import { highwayHashName } from '../../util/hash/highway-hash.js'

/** The rooms of a client that make locks and synchronizers. */
export class EntryRooms {
  readonly locks: Locks
  readonly synchronizers: Synchronizers

  constructor(context: LockContext) {
    this.locks = new Locks({ ...context, executor: context.ahead })
    this.synchronizers = new Synchronizers(context)
  }
}

/** A collection each entry of which has locks and synchronizers, whether or not it is there: that of a key of a map, or of a value of a set. */
export abstract class EntryObjects<E> extends RedissonExpirable {
  static {
    refuseSurplus(this)
  }

  readonly #rooms: EntryRooms

  constructor(context: ObjectContext, name: string, settings: ObjectSettings, rooms: EntryRooms) {
    super(context, name, settings)
    this.#rooms = rooms
  }

  getLock(entry: E, settings?: LockSettings): RLock {
    return this.#rooms.locks.getLock(this.#nameOf(entry, 'lock'), settings)
  }

  getFairLock(entry: E, settings?: LockSettings): RLock {
    return this.#rooms.locks.getFairLock(this.#nameOf(entry, 'fairlock'), settings)
  }

  getReadWriteLock(entry: E, options?: ReadWriteLockOptions & LockSettings): RReadWriteLock {
    return this.#rooms.locks.getReadWriteLock(this.#nameOf(entry, 'rw_lock'), options)
  }

  getSemaphore(entry: E, settings?: SemaphoreSettings): RSemaphore {
    return this.#rooms.synchronizers.getSemaphore(this.#nameOf(entry, 'semaphore'), settings)
  }

  getPermitExpirableSemaphore(entry: E, settings?: SemaphoreSettings): RPermitExpirableSemaphore {
    const name = this.#nameOf(entry, 'permitexpirablesemaphore')
    return this.#rooms.synchronizers.getPermitExpirableSemaphore(name, settings)
  }

  getCountDownLatch(entry: E): RCountDownLatch {
    return this.#rooms.synchronizers.getCountDownLatch(this.#nameOf(entry, 'countdownlatch'))
  }

  /** What the names of an entry's locks are made of. */
  protected abstract entryBytes(entry: E): Buffer

  #nameOf(entry: E, kind: EntryObjectKind): string {
    return entryObject(this.key, highwayHashName(this.entryBytes(entry)), kind)
  }
}
