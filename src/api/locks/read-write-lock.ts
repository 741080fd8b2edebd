import type { RLock } from './lock.js'

/** How a read-write lock treats those who wait. */
export interface ReadWriteLockOptions {
  /**
   * Who goes first. With `'reader'`, as in Redisson, readers join readers even while a writer waits, so that a stream of them
   * may keep it waiting for ever. With `'writer'`, readers who come after a writer let it go first; those of other clients do
   * so only if they ask for the same.
   *
   * @defaultValue 'reader'
   */
  readonly prefer?: 'reader' | 'writer'
}

/**
 * A lock that many may hold to read, or one to write.
 *
 * Whoever writes may read as well, and stays a reader after it has stopped writing. Whoever reads cannot come to write: it
 * would wait for itself.
 */
export interface RReadWriteLock {
  /** The name, as the program gave it. */
  readonly name: string
  /** The side that many may hold at a time. */
  readLock(): RLock
  /** The side that one may hold at a time, and only while nobody else reads. */
  writeLock(): RLock
}
