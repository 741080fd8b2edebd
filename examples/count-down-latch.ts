// A latch: wait until a number of tasks are done.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const latch = client.getCountDownLatch('examples:latch')

const parts = ['roof', 'walls', 'door']
await latch.trySetCount(parts.length)
console.log(`finished at once: ${await latch.await(20)}`)

// Each of these could be a process of its own.
for (const [index, part] of parts.entries()) {
  setTimeout(
    () => {
      console.log(part)
      void latch.countDown()
    },
    30 * (index + 1),
  )
}

console.log(`finished: ${await latch.await({ waitMs: 10_000 })}`)

await client.shutdown()
