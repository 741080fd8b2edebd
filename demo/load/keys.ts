/** Where the shops of the load keep what they share. */
export const keys = {
  /** The name of the lock. */
  lock: 'lock:checkout',
  /** How many are left. */
  sku1: 'stock:sku1',
  /** How many are left. */
  sku2: 'stock:sku2',
  /** How many orders there were. */
  orders: 'orders',
} as const

/** What one order takes. */
export const ORDER = { sku1: 1, sku2: 2 } as const
