import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { Books } from './books.js'
import { keys } from './keys.js'
import type { Mishaps } from './mishaps.js'
import type { Answer } from './serve.js'
import { WORK_MS } from './work.js'

/** What is needed to sell. */
export interface Counter {
  readonly redis: Redis
  readonly books: Books
  readonly mishaps: Mishaps
}

/** The critical section: reads the stock, works, writes the stock. Only correct without concurrent sales. */
export async function sellOne(buyer: string, { redis, books, mishaps }: Counter): Promise<Answer> {
  const visit = await books.enter()
  try {
    if ((await redis.hexists(keys.orders, buyer)) === 1) return 'sold' // sold before the other shop died, without a response
    const stock = Number(await redis.get(keys.stock))
    if (stock <= 0) return 'sold-out'
    await sleep(WORK_MS)
    await mishaps.at('before-writing')
    await redis
      .multi()
      .set(keys.stock, stock - 1)
      .hset(keys.orders, buyer, stock)
      .exec()
    await mishaps.at('after-writing')
    return 'sold'
  } finally {
    await books.leave(visit)
  }
}
