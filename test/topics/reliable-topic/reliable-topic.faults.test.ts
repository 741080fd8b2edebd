import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Redisson, type RedissonClient, type RReliableTopic } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { slottedTopologies } from '../../support/topologies.js'

/** Long enough for a slow machine, and for many copies of a request. */
const PATIENT = { timeout: 1_000, retryAttempts: 10, retryDelay: 5, reconnectionDelay: 5 }

const CUTS = 50

const recheck = vi.hoisted(() => ({ RECHECK_MS: 600_000 }))

vi.mock('../../../src/waiting/recheck.js', () => recheck)

describe.each(slottedTopologies)('reliable topics over a network that fails at a $kind', (topology) => {
  noLeaks(topology)
  let door: Proxied<typeof topology>
  let faulty: RedissonClient
  let straight: RedissonClient
  let topic: RReliableTopic<number>
  let mine: RReliableTopic<number>
  let names = 0

  beforeAll(async () => {
    door = await proxied(topology)
    faulty = await Redisson.create(door.options(PATIENT))
    straight = await Redisson.create(topology.options())
  })

  beforeEach(() => {
    topic = straight.getReliableTopic(`{faulty-reliable-${String(names++)}}`)
    mine = faulty.getReliableTopic(topic.name)
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    await mine.removeAllListeners()
    await topic.delete()
    recheck.RECHECK_MS = 600_000
  })

  afterAll(async () => {
    await Promise.all([faulty.shutdown(), straight.shutdown()])
    await door.stop()
  })

  const cut = () => {
    for (const { connections } of door.proxies) for (const connection of connections) connection.cut()
  }

  /** Each in its order; some may have come twice, and then with those behind them. */
  const demandAll = (heard: readonly number[], count: number) => {
    expect(new Set(heard)).toEqual(new Set(Array.from({ length: count }, (_, n) => n)))
    const jumps = heard.filter((each, at) => at > 0 && each > (heard[at - 1] ?? 0) + 1)
    expect(jumps).toEqual([])
  }

  it.each([{}, { subscriber: 'billing' }])(
    `lose no message while all connections break ${String(CUTS)} times: %o`,
    async (options) => {
      const heard: number[] = []
      const subscription = await mine.addListener((message) => void heard.push(message), options)
      subscription.on('error', () => undefined)
      let gaps = 0
      subscription.on('gap', () => (gaps += 1))
      let sent = 0
      for (let cuts = 0; cuts < CUTS; cuts += 1) {
        for (const end = sent + 3; sent < end; sent += 1) await topic.publish(sent)
        cut()
        const expected = sent - 1
        await eventually(() => expect(heard.includes(expected)).toBe(true))
      }
      demandAll(heard, sent)
      expect(gaps).toBe(0)
      await eventually(async () => expect(await topic.size()).toBe(0))
    },
    120_000,
  )

  it(
    'deliver each message once although the reply to each kind of request is lost',
    { tags: ['flaky'], timeout: 60_000 },
    async () => {
      const heard: unknown[] = []
      const subscription = await mine.addListener(
        (message, { deliveries }) => void heard.push([message, deliveries]),
        { maxDeliveries: 1 },
      )
      subscription.on('error', () => undefined)
      for (let sent = 0; sent < 10; sent += 1) {
        for (const proxy of door.proxies) proxy.loseReplyTo(/^evalsha/i)
        await topic.publish(sent)
        await eventually(() => expect(heard).toContainEqual([sent, 1]))
      }
      expect(new Set(heard.map(String)).size).toBe(10)
      await eventually(async () => expect(await topic.size()).toBe(0))
    },
  )

  it('find messages although no change is notified', async () => {
    recheck.RECHECK_MS = 100
    const heard: number[] = []
    await mine.addListener((message) => void heard.push(message))
    await topic.publish(1)
    await eventually(() => expect(heard).toEqual([1]))
    for (const { connections } of door.proxies)
      for (const connection of connections) if (connection.subscribed) connection.freeze()
    await topic.publish(2)
    await eventually(() => expect(heard).toEqual([1, 2]))
  })

  it('publish once where the reply is lost, if asked for', async () => {
    const once = faulty.getReliableTopic<number>(topic.name, { exactlyOnce: true })
    await Promise.all([once.publish(0), mine.publish(1)]) // so that the server knows both scripts
    const publishing = (message: number) =>
      new RegExp(`^evalsha .*${topic.name}\\S* ${String(message)}(?: |$)`)
    const lose = (message: number) =>
      Promise.race(door.proxies.map((proxy) => proxy.loseReplyTo(publishing(message)).happened))
    const second = lose(2)
    await once.publish(2)
    await second
    expect(await topic.size()).toBe(3)
    const third = lose(3)
    await expect(mine.publish(3)).rejects.toMatchObject({ mayHaveRun: true })
    await third
    expect(await topic.size()).toBe(4)
  })

  it('move a message to another topic once, although the reply is lost', async () => {
    const dead = straight.getReliableTopic(`${topic.name}:dead`)
    const heard: number[] = []
    const subscription = await mine.addListener(
      (message) => {
        heard.push(message)
        if (message !== 1) return
        for (const proxy of door.proxies) proxy.loseReplyTo(/^evalsha/i)
        throw new Error('poisoned')
      },
      { maxDeliveries: 1, deadLetterTopic: dead.name },
    )
    subscription.on('error', () => undefined)
    for (const message of [0, 1, 2]) await topic.publish(message)
    await eventually(() => expect(heard.at(-1)).toBe(2))
    expect(await dead.size()).toBe(1)
    await dead.delete()
  })
  it(
    'take another process over, and count the delivery that has had no end',
    { tags: ['timed'], timeout: 60_000 },
    async () => {
      const [first, second] = await Promise.all([
        Redisson.create({ ...door.options(PATIENT), lockWatchdogTimeout: 600 }),
        Redisson.create({ ...topology.options(), lockWatchdogTimeout: 600 }),
      ])
      const options = { subscriber: 'billing', maxDeliveries: 2 }
      const heard: unknown[] = []
      const signals: AbortSignal[] = []
      const hung = Promise.withResolvers<undefined>()
      const hanging = await first
        .getReliableTopic<number>(topic.name)
        .addListener(async (message, delivery) => {
          heard.push(['first', message, delivery.deliveries])
          signals.push(delivery.signal)
          await hung.promise
        }, options)
      hanging.on('error', () => undefined)
      await topic.publish(1)
      await eventually(() => expect(heard).toEqual([['first', 1, 1]]))
      for (const proxy of door.proxies) proxy.refuse()
      cut()
      recheck.RECHECK_MS = 100
      const other = await second
        .getReliableTopic<number>(topic.name)
        .addListener((message, { deliveries }) => {
          heard.push(['second', message, deliveries])
        }, options)
      await eventually(() => expect(heard.at(-1)).toEqual(['second', 1, 2]))
      await eventually(() => expect(signals[0]?.aborted).toBe(true))
      for (const proxy of door.proxies) await proxy.accept()
      hung.resolve(undefined)
      await topic.publish(2)
      await eventually(() => expect(heard.at(-1)).toEqual(['second', 2, 1]))
      await other.unsubscribe()
      await topic.publish(3)
      await eventually(() => expect(heard.at(-1)).toEqual(['first', 3, 1]))
      await hanging.unsubscribe()
      await Promise.all([first.shutdown(), second.shutdown()])
    },
  )

  it(
    'give a message up whose listener ends its process each time',
    { tags: ['timed'], timeout: 60_000 },
    async () => {
      const dropped: unknown[] = []
      const heard: unknown[] = []
      await topic.publish(1)
      await topic.publish(2)
      const options = { subscriber: 'billing', maxDeliveries: 2 }
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const client = await Redisson.create(topology.options())
        const { promise, resolve } = Promise.withResolvers<undefined>()
        const name = topic.name
        await client.getReliableTopic<number>(name).addListener(() => {
          resolve(undefined)
          return new Promise(() => undefined)
        }, options)
        await promise
        await askOwner(topology, `${name}:timeout`, 'DEL')
        void client.shutdown()
      }
      const last = await mine.addListener(
        (message, { deliveries }) => void heard.push([message, deliveries]),
        options,
      )
      last.on('dropped', ({ reason, deliveries }) => dropped.push([reason, deliveries]))
      await eventually(() => expect(heard).toEqual([[2, 1]]))
      expect(dropped).toEqual([['deliveries', 2]])
    },
  )

  it(
    'remove a subscriber out of reach, whose messages are trimmed, and make it again later',
    { tags: ['timed'], timeout: 60_000 },
    async () => {
      const short = { reliableTopicWatchdogTimeout: 600 }
      const [away, near] = await Promise.all([
        Redisson.create({ ...door.options(PATIENT), ...short }),
        Redisson.create({ ...topology.options(), ...short }),
      ])
      const heard: number[] = []
      let gaps = 0
      const lost = await away
        .getReliableTopic<number>(topic.name)
        .addListener((message) => void heard.push(message))
      lost.on('gap', () => (gaps += 1)).on('error', () => undefined)
      const here: number[] = []
      const kept = await near
        .getReliableTopic<number>(topic.name)
        .addListener((message) => void here.push(message))
      expect(await topic.publish(1)).toBe(2)
      await eventually(() => expect(heard).toEqual([1]))
      await eventually(async () => expect(await topic.size()).toBe(0)) // acknowledged before the cut
      for (const proxy of door.proxies) proxy.refuse()
      cut()
      await topic.publish(2)
      await eventually(() => expect(here).toEqual([1, 2]))
      expect(await topic.size()).toBe(1)
      await eventually(async () => expect(await topic.countSubscribers()).toBe(1))
      await eventually(async () => {
        expect(await topic.publish(3)).toBe(1)
        expect(await topic.size()).toBeLessThan(2)
      })
      await eventually(async () => expect(await topic.size()).toBe(0))
      recheck.RECHECK_MS = 100
      for (const proxy of door.proxies) await proxy.accept()
      await eventually(() => expect(gaps).toBe(1))
      await topic.publish(4)
      await eventually(() => expect(heard).toEqual([1, 4]))
      await lost.unsubscribe()
      await kept.unsubscribe()
      await Promise.all([away.shutdown(), near.shutdown()])
    },
  )
})
