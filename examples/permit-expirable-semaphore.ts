// A semaphore whose permits have ids, and come back when the process that had one is gone.
import { PermitLostError, Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const semaphore = client.getPermitExpirableSemaphore('examples:permits')
await semaphore.trySetPermits(2)

// For half a second, even if this process dies. Any process that knows the id can release it sooner.
const id = await semaphore.acquire(500)
console.log(`lent for a while: ${(await semaphore.getLeaseTime(id)) > 0}`)

// For as long as this process lives: the watchdog renews it.
await semaphore.withPermit(async (hold) => {
  console.log(`both are lent: ${(await semaphore.availablePermits()) === 0}, held: ${hold.isHeld}`)
})

// The first one comes back by itself.
const both = await semaphore.acquireMany(2)
console.log(`got ${both.length} after the lease had ended`)
await semaphore.release(both)

// A hold says when it is lost.
const hold = await semaphore.acquirePermit({ leaseMs: 50 })
await new Promise((resolve) => hold.signal.addEventListener('abort', resolve))
console.log(`lost: ${hold.signal.reason instanceof PermitLostError}`)

await semaphore.delete()
await client.shutdown()
