import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { DroppedMessage, ReliableListenOptions, RReliableTopic } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

const OFTEN = Array.from({ length: 10 }, (_, n) => n)

describe.each(slottedTopologies)('reliable topics at a $kind', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  const both = <M = unknown>(name = `{reliable-${String(names++)}}`) => ({
    mine: clients.mine.getReliableTopic<M>(name),
    other: clients.other.getReliableTopic<M>(name),
    key: name,
    timeouts: `${name}:timeout`,
  })

  /** Ends all subscriptions, and removes the topic. */
  const free = async (
    ...topics: readonly Pick<RReliableTopic<unknown>, 'removeAllListeners' | 'delete'>[]
  ) => {
    for (const topic of topics) await topic.removeAllListeners()
    for (const topic of topics) await topic.delete()
  }

  const collect = async <M>(topic: RReliableTopic<M>, options?: ReliableListenOptions) => {
    const heard: M[] = []
    const listener = (message: M) => void heard.push(message)
    const subscription = await topic.addListener(listener, options)
    return { heard, listener, subscription }
  }

  it('bring each message to each subscriber, in order, and keep none that all have acknowledged', async () => {
    const { mine, other } = both<number>()
    const subscribers = [await collect(mine), await collect(other)]
    for (const number of OFTEN) expect(await mine.publish(number)).toBe(2)
    await eventually(() => expect(subscribers.map(({ heard }) => heard)).toEqual([OFTEN, OFTEN]))
    expect(await mine.countSubscribers()).toBe(2)
    await eventually(async () => expect(await mine.size()).toBe(0))
    await free(mine, other)
  })

  it('bring old messages to the first subscriber, and none of them again after it was removed', async () => {
    const { mine, key, timeouts } = both<number>()
    for (const number of OFTEN) expect(await mine.publish(number)).toBe(0)
    const first = await collect(mine)
    await eventually(() => expect(first.heard).toEqual(OFTEN))
    expect(mine.countListeners()).toBe(1)
    await mine.removeListener(first.listener)
    expect([mine.countListeners(), await mine.countSubscribers()]).toEqual([0, 0])
    expect(await askOwner(topology, key, 'EXISTS')).toBe(0)
    expect(await askOwner(topology, timeouts, 'EXISTS')).toBe(0)
    const again = await collect(mine)
    await mine.publish(10)
    await eventually(() => expect(again.heard).toEqual([10]))
    await free(mine)
  })

  it('keep what the last subscriber has not acknowledged for the next', async () => {
    const { mine } = both<number>()
    const { promise, resolve } = Promise.withResolvers<void>()
    const heard: number[] = []
    const subscription = await mine.addListener(async (number) => {
      heard.push(number)
      if (number === 1) await promise
    })
    for (const number of [0, 1, 2]) await mine.publish(number)
    await eventually(() => expect(heard).toEqual([0, 1]))
    await subscription.unsubscribe()
    resolve()
    expect(await mine.size()).toBe(2)
    const next = await collect(mine)
    await eventually(() => expect(next.heard).toEqual([1, 2]))
    await free(mine)
  })

  it('begin where they are told to', async () => {
    const { mine } = both<number>()
    const ids: string[] = []
    await mine.setHistory(60_000)
    const first = await mine.addListener((_, { id }) => void ids.push(id))
    for (const number of [0, 1, 2]) await mine.publish(number)
    await eventually(() => expect(ids).toHaveLength(3))
    expect(await mine.size()).toBe(3)
    const [, second = '0-0'] = ids as `${number}-${number}`[]
    const since = Number.parseInt(ids[0] ?? '')
    const subscribers = [
      await collect(mine, { from: 'beginning' }),
      await collect(mine, { from: 'now' }),
      await collect(mine, { from: second }),
      await collect(mine, { from: since }),
      await collect(mine, { from: new Date(since + 60_000) }),
    ]
    expect(await mine.publish(3)).toBe(6)
    const expected = [[0, 1, 2, 3], [3], [2, 3], [0, 1, 2, 3], [3]]
    await eventually(() => expect(subscribers.map(({ heard }) => heard)).toEqual(expected))
    await first.unsubscribe()
    await free(mine)
  })

  it('keep the place of a named subscriber, and its messages', async () => {
    const { mine, other } = both<number>()
    const first = await collect(mine, { subscriber: 'billing' })
    await other.publish(1)
    await eventually(() => expect(first.heard).toEqual([1]))
    await first.subscription.unsubscribe()
    expect(await other.publish(2)).toBe(1)
    expect(await other.countSubscribers()).toBe(1)
    expect(await other.size()).toBe(1)
    const second = await collect(other, { subscriber: 'billing', from: 'now' })
    await eventually(() => expect(second.heard).toEqual([2]))
    await second.subscription.unsubscribe()
    expect(await other.size()).toBe(0)
    expect(await mine.removeSubscriber('billing')).toBe(true)
    expect(await mine.removeSubscriber('billing')).toBe(false)
    expect(await mine.isExists()).toBe(false)
  })

  it('have one process active for a named subscriber, and another one when that ends', async () => {
    const { mine, other } = both<number>()
    const options = { subscriber: 'billing' }
    const first = await collect(mine, options)
    const second = await collect(other, options)
    for (const number of [1, 2]) expect(await mine.publish(number)).toBe(1)
    await eventually(() => expect(first.heard).toEqual([1, 2]))
    await first.subscription.unsubscribe()
    for (const number of [3, 4]) await mine.publish(number)
    await eventually(() => expect(second.heard).toEqual([3, 4]), { withinMs: 2_000 })
    expect(first.heard).toEqual([1, 2])
    await free(mine, other)
  })

  it('replay for a named subscriber, and skip', async () => {
    const { mine } = both<number>()
    await mine.setHistory(60_000)
    const { heard } = await collect(mine, { subscriber: 'billing' })
    for (const number of [0, 1, 2]) await mine.publish(number)
    await eventually(() => expect(heard).toEqual([0, 1, 2]))
    expect(await mine.seek('billing', 'beginning')).toBe(true)
    await mine.publish(3)
    await eventually(() => expect(heard).toEqual([0, 1, 2, 0, 1, 2, 3]))
    expect(await mine.seek('nobody', 'now')).toBe(false)
    await mine.removeAllListeners()
    await mine.publish(4)
    expect(await mine.seek('billing', 'now')).toBe(true)
    const later = await collect(mine, { subscriber: 'billing' })
    await mine.publish(5)
    await eventually(() => expect(later.heard).toEqual([5]))
    await free(mine)
  })

  it('replay what was delivered and not acknowledged yet, also from where the subscriber is', async () => {
    const { mine } = both<number>()
    for (const number of [0, 1]) await mine.publish(number)
    await mine.setHistory(60_000)
    for (const from of ['beginning' as const, new Date(1)]) {
      const heard: number[] = []
      await mine.addListener(
        async (message) => {
          heard.push(message)
          if (heard.length === 1) await mine.seek('billing', from)
        },
        { subscriber: 'billing', from },
      )
      await eventually(() => expect(heard).toEqual([0, 0, 1]))
      await mine.removeAllListeners()
      await mine.removeSubscriber('billing')
    }
    await free(mine)
  })

  it('go on with the next message after a move to a time in the future', async () => {
    const { mine } = both<number>()
    const { heard } = await collect(mine, { subscriber: 'billing' })
    expect(await mine.seek('billing', new Date(Date.now() + 3_600_000))).toBe(true)
    await mine.publish(0)
    await eventually(() => expect(heard).toEqual([0]))
    await free(mine)
  })

  it('keep a history for as long as they are told to', { tags: ['timed'] }, async () => {
    const { mine } = both<number>()
    expect(await mine.getHistory()).toBe(0)
    await mine.setHistory(60_000)
    await mine.setHistory(30)
    expect(await mine.getHistory()).toBe(30)
    const { heard } = await collect(mine)
    await mine.publish(1)
    await eventually(() => expect(heard).toEqual([1]))
    await sleep(50)
    await mine.publish(2)
    await eventually(async () => expect(await mine.size()).toBe(1))
    await mine.setHistory(0)
    expect([await mine.getHistory(), await mine.size()]).toEqual([0, 0])
    await free(mine)
  })

  it('deliver a message again whose listener fails, and hold those behind it back', async () => {
    const { mine } = both<string>()
    const heard: unknown[] = []
    const errors: string[] = []
    const subscription = await mine.addListener(
      (message, { deliveries }) => {
        heard.push([message, deliveries])
        if (message === 'throw' && deliveries === 1) throw new Error('thrown')
        return message === 'reject' && deliveries < 3 ? Promise.reject(new Error('rejected')) : undefined
      },
      { retryDelayMs: 1 },
    )
    subscription.on('error', ({ message }) => errors.push(message))
    for (const message of ['a', 'throw', 'reject', 'b']) await mine.publish(message)
    const expected = [
      ['a', 1],
      ['throw', 1],
      ['throw', 2],
      ['reject', 1],
      ['reject', 2],
      ['reject', 3],
      ['b', 1],
    ]
    await eventually(() => expect(heard).toEqual(expected))
    expect(errors).toEqual(['thrown', 'rejected', 'rejected'])
    await eventually(async () => expect(await mine.size()).toBe(0))
    await free(mine)
  })

  it('drop a message that fails too often, or move it to another topic', async () => {
    const { mine, key } = both<string>()
    const dead = clients.mine.getReliableTopic<string>(`${key}:dead`)
    for (const deadLetterTopic of [undefined, dead.name]) {
      const dropped: DroppedMessage[] = []
      const heard: string[] = []
      const subscription = await mine.addListener(
        (message) => {
          heard.push(message)
          if (message === 'poison') throw new Error('poisoned')
        },
        { maxDeliveries: 2, retryDelayMs: () => 1, ...(deadLetterTopic && { deadLetterTopic }) },
      )
      subscription.on('error', () => undefined).on('dropped', (drop) => dropped.push(drop))
      for (const message of ['a', 'poison', 'b']) await mine.publish(message)
      await eventually(() => expect(heard).toEqual(['a', 'poison', 'poison', 'b']))
      expect(dropped).toEqual([
        { id: expect.stringMatching(/^\d+-\d+$/), deliveries: 2, reason: 'deliveries', deadLetterTopic },
      ])
      await eventually(async () => expect(await mine.size()).toBe(0))
      await subscription.unsubscribe()
    }
    const { heard } = await collect(dead)
    await eventually(() => expect(heard).toEqual(['poison']))
    await free(mine, dead)
  })

  it('do not count a delivery that a listener has not got because it was unsubscribed before', async () => {
    const { mine, key } = both<string>()
    const heard: unknown[] = []
    const dropped: unknown[] = []
    const listen = async (maxDeliveries: number) => {
      const subscription = await mine.addListener(
        (message, { deliveries }) => {
          heard.push([message, deliveries])
          if (deliveries === 1) throw new Error('first')
        },
        { subscriber: 'billing', maxDeliveries, retryDelayMs: 60_000 },
      )
      return subscription.on('error', () => undefined).on('dropped', (drop) => dropped.push(drop))
    }
    await mine.publish('a')
    for (const deliveries of [1, 2]) {
      for (let times = 0; times < 3; times += 1) await (await listen(2)).unsubscribe()
      expect(await askOwner(topology, key, 'XPENDING', 'billing', '-', '+', 1)).toHaveLength(deliveries - 1)
      const last = await listen(2)
      await eventually(() => expect(heard).toHaveLength(deliveries))
      await last.unsubscribe()
    }
    expect([heard, dropped]).toEqual([
      [
        ['a', 1],
        ['a', 2],
      ],
      [],
    ])
    await free(mine)
  })

  it(
    'wait as long as by default where a function returns no time, and tell of it',
    { tags: ['timed'] },
    async () => {
      for (const wrong of [NaN, -5, Infinity, 'x', Promise.resolve(1_000)]) {
        const { mine } = both<string>()
        const errors: string[] = []
        let calls = 0
        const subscription = await mine.addListener(
          () => {
            calls += 1
            throw new Error('failed')
          },
          { retryDelayMs: () => wrong as number },
        )
        subscription.on('error', ({ message }) => errors.push(message))
        await mine.publish('a')
        await eventually(() => expect(errors).toHaveLength(2))
        await sleep(50)
        expect([calls, errors]).toEqual([1, ['failed', expect.stringMatching(/^Expected `retryDelayMs`/)]])
        await free(mine)
      }
    },
  )

  it('do not drop a message whose subscriber was moved meanwhile, nor tell that they have', async () => {
    for (const isKept of [false, true]) {
      const { mine, key } = both<number>()
      const dead = clients.mine.getReliableTopic<number>(`${key}:dead`)
      await mine.setHistory(60_000)
      const heard: number[] = []
      const dropped: unknown[] = []
      const subscription = await mine.addListener(
        async (message) => {
          heard.push(message)
          if (heard.length !== 2) return
          await mine.seek('billing', 'beginning')
          throw new Error('failed')
        },
        { subscriber: 'billing', maxDeliveries: 1, ...(isKept && { deadLetterTopic: dead.name }) },
      )
      subscription.on('error', () => undefined).on('dropped', (drop) => dropped.push(drop))
      for (const message of [0, 1, 2]) await mine.publish(message)
      await eventually(() => expect(heard).toEqual([0, 1, 0, 1, 2]))
      expect([dropped, await dead.size()]).toEqual([[], 0])
      await free(mine, dead)
    }
  })

  it('read one by one what follows the place of another process, which may have ended it', async () => {
    const { mine, key } = both<number>()
    for (const number of [0, 1, 2, 3]) await mine.publish(number)
    const { promise, resolve } = Promise.withResolvers<void>()
    const ids: string[] = []
    await mine.addListener(
      (number, { id }) => {
        ids.push(id)
        return number === 2 ? promise : undefined
      },
      { subscriber: 'billing' },
    )
    await eventually(() => expect(ids).toHaveLength(3))
    const marks = await askOwner(topology, key, 'XPENDING', 'billing', '-', '+', 9)
    expect(marks).toEqual([[ids[2], 'consumer', expect.any(Number), 1]])
    resolve()
    await free(mine)
  })

  it('skip what cannot be read, and tell of it', async () => {
    const { mine, key } = both<string>()
    const dead = `${key}:dead`
    const errors: unknown[] = []
    const dropped: unknown[] = []
    const { heard, subscription } = await collect(mine, { deadLetterTopic: dead })
    subscription
      .on('error', (error) => errors.push('code' in error && error.code))
      .on('dropped', ({ reason }) => dropped.push(reason))
    await askOwner(topology, key, 'XADD', '*', 'm', '{')
    await askOwner(topology, key, 'XADD', '*', 'something', 'else')
    await mine.publish('a')
    await eventually(() => expect(heard).toEqual(['a']))
    expect([errors, dropped]).toEqual([
      ['CODEC', 'CODEC'],
      ['unreadable', 'unreadable'],
    ])
    expect(await askOwner(topology, dead, 'XLEN')).toBe(2)
    await free(mine, clients.mine.getReliableTopic(dead))
  })

  it('let no slow subscriber hold up another one', async () => {
    const { mine } = both<number>()
    const { promise, resolve } = Promise.withResolvers<void>()
    let slow = 0
    await mine.addListener(async () => {
      slow += 1
      await promise
    })
    const { heard } = await collect(mine)
    for (const number of OFTEN) await mine.publish(number)
    await eventually(() => expect(heard).toEqual(OFTEN))
    expect(slow).toBe(1)
    expect(await mine.size()).toBe(10)
    resolve()
    await eventually(async () => expect([slow, await mine.size()]).toEqual([10, 0]))
    await free(mine)
  })

  it('wake subscribers by whatever adds a message, without a command that blocks', async () => {
    const { mine, key } = both<number>()
    const { heard } = await collect(mine)
    for (const number of [1, 2, 3]) {
      await askOwner(topology, key, 'XADD', '*', 'm', String(number))
      await eventually(() => expect(heard.at(-1)).toBe(number), { withinMs: 2_000 })
    }
    await free(mine)
  })

  it('make a subscriber again that was removed, tell of the gap, and go on where it was', async () => {
    const { mine } = both<number>()
    for (const options of [{}, { subscriber: 'billing' }]) {
      const { heard, subscription } = await collect(mine, options)
      let gaps = 0
      subscription.on('gap', () => (gaps += 1))
      await mine.publish(1)
      await eventually(() => expect(heard).toEqual([1]))
      await mine.delete()
      await mine.publish(2)
      await eventually(() => expect(heard).toEqual([1, 2]), { withinMs: 8_000 })
      expect(gaps).toBe(1)
      await mine.publish(3)
      await eventually(() => expect(heard).toEqual([1, 2, 3]))
      await free(mine)
    }
  })

  it('end with their signal, with their function, and all at once', async () => {
    const { mine } = both<number>()
    const ending = new AbortController()
    const first = await collect(mine, { signal: ending.signal })
    const second = await collect(mine)
    await collect(mine, { subscriber: 'billing' })
    expect([mine.countListeners(), await mine.countSubscribers()]).toEqual([3, 3])
    ending.abort(new Error('enough'))
    await eventually(async () => expect(await mine.countSubscribers()).toBe(2))
    expect(mine.countListeners()).toBe(2)
    await clients.mine.getReliableTopic<number>(mine.name).removeListener(second.listener)
    expect([mine.countListeners(), await mine.countSubscribers()]).toEqual([1, 1])
    await mine.removeAllListeners()
    expect([mine.countListeners(), await mine.countSubscribers()]).toEqual([0, 1])
    await expect(mine.addListener(() => undefined, { signal: ending.signal })).rejects.toThrow('enough')
    await mine.publish(1)
    expect([first.heard, second.heard]).toEqual([[], []])
    await free(mine)
  })

  it('can be unsubscribed by their own listener', async () => {
    const { mine } = both<number>()
    for (const options of [{}, { subscriber: 'billing' }]) {
      const { promise, resolve } = Promise.withResolvers<number>()
      const subscription = await mine.addListener(async (number) => {
        await subscription.unsubscribe()
        resolve(number)
      }, options)
      await mine.publish(7)
      expect(await promise).toBe(7)
      await free(mine)
    }
  })

  it('refuse what is no topic, and what no subscriber may be called', async () => {
    const { mine, key } = both<number>()
    await askOwner(topology, key, 'SET', 'text')
    await expect(mine.publish(1)).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await expect(mine.addListener(() => undefined)).rejects.toMatchObject({ code: 'WRONG_TYPE' })
    await askOwner(topology, key, 'DEL')
    for (const options of [
      { subscriber: '' },
      { subscriber: 'ioredisson:mine' },
      { from: 'yesterday' as never },
      { from: new Date(NaN) },
      { maxDeliveries: 0 },
      { retryDelayMs: -1 },
      { deadLetterTopic: key },
    ])
      await expect(mine.addListener(() => undefined, options)).rejects.toThrow(/^Expected/)
    await expect(mine.setHistory(-1)).rejects.toThrow(RangeError)
    expect(mine.countListeners()).toBe(0)
    expect(await mine.isExists()).toBe(false)
  })
})
