// A reliable topic: messages are stored until each subscriber has acknowledged them.
import { Redisson } from 'ioredisson'

const client = await Redisson.create(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379')
const orders = client.getReliableTopic<string>('examples:orders')

const listen = async (expected: string) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const subscription = await orders.addListener(
    (order, { deliveries }) => {
      console.log(`${order}, delivery ${deliveries}`)
      if (order === 'tea' && deliveries === 1) throw new Error('out of tea')
      if (order === expected) resolve()
    },
    { subscriber: 'billing', retryDelayMs: 10 },
  )
  subscription.on('error', ({ message }) => console.log(message))
  await promise
  await subscription.unsubscribe()
}

await orders.publish('coffee') // before there is a subscriber
await orders.publish('tea')
await listen('tea')

console.log(`subscribers: ${await orders.publish('cake')}`) // while nobody listens
await listen('cake')

await orders.removeSubscriber('billing')
await orders.delete()
await client.shutdown()
