import type { RLock } from '../../api/locks/lock.js'
import type { LockSettings } from '../../api/locks/objects.js'
import type { ReadWriteLockOptions, RReadWriteLock } from '../../api/locks/read-write-lock.js'
import type { RCountDownLatch } from '../../api/synchronizers/count-down-latch.js'
import type { RPermitExpirableSemaphore } from '../../api/synchronizers/permit-expirable-semaphore.js'
import type { RSemaphore, SemaphoreSettings } from '../../api/synchronizers/semaphore.js'
import { entryObject, type EntryObjectKind } from '../../core/names.js'
import type { Locks } from '../../locks/locks.js'
import type { Synchronizers } from '../../synchronizers/synchronizers.js'
import { highwayHashName } from '../../util/highway-hash.js'

/** The rooms that make locks and synchronizers. */
export interface EntryRooms {
  readonly locks: Locks
  readonly synchronizers: Synchronizers
}

/** The locks and synchronizers of the entries of one map. */
export class EntryObjects {
  readonly #rooms: EntryRooms
  readonly #map: string

  /** @param map - the name of the map in Redis */
  constructor(rooms: EntryRooms, map: string) {
    this.#rooms = rooms
    this.#map = map
  }

  lock(key: Buffer, settings: LockSettings): RLock {
    return this.#rooms.locks.getLock(this.#nameOf(key, 'lock'), settings)
  }

  fairLock(key: Buffer, settings: LockSettings): RLock {
    return this.#rooms.locks.getFairLock(this.#nameOf(key, 'fairlock'), settings)
  }

  readWriteLock(key: Buffer, options: ReadWriteLockOptions & LockSettings): RReadWriteLock {
    return this.#rooms.locks.getReadWriteLock(this.#nameOf(key, 'rw_lock'), options)
  }

  semaphore(key: Buffer, settings: SemaphoreSettings): RSemaphore {
    return this.#rooms.synchronizers.getSemaphore(this.#nameOf(key, 'semaphore'), settings)
  }

  permitExpirableSemaphore(key: Buffer, settings: SemaphoreSettings): RPermitExpirableSemaphore {
    const name = this.#nameOf(key, 'permitexpirablesemaphore')
    return this.#rooms.synchronizers.getPermitExpirableSemaphore(name, settings)
  }

  countDownLatch(key: Buffer): RCountDownLatch {
    return this.#rooms.synchronizers.getCountDownLatch(this.#nameOf(key, 'countdownlatch'))
  }

  #nameOf(key: Buffer, kind: EntryObjectKind): string {
    return entryObject(this.#map, highwayHashName(key), kind)
  }
}
