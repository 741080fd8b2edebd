// A delayed queue: elements that a queue gets later. Any process that waits for elements of the queue moves them when they are due.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const reminders = client.getBlockingQueue<string>('examples:reminders')
const later = client.getDelayedQueue(reminders)

await later.offer('call Grace', 1_000)
await later.offer('call Ada', 100)
await later.offer('call nobody', 60_000)
console.log(`waiting: ${(await later.readAll()).join(', ')}`)

console.log(await later.remove('call nobody'))
console.log(await reminders.take())
console.log(await reminders.take())
console.log(`left: ${await later.size()}`)

await later.destroy()
await client.shutdown()
