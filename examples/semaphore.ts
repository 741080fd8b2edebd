// A semaphore: a limited number at a time, in all processes together.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const semaphore = client.getSemaphore('examples:semaphore')

// The first acquisition sets the number of permits.
await semaphore.trySetPermits(2)

let inside = 0
let most = 0

async function visit(): Promise<void> {
  await semaphore.withPermit(async () => {
    inside += 1
    most = Math.max(most, inside)
    await new Promise((resolve) => setTimeout(resolve, 20))
    inside -= 1
  })
}

await Promise.all([visit(), visit(), visit(), visit(), visit()])
console.log(`at most ${most} were inside`)

// Several at once, all or none, and no longer than half a second.
await semaphore.acquire()
console.log(`two more: ${await semaphore.tryAcquire(2, 500)}`)
await semaphore.release()
console.log(`two: ${await semaphore.tryAcquire({ permits: 2 })}`)

await semaphore.delete()
await client.shutdown()
