import { describe, expectTypeOf, it } from 'vitest'
import { bytesCodec, longCodec, type RBatch, type RedissonClient, type RRingBuffer } from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

describe('the types of a ring buffer', () => {
  it('have unknown values, by default, or those of the codec', () => {
    expectTypeOf(client.getRingBuffer('x')).toEqualTypeOf<RRingBuffer<unknown>>()
    expectTypeOf(client.getRingBuffer<string>('x')).toEqualTypeOf<RRingBuffer<string>>()
    expectTypeOf(client.getRingBuffer('x', { codec: bytesCodec() })).toExtend<RRingBuffer<Uint8Array>>()
    expectTypeOf(batch.getRingBuffer<string>('x')).toEqualTypeOf<RRingBuffer<string>>()
    expectTypeOf(client.withSignal(AbortSignal.abort()).getRingBuffer<string>('x')).toEqualTypeOf<
      RRingBuffer<string>
    >()
    // @ts-expect-error: the codec writes numbers
    client.getRingBuffer<string>('x', { codec: longCodec() })
  })

  it('tell one element from many, and what may be absent', async () => {
    const buffer = client.getRingBuffer<string>('x')
    expectTypeOf(buffer.poll()).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(buffer.poll(2)).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(buffer.peekLast()).resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(buffer.element()).resolves.toEqualTypeOf<string>()
    expectTypeOf(buffer.remove()).resolves.toEqualTypeOf<string>()
    expectTypeOf(buffer.remove('a')).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(buffer.readNewest(2)).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(buffer.readOldest(2)).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(buffer.move({ to: 'y' })).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(buffer.move(1)).resolves.toEqualTypeOf<boolean>()
    for await (const element of buffer) expectTypeOf(element).toEqualTypeOf<string>()
    // @ts-expect-error: a count is given
    void buffer.readNewest()
    // @ts-expect-error: undefined is no value
    void buffer.add(undefined)
  })

  it('have a capacity, and are not dumped', () => {
    const buffer = client.getRingBuffer<string>('x')
    expectTypeOf(buffer.trySetCapacity(1)).resolves.toEqualTypeOf<boolean>()
    expectTypeOf(buffer.setCapacity(1)).resolves.toEqualTypeOf<void>()
    expectTypeOf(buffer.capacity()).resolves.toEqualTypeOf<number>()
    expectTypeOf(buffer.remainingCapacity()).resolves.toEqualTypeOf<number>()
    // @ts-expect-error: a capacity is a number
    void buffer.setCapacity('1')
    expectTypeOf(buffer).not.toHaveProperty('dump')
  })

  it('have the events of lists', () => {
    void client.getRingBuffer('x').addListener('trimmed', (name) => name.length)
    // @ts-expect-error: that is an event of maps
    void client.getRingBuffer('x').addListener('put', (name) => name.length)
  })
})
