import { describe, expectTypeOf, it } from 'vitest'
import {
  bytesCodec,
  longCodec,
  type DeadLetter,
  type Delivery,
  type QueueWorker,
  type RBatch,
  type RedissonClient,
  type RReliableQueue,
  type WaitingMessage,
} from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

describe('the types of a reliable queue', () => {
  it('have unknown values, by default, or those of the codec', () => {
    expectTypeOf(client.getReliableQueue('x')).toEqualTypeOf<RReliableQueue<unknown>>()
    expectTypeOf(client.getReliableQueue('x', { codec: bytesCodec() })).toExtend<RReliableQueue<Uint8Array>>()
    expectTypeOf(batch.getReliableQueue<string>('x')).toEqualTypeOf<RReliableQueue<string>>()
    // @ts-expect-error: the codec writes numbers
    client.getReliableQueue<string>('x', { codec: longCodec() })
    // @ts-expect-error: many messages are not compared with others
    void client.getReliableQueue('x').offerAll([1], { dedup: { id: 'a' } })
  })

  it('tell one message from many', async () => {
    const queue = client.getReliableQueue<string>('x', {
      capacity: 10,
      groupConcurrency: 1,
      maxDeliveries: 3,
    })
    expectTypeOf(queue.offer('a', { dedup: { id: 'a', mode: 'replace' } })).resolves.toEqualTypeOf<string>()
    expectTypeOf(queue.offerAll(new Set(['a']))).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(queue.poll()).resolves.toEqualTypeOf<Delivery<string> | undefined>()
    expectTypeOf(queue.poll(2, { waitMs: 5 })).resolves.toEqualTypeOf<Delivery<string>[]>()
    expectTypeOf(queue.peek(2)).resolves.toEqualTypeOf<WaitingMessage<string>[]>()
    expectTypeOf(queue.deadLetters()).resolves.toEqualTypeOf<DeadLetter<string>[]>()
    expectTypeOf(queue.process(({ value }) => value.length)).toEqualTypeOf<QueueWorker<string>>()
    for await (const { value, fencingToken } of queue.consume()) {
      expectTypeOf(value).toEqualTypeOf<string>()
      expectTypeOf(fencingToken).toEqualTypeOf<number>()
    }
  })
})
