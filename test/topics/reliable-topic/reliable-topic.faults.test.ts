import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Redisson, type RedissonClient, type RReliableTopic } from '../../../src/index.js'
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

  it('deliver each message once although the reply to each kind of request is lost', async () => {
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
  }, 60_000)

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
    await once.publish(1)
    for (const proxy of door.proxies) proxy.loseReplyTo(/^evalsha/i)
    await once.publish(2)
    expect(await topic.size()).toBe(2)
    for (const proxy of door.proxies) proxy.loseReplyTo(/^evalsha/i)
    await expect(mine.publish(3)).rejects.toMatchObject({ mayHaveRun: true })
    expect(await topic.size()).toBe(3)
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
})
