import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { setImmediate } from 'node:timers/promises'
import type { Channel } from '../../../src/connection/connection.js'
import { ClientClosedError } from '../../../src/errors/client-errors.js'
import { listenTo, type ListeningServices } from '../../../src/pubsub/channel-subscription.js'
import { messagesOf } from '../../../src/pubsub/message-stream.js'
import { Subscriptions } from '../../../src/pubsub/subscriptions.js'
import { lazyThenable } from '../../support/lazy-thenable.js'
import { FakeSubscriber } from './fake-subscriber.js'

const A: Channel = { kind: 'plain', name: 'a' }

/** Longer than a machine stands still. */
const PATIENCE_MS = 20_000

/** Reads a text; `bad` is none. */
const decode = (payload: Buffer): string => {
  const text = payload.toString()
  if (text === 'bad') throw new Error('it is bad')
  return text
}

describe('what listens to a channel', () => {
  let subscriber: FakeSubscriber
  let closing: AbortController
  let services: ListeningServices
  let heard: string[]
  beforeEach(() => {
    subscriber = new FakeSubscriber()
    closing = new AbortController()
    heard = []
    services = {
      subscriptions: new Subscriptions(subscriber),
      config: { subscriptionTimeoutMs: PATIENCE_MS },
      closing: closing.signal,
    }
  })

  afterEach(() => {
    vi.restoreAllMocks()
  })

  const receive = (message: string) => void heard.push(message)
  const listen = (options = {}) => listenTo(services, A, { decode, receive }, options)
  const listening = async (options = {}) => {
    const opening = listen(options)
    subscriber.confirm('a')
    const subscription = await opening
    subscription.on('gap', () => heard.push('gap')).on('error', ({ message }) => heard.push(message))
    return subscription
  }

  describe('by a subscription', () => {
    it('hears all that is published from the confirmation on', async () => {
      const opening = listen()
      subscriber.message('a', 'early')
      subscriber.confirm('a')
      subscriber.message('a', 'news')
      await opening
      expect(heard.at(-1)).toBe('news')
    })

    it('is there at once where the channel stands, and not while it is interrupted', async () => {
      const first = await listening()
      await listen()
      subscriber.interrupt('a')
      const third = listen()
      expect(await Promise.race([third, setImmediate('not yet')])).toBe('not yet')
      subscriber.confirm('a')
      await third
      expect(heard).toEqual(['gap'])
      await first.unsubscribe()
    })

    it('hears of each gap before what comes later', async () => {
      await listening()
      subscriber.message('a', '1')
      subscriber.interrupt('a')
      subscriber.confirm('a')
      subscriber.message('a', '2')
      expect(heard).toEqual(['1', 'gap', '2'])
    })

    it('hears nothing once it has ended, and lets go of the channel', async () => {
      const subscription = await listening()
      const ended = subscription.unsubscribe()
      subscriber.message('a', 'late')
      subscriber.interrupt('a')
      subscriber.confirm('a')
      await ended
      await subscription[Symbol.asyncDispose]()
      await setImmediate()
      expect(heard).toEqual([])
      expect(subscriber.asked).toEqual(['+a', '-a'])
    })

    it.each(['its signal', 'the client'])('ends with %s', async (which) => {
      const own = new AbortController()
      await listening({ signal: own.signal })
      ;(which === 'the client' ? closing : own).abort(new ClientClosedError())
      subscriber.message('a', 'late')
      await setImmediate()
      expect(heard).toEqual([])
      expect(subscriber.asked).toEqual(['+a', '-a'])
    })

    it('rejects with the reason of a signal, and asks nothing where that is aborted already', async () => {
      const own = new AbortController()
      const opening = listen({ signal: own.signal })
      own.abort(new Error('enough'))
      await expect(opening).rejects.toThrow('enough')
      await setImmediate()
      await expect(listen({ signal: own.signal })).rejects.toThrow('enough')
      expect(subscriber.asked).toEqual(['+a', '-a'])
    })

    it('rejects with the refusal, or with what Redis said until it took too long', async () => {
      const refused = listen()
      subscriber.refuse('a', new Error('no permission'))
      await expect(refused).rejects.toThrow('no permission')
      services = { ...services, config: { subscriptionTimeoutMs: 50 } }
      const late = listen()
      subscriber.delay('a', new Error('busy'))
      await expect(late).rejects.toMatchObject({
        code: 'SUBSCRIPTION_TIMEOUT',
        channel: 'a',
        cause: { message: 'busy' },
      })
      await setImmediate()
      expect(subscriber.asked).toEqual(['+a', '+a', '-a'])
    })

    it('reports a later refusal, and a message that it cannot read', async () => {
      await listening()
      subscriber.message('a', 'bad')
      subscriber.message('a', 'good')
      subscriber.refuse('a', new Error('no permission'))
      expect(heard).toEqual(['it is bad', 'good', 'no permission'])
    })

    it('warns of what is not listened to', async () => {
      const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
      const opening = listen()
      subscriber.confirm('a')
      await opening
      subscriber.message('a', 'bad')
      await setImmediate()
      expect(emitWarning.mock.calls).toMatchObject([[{ message: 'it is bad' }]])
    })

    it('stops no other whose function throws', async () => {
      const uncaught = uncaughtExceptions()
      const throwing = listenTo(services, A, {
        decode,
        receive: () => {
          throw new Error('mine')
        },
      })
      const opening = listen()
      subscriber.confirm('a')
      await Promise.all([throwing, opening])
      subscriber.message('a', 'news')
      expect(heard).toEqual(['news'])
      expect(uncaught).toMatchObject([{ message: 'mine' }])
    })

    it('tells those who listen for errors what its function throws, or rejects with', async () => {
      const failing = listenTo(services, A, {
        decode,
        receive: (message) => {
          if (message === 'throw') throw new Error('thrown')
          return Promise.reject(new Error('rejected'))
        },
      })
      subscriber.confirm('a')
      ;(await failing).on('error', ({ message }) => heard.push(message))
      subscriber.message('a', 'throw')
      subscriber.message('a', 'reject')
      await setImmediate()
      expect(heard).toEqual(['thrown', 'rejected'])
    })

    it('awaits a thenable that its function returns, whose then() is read and called once', async () => {
      const works = [
        lazyThenable(() => void heard.push('worked')),
        Object.assign(() => undefined, { then: () => void heard.push('worked as a function') }),
        {
          then: (_: unknown, reject: (error: Error) => void) =>
            [1, 2].map(() => reject(new Error('rejected'))),
        },
      ]
      const left = [...works]
      const opening = listenTo(services, A, { decode, receive: () => left.shift() })
      subscriber.confirm('a')
      ;(await opening).on('error', ({ message }) => heard.push(message))
      for (const _ of works) subscriber.message('a', 'news')
      await setImmediate()
      expect(heard).toEqual(['worked', 'worked as a function', 'rejected'])
      expect(works[0]).toMatchObject({ reads: 1, runs: 1 })
    })

    it('says once that it has ended', async () => {
      const ended = vi.fn<() => void>()
      const opening = listenTo(services, A, { decode, receive, ended })
      subscriber.confirm('a')
      const subscription = await opening
      expect(ended).not.toHaveBeenCalled()
      await subscription.unsubscribe()
      await subscription.unsubscribe()
      expect(ended).toHaveBeenCalledTimes(1)
    })
  })

  describe('by an iteration', () => {
    const iterate = (options = {}) => messagesOf(services, A, decode, options)[Symbol.asyncIterator]()
    const iterating = async (options = {}) => {
      const iterator = iterate(options)
      const first = iterator.next()
      subscriber.confirm('a')
      subscriber.message('a', 'first')
      expect(await first).toEqual({ done: false, value: 'first' })
      return iterator
    }
    const rest = async (iterator: AsyncIterator<string>) => {
      const values: string[] = []
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
        values.push(next.value)
      return values
    }

    it('subscribes with the first message that is asked for, for each anew', async () => {
      iterate()
      expect(subscriber.asked).toEqual([])
      const one = await iterating()
      const other = iterate()
      const next = other.next()
      subscriber.message('a', 'second')
      expect([(await next).value, (await one.next()).value]).toEqual(['second', 'second'])
      await one.return?.()
      await other.return?.()
      await setImmediate()
      expect(subscriber.asked).toEqual(['+a', '-a'])
      expect(await one.next()).toEqual({ done: true, value: undefined })
    })

    it('ends with its loop', async () => {
      const seen: string[] = []
      const loop = (async () => {
        for await (const message of messagesOf(services, A, decode)) {
          seen.push(message)
          if (message === 'last') break
        }
      })()
      subscriber.confirm('a')
      for (const message of ['one', 'last', 'late']) subscriber.message('a', message)
      await loop
      await setImmediate()
      expect(seen).toEqual(['one', 'last'])
      expect(subscriber.asked).toEqual(['+a', '-a'])
    })

    it('tells of a gap between the messages before and after it', async () => {
      const order: string[] = []
      const iterator = await iterating({ onGap: () => order.push('gap') })
      subscriber.message('a', '1')
      subscriber.interrupt('a')
      subscriber.confirm('a')
      subscriber.message('a', '2')
      for (let count = 0; count < 2; count += 1) order.push(String((await iterator.next()).value))
      expect(order).toEqual(['1', 'gap', '2'])
      await iterator.return?.()
    })

    it.each(['waits', 'comes later'])(
      'goes on when its function for gaps throws while it %s',
      async (when) => {
        const uncaught = uncaughtExceptions()
        const onGap = () => {
          throw new Error('mine')
        }
        const iterator = await iterating({ onGap })
        const other = await listen()
        other.on('gap', () => heard.push('gap')) // who comes behind it hears of the gap as well
        const waiting = when === 'waits' ? iterator.next() : undefined
        subscriber.interrupt('a')
        subscriber.confirm('a')
        subscriber.message('a', '1')
        expect(await (waiting ?? iterator.next())).toEqual({ done: false, value: '1' })
        expect(heard).toEqual(['gap', '1'])
        expect(uncaught).toMatchObject([{ message: 'mine' }])
        await iterator.return?.()
      },
    )

    it.each([
      ['dropOldest', ['3', '4']],
      ['dropNewest', ['1', '2']],
    ])('makes room by %s', async (overflow, expected) => {
      const iterator = await iterating({ buffer: 2, overflow })
      for (const message of ['1', '2', '3', '4']) subscriber.message('a', message)
      expect([(await iterator.next()).value, (await iterator.next()).value]).toEqual(expected)
      await iterator.return?.()
    })

    it('throws where there is no room, after what waits, and has let go of the channel', async () => {
      const iterator = await iterating({ buffer: 2 })
      for (const message of ['1', '2', '3', '4']) subscriber.message('a', message)
      await setImmediate()
      expect(subscriber.asked).toEqual(['+a', '-a'])
      expect([(await iterator.next()).value, (await iterator.next()).value]).toEqual(['1', '2'])
      await expect(iterator.next()).rejects.toMatchObject({ code: 'MESSAGE_OVERFLOW', buffer: 2 })
      expect(await rest(iterator)).toEqual([])
    })

    it('throws what cannot be read, and a refusal', async () => {
      const iterator = await iterating()
      subscriber.message('a', 'bad')
      await expect(iterator.next()).rejects.toThrow('it is bad')
      const other = iterate().next()
      await setImmediate()
      subscriber.refuse('a', new Error('no permission'))
      await expect(other).rejects.toThrow('no permission')
    })

    it.each(['at once', 'before it is confirmed', 'later'])(
      'throws the reason of its signal %s',
      async (when) => {
        const own = new AbortController()
        const reason = new Error('enough')
        if (when === 'at once') own.abort(reason)
        const iterator =
          when === 'later' ? await iterating({ signal: own.signal }) : iterate({ signal: own.signal })
        if (when === 'later') subscriber.message('a', 'waits')
        const next = when === 'before it is confirmed' ? iterator.next() : undefined
        own.abort(reason)
        await expect(next ?? iterator.next()).rejects.toBe(reason)
        expect(await iterator.next()).toEqual({ done: true, value: undefined })
        await setImmediate()
        expect(subscriber.asked).toEqual(when === 'at once' ? [] : ['+a', '-a'])
      },
    )

    it('throws when the client is shut down', async () => {
      const iterator = await iterating()
      const next = iterator.next()
      closing.abort(new ClientClosedError())
      await expect(next).rejects.toBeInstanceOf(ClientClosedError)
    })
  })
})

/** What would be uncaught exceptions, until the mocks are restored. */
function uncaughtExceptions(): readonly unknown[] {
  const uncaught: unknown[] = []
  vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) => {
    try {
      task()
    } catch (error) {
      uncaught.push(error)
    }
  })
  return uncaught
}
