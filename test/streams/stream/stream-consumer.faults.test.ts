import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  Redisson,
  type RedissonClient,
  type RStream,
  type StreamConsumerOptions,
  type StreamDelivery,
} from '../../../src/index.js'
import { eventually } from '../../support/eventually.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { TcpProxy } from '../../support/proxy.js'
import { single } from '../../support/topologies.js'

/** Long enough for a slow machine, and for many copies of a request. */
const PATIENT = { timeout: 2000, retryAttempts: 10, retryDelay: 5, reconnectionDelay: 5 }

/** Which bytes of a loop are those at which the connection breaks: each of them is one in some of the rounds. */
const STEP = 11

describe('a consumer over a network that fails', () => {
  noLeaks(single)
  let door: Proxied<SingleTopology<ServerNode>>
  let proxy: TcpProxy
  let straight: RedissonClient
  let stream: RStream<string, number>
  let dead: RStream<string, unknown>
  let faulty: RStream<string, number>
  let client: RedissonClient
  let names = 0

  beforeAll(async () => {
    door = await proxied(single)
    proxy = door.proxyOf(single.nodes[0])
    straight = await Redisson.create(single.options())
    client = await Redisson.create(door.options(PATIENT))
  })

  beforeEach(() => {
    const name = `{faulty-stream-${String(names++)}}`
    stream = straight.getStream(name)
    dead = straight.getStream(`${name}:dead`)
    faulty = client.getStream(name)
  })

  afterEach(async () => {
    await proxy.heal()
    await stream.delete()
    await dead.delete()
  })

  afterAll(async () => {
    await client.shutdown()
    await straight.shutdown()
    await door.stop()
  })

  type Message = StreamDelivery<string, number>

  /** Consumes until all numbers are settled. Returns those that came, and fails for one that comes after it was settled. */
  const consume = async (
    count: number,
    settle: (message: Message) => Promise<void>,
    options: StreamConsumerOptions,
  ) => {
    const settled = new Set<string>()
    const abort = new AbortController()
    const signal = abort.signal
    for await (const message of faulty.consumer('g', { ...options, signal })) {
      expect(settled).not.toContain(message.id)
      const done = await settle(message).then(
        () => true,
        () => false,
      )
      if (done) settled.add(message.id)
      if (settled.size === count) break
    }
    return settled.size
  }

  /** Nothing is pending, and all was delivered. */
  const isOver = async () => {
    expect(await stream.listPending('g')).toEqual([])
    const [group] = await stream.listGroups()
    expect(group?.lastDeliveredId).toBe((await stream.getInfo())?.lastGeneratedId)
  }

  it.each(['requests', 'replies'] as const)(
    'cut off at any byte of its %s: loses no message, and delivers none that it has acknowledged',
    async (direction) => {
      let byte = 0
      for (; !proxy.cuts; byte += STEP) {
        for (let n = 0; n < 3; n += 1) await stream.add({ n })
        proxy.cutAfter(byte, direction)
        expect(await consume(3, (message) => message.ack(), { name: 'me', batch: 2 })).toBe(3)
        await isOver()
        await stream.delete()
      }
      expect(byte).toBeGreaterThan(150) // or nothing was cut
    },
    180_000,
  )

  it.each(['requests', 'replies'] as const)(
    'cut off at any byte of its %s: moves each message to the dead letter stream once',
    async (direction) => {
      const options = { name: 'me', maxDeliveries: 1, deadLetter: dead.name, batch: 2 }
      let byte = 0
      for (; !proxy.cuts; byte += STEP) {
        for (let n = 0; n < 2; n += 1) await stream.add({ n })
        proxy.cutAfter(byte, direction)
        const abort = new AbortController()
        const consuming = (async () => {
          for await (const message of faulty.consumer('g', { ...options, signal: abort.signal }))
            await message.nack().catch(() => undefined) // it comes again then
        })().catch(() => undefined)
        await eventually(async () => {
          expect(await dead.size()).toBe(2)
          await isOver()
        })
        abort.abort()
        await consuming
        const numbers = (await dead.range()).map(({ fields }) => fields.get('n'))
        expect(numbers.sort()).toEqual([0, 1])
        await stream.delete()
        await dead.delete()
      }
      expect(byte).toBeGreaterThan(150)
    },
    180_000,
  )

  it('reads its own messages again after a reply that was lost', async () => {
    await stream.add({ n: 0 })
    await stream.createGroup('g', { from: '0' })
    const warm = faulty.consumer('g')[Symbol.asyncIterator]()
    await warm.next()
    await warm.return?.()
    await stream.updateGroupMessageId('g', '0')
    await stream.add({ n: 1 })
    proxy.loseReplyTo(/^evalsha/i, { times: 2 }) // of the search for what can be claimed, and of the read
    const seen: unknown[] = []
    const count = await consume(
      2,
      async (message) => {
        seen.push(message.fields.get('n'))
        await message.ack()
      },
      {},
    )
    expect(count).toBe(2)
    expect(seen.sort()).toEqual([0, 1])
    await isOver()
  })

  it('gives back what comes after its end', async () => {
    await stream.add({ n: 0 })
    const abort = new AbortController()
    const options = { signal: abort.signal, name: 'me', batch: 1 }
    const iterator = faulty.consumer('g', options)[Symbol.asyncIterator]()
    const first = (await iterator.next()).value as Message
    await stream.add({ n: 1 })
    proxy.stall('replies')
    const next = iterator.next()
    await eventually(async () => {
      expect((await stream.getPendingInfo('g')).total).toBe(2)
    })
    abort.abort(new Error('enough'))
    await expect(next).rejects.toThrow('enough')
    proxy.resume('replies')
    await first.ack()
    await eventually(async () => {
      expect(await stream.listPending('g')).toMatchObject([{ consumer: 'me', deliveries: 0 }])
    })
    const other = straight.getStream<string, number>(stream.name).consumer('g')[Symbol.asyncIterator]()
    const message = (await other.next()).value as Message
    expect([message.fields.get('n'), message.deliveries]).toEqual([1, 1])
    await message.ack()
    await other.return?.()
  })

  it('goes on through an outage that is longer than all attempts', async () => {
    const hasty = await Redisson.create(
      door.options({ timeout: 200, retryAttempts: 1, retryDelay: 5, reconnectionDelay: 5 }),
    )
    const seen: unknown[] = []
    const consuming = (async () => {
      for await (const message of hasty.getStream<string, number>(stream.name).consumer('g')) {
        seen.push(message.fields.get('n'))
        await message.ack()
        if (seen.length === 2) break
      }
    })()
    await stream.add({ n: 0 })
    await eventually(() => {
      expect(seen).toEqual([0])
    })
    await eventually(isOver)
    proxy.refuse()
    proxy.cut()
    await stream.add({ n: 1 })
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await proxy.accept()
    await consuming
    expect(seen).toEqual([0, 1])
    await isOver()
    await hasty.shutdown()
  })
})
