// A queue of jobs, and a deque that keeps what is being worked on.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const waiting = client.getDeque<string>('{examples:queue}:waiting')
const running = client.getDeque<string>('{examples:queue}:running')

await waiting.addAll(['mail', 'print', 'scan'])
await waiting.addFirst('urgent')

const job = await waiting.move({ poll: 'first', addLastTo: running.name })
console.log(`working on ${String(job)}, ${await waiting.size()} are waiting`)
console.log(`done: ${await running.remove(job ?? '')}`)

console.log(`next: ${(await waiting.poll(2)).join(', ')}`)
console.log(`last: ${await waiting.removeLast()}`)
console.log(`left: ${String(await waiting.poll())}`)

await client.shutdown()
