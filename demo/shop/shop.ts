import { Redis } from 'ioredis'
import { Books } from './books.js'
import { lockings } from './locking/lockings.js'
import { Mishaps } from './mishaps.js'
import { sellOne } from './sell-one.js'
import { serve } from './serve.js'
import type { ShopSettings } from './settings.js'

// A shop: a process of its own that sells items over HTTP, under the lock that its settings name.
const settings = JSON.parse(process.argv[2] ?? '') as ShopSettings
const redis = new Redis(settings.redis)
const books = new Books(redis, settings.name)
const mishaps = new Mishaps(redis, settings)
const locked = await lockings[settings.locking]({ settings, redis, books, mishaps })

await serve((buyer) => locked(() => sellOne(buyer, { redis, books, mishaps })))
