import type { HostAndPort } from 'ioredisson'

/** Where a seller keeps prices. */
export type Keeping = 'own-caches' | 'one-cache'

/** How a seller works. It gets this as JSON on its command line. */
export interface SellerSettings {
  readonly keeping: Keeping
  readonly redis: HostAndPort
  /** The port on which the supplier says what an item costs. */
  readonly supplier: number
  /** After how many milliseconds it ends. */
  readonly forMs: number
}

/** What a customer was shown. */
export interface Reply {
  readonly item: string
  readonly version: number
  /** When it was asked for, in milliseconds since 1970. */
  readonly askedAt: number
  readonly tookMs: number
}

/** What sellers have in common. */
export const CACHE = 'prices'
export const ITEMS = Array.from({ length: 10 }, (_, n) => `item ${String(n + 1)}`)

/** For how long a price is good, unless it changes. */
export const TTL_MS = 60_000

/** For how long a process may serve what it has in memory. */
export const LOCAL_TTL_MS = 1_000

/** The milliseconds since 1970, as all processes of a machine have them. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}
