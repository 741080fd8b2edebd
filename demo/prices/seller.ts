import { setTimeout as sleep } from 'node:timers/promises'
import { Redisson } from 'ioredisson'
import { tell } from '../../test/support/child-side.js'
import { keepings } from './keepings.js'
import { ITEMS, now, type Reply, type SellerSettings } from './settings.js'

/** Between two customers. */
const ASKED_EVERY_MS = 5

/** Between two reports. */
const TELL_EVERY_MS = 200

// A seller: a process of its own that shows one price after the other, until its time is over.
const { keeping, redis, supplier, forMs } = JSON.parse(process.argv[2] ?? '') as SellerSettings
const client = await Redisson.create({
  singleServerConfig: { address: `redis://${redis.host}:${String(redis.port)}` },
})
const askSupplier = async (item: string): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${String(supplier)}/${encodeURIComponent(item)}`)
  return Number(await response.text())
}
const kept = keepings[keeping].open(client, askSupplier)
const replies: Reply[] = []
const telling = setInterval(report, TELL_EVERY_MS)
tell('ready')

const endsAt = performance.now() + forMs
const customers: Promise<void>[] = []
while (performance.now() < endsAt) {
  customers.push(show(ITEMS[Math.floor(Math.random() * ITEMS.length)] ?? ''))
  await sleep(ASKED_EVERY_MS)
}
await Promise.all(customers)
clearInterval(telling)
report()
tell('done', { stats: kept.stats })
await client.shutdown()

async function show(item: string): Promise<void> {
  const askedAt = now()
  try {
    const version = await kept.prices(item)
    replies.push({ item, version, askedAt, tookMs: now() - askedAt })
  } catch (error) {
    tell('failed', { error: String(error) })
  }
}

function report(): void {
  tell('replies', { replies: replies.splice(0) })
}
