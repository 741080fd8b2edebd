import { describe, expectTypeOf, it } from 'vitest'
import {
  stringCodec,
  type PatternMessage,
  type RedissonClient,
  type RPatternTopic,
  type RShardedTopic,
  type RTopic,
  type Subscription,
} from '../../src/index.js'

interface Order {
  readonly id: number
}

declare const client: RedissonClient

describe('the types of topics', () => {
  it('come from the program or the codec, and are unknown otherwise', () => {
    expectTypeOf(client.getTopic('a')).toEqualTypeOf<RTopic<unknown>>()
    expectTypeOf(client.getTopic<Order>('a')).toEqualTypeOf<RTopic<Order>>()
    expectTypeOf(client.getTopic('a', { codec: stringCodec() })).toEqualTypeOf<RTopic<string>>()
    expectTypeOf(client.getShardedTopic<Order>('a')).toEqualTypeOf<RShardedTopic<Order>>()
    expectTypeOf(client.getPatternTopic<Order>('a*')).toEqualTypeOf<RPatternTopic<Order>>()
  })

  it('tell listeners and iterations what arrives', () => {
    const topic = client.getTopic<Order>('a')
    const added = topic.addListener((message, channel) => {
      expectTypeOf(message).toEqualTypeOf<Order>()
      expectTypeOf(channel).toEqualTypeOf<string>()
    })
    expectTypeOf(added).toEqualTypeOf<Promise<Subscription>>()
    expectTypeOf(topic.messages()).toEqualTypeOf<AsyncIterable<Order>>()
    const messages = client.getPatternTopic<Order>('a*').messages()
    expectTypeOf(messages).toEqualTypeOf<AsyncIterable<PatternMessage<Order>>>()
  })

  it('refuse what makes no sense', () => {
    // @ts-expect-error: it is another kind of message
    void client.getTopic<Order>('a').publish('text')
    // @ts-expect-error: there is no such overflow
    void client.getTopic('a').messages({ overflow: 'drop' })
    // @ts-expect-error: nothing is published at a pattern
    void client.getPatternTopic('a*', { exactlyOnce: true })
  })
})
