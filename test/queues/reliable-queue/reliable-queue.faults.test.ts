import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  Redisson,
  type CommonOptions,
  type Delivery,
  type RedissonClient,
  type RReliableQueue,
} from '../../../src/index.js'
import { undo } from '../../../src/queues/reliable-queue/reliable-queue.scripts.js'
import { testLostReplies, type CountingCall } from '../../contracts/values/lost-replies.js'
import { eventually } from '../../support/eventually.js'
import { iteratorOf } from '../../support/iterator-of.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { TcpProxy } from '../../support/proxy.js'
import { single } from '../../support/topologies.js'

/** Long enough for a slow machine, and for many copies of a request. */
const PATIENT = { timeout: 2000, retryAttempts: 10, retryDelay: 5, reconnectionDelay: 5 }

/** Soon at its end. */
const HASTY = { timeout: 200, retryAttempts: 1, retryDelay: 5, reconnectionDelay: 5 }

/** More than any test takes. */
const LONG_MS = 60_000

/** Which bytes are those at which the connection breaks: each of them is one in some of the rounds. */
const STEP = 29

/** What a queue has: its messages that are ready, and how many are dead. */
type State = readonly [dead: number, ...ready: readonly string[]]

const queueOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getReliableQueue<string>(name, { exactlyOnce })

async function prepare(client: RedissonClient, name: string, [dead, ...values]: State): Promise<void> {
  const queue = queueOf(client, name)
  await queue.delete()
  for (let each = 0; each < dead; each += 1) {
    await queue.offer('dead')
    await (await queue.poll())?.reject()
  }
  await queue.offerAll(values)
}

async function look(client: RedissonClient, name: string): Promise<State> {
  const queue = queueOf(client, name)
  const { dead } = await queue.counts()
  const ready = await queue.peek(10)
  return [dead, ...ready.map(({ value }) => value)]
}

function calling(
  what: string,
  call: (queue: RReliableQueue<string>) => Promise<unknown>,
  answer: unknown,
  states: readonly [State, State],
): CountingCall {
  return {
    what,
    prepare: (client, name) => prepare(client, name, states[0]),
    call: (client, name, exactlyOnce) => call(queueOf(client, name, exactlyOnce)),
    answer,
    states,
  }
}

const AN_ID: unknown = expect.stringMatching(/^\d{16}$/)

testLostReplies(
  'a reliable queue',
  [
    calling('offer', (queue) => queue.offer('x'), AN_ID, [
      [0, 'a'],
      [0, 'a', 'x'],
    ]),
    calling('offer with a priority', (queue) => queue.offer('x', { priority: 2 }), AN_ID, [
      [0, 'a'],
      [0, 'x', 'a'],
    ]),
    calling(
      'offerAll',
      (queue) => queue.offerAll(['x', 'y']),
      [AN_ID, AN_ID],
      [
        [0, 'a'],
        [0, 'a', 'x', 'y'],
      ],
    ),
    calling('redrive', (queue) => queue.redrive(), 2, [
      [2, 'a'],
      [0, 'dead', 'dead', 'a'],
    ]),
    calling('delete', (queue) => queue.delete(), true, [[1, 'a'], [0]]),
  ],
  look,
)

describe('the delivery of messages over a connection that breaks', () => {
  noLeaks(single)

  it.each(['requests', 'replies'] as const)(
    'at any byte of its %s: loses no message, delivers none twice, and counts no failure',
    async (direction) => {
      const name = `cut-reliable-${direction}`
      const door = await proxied(single)
      const proxy = door.proxyOf(single.nodes[0])
      const client = await Redisson.create(door.options(PATIENT))
      const queue = client.getReliableQueue<string>(name, {
        groupConcurrency: 1,
        exactlyOnce: true,
      })
      await queue.offer('first')
      await (await queue.poll())?.ack()
      let byte = 0
      for (; !proxy.cuts; byte += STEP) {
        proxy.cutAfter(byte, direction)
        await queue.offerOnce('a', { group: 'g' })
        await queue.offerOnce('b', { group: 'g' })
        const first = await queue.poll({ waitMs: LONG_MS })
        await first?.ack()
        const second = await queue.poll({ waitMs: LONG_MS })
        await second?.nack()
        const again = await queue.poll({ waitMs: LONG_MS })
        await again?.reject()
        const seen = [first, second, again].map((each) => [each?.value, each?.deliveries])
        expect(seen, `cut after ${String(byte)} bytes`).toEqual([
          ['a', 1],
          ['b', 1],
          ['b', 2],
        ])
        expect(await queue.counts()).toEqual({ ready: 0, delayed: 0, inFlight: 0, heldBack: 0, dead: 1 })
        await queue.redrive()
        await (await queue.poll())?.ack()
      }
      expect(byte).toBeGreaterThan(400) // or nothing was cut
      await queue.delete()
      await client.shutdown()
      await door.stop()
    },
    240_000,
  )
})

describe('a reliable queue over a network that fails', () => {
  noLeaks(single)
  let door: Proxied<SingleTopology<ServerNode>>
  let proxy: TcpProxy
  let straight: RedissonClient
  let queue: RReliableQueue<string>
  let names = 0
  const clients: RedissonClient[] = []

  beforeAll(async () => {
    door = await proxied(single)
    proxy = door.proxyOf(single.nodes[0])
    straight = await Redisson.create(single.options())
  })

  beforeEach(() => {
    queue = straight.getReliableQueue(`{faulty-reliable-${String(names++)}}`)
  })

  afterEach(async () => {
    await proxy.heal()
    await Promise.all(clients.splice(0).map((client) => client.shutdown()))
    await queue.delete()
  })

  afterAll(async () => {
    await straight.shutdown()
    await door.stop()
  })

  const faulty = async (settings: typeof PATIENT, common: CommonOptions = {}) => {
    const client = await Redisson.create({ ...door.options(settings), ...common })
    clients.push(client)
    return client.getReliableQueue<string>(queue.name)
  }

  const counts = (expected: object) =>
    eventually(async () => {
      expect(await queue.counts()).toMatchObject(expected)
    })

  it('gives back, uncounted, what is delivered to a poll that was aborted before the reply came', async () => {
    const mine = await faulty(PATIENT)
    await queue.offerAll(['a', 'b'])
    const ending = new AbortController()
    proxy.stall('replies')
    const late = mine.poll(5, { waitMs: LONG_MS, signal: ending.signal })
    await counts({ inFlight: 2 })
    ending.abort(new Error('enough'))
    await expect(late).rejects.toThrow('enough')
    proxy.resume('replies')
    await counts({ ready: 2, inFlight: 0 })
    expect((await queue.poll(5)).map(({ deliveries }) => deliveries)).toEqual([1, 1])
  })

  it('gives back what is delivered to a poll that fails for want of a reply', async () => {
    const mine = await faulty(HASTY)
    await mine.poll() // the server knows the script from now on
    await queue.offer('a')
    proxy.stall('replies')
    const late = mine.poll({ visibilityMs: LONG_MS }) // so that it is not ready because its time is over
    await expect(late).rejects.toMatchObject({ code: 'REPLY_TIMEOUT', mayHaveRun: true })
    expect(await queue.counts()).toMatchObject({ ready: 0, inFlight: 1 })
    proxy.resume('replies', { held: 'dropped' })
    await counts({ ready: 1, inFlight: 0 })
    expect((await queue.poll())?.deliveries).toBe(1)
  })

  it('counts no failure of messages that come to a worker after their time, and reports that', async () => {
    const mine = await faulty(PATIENT)
    const strict = straight.getReliableQueue<string>(queue.name, { maxDeliveries: 2 })
    await strict.offerAll(['dead', 'again', 'taken'])
    await (await strict.poll())?.nack()
    proxy.stall('replies')
    const worker = mine.process(() => undefined, { concurrency: 3, visibilityMs: 100 })
    const reported = new Promise((resolve) => {
      worker.on('error', (error) => {
        resolve(error)
        void worker.close()
      })
    })
    await eventually(async () => {
      expect(await strict.list('inFlight')).toHaveLength(3)
    })
    const taken: Delivery<string>[] = []
    await eventually(async () => {
      taken.push(...(await strict.poll(2)))
      expect(taken.map(({ value, deliveries }) => [value, deliveries])).toEqual([
        ['again', 2],
        ['taken', 2],
      ])
    })
    expect(await strict.counts()).toMatchObject({ ready: 0, inFlight: 2, dead: 1 })
    proxy.resume('replies')
    expect(await reported).toMatchObject({ code: 'DELIVERY_LOST', reason: 'late', queue: queue.name })
    await worker.close()
    await counts({ ready: 1, inFlight: 2, dead: 0 })
    await taken[0]?.release()
    expect((await strict.poll(5)).map(({ value, deliveries }) => [value, deliveries])).toEqual([
      ['dead', 2],
      ['again', 1],
    ])
  })

  it(
    'pauses before it takes more, after messages that came after their time',
    { tags: ['timed'] },
    async () => {
      await queue.offer('a')
      const times: number[] = []
      const worker = queue.process(() => undefined, { visibilityMs: 1 }) // no reply is as fast
      worker.on('error', () => times.push(performance.now()))
      await eventually(() => {
        expect(times.length).toBeGreaterThan(2)
      })
      await worker.close()
      expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_900)
    },
  )

  it('leaves messages to others that wait, where its own time is too short for them', async () => {
    const mine = await faulty(PATIENT)
    const ending = new AbortController()
    const hurried = mine.poll({ visibilityMs: 1, waitMs: LONG_MS, signal: ending.signal }) // no reply is as fast
    const other = mine.poll({ waitMs: LONG_MS })
    await queue.offer('a')
    const delivery = await other
    expect(delivery?.value).toBe('a')
    ending.abort(new Error('enough'))
    await expect(hurried).rejects.toThrow('enough')
    await delivery?.ack()
  })

  it('counts no failure of messages whose time was over when a copy of their take had a reply', async () => {
    const mine = await faulty({ ...PATIENT, timeout: 300 })
    const strict = straight.getReliableQueue<string>(queue.name, { maxDeliveries: 1 })
    await strict.offer('a')
    proxy.stall('replies')
    const polling = mine.poll({ visibilityMs: 5 })
    await eventually(async () => {
      expect(await strict.list('inFlight')).toHaveLength(1)
    })
    await eventually(async () => {
      await strict.poll()
      expect(await strict.counts()).toMatchObject({ inFlight: 0, dead: 1 })
    })
    proxy.resume('replies', { held: 'dropped' })
    expect(await polling).toBeUndefined()
    await counts({ ready: 1, dead: 0 })
    expect((await strict.poll())?.deliveries).toBe(1)
  })

  it('counts no failure of messages whose time was over when their poll failed for want of a reply', async () => {
    const mine = await faulty(HASTY)
    const strict = straight.getReliableQueue<string>(queue.name, { maxDeliveries: 1 })
    await strict.offer('a')
    proxy.stall('replies')
    await expect(mine.poll({ visibilityMs: 5 })).rejects.toMatchObject({ mayHaveRun: true })
    await strict.poll()
    expect(await strict.counts()).toMatchObject({ ready: 0, dead: 1 })
    proxy.resume('replies', { held: 'dropped' })
    await counts({ ready: 1, dead: 0 })
    expect((await strict.poll())?.deliveries).toBe(1)
  })

  it(
    'gives back what a poll has taken whose undo arrives when no copy can be under way any more',
    { tags: ['timed'] },
    async () => {
      const mine = await faulty(HASTY)
      await mine.poll() // the server knows the script from now on
      await queue.offer('a')
      const held = Promise.withResolvers<undefined>()
      proxy.onRequest(undo.sha, () => held.promise, { times: Infinity })
      proxy.stall('replies')
      await expect(mine.poll({ visibilityMs: LONG_MS })).rejects.toMatchObject({ mayHaveRun: true })
      expect(await queue.counts()).toMatchObject({ ready: 0, inFlight: 1 })
      await sleep(1_000) // longer than copies of a request of this client are under way
      proxy.resume('replies', { held: 'dropped' })
      held.resolve(undefined)
      await counts({ ready: 1, inFlight: 0 })
      expect((await queue.poll())?.deliveries).toBe(1)
    },
  )

  it('lets an acknowledgement that has failed be repeated', async () => {
    const mine = await faulty(HASTY)
    await queue.offer('a')
    const delivery = await mine.poll()
    proxy.stall('requests')
    await expect(delivery?.ack()).rejects.toMatchObject({ code: 'REPLY_TIMEOUT' })
    expect(delivery?.isHeld).toBe(true)
    proxy.resume('requests', { held: 'dropped' })
    await eventually(() => delivery?.ack())
    expect([delivery?.isHeld, await queue.size()]).toEqual([false, 0])
  })

  it('goes on waiting through an outage', { tags: ['timed'] }, async () => {
    const mine = await faulty(HASTY)
    const waiting = mine.poll({ waitMs: LONG_MS })
    const iteration = iteratorOf(mine.consume())
    const next = iteration.next()
    await eventually(async () => {
      const channel = `ioredisson_queue:${queue.name}`
      expect(await single.nodes[0].command('PUBSUB', 'NUMSUB', channel)).toEqual([channel, 1])
    })
    proxy.refuse()
    proxy.cut()
    await queue.offerAll(['a', 'b'])
    await sleep(1_000)
    await proxy.heal()
    const [first, { value: second }] = await Promise.all([waiting, next])
    expect([first?.value, second?.value].sort()).toEqual(['a', 'b'])
    await iteration.return?.()
  })

  it(
    'tells a worker whose renewals do not arrive before another one gets the message',
    { tags: ['timed'] },
    async () => {
      const mine = await faulty(HASTY, { lockWatchdogTimeout: 1_000 })
      const held: Delivery<string>[] = []
      const begun = Promise.withResolvers<undefined>()
      const worker = mine.process(async (delivery) => {
        held.push(delivery)
        begun.resolve(undefined)
        await new Promise((resolve) => {
          delivery.signal.addEventListener('abort', resolve)
        })
      })
      const errors: unknown[] = []
      worker.on('error', (error) => errors.push(error))
      await queue.offer('a')
      await begun.promise
      proxy.stall()
      const again = await queue.poll({ waitMs: LONG_MS })
      expect(held[0]?.signal.aborted).toBe(true)
      expect(held[0]?.signal.reason).toMatchObject({ code: 'DELIVERY_LOST', reason: 'expired' })
      expect([again?.value, again?.deliveries]).toEqual(['a', 2])
      expect(again?.fencingToken).toBeGreaterThan(held[0]?.fencingToken ?? Infinity)
      await again?.ack()
      await proxy.heal()
      await worker.close()
      expect(errors.every((error) => (error as { code?: string }).code === 'DELIVERY_LOST')).toBe(true)
    },
  )

  it('acknowledges again what may be acknowledged already', async () => {
    const mine = await faulty(HASTY)
    await queue.offer('a')
    const delivery = await mine.poll()
    proxy.stall('replies')
    await expect(delivery?.ack()).rejects.toMatchObject({ code: 'REPLY_TIMEOUT', mayHaveRun: true })
    proxy.resume('replies', { held: 'dropped' })
    await eventually(() => delivery?.ack())
    expect([delivery?.isHeld, await queue.size()]).toEqual([false, 0])
  })

  it(
    'takes a delivery for settled that a renewal does not find after a lost acknowledgement',
    { tags: ['timed'] },
    async () => {
      const mine = await faulty(HASTY, { lockWatchdogTimeout: 3_000 })
      await queue.offer('a')
      const delivery = await mine.poll()
      proxy.stall('replies')
      await expect(delivery?.ack()).rejects.toMatchObject({ mayHaveRun: true })
      proxy.resume('replies', { held: 'dropped' })
      await eventually(() => {
        expect(delivery?.isHeld).toBe(false)
      })
      expect(delivery?.signal.aborted).toBe(false)
      await delivery?.ack()
    },
  )

  it('returns nothing from a poll whose time is over before a later reply', { tags: ['timed'] }, async () => {
    const mine = await faulty(PATIENT)
    await mine.poll()
    proxy.delay(20)
    for (let turn = 0; turn < 5; turn += 1)
      expect(await mine.poll({ waitMs: 70 + 10 * turn })).toBeUndefined()
    proxy.delay(0)
  })

  it.each(['nack', 'reject', 'release'] as const)(
    'counts a delivery as lost whose %s may have been carried out',
    async (method) => {
      const mine = await faulty(HASTY)
      await queue.offer('a')
      const delivery = await mine.poll()
      proxy.stall('replies')
      await expect(delivery?.[method]()).rejects.toMatchObject({ mayHaveRun: true })
      expect([delivery?.isHeld, delivery?.signal.aborted]).toEqual([false, true])
      proxy.resume('replies', { held: 'dropped' })
    },
  )

  it('gives back at a shutdown what is not settled', async () => {
    const mine = await faulty(PATIENT)
    await queue.offerAll(['a', 'b'])
    const [first] = await mine.poll(2)
    await clients[0]?.shutdown({ release: true })
    expect(first?.signal.reason).toMatchObject({ code: 'DELIVERY_LOST', reason: 'closed' })
    await counts({ ready: 2, inFlight: 0 })
    expect((await queue.poll())?.deliveries).toBe(1)
  })
})

describe('a reliable queue on a server that refuses writes for a while', () => {
  noLeaks(single)
  const refuse = (isRefusing: boolean) =>
    single.nodes[0].command('CONFIG', 'SET', 'min-replicas-to-write', isRefusing ? '1' : '0')

  afterEach(() => refuse(false))

  it.each(['acknowledges', 'fails'])('%s what a worker has done, as soon as it may', async (what) => {
    const client = await Redisson.create(single.options())
    const queue = client.getReliableQueue<string>('refusing-reliable')
    await queue.offer('a')
    const errors: unknown[] = []
    const worker = queue.process(
      async () => {
        await refuse(true)
        if (what === 'fails') throw new Error('no')
      },
      { retryDelayMs: LONG_MS },
    )
    worker.on('error', (error) => errors.push(error))
    await eventually(() => {
      expect(errors).not.toEqual([])
    })
    await refuse(false)
    await eventually(async () => {
      expect(await queue.counts()).toMatchObject({ inFlight: 0, delayed: what === 'fails' ? 1 : 0 })
    })
    await worker.close()
    await queue.delete()
    await client.shutdown()
  })

  it('lets end what it could not give back', { tags: ['timed'] }, async () => {
    const client = await Redisson.create({ ...single.options(), lockWatchdogTimeout: 1_000 })
    const queue = client.getReliableQueue<string>('refusing-reliable')
    await queue.offerAll(['a', 'b', 'c'])
    for await (const delivery of queue.consume({ concurrency: 3 })) {
      await delivery.ack()
      await refuse(true)
      break
    }
    await refuse(false)
    await eventually(async () => {
      expect(await queue.counts()).toMatchObject({ ready: 2, inFlight: 0 })
    })
    await queue.delete()
    await client.shutdown()
  })
})

describe('a reliable queue on a server without memory', () => {
  noLeaks(single)

  it('acknowledges, fails, renews and gives back', async () => {
    const client = await Redisson.create(single.options())
    const queue = client.getReliableQueue<string>('full-reliable')
    await queue.offerAll(['a', 'b', 'c', 'd'])
    const [a, b, c, d] = await queue.poll(4)
    await single.nodes[0].command('CONFIG', 'SET', 'maxmemory', '1')
    try {
      await d?.extend()
      await a?.ack()
      await b?.nack({ delayMs: LONG_MS })
      await c?.release()
      await expect(queue.offer('e')).rejects.toMatchObject({ code: 'SERVER_NOT_READY' })
    } finally {
      await single.nodes[0].command('CONFIG', 'SET', 'maxmemory', '0')
    }
    expect(await queue.counts()).toEqual({ ready: 1, delayed: 1, inFlight: 1, heldBack: 0, dead: 0 })
    await queue.delete()
    await client.shutdown()
  })
})
