import { describe, expectTypeOf, it } from 'vitest'
import type { RBatch, RedissonClient, RTransferQueue } from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

describe('the types of a transfer queue', () => {
  it('have unknown values, by default, or those of the program', () => {
    expectTypeOf(client.getTransferQueue('x')).toEqualTypeOf<RTransferQueue<unknown>>()
    expectTypeOf(client.getTransferQueue<string>('x')).toEqualTypeOf<RTransferQueue<string>>()
    expectTypeOf(batch.getTransferQueue<string>('x')).toEqualTypeOf<RTransferQueue<string>>()
  })

  it('say what producers and consumers get', async () => {
    const queue = client.getTransferQueue<string>('x')
    expectTypeOf(queue.transfer('a')).resolves.toEqualTypeOf<void>()
    expectTypeOf(queue.tryTransfer('a', 5)).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(queue.getWaitingConsumerCount()).resolves.toEqualTypeOf<number>()
    expectTypeOf(queue.take()).resolves.toEqualTypeOf<string>()
    expectTypeOf(queue.poll()).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(queue.poll(2)).resolves.toEqualTypeOf<string[]>()
    for await (const element of queue) expectTypeOf(element).toEqualTypeOf<string>()
    expectTypeOf(queue).not.toHaveProperty('pollFromAny')
    // @ts-expect-error: undefined is no value
    void queue.transfer(undefined)
  })
})
