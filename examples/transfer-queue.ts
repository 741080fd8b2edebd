// A transfer queue: a producer waits until a consumer has taken its element, in whatever process that is.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const orders = client.getTransferQueue<string>('examples:orders')

console.log(`without a consumer: ${await orders.tryTransfer('cake')}`)

const next = orders.take()
await orders.transfer('tea', { signal: AbortSignal.timeout(10_000) })
console.log(`handed over: ${await next}`)

console.log(`in time: ${await orders.tryTransfer('coffee', 50)}, left: ${await orders.size()}`)

await orders.delete()
await client.shutdown()
