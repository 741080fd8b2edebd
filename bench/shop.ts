import { PassThrough } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { runLoad } from '../demo/load/run-load.js'
import { Screen } from '../demo/screen.js'
import type { RunningNode } from '../test/support/launch/topology.js'

/** The name of the workload that is the demo's. */
export const SHOP = 'shop'

/** What others have published for an ordinary Lua script without a lock. */
const PUBLISHED = { perSecond: 442.6, averageMs: 109 }

const LEAST_PER_SECOND = 3_000

/** The result of selling over HTTP. */
export interface ShopResult {
  readonly orders: number
  readonly perSecond: number
  readonly averageMs: number
  readonly p99Ms: number
  /** Whether everything was sold, and nothing twice. */
  readonly exact: boolean
  readonly published: typeof PUBLISHED
  readonly target: { readonly says: string; readonly met: boolean; readonly got: string }
}

/** Sells as many as are wanted in two shops, with the lock around every order. */
export async function runShop(node: RunningNode, orders: number): Promise<ShopResult> {
  const silent = new PassThrough().resume() as unknown as WriteStream // progress is for those who look at the demo
  const { sold, counted, refused, soldOut, sku1Left, sku2Left, tookMs, latency } = await runLoad(
    orders,
    node,
    new Screen(silent),
  )
  const perSecond = orders / (tookMs / 1000)
  return {
    orders,
    perSecond,
    averageMs: latency.average,
    p99Ms: latency.p99,
    exact: sold === orders && counted === orders && refused === 0 && sku1Left + sku2Left === 0 && soldOut,
    published: PUBLISHED,
    target: {
      says: `at least ${String(LEAST_PER_SECOND)} orders/s`,
      met: perSecond >= LEAST_PER_SECOND,
      got: perSecond.toFixed(0),
    },
  }
}
