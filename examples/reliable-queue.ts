// Workers that lose no job: one that dies with its job does not take it along.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const jobs = client.getReliableQueue<string>('examples:reliable-jobs', { maxDeliveries: 2 })
const done: string[] = []

const worker = jobs.process(
  ({ value, deliveries }) => {
    if (value === 'scan') throw new Error('no scanner')
    done.push(`${value} (delivery ${String(deliveries)})`)
  },
  { concurrency: 2, retryDelayMs: 10 },
)
await jobs.offerAll(['mail', 'print', 'scan'])
while ((await jobs.size()) > 0) await new Promise((resolve) => setTimeout(resolve, 5))
await worker.close()

console.log(`done: ${done.toSorted().join(', ')}`)
for (const { value, reason, failures } of await jobs.deadLetters())
  console.log(`dead: ${value}, after ${String(failures)} deliveries: ${reason}`)

await jobs.delete()
await client.shutdown()
