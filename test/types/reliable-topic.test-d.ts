import { describe, expectTypeOf, it } from 'vitest'
import {
  bytesCodec,
  longCodec,
  type MessageDelivery,
  type RedissonClient,
  type ReliableSubscription,
  type RReliableTopic,
  type Subscription,
} from '../../src/index.js'

declare const client: RedissonClient

describe('the types of a reliable topic', () => {
  it('have unknown messages, by default, or those of the codec', () => {
    expectTypeOf(client.getReliableTopic('x')).toEqualTypeOf<RReliableTopic<unknown>>()
    expectTypeOf(client.getReliableTopic<string>('x')).toEqualTypeOf<RReliableTopic<string>>()
    expectTypeOf(client.getReliableTopic('x', { codec: bytesCodec() })).toExtend<RReliableTopic<Uint8Array>>()
    expectTypeOf(client.withSignal(AbortSignal.abort()).getReliableTopic<string>('x')).toEqualTypeOf<
      RReliableTopic<string>
    >()
    // @ts-expect-error: the codec writes numbers
    client.getReliableTopic<string>('x', { codec: longCodec() })
  })

  it('tell listeners of messages from listeners of events', () => {
    const topic = client.getReliableTopic<string>('x')
    expectTypeOf(topic.addListener('deleted', () => undefined)).resolves.toEqualTypeOf<Subscription>()
    expectTypeOf(topic.addListener(() => undefined)).resolves.toEqualTypeOf<ReliableSubscription>()
    void topic.addListener((message, delivery) => {
      expectTypeOf(message).toEqualTypeOf<string>()
      expectTypeOf(delivery).toEqualTypeOf<MessageDelivery>()
    })
    void topic.addListener(() => undefined, { from: '17-0' })
    void topic.addListener(() => undefined, { from: new Date(), subscriber: 'billing' })
    // @ts-expect-error: no such place
    void topic.addListener(() => undefined, { from: 'yesterday' })
    // @ts-expect-error: undefined is no message
    void topic.publish(undefined)
  })
})
