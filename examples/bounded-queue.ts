// A bounded queue: a producer waits while the consumer is behind.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const pages = client.getBoundedBlockingQueue<number>('examples:pages')
await pages.trySetCapacity(2)

async function print(): Promise<void> {
  for (let page = 1; page <= 5; page += 1) await pages.put(page)
}

const printing = print()
const read: number[] = []
for await (const page of pages.consume()) {
  read.push(page)
  if (page === 5) break
}
await printing

console.log(`read: ${read.join(', ')}`)
console.log(`full: ${!(await pages.addAll([6, 7, 8]))}, room for ${await pages.remainingCapacity()}`)

await pages.delete()
await client.shutdown()
