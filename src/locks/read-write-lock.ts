import type { RLock } from '../api/locks/lock.js'
import type { RReadWriteLock } from '../api/locks/read-write-lock.js'

/** The two sides of one lock. */
export class RedissonReadWriteLock implements RReadWriteLock {
  readonly name: string
  readonly #read: RLock
  readonly #write: RLock

  constructor(name: string, sides: { readonly read: RLock; readonly write: RLock }) {
    this.name = name
    this.#read = sides.read
    this.#write = sides.write
  }

  readLock(): RLock {
    return this.#read
  }

  writeLock(): RLock {
    return this.#write
  }
}
