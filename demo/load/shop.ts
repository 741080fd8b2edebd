import { Redis } from 'ioredis'
import { Redisson } from 'ioredisson'
import type { HostAndPort } from '../../src/api/redisson-options.js'
import { serve, type Answer } from '../shop/serve.js'
import { keys, ORDER } from './keys.js'

// A shop under load: a process of its own. Every order takes the lock, and gives it back.
const { redis: server } = JSON.parse(process.argv[2] ?? '') as { readonly redis: HostAndPort }
const redis = new Redis(server)
const client = await Redisson.create({
  singleServerConfig: { address: `redis://${server.host}:${String(server.port)}` },
})
const lock = client.getLock(keys.lock)

await serve(() => lock.withLock(takeOrder))

/** Reads three counters and writes them back: right only while nobody else does the same. */
async function takeOrder(): Promise<Answer> {
  const a = performance.now()
  const [sku1 = 0, sku2 = 0, orders = 0] = (await redis.mget(keys.sku1, keys.sku2, keys.orders)).map(Number)
  const b = performance.now()
  if (sku1 < ORDER.sku1 || sku2 < ORDER.sku2) return 'sold-out'
  await redis.mset(keys.sku1, sku1 - ORDER.sku1, keys.sku2, sku2 - ORDER.sku2, keys.orders, orders + 1)
  const c = performance.now()
  const gap = a - lastEnd; lastEnd = c
  n++; tm += b - a; ts += c - b; if (gap < 2) { tg += gap; ng++ } else { away += gap; nAway++ }
  if (n % 5000 === 0) { appendFileSync('/tmp/dm/inst', `${process.pid} mget ${(tm/5).toFixed(0)}us mset ${(ts/5).toFixed(0)}us handoff ${(tg/ng*1000).toFixed(0)}us (${ng}) away ${nAway} avg ${(away/nAway).toFixed(2)}ms total away ${away.toFixed(0)}ms elu ${(performance.eventLoopUtilization().utilization).toFixed(3)}\n`); n=tm=ts=tg=ng=away=nAway=0 }
  return 'sold'
}

import { appendFileSync } from 'node:fs'
let n=0,tm=0,ts=0,tg=0,ng=0,away=0,nAway=0,lastEnd=performance.now()
