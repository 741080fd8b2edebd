import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Channel } from '../../../src/connection/connection.js'
import { Subscriptions, type ChannelListener } from '../../../src/pubsub/subscriptions.js'
import { FakeSubscriber } from './fake-subscriber.js'

class FakeListener implements ChannelListener {
  readonly heard: string[] = []

  message(payload: Buffer): void {
    this.heard.push(payload.toString())
  }

  subscribed(): void {
    this.heard.push('subscribed')
  }

  gap(): void {
    this.heard.push('gap')
  }

  refused(error: Error): void {
    this.heard.push(error.message)
  }
}

const plain = (name: string): Channel => ({ kind: 'plain', name })

const silent = { subscribed: () => undefined, gap: () => undefined, refused: () => undefined }

describe('subscriptions', () => {
  let subscriber: FakeSubscriber
  let subscriptions: Subscriptions
  beforeEach(() => {
    subscriber = new FakeSubscriber()
    subscriptions = new Subscriptions(subscriber)
  })

  it('subscribe a channel for its first listener, and end that soon after its last', async () => {
    const first = subscriptions.join(plain('a'), new FakeListener())
    const second = subscriptions.join(plain('a'), new FakeListener())
    expect(subscriber.asked).toEqual(['+a'])
    first.leave()
    await setImmediate()
    expect(subscriber.asked).toEqual(['+a'])
    second.leave()
    expect(subscriber.asked).toEqual(['+a'])
    await setImmediate()
    expect(subscriber.asked).toEqual(['+a', '-a'])
  })

  it('go on when a listener comes right after the last has left', async () => {
    const listener = new FakeListener()
    subscriptions.join(plain('a'), new FakeListener()).leave()
    subscriptions.join(plain('a'), listener)
    await setImmediate()
    subscriber.message('a', 'news')
    expect(subscriber.asked).toEqual(['+a'])
    expect(listener.heard).toEqual(['news'])
  })

  it('begin anew when a listener comes later', async () => {
    subscriptions.join(plain('a'), new FakeListener()).leave()
    await setImmediate()
    subscriptions.join(plain('a'), new FakeListener())
    expect(subscriber.asked).toEqual(['+a', '-a', '+a'])
  })

  it('may be left more than once, which ends no other', async () => {
    const first = subscriptions.join(plain('a'), new FakeListener())
    first.leave()
    await setImmediate()
    subscriptions.join(plain('a'), new FakeListener())
    first.leave()
    await setImmediate()
    expect(subscriber.asked).toEqual(['+a', '-a', '+a'])
  })

  it('bring a message to all listeners of its channel, and to no other', () => {
    const [a, b, c] = [new FakeListener(), new FakeListener(), new FakeListener()]
    subscriptions.join(plain('one'), a)
    subscriptions.join(plain('one'), b)
    subscriptions.join(plain('two'), c)
    subscriber.message('one', 'news')
    subscriber.message('unknown', 'noise')
    expect([a.heard, b.heard, c.heard]).toEqual([['news'], ['news'], []])
  })

  it('bring nothing to a listener that has left', () => {
    const [a, b] = [new FakeListener(), new FakeListener()]
    const left = subscriptions.join(plain('one'), a)
    subscriptions.join(plain('one'), b)
    left.leave()
    subscriber.message('one', 'news')
    expect([a.heard, b.heard]).toEqual([[], ['news']])
  })

  it('tell those whose channels Redis has confirmed, for the first time or again', () => {
    const [a, b, c] = [new FakeListener(), new FakeListener(), new FakeListener()]
    subscriptions.join(plain('one'), a)
    subscriptions.join(plain('two'), b)
    subscriptions.join(plain('three'), c)
    subscriber.confirm('one', 'three', 'unknown')
    subscriber.confirm('one')
    expect([a.heard, b.heard, c.heard]).toEqual([['subscribed', 'gap'], [], ['subscribed']])
  })

  it('bring a message to the listeners of its arrival, with any added or removed meanwhile', () => {
    const heard: string[] = []
    const deaf = { subscribed: () => undefined, gap: () => undefined, refused: () => undefined }
    const comer = { ...deaf, message: () => heard.push('comer') }
    const second = subscriptions.join(plain('a'), { ...deaf, message: () => heard.push('second') })
    const first = {
      ...deaf,
      message: () => {
        heard.push('first')
        second.leave()
        subscriptions.join(plain('a'), comer)
      },
    }
    subscriptions.join(plain('a'), first)
    subscriber.message('a', 'news')
    expect(heard).toEqual(['second', 'first'])
  })

  it('are confirmed when Redis says so, for all who share one', () => {
    const joined = [1, 2].map(() => subscriptions.join(plain('a'), new FakeListener()))
    subscriber.confirm('b')
    expect(joined.map(({ confirmed }) => confirmed)).toEqual([false, false])
    subscriber.confirm('a')
    expect(joined.map(({ confirmed }) => confirmed)).toEqual([true, true])
    expect(subscriptions.join(plain('a'), new FakeListener()).confirmed).toBe(true)
  })

  it('know why they are not confirmed, where Redis said so', () => {
    const joined = subscriptions.join(plain('a'), new FakeListener())
    expect(joined.refusal).toBeUndefined()
    subscriber.delay('a', new Error('busy'))
    expect(joined.refusal?.message).toBe('busy')
  })

  it.each([
    ['at first', () => undefined],
    [
      'when they are made again',
      () => {
        subscriber.confirm('a')
      },
    ],
  ])('are refused to all who share one %s, and asked for again by the next', async (_, before) => {
    const [first, second, next] = [new FakeListener(), new FakeListener(), new FakeListener()]
    const joined = [first, second].map((listener) => subscriptions.join(plain('a'), listener))
    before()
    subscriber.refuse('a', new Error('no permission'))
    expect([first.heard.at(-1), second.heard.at(-1)]).toEqual(['no permission', 'no permission'])
    expect(subscriptions.join(plain('a'), next).confirmed).toBe(false)
    for (const subscription of joined) subscription.leave()
    await setImmediate()
    expect(subscriber.asked).toEqual(['+a', '+a'])
    subscriber.message('a', 'news')
    expect(next.heard).toEqual(['news'])
  })

  it('may be joined anew after the refusal', () => {
    const next = new FakeListener()
    const again = {
      message: () => undefined,
      subscribed: () => undefined,
      gap: () => undefined,
      refused: () => void subscriptions.join(plain('a'), next),
    }
    subscriptions.join(plain('a'), again)
    subscriber.refuse('a', new Error('no permission'))
    subscriber.confirm('a')
    expect(subscriber.asked).toEqual(['+a', '+a'])
    expect(next.heard).toEqual(['subscribed'])
  })

  it('of one channel have nothing to do with another that fails', () => {
    const good = new FakeListener()
    subscriptions.join(plain('bad'), new FakeListener())
    const joined = subscriptions.join(plain('good'), good)
    subscriber.refuse('bad', new Error('no permission'))
    subscriber.confirm('good')
    expect(joined.confirmed).toBe(true)
    subscriber.message('good', 'news')
    expect(good.heard).toEqual(['subscribed', 'news'])
  })

  it('bring payloads as they are, with the channel that a pattern does not tell', () => {
    const bytes = Buffer.from('ff008041', 'hex')
    const heard: unknown[] = []
    const listener = { message: (...message: unknown[]) => heard.push(message), ...silent }
    subscriptions.join({ kind: 'pattern', name: 'a*' }, listener)
    subscriber.message({ kind: 'pattern', name: 'a*' }, bytes, 'ab')
    expect(heard).toEqual([[bytes, 'ab']])
  })

  it('keep channels of one name and different kinds apart', async () => {
    const kinds = ['plain', 'pattern', 'sharded'] as const
    const listeners = kinds.map(() => new FakeListener())
    const joined = kinds.map((kind, at) =>
      subscriptions.join({ kind, name: 'a' }, listeners[at] as FakeListener),
    )
    expect(subscriber.asked).toEqual(['+a', '+pattern:a', '+sharded:a'])
    for (const kind of kinds) subscriber.message({ kind, name: 'a' }, kind)
    expect(listeners.map(({ heard }) => heard)).toEqual([['plain'], ['pattern'], ['sharded']])
    joined[1]?.leave()
    await setImmediate()
    expect(subscriber.asked.at(-1)).toBe('-pattern:a')
    subscriber.interrupt({ kind: 'sharded', name: 'a' })
    expect(joined.map(({ standing }) => standing)).toEqual([false, false, false])
    subscriber.confirm('a')
    expect(joined.map(({ standing }) => standing)).toEqual([true, false, false])
  })

  describe('that are interrupted', () => {
    it('stand again when Redis has confirmed them, which is a gap to those who were there', () => {
      const [early, late] = [new FakeListener(), new FakeListener()]
      const joined = subscriptions.join(plain('a'), early)
      subscriber.confirm('a')
      subscriber.interrupt('a')
      subscriber.interrupt('a')
      const joinedLate = subscriptions.join(plain('a'), late)
      expect([joined.standing, joined.confirmed]).toEqual([false, true])
      subscriber.confirm('a')
      subscriber.message('a', 'news')
      expect([joined.standing, joinedLate.standing]).toEqual([true, true])
      expect(early.heard).toEqual(['subscribed', 'gap', 'news'])
      expect(late.heard).toEqual(['subscribed', 'news'])
      subscriber.interrupt('a')
      subscriber.confirm('a')
      expect(late.heard.at(-1)).toBe('gap')
    })

    it('are a gap as well to those who joined a channel that stood', () => {
      const late = new FakeListener()
      subscriptions.join(plain('a'), new FakeListener())
      subscriber.confirm('a')
      expect(subscriptions.join(plain('a'), late).standing).toBe(true)
      subscriber.interrupt('a')
      subscriber.confirm('a')
      expect(late.heard).toEqual(['gap'])
    })

    it('before they were confirmed have no gap', () => {
      const listener = new FakeListener()
      subscriptions.join(plain('a'), listener)
      subscriber.interrupt('a')
      subscriber.confirm('a')
      expect(listener.heard).toEqual(['subscribed'])
    })
  })

  describe('to announcements', () => {
    it.each(['plain', 'sharded'] as const)('are %s where changes are announced so', (kind) => {
      subscriber.announcements = kind
      const listener = new FakeListener()
      const joined = subscriptions.joinAnnouncements('a', listener)
      subscriptions.join({ kind, name: 'a' }, new FakeListener())
      expect(subscriber.asked).toEqual([kind === 'plain' ? '+a' : '+sharded:a'])
      subscriber.confirm({ kind, name: 'a' })
      expect([joined.confirmed, listener.heard]).toEqual([true, ['subscribed']])
    })

    it('begin as soon as that is known, for those who are still there', () => {
      subscriber.announcements = undefined
      const [here, gone] = [new FakeListener(), new FakeListener()]
      const joined = subscriptions.joinAnnouncements('a', here)
      subscriptions.joinAnnouncements('b', gone).leave()
      expect([joined.confirmed, joined.standing, joined.refusal]).toEqual([false, false, undefined])
      subscriber.announceBy('sharded')
      expect(subscriber.asked).toEqual(['+sharded:a'])
      subscriber.confirm({ kind: 'sharded', name: 'a' })
      expect([joined.confirmed, here.heard, gone.heard]).toEqual([true, ['subscribed'], []])
    })
  })
})
