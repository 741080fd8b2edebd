import type { ServerNode } from '../test/support/launch/topology.js'
import { Balancer } from './market/balancer.js'
import { sendCrowd, type Answers } from './market/crowd.js'
import { closeShops, openShops, type Shop, type ShopPlan } from './market/shops.js'
import { ITEMS, type Outcome, type Sales } from './outcome.js'
import type { Screen } from './screen.js'
import { keys } from './shop/keys.js'
import { SOLD_OUT, type ObjectShopSettings } from './shop/objects/settings.js'
import type { ShopSettings } from './shop/settings.js'
import { isWithoutLock, type Step } from './steps.js'

/** The number of buyers. */
export const BUYERS = 1_000

/** A buyer without a reply for this number of leases is stuck: the slowest step pauses for two. */
const PATIENCE_LEASES = 4

/** The same without a lock, in milliseconds. */
const PATIENCE_MS = 4_000

const SHOP = new URL('shop/shop.ts', import.meta.url)
const SHOP_WITHOUT_LOCK = new URL('shop/objects/shop.ts', import.meta.url)
const SHOPS = ['shop 1', 'shop 2']

/** Opens two shops, sends a thousand buyers, and counts. */
export async function runStep(step: Step, redis: ServerNode, screen: Screen): Promise<Outcome> {
  await redis.command('FLUSHALL')
  await redis.command('SET', keys.stock, ITEMS)
  const shops = await openShops(SHOPS.map((name) => planOf(step, name, redis)))
  try {
    for (const shop of shops) watch(shop, redis, screen)
    const startedAt = performance.now()
    const answers = await sendCrowd(new Balancer(shops.map(({ port }) => port)), {
      buyers: BUYERS,
      patienceMs: isWithoutLock(step) ? PATIENCE_MS : PATIENCE_LEASES * step.leaseMs,
      onProgress: (soFar) => {
        screen.progress(() => progressOf(soFar, performance.now() - startedAt))
      },
    })
    if (answers.failed > 0) for (const { process } of shops) screen.say(process.output)
    const tookMs = performance.now() - startedAt
    const sales = isWithoutLock(step) ? await salesOf(redis) : undefined
    return await count(step, redis, answers, { sales, tookMs })
  } finally {
    await closeShops(shops)
  }
}

function planOf(step: Step, name: string, { host, port }: ServerNode): ShopPlan {
  const common = { name, redis: { host, port } }
  if (isWithoutLock(step)) {
    const settings: ObjectShopSettings = { ...common, stock: step.stock }
    return { file: SHOP_WITHOUT_LOCK, settings }
  }
  const { locking, leaseMs, mishaps } = step
  const settings: ShopSettings = { ...common, locking, leaseMs, mishaps }
  return { file: SHOP, settings }
}

function watch(shop: Shop, redis: ServerNode, screen: Screen): void {
  void watchSlowness(shop, screen).catch(ignore) // its process has ended
  void watchDoom(shop, redis, screen).catch(ignore)
}

async function watchSlowness({ name, process }: Shop, screen: Screen): Promise<void> {
  for (;;) {
    await process.hear('slow')
    screen.say(`     ${name} has a sale that takes longer than the lease`)
  }
}

/** Kills a shop that stands where it was to be killed. */
async function watchDoom({ name, process }: Shop, redis: ServerNode, screen: Screen): Promise<void> {
  await process.hear('doomed')
  await process.kill()
  await leaveInItsName(name, redis)
  screen.say(`     ${name} was killed (SIGKILL) with the lock in its hands`)
}

/** Removes the visits of a killed shop. */
async function leaveInItsName(name: string, redis: ServerNode): Promise<void> {
  const visits = (await redis.command('HKEYS', keys.inside)) as string[]
  for (const visit of visits)
    if (visit.startsWith(`${name} `)) await redis.command('HDEL', keys.inside, visit)
}

/** The items, the best-selling first. */
async function salesOf(redis: ServerNode): Promise<readonly Sales[]> {
  const words = (await redis.command('ZREVRANGE', keys.bestsellers, 0, -1, 'WITHSCORES')) as string[]
  return words.flatMap((item, at) =>
    at % 2 === 0 ? [[String(JSON.parse(item)), Number(words[at + 1])] as const] : [],
  )
}

async function count(
  step: Step,
  redis: ServerNode,
  answers: Answers,
  facts: Pick<Outcome, 'sales' | 'tookMs'>,
): Promise<Outcome> {
  const number = async (key: string): Promise<number> => Number(await redis.command('GET', key))
  return {
    sold: Number(await redis.command('HLEN', keys.orders)),
    stockLeft: stockLeft(step, await number(keys.stock)),
    stuck: BUYERS - answered(answers),
    failed: answers.failed,
    wrongReleases: await number(keys.wrongReleases),
    lateReleases: await number(keys.lateReleases),
    twoInside: await number(keys.twoInside),
    lockEndsInMs: Number(await redis.command('PTTL', keys.lock)),
    ...facts,
  }
}

/** With a bound, the stock says in the end that a buyer came too late. */
function stockLeft(step: Step, stock: number): number {
  return isWithoutLock(step) && step.stock === 'lower-bound' && stock === SOLD_OUT ? 0 : stock
}

function progressOf(answers: Answers, sinceMs: number): string {
  const seconds = (sinceMs / 1000).toFixed(1)
  return `     ${seconds} s: ${String(answered(answers))} of ${String(BUYERS)} buyers answered, ${String(answers.sold)} sold`
}

function answered({ sold, soldOut, failed }: Answers): number {
  return sold + soldOut + failed
}

function ignore(): void {}
