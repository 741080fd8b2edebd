import type { HostAndPort } from 'ioredisson'

/** What the stock is when a buyer has come too late, and no less with a bound. */
export const SOLD_OUT = -1

/** How items are taken from the stock: by one step that ends at a bound, or by looking first. */
export type StockName = 'lower-bound' | 'no-bound'

/** How a shop without a lock works. It gets this as JSON on its command line. */
export interface ObjectShopSettings {
  readonly name: string
  readonly redis: HostAndPort
  readonly stock: StockName
}
