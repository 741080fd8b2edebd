import type { ServerNode } from '../../test/support/launch/topology.js'
import { closeShops, openShops } from '../market/shops.js'
import type { Screen } from '../screen.js'
import { HttpConnection } from './http-connection.js'
import { keys, ORDER } from './keys.js'
import type { LatencySummary } from './latencies.js'
import { Load } from './load.js'

const PROGRESS_EVERY_MS = 200

const SHOP = new URL('shop.ts', import.meta.url)
const SHOPS = ['shop 1', 'shop 2']

/** The result of the load. */
export interface LoadOutcome {
  /** Orders with the response "sold". */
  readonly sold: number
  /** Orders with another response. */
  readonly refused: number
  /** Orders that the shops have counted, under the lock. */
  readonly counted: number
  readonly sku1Left: number
  readonly sku2Left: number
  /** Whether one more order gets "sold out". */
  readonly soldOut: boolean
  readonly tookMs: number
  readonly latency: LatencySummary
}

/** Sells the whole stock over HTTP, as fast as possible; every order acquires and releases the lock. */
export async function runLoad(orders: number, redis: ServerNode, screen: Screen): Promise<LoadOutcome> {
  await redis.command('FLUSHALL')
  await redis.command('MSET', keys.sku1, orders * ORDER.sku1, keys.sku2, orders * ORDER.sku2, keys.orders, 0)
  const { host, port } = redis
  const shops = await openShops(
    SHOPS.map((name) => ({ file: SHOP, settings: { name, redis: { host, port } } })),
  )
  try {
    const ports = shops.map((shop) => shop.port)
    const load = await Load.prepare(orders, ports)
    const tookMs = await shown(load, screen)
    const soldOut = await isSoldOut(ports[0] ?? 0)
    const left = (await redis.command('MGET', keys.sku1, keys.sku2, keys.orders)) as string[]
    const [sku1Left = NaN, sku2Left = NaN, counted = NaN] = left.map(Number)
    const { sold, refused, latencies } = load
    return { sold, refused, counted, sku1Left, sku2Left, soldOut, tookMs, latency: latencies.summary() }
  } finally {
    await closeShops(shops)
  }
}

/** Runs the load, and shows its progress. Returns its milliseconds. */
async function shown(load: Load, screen: Screen): Promise<number> {
  const startedAt = performance.now()
  const timer = setInterval(() => {
    screen.progress(() => progressOf(load.latencies.count, performance.now() - startedAt))
  }, PROGRESS_EVERY_MS)
  try {
    await load.run()
    return performance.now() - startedAt
  } finally {
    clearInterval(timer)
  }
}

function progressOf(answered: number, sinceMs: number): string {
  const seconds = sinceMs / 1000
  const perSecond = (answered / seconds).toFixed(0)
  return `     ${seconds.toFixed(1)} s: ${String(answered)} orders answered, ${perSecond} orders/s`
}

async function isSoldOut(port: number): Promise<boolean> {
  const connection = await HttpConnection.open(port)
  try {
    return (await connection.post('/orders/one-more')) === 410
  } finally {
    connection.close()
  }
}
