// A lock can be lost while its work goes on: a lease ends, another process forces it open, Redis forgets it. The hold's signal says so.
import { LockLostError, Redisson } from 'ioredisson'

const url = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379'
const client = await Redisson.create(url)

// For the whole client, say to raise an alarm. A lease that you asked for and that has ended is no news:
client.on('lockLost', ({ lock, reason }) => {
  console.log(`event: ${lock} is lost, ${reason}`)
})

/** Work in steps that must not go on without the lock. */
async function work(signal: AbortSignal): Promise<void> {
  for (let step = 1; ; step += 1) {
    signal.throwIfAborted() // looks at the clock as well, so that it is true even after a long computation
    console.log(`step ${step}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

try {
  // A lease of half a second is too short for this work. Without `leaseMs` the watchdog would renew it.
  await client.getLock('examples:lost-lock').withLock((hold) => work(hold.signal), { leaseMs: 500 })
} catch (error) {
  if (!(error instanceof LockLostError)) throw error
  console.log(`stopped: ${error.message}`)
}

// A lock that is forced open is news.
await client.getLock('examples:lost-lock').lock()
await client.getLock('examples:lost-lock').forceUnlock()

await client.shutdown()
