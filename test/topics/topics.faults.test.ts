import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type MessagesOptions, type RedissonClient, type RTopic } from '../../src/index.js'
import { eventually } from '../support/eventually.js'
import { describeFaults, strike } from '../support/faults.js'
import { noLeaks } from '../support/no-leaks.js'
import { proxied, type Proxied } from '../support/proxied.js'
import { slottedTopologies } from '../support/topologies.js'

const TIMEOUT_MS = 200
const CUTS = 50

const kinds = ['topic', 'sharded topic', 'pattern topic'] as const

describe.each(slottedTopologies)('topics whose connections break at a $kind', (topology) => {
  let door: Proxied<typeof topology>
  let here: RedissonClient
  let there: RedissonClient
  let name: string
  let names = 0

  noLeaks(topology)

  beforeAll(async () => {
    door = await proxied(topology)
    here = await Redisson.create(
      door.options({ timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 5, retryAttempts: 20 }),
    )
    there = await Redisson.create(topology.options())
  })

  beforeEach(() => {
    name = `topic-${String(names++)}`
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
  })

  afterAll(async () => {
    await Promise.all([here.shutdown(), there.shutdown()])
    await door.stop()
  })

  const cut = () => {
    for (const { connections } of door.proxies)
      for (const connection of connections) if (connection.subscribed) connection.cut()
  }

  const sender = (kind: (typeof kinds)[number]) =>
    kind === 'sharded topic' ? there.getShardedTopic<number>(name) : there.getTopic<number>(name)

  /** Publishes 0, and tells whether no node has redirected it, as happens after a cut until the shape of the cluster is known again. */
  const arrivesDirectly = async (topic: RTopic<number>) => {
    let copies = 0
    const publishes = (request: string) => /^s?publish/i.test(request) && request.includes(name)
    const traps = door.proxies.map((proxy) =>
      proxy.onRequest(publishes, () => void (copies += 1), { times: Infinity }),
    )
    await topic.publish(0)
    for (const trap of traps) trap[Symbol.dispose]()
    return copies === 1
  }

  const listen = async (kind: (typeof kinds)[number], heard: (number | 'gap')[]) => {
    const hear = (message: number) => heard.push(message)
    const subscription = await (kind === 'pattern topic'
      ? here.getPatternTopic<number>(`${name}*`).addListener(hear)
      : kind === 'topic'
        ? here.getTopic<number>(name).addListener(hear)
        : here.getShardedTopic<number>(name).addListener(hear))
    return subscription.on('gap', () => heard.push('gap'))
  }

  it.each(kinds)(
    'bring a %s all that is published between interruptions, and tell of each',
    async (kind) => {
      const heard: (number | 'gap')[] = []
      const gaps = () => heard.filter((each) => each === 'gap').length
      await using _subscription = await listen(kind, heard)
      const topic = sender(kind)
      let sent = 0
      let cuts = 0
      const over = new AbortController()
      const publishing = (async () => {
        for (; !over.signal.aborted; sent += 1) await topic.publish(sent)
      })()
      try {
        for (; cuts < CUTS; cuts += 1) {
          const before = heard.length
          cut()
          await eventually(() => gaps() === cuts + 1)
          await eventually(() => heard.length > before + 2 && heard.at(-1) !== 'gap')
        }
      } finally {
        over.abort()
        await publishing
      }
      await topic.publish(sent)
      await eventually(() => heard.at(-1) === sent)
      const numbers = heard.filter((each) => each !== 'gap')
      expect(numbers).toEqual([...new Set(numbers)].sort((one, two) => one - two))
      const jumps = heard.filter((each, at) => {
        const before = heard[at - 1]
        return typeof each === 'number' && typeof before === 'number' && each !== before + 1
      })
      expect(jumps).toEqual([])
      expect(gaps()).toBe(CUTS)
    },
    60_000,
  )

  it('tell an iteration of a gap between the messages around it', async () => {
    const seen: unknown[] = []
    const messages = here.getTopic<number>(name).messages({ onGap: () => seen.push('gap') })
    const iterator = messages[Symbol.asyncIterator]()
    const first = iterator.next()
    const topic = there.getTopic<number>(name)
    await eventually(async () => {
      await topic.publish(0)
      return (await Promise.race([first, setImmediate(undefined)])) !== undefined
    })
    const watcher: (number | 'gap')[] = []
    await using _subscription = await listen('topic', watcher)
    await topic.publish(1)
    await eventually(() => watcher.at(-1) === 1)
    cut()
    await eventually(() => watcher.at(-1) === 'gap')
    await topic.publish(2)
    await eventually(() => watcher.at(-1) === 2)
    while (seen.at(-1) !== 2) seen.push((await iterator.next()).value)
    expect(seen.slice(-3)).toEqual([1, 'gap', 2])
    await iterator.return?.()
  })

  describeFaults('a message which %s', TIMEOUT_MS, (...fault) => {
    const [, moment] = fault

    it.each(['topic', 'sharded topic'] as const)('of a %s is not sent again', async (kind) => {
      const heard: number[] = []
      const [near, far] =
        kind === 'topic'
          ? [here.getTopic<number>(name), there.getTopic<number>(name)]
          : [here.getShardedTopic<number>(name), there.getShardedTopic<number>(name)]
      await using _subscription = await far.addListener((message) => heard.push(message))
      await eventually(() => arrivesDirectly(near))
      strike(door.proxies, name, fault)
      await expect(near.publish(1)).rejects.toMatchObject({ mayHaveRun: true, attempts: 1 })
      await far.publish(2)
      await eventually(() => heard.at(-1) === 2)
      expect(heard.filter((each) => each > 0)).toEqual(moment === 'request' ? [2] : [1, 2])
    })

    it.each(['topic', 'sharded topic'] as const)('of a %s is sent once if asked for', async (kind) => {
      const heard: number[] = []
      const once = { exactlyOnce: true }
      const [near, far] =
        kind === 'topic'
          ? [here.getTopic<number>(name, once), there.getTopic<number>(name)]
          : [here.getShardedTopic<number>(name, once), there.getShardedTopic<number>(name)]
      await using _subscription = await far.addListener((message) => heard.push(message))
      await near.publish(0)
      strike(door.proxies, name, fault)
      await near.publish(1)
      await far.publish(2)
      await eventually(() => heard.at(-1) === 2)
      expect(heard).toEqual([0, 1, 2])
    })
  })

  describe('an iteration that is slow', () => {
    const overrun = async (options: MessagesOptions) => {
      const iterator = here.getTopic<number>(name).messages(options)[Symbol.asyncIterator]()
      const first = iterator.next()
      const topic = there.getTopic<number>(name)
      await eventually(async () => {
        await topic.publish(-1)
        return (await Promise.race([first, setImmediate(undefined)])) !== undefined
      })
      const heard: (number | 'gap')[] = []
      await using _subscription = await listen('topic', heard)
      for (let number = 0; number < 20; number += 1) await topic.publish(number)
      await eventually(() => heard.at(-1) === 19)
      return iterator
    }
    const take = async (iterator: AsyncIterator<number>, count: number) => {
      const taken: unknown[] = []
      while (taken.length < count) taken.push((await iterator.next()).value)
      return taken
    }

    it('throws after what waits, by default', async () => {
      const iterator = await overrun({ buffer: 3 })
      await take(iterator, 3)
      await expect(iterator.next()).rejects.toMatchObject({ code: 'MESSAGE_OVERFLOW', buffer: 3 })
      expect(await iterator.next()).toEqual({ done: true, value: undefined })
    })

    it('has the oldest make room', async () => {
      const iterator = await overrun({ buffer: 3, overflow: 'dropOldest' })
      expect(await take(iterator, 3)).toEqual([17, 18, 19])
      await iterator.return?.()
    })

    it('drops the newest', async () => {
      const iterator = await overrun({ buffer: 30, overflow: 'dropNewest' })
      expect((await take(iterator, 20)).filter((each) => each !== -1).slice(0, 3)).toEqual([0, 1, 2])
      await iterator.return?.()
      const small = await overrun({ buffer: 1, overflow: 'dropNewest' })
      expect(await take(small, 1)).not.toContain(19)
      await small.return?.()
    })
  })
})
