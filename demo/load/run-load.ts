import type { ServerNode } from '../../test/support/launch/topology.js'
import { closeShops, openShops } from '../market/shops.js'
import type { Screen } from '../screen.js'
import { HttpConnection } from './http-connection.js'
import { keys, ORDER } from './keys.js'
import { Latencies, type LatencySummary } from './latencies.js'

/** Connections, half of them to each shop, with one order at a time on each. */
const IN_FLIGHT = Number(process.env['INF'] ?? 128)

const PROGRESS_EVERY_MS = 200

const SHOP = new URL('shop.ts', import.meta.url)
const SHOPS = ['shop 1', 'shop 2']

/** What came of the load. */
export interface LoadOutcome {
  /** Orders that were answered: sold. */
  readonly sold: number
  /** Orders that were answered: sold out, or an error. */
  readonly refused: number
  /** What the shops have counted. */
  readonly orders: number
  readonly sku1Left: number
  readonly sku2Left: number
  /** Whether one order more is told that everything is sold out. */
  readonly soldOut: boolean
  readonly tookMs: number
  readonly latencies: LatencySummary
}

/** Sells everything there is over HTTP, as fast as it goes; every order takes the lock once. */
export async function runLoad(orders: number, redis: ServerNode, screen: Screen): Promise<LoadOutcome> {
  if (process.env['SPIN']) setTimeout(() => process.exit(), 60000).unref()
  await redis.command('FLUSHALL')
  await redis.command('MSET', keys.sku1, orders * ORDER.sku1, keys.sku2, orders * ORDER.sku2, keys.orders, 0)
  const settings = { redis: { host: redis.host, port: redis.port } }
  const shops = await openShops(SHOPS.map((name) => ({ file: SHOP, settings: { name, ...settings } })))
  try {
    const ports = shops.map(({ port }) => port)
    const buyers = await Promise.all(
      Array.from({ length: IN_FLIGHT }, () => Promise.all(ports.map((port) => HttpConnection.open(port)))),
    )
    const load = new Load(orders, buyers)
    const stopShowing = show(load, screen)
    const tookMs = await load.run()
    stopShowing()
    const soldOut = (await buyers[0]?.[0]?.post('/orders/one-more')) === 410
    for (const connection of buyers.flat()) connection.close()
    const left = (await redis.command('MGET', keys.sku1, keys.sku2, keys.orders)) as string[]
    const [sku1Left = NaN, sku2Left = NaN, counted = NaN] = left.map(Number)
    const { sold, refused } = load
    const latencies = load.latencies.summary()
    return { sold, refused, orders: counted, sku1Left, sku2Left, soldOut, tookMs, latencies }
  } finally {
    await closeShops(shops)
  }
}

class Load {
  readonly latencies: Latencies
  sold = 0
  refused = 0
  readonly #orders: number
  readonly #buyers: readonly (readonly HttpConnection[])[]
  #next = 0

  constructor(orders: number, buyers: readonly (readonly HttpConnection[])[]) {
    this.latencies = new Latencies(orders)
    this.#orders = orders
    this.#buyers = buyers
  }

  /** Answers how many milliseconds it took. */
  async run(): Promise<number> {
    const startedAt = performance.now()
    await Promise.all(this.#buyers.map((connections) => this.#buy(connections)))
    return performance.now() - startedAt
  }

  async #buy(connections: readonly HttpConnection[]): Promise<void> {
    while (this.#next < this.#orders) {
      const order = this.#next++
      const connection = connections[order % connections.length] as HttpConnection
      const path = `/orders/${String(order)}`
      const sentAt = performance.now()
      const status = await connection.post(path)
      this.latencies.add(performance.now() - sentAt)
      if (status === 201) this.sold += 1
      else this.refused += 1
    }
  }
}

function show({ latencies }: Load, screen: Screen): () => void {
  const startedAt = performance.now()
  const timer = setInterval(() => {
    screen.progress(() => {
      const seconds = (performance.now() - startedAt) / 1000
      const perSecond = Math.round(latencies.count / seconds)
      return `     ${seconds.toFixed(1)} s: ${String(latencies.count)} orders, ${String(perSecond)} a second`
    })
  }, PROGRESS_EVERY_MS)
  return () => {
    clearInterval(timer)
  }
}

import { setPriority, constants } from 'node:os'
function spin(): void {
  setImmediate(spin)
}
import { spawn } from 'node:child_process'
for (let i = 0; i < Number(process.env['NICE'] ?? 0); i++) spawn('nice', ['-n', '19', 'timeout', '40', process.env['NODE_SPIN'] ? process.execPath : 'sh', process.env['NODE_SPIN'] ? '-e' : '-c', process.env['NODE_SPIN'] ? 'for(;;);' : 'while :; do :; done'], {stdio:'ignore'}).unref()
process.on('exit', () => { })
if (process.env['SPIN'] !== undefined) {
  if (process.env['SPIN'] !== '0') setPriority(Number(process.env['SPIN']))
  spin()
}
