import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { Subscriptions, type ChannelListener } from '../../src/pubsub/subscriptions.js'
import { FakeSubscriber } from './fake-subscriber.js'

class FakeListener implements ChannelListener {
  readonly heard: string[] = []

  message(message: string): void {
    this.heard.push(message)
  }

  resumed(): void {
    this.heard.push('resumed')
  }
}

describe('subscriptions', () => {
  let subscriber: FakeSubscriber
  let subscriptions: Subscriptions
  beforeEach(() => {
    subscriber = new FakeSubscriber()
    subscriptions = new Subscriptions(subscriber)
  })

  it('subscribe a channel for its first listener, and end that soon after its last', async () => {
    const first = subscriptions.join('a', new FakeListener())
    const second = subscriptions.join('a', new FakeListener())
    expect(subscriber.asked).toEqual(['+a'])
    first.leave()
    await setImmediate()
    expect(subscriber.asked).toEqual(['+a'])
    second.leave()
    expect(subscriber.asked).toEqual(['+a'])
    await setImmediate()
    expect(subscriber.asked).toEqual(['+a', '-a'])
  })

  it('go on when somebody comes right after the last has left', async () => {
    const listener = new FakeListener()
    subscriptions.join('a', new FakeListener()).leave()
    subscriptions.join('a', listener)
    await setImmediate()
    subscriber.message('a', 'news')
    expect(subscriber.asked).toEqual(['+a'])
    expect(listener.heard).toEqual(['news'])
  })

  it('begin anew when somebody comes later', async () => {
    subscriptions.join('a', new FakeListener()).leave()
    await setImmediate()
    subscriptions.join('a', new FakeListener())
    expect(subscriber.asked).toEqual(['+a', '-a', '+a'])
  })

  it('may be left more than once, which ends nobody else’s', async () => {
    const first = subscriptions.join('a', new FakeListener())
    first.leave()
    await setImmediate()
    subscriptions.join('a', new FakeListener())
    first.leave()
    await setImmediate()
    expect(subscriber.asked).toEqual(['+a', '-a', '+a'])
  })

  it('bring a message to all who listen to its channel, and to nobody else', () => {
    const [a, b, c] = [new FakeListener(), new FakeListener(), new FakeListener()]
    subscriptions.join('one', a)
    subscriptions.join('one', b)
    subscriptions.join('two', c)
    subscriber.message('one', 'news')
    subscriber.message('unknown', 'noise')
    expect([a.heard, b.heard, c.heard]).toEqual([['news'], ['news'], []])
  })

  it('bring nothing to somebody who has left', () => {
    const [a, b] = [new FakeListener(), new FakeListener()]
    const left = subscriptions.join('one', a)
    subscriptions.join('one', b)
    left.leave()
    subscriber.message('one', 'news')
    expect([a.heard, b.heard]).toEqual([[], ['news']])
  })

  it('tell those whose channels were not listened to for a while', () => {
    const [a, b, c] = [new FakeListener(), new FakeListener(), new FakeListener()]
    subscriptions.join('one', a)
    subscriptions.join('two', b)
    subscriptions.join('three', c)
    subscriber.resumed('one', 'three', 'unknown')
    expect([a.heard, b.heard, c.heard]).toEqual([['resumed'], [], ['resumed']])
  })

  it('tell a message to those who were there when it came, whoever comes or leaves meanwhile', () => {
    const heard: string[] = []
    const comer = { message: () => heard.push('comer'), resumed: () => undefined }
    const second = subscriptions.join('a', { message: () => heard.push('second'), resumed: () => undefined })
    const first = {
      message: () => {
        heard.push('first')
        second.leave()
        subscriptions.join('a', comer)
      },
      resumed: () => undefined,
    }
    subscriptions.join('a', first)
    subscriber.message('a', 'news')
    expect(heard).toEqual(['second', 'first'])
  })

  it('are confirmed when Redis says so, for all who share one', async () => {
    const joined = [1, 2].map(() => subscriptions.join('a', new FakeListener()))
    let confirmed = 0
    for (const { confirmed: promise } of joined) void promise.then(() => (confirmed += 1))
    await subscriber.confirm('b')
    expect(confirmed).toBe(0)
    await subscriber.confirm('a')
    expect(confirmed).toBe(2)
  })

  it('are refused to all who share one, and asked for again by the next', async () => {
    const [first, second] = [1, 2].map(() => subscriptions.join('a', new FakeListener()))
    await subscriber.refuse('a', new Error('no permission'))
    await expect(first?.confirmed).rejects.toThrow('no permission')
    await expect(second?.confirmed).rejects.toThrow('no permission')
    subscriptions.join('a', new FakeListener())
    first?.leave()
    second?.leave()
    expect(subscriber.asked).toEqual(['+a', '+a'])
  })

  it('of one channel have nothing to do with another that fails', async () => {
    const good = new FakeListener()
    subscriptions.join('bad', new FakeListener()).confirmed.catch(() => undefined)
    const joined = subscriptions.join('good', good)
    await subscriber.refuse('bad', new Error('no permission'))
    await subscriber.confirm('good')
    await expect(joined.confirmed).resolves.toBeUndefined()
    subscriber.message('good', 'news')
    expect(good.heard).toEqual(['news'])
  })
})
