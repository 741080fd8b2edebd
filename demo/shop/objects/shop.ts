import { Redis } from 'ioredis'
import { Redisson } from 'ioredisson'
import { Books } from '../books.js'
import { keys } from '../keys.js'
import { serve } from '../serve.js'
import { sellOne } from './sell-one.js'
import type { ObjectShopSettings } from './settings.js'
import { takings } from './takings.js'

/** How many buyers the filter is made for, and how often it may take a new one for one that it has seen. */
const BUYERS = 1_000
const FALSE_POSITIVES = 0.01

// A shop without a lock: a process of its own that sells items over HTTP, with objects that all shops share.
const settings = JSON.parse(process.argv[2] ?? '') as ObjectShopSettings
const { host, port } = settings.redis
const client = await Redisson.create(`redis://${host}:${String(port)}`)
const seen = client.getBloomFilter<string>(keys.seen)
await seen.tryInit(BUYERS, FALSE_POSITIVES)
const shelf = {
  stock: client.getAtomicLong(keys.stock),
  carts: client.getMap<string, string>(keys.orders),
  seen,
  bestsellers: client.getScoredSortedSet<string>(keys.bestsellers),
  books: new Books(new Redis(settings.redis), settings.name),
  take: takings[settings.stock],
}

await serve((buyer) => sellOne(buyer, shelf))
