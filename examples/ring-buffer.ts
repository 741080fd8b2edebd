// A ring buffer: the newest elements, shared by all processes. What is added to a full one removes the oldest.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const lines = client.getRingBuffer<string>('examples:lines')

await lines.trySetCapacity(3)
await lines.addAll(['start', 'login', 'query'])
console.log(`full: ${(await lines.remainingCapacity()) === 0}`)

await lines.add('logout')
for await (const line of lines) console.log(line)
console.log(`the last two: ${(await lines.readNewest(2)).join(', ')}`)

await lines.setCapacity(2)
console.log(`polled: ${await lines.poll()}, left: ${(await lines.readAll()).join(', ')}`)

await lines.delete()
await client.shutdown()
