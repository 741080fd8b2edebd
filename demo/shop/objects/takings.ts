import type { RAtomicLong } from 'ioredisson'
import { SOLD_OUT, type StockName } from './settings.js'

/** Takes an item from the stock. Returns whether there was one. */
export type Taking = (stock: RAtomicLong, work: () => Promise<void>) => Promise<boolean>

/** How each of them takes an item, with the work that a sale is before or after that. */
export const takings: Readonly<Record<StockName, Taking>> = {
  // The bound is one below 0: with 0, the sale of the last item and each one that comes too late would read the same.
  'lower-bound': async (stock, work) => {
    if ((await stock.incrementAndGet({ by: -1, lowerBound: SOLD_OUT })) === SOLD_OUT) return false
    await work()
    return true
  },
  'no-bound': async (stock, work) => {
    if ((await stock.get()) <= 0) return false
    await work()
    await stock.decrementAndGet()
    return true
  },
}
