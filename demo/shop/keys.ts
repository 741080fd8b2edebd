/** Where the shops keep what they share. The server is theirs alone, so the names are short. */
export const keys = {
  /** How many items are left: a plain number that is read, and written back one lower. */
  stock: 'stock',
  /** Buyer → the item that was sold to them. */
  orders: 'orders',
  /** The buyers that were seen, in a Bloom filter: only without a lock. */
  seen: 'seen',
  /** The items by how often they were sold: only without a lock. */
  bestsellers: 'bestsellers',
  /** What every lock of the demo is called. */
  lock: 'lock',
  /** The sales in the critical section: visit → 1. */
  inside: 'inside',
  /** How often a sale entered while another was in the critical section. */
  twoInside: 'two-inside',
  /** How often a lock of another owner was released. */
  wrongReleases: 'wrong-releases',
  /** How often the release of a lock of another owner was refused. */
  lateReleases: 'late-releases',
  /** The mishaps that have happened. */
  mishaps: 'mishaps',
  /** The slow sales that still wait for another sale to enter. */
  company: 'company',
} as const
