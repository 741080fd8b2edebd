import type { RLock } from '../shared/lock.api.js'
import type { RReadWriteLock } from './read-write-lock.api.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import { showOnly } from '../../util/show-only.js'

const ITS_LOCK = 'it returns a lock, and takes it no sooner than that is asked to'

/** The two sides of one lock. */
export class RedissonReadWriteLock implements RReadWriteLock {
  static {
    showOnly(this, 'RReadWriteLock', ({ name }) => ({ name }))
    refuseSurplus(this, {
      readLock: ITS_LOCK,
      writeLock: ITS_LOCK,
    })
  }

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
