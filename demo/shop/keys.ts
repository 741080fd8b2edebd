/** Where the shops keep what they share. The server is theirs alone, so the names are short. */
export const keys = {
  /** How many items are left: a plain number that is read, and written back one lower. */
  stock: 'stock',
  /** Buyer → the item that was sold to them. */
  orders: 'orders',
  /** What every lock of the demo is called. */
  lock: 'lock',
  /** Who is in the critical section: visit → 1. */
  inside: 'inside',
  /** How often somebody came in while somebody else was inside. */
  twoInside: 'two-inside',
  /** How often a lock was released that belonged to somebody else. */
  wrongReleases: 'wrong-releases',
  /** How often somebody wanted to release a lock that was no longer theirs, and was refused. */
  lateReleases: 'late-releases',
  /** The mishaps that have happened. */
  mishaps: 'mishaps',
  /** The wishes of slow sales to meet somebody inside, until that has happened. */
  company: 'company',
} as const
