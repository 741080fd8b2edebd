import type { Locking } from './locking.js'

/** One sale at a time in this process. The other shop has its own queue. */
export function inProcess(): Locking {
  let last: Promise<unknown> = Promise.resolve()
  return (sell) => {
    const sale = last.then(sell)
    last = sale.catch(() => undefined)
    return sale
  }
}
