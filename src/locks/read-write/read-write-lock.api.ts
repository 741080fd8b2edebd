import type { RLock } from '../shared/lock.api.js'

/** How a read-write lock orders its waiters. */
export interface ReadWriteLockOptions {
  /**
   * The order of readers and writers. With `'reader'`, as in Redisson, readers join readers even while a
   * writer waits, so a stream of readers may keep it waiting for ever. With `'writer'`, later readers let a
   * waiting writer go first, so a stream of writers may keep them waiting for ever. Readers of other clients
   * do so only with the same setting.
   *
   * @defaultValue 'reader'
   */
  readonly prefer?: 'reader' | 'writer' | undefined
}

/**
 * A lock that many may hold to read, or one to write.
 *
 * A writer may read as well, and stays a reader after it has stopped writing. A reader cannot come to write: it
 * would wait for itself.
 */
export interface RReadWriteLock {
  /** The name, as the program gave it. */
  readonly name: string
  /** Returns the side that many may hold at a time. */
  readLock(): RLock
  /** Returns the side that one owner may hold at a time, and only without other readers. */
  writeLock(): RLock
}
