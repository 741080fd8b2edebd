import type { RedissonClient } from 'ioredisson'
import { names, type QueueName } from './settings.js'

/** An order that a worker has. */
export interface Taken {
  readonly order: string
  /** Whether another worker had it before. */
  readonly isAgain: boolean
  /** Says that it is shipped. */
  readonly done: () => Promise<void>
}

/** A way for orders to workers. */
interface OrderQueue {
  pay(client: RedissonClient, order: string): Promise<unknown>
  take(client: RedissonClient): AsyncIterable<Taken>
}

export const queues: Readonly<Record<QueueName, OrderQueue>> = {
  'blocking-queue': {
    pay: (client, order) => client.getBlockingQueue<string>(names.orders).put(order),
    take: async function* (client) {
      const orders = client.getBlockingQueue<string>(names.orders)
      for await (const order of orders.consume()) yield { order, isAgain: false, done: async () => {} }
    },
  },
  'reliable-queue': {
    pay: (client, order) => client.getReliableQueue<string>(names.orders).offer(order),
    take: async function* (client) {
      const orders = client.getReliableQueue<string>(names.orders)
      for await (const delivery of orders.consume())
        yield { order: delivery.value, isAgain: delivery.deliveries > 1, done: () => delivery.ack() }
    },
  },
}
