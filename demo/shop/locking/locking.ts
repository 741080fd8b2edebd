import type { Redis } from 'ioredis'
import type { Books } from '../books.js'
import type { Mishaps } from '../mishaps.js'
import type { ShopSettings } from '../settings.js'

/** Keeps others out while something is sold, or believes so. */
export type Locking = <T>(sell: () => Promise<T>) => Promise<T>

/** What there is to build a lock from. */
export interface Tools {
  readonly settings: ShopSettings
  readonly redis: Redis
  readonly books: Books
  readonly mishaps: Mishaps
}
