// A stream: its messages are shared by the consumers of a group, each of which acknowledges what it has done.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const orders = client.getStream<string, string>('{examples:orders}')
const failed = client.getStream<string, string>('{examples:orders}:failed')

for (const item of ['pen', 'bomb', 'ink']) await orders.add({ item })

// What is delivered twice without success goes to another stream.
const options = { name: 'worker-1', maxDeliveries: 2, deadLetter: failed }
const done: string[] = []
for await (const message of orders.consumer('shipping', options)) {
  const item = message.fields.get('item')
  const isSent = item !== 'bomb'
  console.log(`${item}, delivery ${message.deliveries}: ${isSent ? 'sent' : 'failed'}`)
  await (isSent ? message.ack() : message.nack())
  if (done.push(item ?? '') === 4) break
}

console.log(`pending: ${(await orders.getPendingInfo('shipping')).total}`)
for (const letter of await failed.range()) console.log(`dead: ${letter.fields.get('item')}`)

await client.getKeys().delete(orders.name, failed.name)
await client.shutdown()
