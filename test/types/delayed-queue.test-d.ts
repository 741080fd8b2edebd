import { describe, expectTypeOf, it } from 'vitest'
import { bytesCodec, type RBatch, type RDelayedQueue, type RedissonClient } from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

describe('the types of a delayed queue', () => {
  it('have the values of the destination, whichever queue that is', () => {
    expectTypeOf(client.getDelayedQueue(client.getQueue('x'))).toEqualTypeOf<RDelayedQueue<unknown>>()
    expectTypeOf(client.getDelayedQueue(client.getQueue<string>('x'))).toEqualTypeOf<RDelayedQueue<string>>()
    expectTypeOf(client.getDelayedQueue(client.getDeque<string>('x'))).toEqualTypeOf<RDelayedQueue<string>>()
    expectTypeOf(client.getDelayedQueue(client.getDeque('x'))).toEqualTypeOf<RDelayedQueue<unknown>>()
    const blocking = client.getBlockingQueue('x', { codec: bytesCodec() })
    expectTypeOf(client.getDelayedQueue(blocking)).toExtend<RDelayedQueue<Uint8Array>>()
    const blockingDeque = client.getBlockingDeque<number>('x')
    expectTypeOf(client.getDelayedQueue(blockingDeque, { exactlyOnce: true })).toEqualTypeOf<
      RDelayedQueue<number>
    >()
    expectTypeOf(batch.getDelayedQueue(batch.getQueue<string>('x'))).toEqualTypeOf<RDelayedQueue<string>>()
    // @ts-expect-error: a name is no queue
    client.getDelayedQueue('x')
    // @ts-expect-error: nor is a list
    client.getDelayedQueue(client.getList<string>('x'))
    // @ts-expect-error: the codec is that of the destination
    client.getDelayedQueue(client.getQueue('x'), { codec: bytesCodec() })
  })

  it('tell one element from many, and what may be absent', async () => {
    const delayed = client.getDelayedQueue(client.getQueue<string>('x'))
    expectTypeOf(delayed.offer('a', 1)).resolves.toEqualTypeOf<void>()
    expectTypeOf(delayed.poll()).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(delayed.poll(2)).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(delayed.peek()).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(delayed.element()).resolves.toEqualTypeOf<string>()
    expectTypeOf(delayed.remove()).resolves.toEqualTypeOf<string>()
    expectTypeOf(delayed.remove('a')).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(delayed.readAll()).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(delayed.destroy()).resolves.toEqualTypeOf<void>()
    for await (const element of delayed) expectTypeOf(element).toEqualTypeOf<string>()
    // @ts-expect-error: a delay is given
    void delayed.offer('a')
    // @ts-expect-error: undefined is no value
    void delayed.offer(undefined, 1)
  })

  it('are disposable, and are not dumped', () => {
    expectTypeOf<RDelayedQueue<string>>().toExtend<AsyncDisposable>()
    expectTypeOf<RDelayedQueue<string>>().not.toHaveProperty('dump')
    expectTypeOf<RDelayedQueue<string>>().not.toHaveProperty('add')
  })
})
