// Workers that wait for jobs, each of which goes to one of them.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const jobs = client.getBlockingQueue<string>('examples:jobs')
const closing = new AbortController()
const done: string[] = []

async function work(): Promise<void> {
  try {
    for await (const job of jobs.consume({ signal: closing.signal })) done.push(job)
  } catch (error) {
    if (error !== closing.signal.reason) throw error
  }
}

const workers = [work(), work()]
await jobs.addAll(['mail', 'print', 'scan'])
while (done.length < 3) await new Promise((resolve) => setTimeout(resolve, 5))

closing.abort()
await Promise.all(workers)
console.log(`done: ${done.toSorted().join(', ')}`)
console.log(`left: ${String(await jobs.poll({ waitMs: 50 }))}`)

await client.shutdown()
