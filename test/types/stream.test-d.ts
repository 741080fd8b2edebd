import { describe, expectTypeOf, it } from 'vitest'
import {
  longCodec,
  type RBatch,
  type RedissonClient,
  type RStream,
  type StreamDelivery,
  type StreamMessage,
} from '../../src/index.js'

declare const client: RedissonClient
declare const batch: RBatch

describe('the types of a stream', () => {
  it('have names that are texts and unknown values, by default, or those of the codec', () => {
    expectTypeOf(client.getStream('x')).toEqualTypeOf<RStream<string, unknown>>()
    expectTypeOf(client.getStream<string, number>('x')).toEqualTypeOf<RStream<string, number>>()
    expectTypeOf(batch.getStream<'a' | 'b', string>('x')).toEqualTypeOf<RStream<'a' | 'b', string>>()
    expectTypeOf(client.withSignal(AbortSignal.abort()).getStream<string, string>('x')).toEqualTypeOf<
      RStream<string, string>
    >()
    expectTypeOf(client.getStream<number, string>('x', { codec: { key: longCodec() } })).toEqualTypeOf<
      RStream<number, string>
    >()
    // @ts-expect-error: names that are no texts need a codec
    client.getStream<number, string>('x')
    // @ts-expect-error: the codec writes numbers
    client.getStream<string, string>('x', { codec: longCodec() })
  })

  it('have messages with fields', async () => {
    const stream = client.getStream<'a' | 'b', number>('x')
    expectTypeOf(stream.add({ a: 1, b: 2 })).resolves.toEqualTypeOf<string>()
    expectTypeOf(stream.add([['a', 1]], { maxLen: 5 })).resolves.toEqualTypeOf<string>()
    expectTypeOf(stream.add(new Map([['b', 1] as const]), { noMakeStream: true })).resolves.toEqualTypeOf<
      string | undefined
    >()
    expectTypeOf(stream.range()).resolves.toEqualTypeOf<StreamMessage<'a' | 'b', number>[]>()
    expectTypeOf(stream.readGroup('g', 'c')).resolves.toEqualTypeOf<StreamMessage<'a' | 'b', number>[]>()
    const [message] = await stream.read()
    expectTypeOf(message?.fields.get('a')).toEqualTypeOf<number | undefined>()
    // @ts-expect-error: there is no such field
    void stream.add({ c: 1 })
    // @ts-expect-error: values are numbers
    void stream.add({ a: 'x', b: 1 })
    // @ts-expect-error: a claim says for how long messages are idle
    void stream.claim('g', 'c', { ids: ['1-1'] })
    // @ts-expect-error: an exact trim has no limit
    void stream.trim({ maxLen: 1, limit: 1 })
  })

  it('have consumers', async () => {
    const stream = client.getStream<string, number>('x')
    const options = { maxDeliveries: 2, deadLetter: client.getStream('y'), claimIdleMs: 1_000 }
    for await (const message of stream.consumer('g', options)) {
      expectTypeOf(message).toEqualTypeOf<StreamDelivery<string, number>>()
      expectTypeOf(message.fields).toEqualTypeOf<Map<string, number>>()
      expectTypeOf(message.ack()).resolves.toEqualTypeOf<void>()
      expectTypeOf(message.nack({ delayMs: 1 })).resolves.toEqualTypeOf<void>()
    }
    // @ts-expect-error: a consumer is of a group
    stream.consumer()
    void stream.addListener('groupCreated', (name) => name.length)
    // @ts-expect-error: that is an event of maps
    void stream.addListener('put', (name) => name.length)
  })
})
