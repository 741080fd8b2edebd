// `tryLock` returns whether it got the lock. Its first number is how long to wait, its second how long the lease lasts.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const lock = client.getLock('examples:try-lock')

const holder = await lock.acquire()

// No number: one attempt, and no waiting.
console.log(`at once: ${await lock.tryLock()}`)

// Wait up to half a second.
console.log(`after half a second: ${await lock.tryLock(500)}`)

// Wait up to ten seconds, and let Redis free the lock after one minute in any case.
setTimeout(() => void holder.unlock(), 50)
if (await lock.tryLock(10_000, 60_000)) {
  try {
    const leftMs = await lock.remainTimeToLive()
    console.log(`got it, for a minute: ${leftMs > 55_000 && leftMs <= 60_000}`)
  } finally {
    await lock.unlock()
  }
}

await client.shutdown()
