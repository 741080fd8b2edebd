// A fenced lock numbers its holders, and a guard refuses what a late one writes.
import { setTimeout as sleep } from 'node:timers/promises'
import { Redisson, StaleTokenError } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const lock = client.getFencedLock('examples:fenced-lock')
const stock = client.getFencingGuard('examples:fenced-lock:stock')

// One owner takes the lock, and is then paused for longer than the lease lasts.
const late = await lock.acquire({ leaseMs: 50 })
await sleep(100)

// Another owner holds it now, with a larger token, and writes.
await lock.withLock(async (hold) => {
  console.log(`the next token is larger: ${hold.fencingToken > late.fencingToken}`)
  await stock.run(hold.fencingToken, 'SET', 7)
})

// The first one comes back, and knows nothing of that.
try {
  await stock.run(late.fencingToken, 'SET', 8)
} catch (error) {
  console.log(`refused: ${error instanceof StaleTokenError}`)
}
console.log('stock:', await stock.run(await lock.getToken(), 'GET'))
await client.shutdown()
