import { describe, expectTypeOf, it } from 'vitest'
import {
  longCodec,
  type RBatch,
  type RedissonClient,
  type RPriorityBlockingDeque,
  type RPriorityBlockingQueue,
  type RPriorityDeque,
  type RPriorityQueue,
} from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

describe('the types of a priority queue', () => {
  it('have texts by default, or numbers, and nothing else', () => {
    expectTypeOf(client.getPriorityQueue('x')).toEqualTypeOf<RPriorityQueue<string>>()
    expectTypeOf(client.getPriorityDeque<number>('x')).toEqualTypeOf<RPriorityDeque<number>>()
    expectTypeOf(client.getPriorityBlockingQueue('x', { codec: longCodec() })).toEqualTypeOf<
      RPriorityBlockingQueue<number>
    >()
    expectTypeOf(client.getPriorityBlockingDeque('x', { codec: longCodec({ bigint: true }) })).toEqualTypeOf<
      RPriorityBlockingDeque<bigint>
    >()
    expectTypeOf(batch.getPriorityQueue('x')).toEqualTypeOf<RPriorityQueue<string>>()
    expectTypeOf(client.withSignal(AbortSignal.abort()).getPriorityBlockingDeque<number>('x')).toEqualTypeOf<
      RPriorityBlockingDeque<number>
    >()
    // @ts-expect-error: objects have no natural order
    client.getPriorityQueue<{ id: number }>('x')
    // @ts-expect-error: the queue has texts
    void client.getPriorityQueue('x').add(5)
  })

  it('tell one element from many, and what may be absent', async () => {
    const queue = client.getPriorityBlockingDeque<number>('x')
    expectTypeOf(queue.poll()).resolves.toEqualTypeOf<number | undefined>()
    expectTypeOf(queue.poll(2, { waitMs: 1 })).resolves.toEqualTypeOf<number[]>()
    expectTypeOf(queue.pollLast({ waitMs: 1 })).resolves.toEqualTypeOf<number | undefined>()
    expectTypeOf(queue.take()).resolves.toEqualTypeOf<number>()
    expectTypeOf(queue.takeLast()).resolves.toEqualTypeOf<number>()
    expectTypeOf(queue.peekLast()).resolves.toEqualTypeOf<number | undefined>()
    expectTypeOf(queue.element()).resolves.toEqualTypeOf<number>()
    expectTypeOf(queue.remove()).resolves.toEqualTypeOf<number>()
    expectTypeOf(queue.remove(1)).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(queue.move({ to: 'y' })).resolves.toEqualTypeOf<number[]>()
    expectTypeOf(queue.move(1)).resolves.toEqualTypeOf<boolean>()
    for await (const element of queue) expectTypeOf(element).toEqualTypeOf<number>()
  })

  it('wait only where they say so, and add at no end', () => {
    // @ts-expect-error: it does not wait
    void client.getPriorityQueue('x').poll({ waitMs: 1 })
    // @ts-expect-error: Java supports no move that waits
    void client.getPriorityBlockingQueue('x').move({ to: 'y', waitMs: 1 })
    expectTypeOf(client.getPriorityBlockingDeque('x')).not.toHaveProperty('addFirst')
    expectTypeOf(client.getPriorityBlockingDeque('x')).not.toHaveProperty('pollFromAny')
    expectTypeOf(client.getPriorityQueue('x')).not.toHaveProperty('dump')
  })
})
