import { setTimeout as sleep } from 'node:timers/promises'
import { Redisson, type CacheStats } from 'ioredisson'
import { startChild, type Child } from '../../test/support/child.js'
import type { RunningNode } from '../../test/support/launch/topology.js'
import type { Screen } from '../screen.js'
import { keepings } from './keepings.js'
import type { PriceStep } from './price-steps.js'
import { ITEMS, type Reply, type SellerSettings } from './settings.js'
import { Supplier } from './supplier.js'

export const SELLERS = 4

/** For how long prices are shown. */
const SHOWN_FOR_MS = 6_000

/** Another price changes after this time. */
const CHANGED_EVERY_MS = 100

/** When a seller is killed. Another one takes its place. */
const KILLED_AT_MS = 1_500

/** When Redis stands still, and for how long. No price changes meanwhile: nothing could be let known. */
const AWAY_AT_MS = 3_000
const AWAY_FOR_MS = 1_000

const SELLER = new URL('seller.ts', import.meta.url)

/** The result of a step, in numbers. */
export interface Shown {
  readonly shown: number
  /** Prices that were shown although their change had been confirmed for a moment. */
  readonly old: number
  /** Customers that were shown an error. */
  readonly failed: number
  readonly changes: number
  /** How often the supplier was asked while Redis was there. */
  readonly loads: number
  /** The same while it stood still. */
  readonly loadsWithoutRedis: number
  /** The longest that a customer has waited. */
  readonly slowestMs: number
  /** The share of calls that the memory of their process has served, where that is counted. */
  readonly localShare: number | undefined
}

/** Has prices shown and changed, while a seller is killed and Redis goes away, and counts. */
export async function runPrices(step: PriceStep, redis: RunningNode, screen: Screen): Promise<Shown> {
  await redis.command('FLUSHALL')
  await using supplier = await Supplier.open()
  await using client = await Redisson.create({
    singleServerConfig: { address: `redis://${redis.host}:${String(redis.port)}` },
  })
  await using market = new Market(step, redis, supplier)
  await market.open()
  const startedAt = performance.now()
  const until = (ms: number) => sleep(startedAt + ms - performance.now())
  const changing = new Changing(supplier, (item) => keepings[step.keeping].changed(client, item))
  const changes = changing.run(startedAt + SHOWN_FOR_MS)
  await until(KILLED_AT_MS)
  await market.killOne(SHOWN_FOR_MS - KILLED_AT_MS)
  screen.say('     seller 1 was killed (SIGKILL), and another one took its place')
  await until(AWAY_AT_MS)
  const loadsWithoutRedis = await changing.pausedFor(() => standStill(redis, supplier))
  screen.say('     Redis stood still for a second (SIGSTOP)')
  await changes
  const { replies, failed, stats } = await market.end()
  return {
    shown: replies.length,
    old: replies.filter((reply) => supplier.isStale(reply)).length,
    failed,
    changes: changing.count,
    loads: supplier.loads - loadsWithoutRedis,
    loadsWithoutRedis,
    slowestMs: replies.reduce((longest, { tookMs }) => Math.max(longest, tookMs), 0),
    localShare: localShareOf(stats),
  }
}

/** Returns how often the supplier was asked meanwhile. */
async function standStill(redis: RunningNode, supplier: Supplier): Promise<number> {
  const before = supplier.loads
  await redis.pause()
  try {
    await sleep(AWAY_FOR_MS)
  } finally {
    await redis.resume()
  }
  return supplier.loads - before
}

function localShareOf(stats: readonly CacheStats[]): number | undefined {
  const sum = (of: (each: CacheStats) => number) => stats.reduce((total, each) => total + of(each), 0)
  const calls = sum(({ localHits, remoteHits, misses }) => localHits + remoteHits + misses)
  return calls === 0 ? undefined : sum(({ localHits }) => localHits) / calls
}

/** Changes one price after the other. */
class Changing {
  count = 0
  readonly #supplier: Supplier
  readonly #letKnow: (item: string) => Promise<unknown>
  #paused: Promise<unknown> = Promise.resolve()
  #underWay: Promise<unknown> = Promise.resolve()

  constructor(supplier: Supplier, letKnow: (item: string) => Promise<unknown>) {
    this.#supplier = supplier
    this.#letKnow = letKnow
  }

  async run(until: number): Promise<void> {
    while (performance.now() < until) {
      await sleep(CHANGED_EVERY_MS)
      await this.#paused
      const item = ITEMS[this.count % ITEMS.length] ?? ''
      this.count += 1
      this.#underWay = this.#supplier.change(item, () => this.#letKnow(item))
      await this.#underWay
    }
  }

  /** Changes no price while something is done. */
  async pausedFor<T>(act: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    this.#paused = promise
    await this.#underWay
    try {
      return await act()
    } finally {
      resolve(undefined)
    }
  }
}

/** Sellers, each of them a process of its own. */
class Market implements AsyncDisposable {
  readonly #step: PriceStep
  readonly #redis: RunningNode
  readonly #supplier: Supplier
  readonly #sellers: Child[] = []
  readonly #done: Promise<void>[] = []
  readonly #replies: Reply[] = []
  readonly #stats: CacheStats[] = []
  #failed = 0

  constructor(step: PriceStep, redis: RunningNode, supplier: Supplier) {
    this.#step = step
    this.#redis = redis
    this.#supplier = supplier
  }

  async open(): Promise<void> {
    const sellers = Array.from({ length: SELLERS }, () => this.#hire(SHOWN_FOR_MS))
    await Promise.all(sellers.map((seller) => seller.hear('ready')))
  }

  /** Kills the first seller, and hires another one. */
  async killOne(forMs: number): Promise<void> {
    await this.#sellers[0]?.kill()
    this.#hire(forMs)
  }

  /** Resolves when all sellers have ended. */
  async end(): Promise<{ replies: readonly Reply[]; failed: number; stats: readonly CacheStats[] }> {
    await Promise.all(this.#done)
    return { replies: this.#replies, failed: this.#failed, stats: this.#stats }
  }

  #hire(forMs: number): Child {
    const { host, port } = this.#redis
    const { keeping } = this.#step
    const settings: SellerSettings = { keeping, redis: { host, port }, supplier: this.#supplier.port, forMs }
    const seller = startChild(SELLER, { args: [JSON.stringify(settings)] })
    this.#sellers.push(seller)
    void this.#listen(seller, 'replies', ({ replies }) => this.#replies.push(...(replies as Reply[])))
    void this.#listen(seller, 'failed', () => (this.#failed += 1))
    this.#done.push(
      seller.hear('done').then(
        ({ stats }) => {
          if (stats !== undefined) this.#stats.push(stats as CacheStats)
        },
        () => undefined, // it was killed
      ),
    )
    return seller
  }

  async #listen(
    seller: Child,
    event: string,
    take: (facts: Readonly<Record<string, unknown>>) => unknown,
  ): Promise<void> {
    try {
      for (;;) take(await seller.hear(event))
    } catch {
      // it has ended
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#sellers.map((seller) => seller.kill()))
  }
}
