// A priority queue: texts or numbers, the lowest first, shared with Java. A waiting call takes the next one at once.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const tasks = client.getPriorityBlockingDeque('examples:tasks')

const first = tasks.take()
await tasks.put('2 mail')
console.log(`taken: ${await first}`)

await tasks.addAll(['3 report', '1 alarm', '2 print', '1 alarm'])
for await (const task of tasks) console.log(task)

console.log(`the most urgent: ${await tasks.poll()}`)
console.log(`the least urgent: ${await tasks.pollLast()}`)
console.log(`left: ${(await tasks.drainTo()).join(', ')}`)

await client.shutdown()
