import { setTimeout as sleep } from 'node:timers/promises'
import type { RAtomicLong, RBloomFilter, RMap, RScoredSortedSet } from 'ioredisson'
import type { Books } from '../books.js'
import type { Answer } from '../serve.js'
import { WORK_MS } from '../work.js'
import type { Taking } from './takings.js'

/** How many kinds of items there are. */
const KINDS = 20

/** Without a divisor in common with the number of kinds, so that the first buyers want items of all kinds. */
const STRIDE = 37

/** What all shops share. */
export interface Shelf {
  readonly stock: RAtomicLong
  readonly carts: RMap<string, string>
  readonly seen: RBloomFilter<string>
  readonly bestsellers: RScoredSortedSet<string>
  readonly books: Books
  readonly take: Taking
}

/** A sale without a lock: each line is one step of Redis, and no line depends on what another one has read. */
export async function sellOne(buyer: string, shelf: Shelf): Promise<Answer> {
  const { stock, carts, seen, bestsellers, books, take } = shelf
  const visit = await books.enter()
  try {
    const mayBeBack = !(await seen.add(buyer))
    if (mayBeBack && (await carts.containsKey(buyer))) return 'sold'
    if (!(await take(stock, () => sleep(WORK_MS)))) return 'sold-out'
    const item = itemOf(buyer)
    await carts.fastPut(buyer, item)
    await bestsellers.addScore(item, 1)
    return 'sold'
  } finally {
    await books.leave(visit)
  }
}

/** What a buyer wants: item 19 most often, and item 0 least. */
function itemOf(buyer: string): string {
  return `item ${String(Math.floor(Math.sqrt((Number(buyer) * STRIDE) % KINDS ** 2)))}`
}
