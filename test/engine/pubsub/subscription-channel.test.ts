import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type SubscriptionTrace } from '../../../src/index.js'
import { ChannelEvents } from '../../support/channel-events.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const CHANNEL = 'ioredisson:subscription'
const TIMEOUT_MS = 3000

describe('the channel of subscriptions', () => {
  let door: Proxied<typeof single>
  let client: RedissonClient

  noLeaks(single)

  beforeAll(async () => {
    door = await proxied(single)
    client = await connect()
  })

  afterEach(async () => {
    await door.proxies[0]?.heal()
  })

  afterAll(async () => {
    await client.shutdown()
    await door.stop()
  })

  const connect = () =>
    Redisson.create(door.options({ timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 5 }))

  const nothing = () => undefined

  it.each([
    ['plain', () => client.getTopic('traced').addListener(nothing), 'traced'],
    ['pattern', () => client.getPatternTopic('to*').addListener(nothing), 'to*'],
  ] as const)('tells how a %s one begins and ends', async (kind, listen, name) => {
    using events = new ChannelEvents<SubscriptionTrace>(CHANNEL)
    const subscription = await listen()
    expect(events.names).toEqual(['start', 'end', 'asyncStart'])
    expect(events.all[0]?.[1]).toEqual({ kind, name, waitedMs: 0, gaps: 0, outcome: undefined })
    expect(events.last?.waitedMs).toBeGreaterThan(0)
    await subscription.unsubscribe()
    await subscription.unsubscribe()
    expect(events.names).toEqual(['start', 'end', 'asyncStart', 'asyncEnd'])
    expect(events.last).toMatchObject({ kind, name, gaps: 0, outcome: 'ended' })
  })

  it('tells of an iteration, and never of messages', async () => {
    using events = new ChannelEvents<SubscriptionTrace>(CHANNEL)
    const topic = client.getTopic('traced')
    const messages = topic.messages()[Symbol.asyncIterator]()
    const first = messages.next()
    await eventually(() => events.names.includes('asyncStart'))
    await topic.publish({ secret: 'hunter2' })
    await first
    await messages.return?.()
    await eventually(() => events.names.includes('asyncEnd'))
    expect(JSON.stringify(events.all)).not.toContain('hunter2')
  })

  it('tells of each gap, at a channel of its own', async () => {
    using events = new ChannelEvents<SubscriptionTrace>(CHANNEL)
    const gaps: number[] = []
    const hear = (trace: unknown) => void gaps.push((trace as SubscriptionTrace).gaps)
    subscribe(`${CHANNEL}:gap`, hear)
    const subscription = await client.getTopic('traced').addListener(nothing)
    for (const count of [1, 2]) {
      door.proxies[0]?.cut()
      await eventually(() => gaps.length === count)
    }
    unsubscribe(`${CHANNEL}:gap`, hear)
    await subscription.unsubscribe()
    expect(gaps).toEqual([1, 2])
    expect(events.names).toEqual(['start', 'end', 'asyncStart', 'asyncEnd'])
    expect(events.last).toMatchObject({ gaps: 2, outcome: 'ended' })
  })

  it('tells of one that an abort ends before it is confirmed', async () => {
    using events = new ChannelEvents<SubscriptionTrace>(CHANNEL)
    const ending = new AbortController()
    const reason = new Error('enough')
    const asked = client.getTopic('aborted').addListener(nothing, { signal: ending.signal })
    ending.abort(reason)
    await expect(asked).rejects.toBe(reason)
    expect(events.names).toEqual(['start', 'end', 'error', 'asyncStart', 'asyncEnd'])
    expect(events.last).toMatchObject({
      outcome: 'failed',
      error: { message: 'The subscription has failed' },
    })
  })

  it('tells of one that an abort ends later, and of one that the shutdown ends', async () => {
    using events = new ChannelEvents<SubscriptionTrace>(CHANNEL)
    const closing = await connect()
    const ending = new AbortController()
    await closing.getTopic('traced').addListener(nothing, { signal: ending.signal })
    await closing.getTopic('traced').addListener(nothing)
    ending.abort()
    await closing.shutdown()
    const ends = events.all.filter(([event]) => event === 'asyncEnd')
    expect(ends.map(([, { outcome }]) => outcome)).toEqual(['ended', 'ended'])
    expect(events.names).not.toContain('error')
  })

  it('disturbs no subscription while it has no subscriber', async () => {
    expect(tracingChannel(CHANNEL).hasSubscribers).toBe(false)
    const subscription = await client.getTopic('traced').addListener(nothing)
    using events = new ChannelEvents<SubscriptionTrace>(CHANNEL)
    await subscription.unsubscribe()
    expect(events.all).toEqual([])
  })
})
