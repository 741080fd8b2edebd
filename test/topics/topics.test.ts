import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  bytesCodec,
  Redisson,
  stringCodec,
  type RedissonClient,
  type RTopic,
  type Subscription,
  type ValueOptions,
} from '../../src/index.js'
import { eventually } from '../support/eventually.js'
import { noLeaks } from '../support/no-leaks.js'
import { slottedTopologies } from '../support/topologies.js'

const BYTES = Buffer.from('ff008041', 'hex')

/** Names that clusters and patterns may take for something else. */
const names = ['orders', 'größe 😀', '{a}b', 'a{b', 'a}b{c}', '{}{a}', 'a{}{b}c', '*[x]?']

describe.each(slottedTopologies)('topics at a $kind', (topology) => {
  let mine: RedissonClient
  let other: RedissonClient
  let heard: unknown[]

  noLeaks(topology)

  beforeEach(async () => {
    heard = []
    ;[mine, other] = await Promise.all([
      Redisson.create(topology.options()),
      Redisson.create(topology.options()),
    ])
  })

  afterEach(async () => {
    await Promise.all([mine.shutdown(), other.shutdown()])
  })

  const hear = (message: unknown, channel: string) => void heard.push([channel, message])
  const until = (count: number) => eventually(() => heard.length >= count)

  describe.each([
    [
      'plain',
      <M>(client: RedissonClient, name: string, options?: ValueOptions<M>) => client.getTopic(name, options),
    ],
    [
      'sharded',
      <M>(client: RedissonClient, name: string, options?: ValueOptions<M>) =>
        client.getShardedTopic(name, options),
    ],
  ])('that are %s', (kind, topicOf) => {
    const both = <M>(name: string, options?: ValueOptions<M>): [RTopic<M>, RTopic<M>] => [
      topicOf(mine, name, options),
      topicOf(other, name, options),
    ]

    it.each(names)('bring messages by the name %j', async (name) => {
      const [here, there] = both(name)
      await here.addListener(hear)
      await there.publish({ text: 'größer 😀' })
      await there.publish(null)
      await until(2)
      expect(heard).toEqual([
        [name, { text: 'größer 😀' }],
        [name, null],
      ])
    })

    it('bring bytes as they are', async () => {
      const [here, there] = both('bytes', { codec: bytesCodec() })
      await here.addListener(hear)
      await there.publish(BYTES)
      await there.publish(Buffer.of())
      await until(2)
      expect(heard).toEqual([
        ['bytes', BYTES],
        ['bytes', Buffer.of()],
      ])
    })

    it('keep the order of what one client publishes, for every listener of every client', async () => {
      const [here, there] = both<number>('order')
      const lists: number[][] = [[], [], []]
      for (const [index, topic] of [here, here, there].entries())
        await topic.addListener((message) => lists[index]?.push(message))
      const numbers = Array.from({ length: 500 }, (_, index) => index)
      await Promise.all(numbers.map((number) => there.publish(number)))
      await eventually(() => lists.every(({ length }) => length === numbers.length))
      expect(lists).toEqual([numbers, numbers, numbers])
    })

    it('count those who listen', async () => {
      const [here, there] = both('count')
      expect([here.countListeners(), await there.countSubscribers(), await there.publish(1)]).toEqual([
        0, 0, 0,
      ])
      await here.addListener(hear)
      await topicOf(mine, 'count').addListener(hear)
      expect([here.countListeners(), there.countListeners()]).toEqual([2, 0])
      if (topology.kind === 'cluster' && kind === 'plain') return // the numbers are those of one node
      expect([await there.countSubscribers(), await there.publish(1)]).toEqual([1, 1])
    })

    it('end listeners by their function, all at once, and by their subscriptions', async () => {
      const [here, there] = both<string>('ends', { codec: stringCodec() })
      const again = (message: unknown) => void heard.push(message)
      const subscription: Subscription = await here.addListener(again)
      await here.addListener(hear)
      await topicOf(mine, 'ends', { codec: stringCodec() }).removeListener(hear)
      await there.publish('1')
      await until(1)
      await subscription.unsubscribe()
      expect(here.countListeners()).toBe(0)
      const adding = here.addListener(hear)
      await here.removeAllListeners()
      await adding
      expect(here.countListeners()).toBe(0)
      await eventually(async () => (await there.countSubscribers()) === 0)
      await there.publish('2')
      await setImmediate()
      expect(heard).toEqual(['1'])
    })

    it('end a listener with its signal, and add none when that has aborted', async () => {
      const [here] = both('signal')
      const ending = new AbortController()
      await here.addListener(hear, { signal: ending.signal })
      ending.abort(new Error('enough'))
      expect(here.countListeners()).toBe(0)
      await expect(here.addListener(hear, { signal: ending.signal })).rejects.toThrow('enough')
      expect(here.countListeners()).toBe(0)
    })

    it('tell what a listener throws or rejects with, and go on', async () => {
      const [here, there] = both<string>('throws')
      const subscription = await here.addListener((message) => {
        if (message === 'throw') throw new Error('thrown')
        return Promise.reject(new Error('rejected'))
      })
      subscription.on('error', ({ message }) => heard.push(message))
      await here.addListener((message) => heard.push(message))
      await there.publish('throw')
      await there.publish('reject')
      await until(4)
      expect(heard).toEqual(['thrown', 'throw', 'reject', 'rejected'])
    })

    it('tell of a message that cannot be read, and go on', async () => {
      const [here] = both('unreadable')
      const subscription = await here.addListener(hear)
      subscription.on('error', (error) => heard.push(error))
      const raw = topicOf(other, 'unreadable', { codec: stringCodec() })
      await raw.publish('{')
      await raw.publish('1')
      await until(2)
      expect(heard).toMatchObject([{ code: 'CODEC', object: 'unreadable' }, ['unreadable', 1]])
    })

    it('can be published at by their listeners', async () => {
      const [here, there] = both<number>('echo')
      await here.addListener(async (message) => {
        heard.push(message)
        if (message < 3) await here.publish(message + 1)
      })
      await there.publish(1)
      await until(3)
      expect(heard).toEqual([1, 2, 3])
    })

    it('are iterated over until the loop ends', async () => {
      const [here, there] = both<number>('loop')
      const loop = (async () => {
        for await (const message of here.messages()) {
          heard.push(message)
          if (message === 2) break
        }
      })()
      await eventually(async () => (await there.publish(0)) + heard.length > 0)
      await there.publish(1)
      await there.publish(2)
      await loop
      expect(heard.slice(-2)).toEqual([1, 2])
      await eventually(async () => (await there.countSubscribers()) === 0)
    })

    it('end with the client', async () => {
      const [here] = both('shutdown')
      const iterator = here.messages()[Symbol.asyncIterator]()
      const next = iterator.next()
      const refused = expect(next).rejects.toMatchObject({ code: 'CLOSED' })
      await here.addListener(hear)
      await mine.shutdown()
      await refused
      expect(here.countListeners()).toBe(0)
      await expect(here.addListener(hear)).rejects.toMatchObject({ code: 'CLOSED' })
      await expect(here.publish(1)).rejects.toMatchObject({ code: 'CLOSED', mayHaveRun: false })
    })

    it('publish once where that is asked for, and leave nothing behind', async () => {
      const [here] = both<number>('once')
      const there = topicOf<number>(other, 'once', { exactlyOnce: true })
      await here.addListener(hear)
      await there.publish(1)
      await until(1)
      expect(heard).toEqual([['once', 1]])
    })
  })

  it('of two kinds are two, even by the same name', async () => {
    await mine.getTopic('a').addListener(hear)
    await mine.getShardedTopic('a').addListener((message) => heard.push(message))
    await other.getShardedTopic('a').publish('sharded')
    await other.getTopic('a').publish('plain')
    await until(2)
    expect(heard).toContainEqual(['a', 'plain'])
    expect(heard).toContain('sharded')
    expect(mine.getTopic('a').countListeners()).toBe(1)
  })

  describe('that match a pattern', () => {
    it('bring messages with their names', async () => {
      const topics = mine.getPatternTopic('new[sz] *')
      await topics.addListener(hear)
      for (const name of ['news größe', 'newz {a}', 'newt a']) await other.getTopic(name).publish(name)
      await other.getShardedTopic('news a').publish('sharded')
      await other.getTopic('news end').publish('end')
      await until(3)
      expect(heard.sort()).toEqual([
        ['news end', 'end'],
        ['news größe', 'news größe'],
        ['newz {a}', 'newz {a}'],
      ])
    })

    it('are iterated over', async () => {
      const iterator = mine.getPatternTopic('loop*').messages()[Symbol.asyncIterator]()
      const next = iterator.next()
      const publishing = eventually(async () => {
        await other.getTopic('loop 1').publish(1)
        return (await Promise.race([next, setImmediate(false)])) !== false
      })
      expect(await next).toEqual({ done: false, value: { channel: 'loop 1', message: 1 } })
      await publishing
      await iterator.return?.()
    })

    it('count and end their listeners', async () => {
      const topics = mine.getPatternTopic('ends*')
      await topics.addListener(hear)
      expect(topics.countListeners()).toBe(1)
      await topics.removeListener(() => undefined)
      expect(topics.countListeners()).toBe(1)
      await topics.removeAllListeners()
      expect(topics.countListeners()).toBe(0)
    })
  })
})

describe.each(slottedTopologies)('topics of a client with a name mapper at a $kind', (topology) => {
  const nameMapper = {
    map: (name: string) => `app:${name}`,
    unmap: (name: string) => name.replace(/^app:/, ''),
  }
  let mapped: RedissonClient
  let direct: RedissonClient

  noLeaks(topology)

  beforeEach(async () => {
    mapped = await Redisson.create({ ...topology.options(), nameMapper })
    direct = await Redisson.create(topology.options())
  })

  afterEach(async () => {
    await Promise.all([mapped.shutdown(), direct.shutdown()])
  })

  it('have other names in Redis, and their own in the program', async () => {
    const heard: unknown[] = []
    const hear = (message: unknown, channel: string) => void heard.push([channel, message])
    await mapped.getTopic('a').addListener(hear)
    await mapped.getPatternTopic('app:?').addListener(hear)
    await direct.getTopic('app:a').publish(1)
    await eventually(() => heard.length === 2)
    expect(heard).toEqual([
      ['a', 1],
      ['a', 1],
    ])
    if (topology.kind !== 'cluster')
      expect(await mapped.getPatternTopic('app:*').getActiveTopics()).toEqual(['a'])
  })
})
