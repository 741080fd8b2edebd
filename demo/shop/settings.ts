import type { HostAndPort } from 'ioredisson'

/** Every way of locking that the demo tries, in the order in which a team learns them. */
export type LockingName =
  'none' | 'in-process' | 'setnx' | 'setnx-expire' | 'set-nx-px' | 'compare-and-delete' | 'rlock'

/** A moment of a sale at which something may happen. */
export type Moment = 'taking-the-lock' | 'before-writing' | 'after-writing'

/** Something that happens once, to the first sale that finds the stock so low. */
export interface Mishap {
  /** The process dies, or the work takes longer than the lease. */
  readonly what: 'killed' | 'slow'
  readonly when: Moment
  readonly atStock: number
}

/** How a shop works. It gets this as JSON on its command line. */
export interface ShopSettings {
  readonly name: string
  readonly redis: HostAndPort
  readonly locking: LockingName
  /** Milliseconds until Redis frees a lock by itself, where the locking knows such a thing. */
  readonly leaseMs: number
  readonly mishaps: readonly Mishap[]
}
