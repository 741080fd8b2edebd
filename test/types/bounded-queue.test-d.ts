import { describe, expectTypeOf, it } from 'vitest'
import {
  bytesCodec,
  longCodec,
  type RBatch,
  type RBoundedBlockingQueue,
  type RedissonClient,
} from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

describe('the types of a bounded blocking queue', () => {
  it('have unknown values, by default, or those of the codec', () => {
    expectTypeOf(client.getBoundedBlockingQueue('x')).toEqualTypeOf<RBoundedBlockingQueue<unknown>>()
    expectTypeOf(client.getBoundedBlockingQueue('x', { codec: bytesCodec() })).toExtend<
      RBoundedBlockingQueue<Uint8Array>
    >()
    expectTypeOf(batch.getBoundedBlockingQueue<string>('x')).toEqualTypeOf<RBoundedBlockingQueue<string>>()
    // @ts-expect-error: the codec writes numbers
    client.getBoundedBlockingQueue<string>('x', { codec: longCodec() })
  })

  it('tell one element from several, and what may be absent', async () => {
    const queue = client.getBoundedBlockingQueue<string>('x')
    expectTypeOf(queue.take()).resolves.toEqualTypeOf<string>()
    expectTypeOf(queue.poll()).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(queue.poll({ waitMs: 1 })).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(queue.poll(2)).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(queue.remove()).resolves.toEqualTypeOf<string>()
    expectTypeOf(queue.remove('a')).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(queue.move({ to: 'y', waitMs: 1 })).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(queue.move(1)).resolves.toEqualTypeOf<boolean>()
    for await (const element of queue) expectTypeOf(element).toEqualTypeOf<string>()
    for await (const element of queue.consume()) expectTypeOf(element).toEqualTypeOf<string>()
  })

  it('have a capacity and callers that wait for room, and are not dumped', () => {
    const queue = client.getBoundedBlockingQueue<string>('x')
    expectTypeOf(queue.trySetCapacity(1)).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(queue.remainingCapacity()).resolves.toEqualTypeOf<number>()
    expectTypeOf(
      queue.offer('a', { waitMs: 1, signal: AbortSignal.abort() }),
    ).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(queue.put('a', { signal: AbortSignal.abort() })).resolves.toEqualTypeOf<void>()
    // @ts-expect-error: a put has no end of its own
    void queue.put('a', { waitMs: 1 })
    // @ts-expect-error: a number may be a timeout in any unit
    void queue.offer('a', 1)
    // @ts-expect-error: undefined is no value
    void queue.put(undefined)
    expectTypeOf(queue).not.toHaveProperty('dump')
  })
})
