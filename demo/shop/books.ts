import type { Redis } from 'ioredis'
import { keys } from './keys.js'

/**
 * Counts errors in Redis, independently of the locks.
 *
 * Each method is one transaction of Redis, so the counts are right even where the locking is not.
 */
export class Books {
  readonly #redis: Redis
  readonly #shop: string
  #visits = 0

  constructor(redis: Redis, shop: string) {
    this.#redis = redis
    this.#shop = shop
  }

  /** A sale enters the critical section. Returns the visit, to be ended by {@link Books.leave}. */
  async enter(): Promise<string> {
    const visit = `${this.#shop} #${String(++this.#visits)}`
    const replies = await this.#redis.multi().hset(keys.inside, visit, 1).hlen(keys.inside).exec()
    if (Number(replies?.[1]?.[1]) > 1) await this.#redis.incr(keys.twoInside)
    return visit
  }

  async leave(visit: string): Promise<void> {
    await this.#redis.hdel(keys.inside, visit)
  }

  /** A shop has released a lock; `found` is its owner, or null without one. */
  async released(mine: string, found: string | null): Promise<void> {
    if (found !== null && found !== mine) await this.#redis.incr(keys.wrongReleases)
  }

  /** A release was refused, because the lock had another owner. */
  async refused(): Promise<void> {
    await this.#redis.incr(keys.lateReleases)
  }
}
