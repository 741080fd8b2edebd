import { afterEach, describe, expect, it } from 'vitest'
import {
  idempotencyKey,
  reliableQueueChannels,
  reliableQueueKeys,
  reliableQueueRates,
} from '../../../src/core/context/names.js'
import { take, undo } from '../../../src/queues/reliable-queue/reliable-queue.scripts.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { single } from '../../support/topologies.js'
import { objectContext } from '../../engine/core/object-fixture.js'

const name = '{undone-reliable}'
const own = { records: name, ...reliableQueueKeys(name), channel: reliableQueueChannels(name).messages }

/** Keeps what is remembered, so that the next request with the same key is a copy. */
const ONCE = { remember: true, keep: true } as const

describe('a take that is undone', () => {
  const [node] = single.nodes
  const context = objectContext(() => single.options())
  const clients = twoClients(single)
  const queue = () => clients.mine.getReliableQueue<string>(name, { maxDeliveries: 3 })
  const taken = idempotencyKey(name, 'the-take')
  const request = idempotencyKey(name, 'the-undo')

  afterEach(async () => {
    await queue().delete()
    await node.command('DEL', taken, request)
  })

  /** Takes one message. Returns its delivery, as an undo names it. */
  const takeOne = async (leaseMs: number, undoableMs = 60_000) => {
    const keys = { ...own, request: taken, rates: reliableQueueRates(name) }
    const args = { count: 1, leaseMs, most: 3, places: 0, space: '', rate: '', undoableMs }
    const { messages } = await context().executor.run(take, { keys, args }, ONCE)
    const [message] = messages
    return `${String(message?.id)} ${String(message?.token)}`
  }

  const undoOnce = (deliveries: string) =>
    context().executor.run(
      undo,
      { keys: { ...own, request, taken }, args: { deliveries, places: 0, undoneMs: 60_000, space: '' } },
      ONCE,
    )

  /** As it happens where the take has its reply, and so no copy. */
  const forgetTake = () => node.command('DEL', taken)

  const failures = async () => {
    const delivery = await queue().poll()
    await delivery?.release()
    return (delivery?.deliveries ?? NaN) - 1
  }

  it('is known for as long as it may be undone, and longer than copies are under way', async () => {
    await queue().offer('a')
    await takeOne(60_000, 3_600_000)
    expect(await node.command('PTTL', taken)).toBeGreaterThan(1_800_000)
  })

  it('forgives one failure, however often its undo is repeated', async () => {
    await queue().offer('a')
    const delivery = await takeOne(1)
    await eventually(async () => {
      const again = await queue().poll() // the delivery has ended by its time, which is a failure
      expect(again?.deliveries).toBe(2)
      await again?.nack()
    })
    expect(await failures()).toBe(2)
    await undoOnce(delivery)
    expect(await failures()).toBe(1)
    await forgetTake()
    await undoOnce(delivery)
    expect(await failures()).toBe(1)
  })

  it('forgives no failure of a later delivery, where its undo is repeated', async () => {
    await queue().offer('a')
    const delivery = await takeOne(60_000)
    await undoOnce(delivery)
    await (await queue().poll())?.nack()
    await forgetTake()
    await undoOnce(delivery)
    expect(await failures()).toBe(1)
  })

  it.each(['taken', 'forgotten'])(
    'is given back on a server without memory, where its request is %s',
    async (what) => {
      await queue().offer('a')
      const delivery = await takeOne(60_000)
      if (what === 'forgotten') await forgetTake()
      await node.command('CONFIG', 'SET', 'maxmemory', '1')
      try {
        await undoOnce(delivery)
      } finally {
        await node.command('CONFIG', 'SET', 'maxmemory', '0')
      }
      expect(await queue().counts()).toMatchObject({ ready: 1, inFlight: 0 })
    },
  )

  it('forgives no failure that has come after a redrive', async () => {
    const strict = clients.mine.getReliableQueue<string>(name, { maxDeliveries: 1 })
    await strict.offer('a')
    const delivery = await takeOne(1)
    await eventually(async () => {
      await strict.poll()
      expect(await strict.redrive()).toBe(1)
    })
    await (await queue().poll())?.nack()
    await undoOnce(delivery)
    expect(await failures()).toBe(1)
  })

  it('forgives a failure that has come after a redrive', async () => {
    const id = await queue().offer('a')
    await (await queue().poll())?.reject()
    await queue().redrive()
    const delivery = await takeOne(1)
    await eventually(async () => {
      const again = await queue().poll()
      expect(again?.deliveries).toBe(2)
      await again?.release()
    })
    await undoOnce(delivery)
    expect(await queue().get(id)).toMatchObject({ failures: 0, state: 'ready' })
  })

  it('leaves a dead letter as it is whose last delivery has failed by itself, and corrects its failures', async () => {
    const strict = clients.mine.getReliableQueue<string>(name, { maxDeliveries: 2 })
    const id = await strict.offer('a')
    const delivery = await takeOne(1)
    await eventually(async () => {
      const last = await strict.poll()
      await last?.nack()
      expect(last?.deliveries).toBe(2)
    })
    await undoOnce(delivery)
    expect(await strict.get(id)).toMatchObject({ failures: 1, state: 'dead' })
  })

  it('brings a dead letter back beside another message with its deduplication, as a redrive does', async () => {
    const strict = clients.mine.getReliableQueue<string>(name, { maxDeliveries: 1, capacity: 1 })
    await strict.offer('a', { dedup: { id: 'x' } })
    const delivery = await takeOne(1)
    await eventually(async () => {
      await strict.poll()
      expect(await strict.counts()).toMatchObject({ dead: 1 })
    })
    await strict.offer('b', { dedup: { id: 'x' } })
    await undoOnce(delivery)
    expect((await strict.peek(10)).map(({ value }) => value)).toEqual(['a', 'b'])
    expect(await strict.counts()).toMatchObject({ ready: 2, dead: 0 })
    await strict.clear()
  })
})
