import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  bytesCodec,
  Redisson,
  type CodecError,
  type Delivery,
  type MessageRange,
  type MessageState,
  type OfferOptions,
  type ReliableQueueOptions,
  type RReliableQueue,
} from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { channelsOf } from '../../support/channels.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { iteratorOf } from '../../support/iterator-of.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** Longer than a test may take, so that a waiter wakes by a message. */
vi.mock('../../../src/waiting/recheck.js', () => ({ RECHECK_MS: 600_000 }))

/** More than any test takes. */
const LONG_MS = 60_000

const valuesOf = <V>(deliveries: readonly Delivery<V>[]) => deliveries.map(({ value }) => value)

function refuse(): never {
  throw new Error('it throws when it is read')
}

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

describe.each(slottedTopologies)('a reliable queue ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0
  const made: string[] = []

  afterEach(async () => {
    for (const name of made.splice(0)) await clients.mine.getReliableQueue(name).delete()
  })

  const queues = (options?: ReliableQueueOptions<string>) => {
    const name = `{reliable-${topology.kind}-${String(names++)}}`
    made.push(name)
    return {
      name,
      mine: clients.mine.getReliableQueue<string>(name, options),
      other: clients.other.getReliableQueue<string>(name, options),
    }
  }

  /** Lets all delays or all deliveries of a queue be over, without waiting for that. */
  const end = (name: string, what: 'delayed' | 'leases') =>
    askOwner(topology, `${name}:${what}`, 'ZUNIONSTORE', 1, `${name}:${what}`, 'WEIGHTS', 0)

  it('delivers what was offered, in its order, and keeps it until it is acknowledged', async () => {
    const { mine, other } = queues()
    const ids = [await mine.offer('a'), ...(await mine.offerAll(['b', 'c']))]
    expect(ids.every((id) => /^\d{16}$/.test(id))).toBe(true)
    expect([...ids].sort()).toEqual(ids)
    const first = await other.poll()
    const rest = await mine.poll(10)
    expect([first?.value, first?.id, first?.deliveries, first?.isHeld]).toEqual(['a', ids[0], 1, true])
    expect(valuesOf(rest)).toEqual(['b', 'c'])
    expect(await mine.poll()).toBeUndefined()
    expect(await other.counts()).toEqual({ ready: 0, delayed: 0, inFlight: 3, heldBack: 0, dead: 0 })
    await Promise.all([first?.ack(), ...rest.map((each) => each.ack())])
    expect([first?.isHeld, await mine.size(), await mine.isExists()]).toEqual([false, 0, false])
  })

  it('delivers again what has failed, in its old place, then makes it a dead letter', async () => {
    const { mine, other } = queues({ maxDeliveries: 2 })
    await mine.offerAll(['a', 'b'])
    const first = await mine.poll()
    await first?.nack({ error: new Error('no luck') })
    const again = await other.poll()
    expect([again?.value, again?.deliveries]).toEqual(['a', 2])
    expect(again?.fencingToken).toBeGreaterThan(first?.fencingToken ?? Infinity)
    await again?.nack({ error: 'still none' })
    expect(await mine.counts()).toMatchObject({ ready: 1, dead: 1 })
    const [letter] = await other.deadLetters()
    expect(letter).toMatchObject({ id: first?.id, value: 'a', failures: 2, reason: 'still none' })
    expect(Math.abs(Date.now() - Number(letter?.failedAt))).toBeLessThan(LONG_MS)
    expect(await mine.redrive()).toBe(1)
    expect([await mine.deadLetters(), valuesOf(await mine.poll(5))]).toEqual([[], ['a', 'b']])
  })

  it('rejects a message for good, and redrives it by its id', async () => {
    const { mine } = queues()
    const id = await mine.offer('a')
    await (await mine.poll())?.reject(new TypeError('broken'))
    expect(await mine.deadLetters()).toMatchObject([{ id, reason: 'TypeError: broken', failures: 1 }])
    expect([
      await mine.redrive(['1'.repeat(16)]),
      await mine.redrive([id]),
      await mine.redrive([id]),
    ]).toEqual([0, 1, 0])
    expect((await mine.poll())?.deliveries).toBe(1)
  })

  it('reads a message wherever it is', async () => {
    const { mine, other, name } = queues({ groupConcurrency: 1 })
    const group = 'g'
    const [flying = '', held = ''] = await mine.offerAll(['flying', 'held'], { group })
    const delayed = await mine.offer('delayed', { delayMs: LONG_MS, priority: 3, headers: { a: 'b' } })
    const delivery = await mine.poll()
    const ready = await mine.offer('ready')
    const states = async () => {
      const found = await Promise.all([flying, held, delayed, ready].map((id) => other.get(id)))
      return found.map((each) => each?.state)
    }
    expect(await states()).toEqual(['inFlight', 'heldBack', 'delayed', 'ready'])
    expect(await other.get(delayed)).toMatchObject({
      id: delayed,
      value: 'delayed',
      priority: 3,
      headers: { a: 'b' },
      failures: 0,
    })
    await delivery?.reject('why')
    await end(name, 'delayed')
    expect(await states()).toEqual(['dead', 'ready', 'ready', 'ready'])
    expect(await other.get(flying)).toMatchObject({ value: 'flying', group, failures: 1 })
    expect(await mine.get('1'.repeat(16))).toBeUndefined()
  })

  it('lists messages by where they are', async () => {
    const { mine, other } = queues({ groupConcurrency: 1 })
    await mine.offerAll(['flying', 'held 1', 'held 2'], { group: 'g' })
    await mine.offer('dead', { maxDeliveries: 1, priority: 1 })
    await (await mine.poll())?.nack()
    await mine.poll()
    await mine.offerAll(['late', 'later'], { delayMs: LONG_MS })
    await mine.offerAll(['a', 'b', 'c'])
    const listed = async (state: MessageState, range?: MessageRange) =>
      (await other.list(state, range)).map((each) => [each.state, each.value])
    expect(await listed('ready', { offset: 1, count: 1 })).toEqual([['ready', 'b']])
    expect(await listed('ready', { count: 0 })).toEqual([])
    expect(await listed('delayed')).toEqual([
      ['delayed', 'late'],
      ['delayed', 'later'],
    ])
    expect(await listed('inFlight')).toEqual([['inFlight', 'flying']])
    expect(await listed('heldBack')).toEqual([
      ['heldBack', 'held 1'],
      ['heldBack', 'held 2'],
    ])
    expect(await listed('dead')).toEqual([['dead', 'dead']])
    await expect(mine.list('none' as MessageState)).rejects.toThrow(/one of ready, delayed/)
  })

  it('says of a failure whether it was the last one', async () => {
    const { mine } = queues({ maxDeliveries: 2 })
    const failures: (readonly [number, boolean])[] = []
    const second = new Promise<void>((resolve) => {
      const worker = mine.process(
        () => {
          throw new Error('no')
        },
        { retryDelayMs: 0 },
      )
      worker.on('failed', ({ delivery, isDead }) => {
        failures.push([delivery.deliveries, isDead])
        if (isDead) void worker.close().then(resolve)
      })
    })
    await mine.offer('a')
    await second
    expect(failures).toEqual([
      [1, false],
      [2, true],
    ])
  })

  it('closes a worker in a time, and gives back what its function has not ended', async () => {
    const { mine, other } = queues()
    const begun = Promise.withResolvers<Delivery<string>>()
    const ended = Promise.withResolvers<void>()
    const worker = mine.process((delivery) => {
      begun.resolve(delivery)
      return ended.promise
    })
    await mine.offer('a')
    const delivery = await begun.promise
    await worker.close({ drainMs: 0 })
    expect(delivery.signal.reason).toMatchObject({ code: 'DELIVERY_LOST', reason: 'closed' })
    expect(await other.poll()).toMatchObject({ value: 'a', deliveries: 1 })
    await expect(worker.close({ drainMs: Number.NaN })).rejects.toThrow(/drainMs/)
    ended.resolve()
    await worker.close()
    expect(await other.counts()).toMatchObject({ ready: 0, inFlight: 1 })
  })

  it('gives a function as long as a timer can last, and longer', async () => {
    const { mine } = queues()
    const begun = Promise.withResolvers<Delivery<string>>()
    const ended = Promise.withResolvers<void>()
    const worker = mine.process((delivery) => {
      begun.resolve(delivery)
      return ended.promise
    })
    await mine.offer('a')
    const delivery = await begun.promise
    const closing = worker.close({ drainMs: 2 ** 31 })
    for (let request = 0; request < 9; request += 1) await mine.size()
    expect(delivery.signal.aborted).toBe(false)
    ended.resolve()
    await closing
    expect(await mine.size()).toBe(0)
  })

  it('counts no failure where a function ends because its worker is closed', async () => {
    const { mine, other } = queues({ maxDeliveries: 1 })
    const begun = Promise.withResolvers<void>()
    const worker = mine.process(({ signal }) => {
      begun.resolve()
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error)
        })
      })
    })
    const failed = vi.fn()
    worker.on('failed', failed)
    await mine.offer('a')
    await begun.promise
    await worker.close({ drainMs: 0 })
    await worker.close()
    expect(await other.counts()).toMatchObject({ ready: 1, delayed: 0, dead: 0 })
    expect(failed).not.toHaveBeenCalled()
  })

  it('has no workers after the client was shut down', async () => {
    const { name } = queues()
    const client = await Redisson.create(topology.options())
    const queue = client.getReliableQueue(name)
    await client.shutdown()
    expect(() => queue.process(() => undefined)).toThrow(/shut down/)
  })

  it('removes all that wait, and no more', async () => {
    const { mine, other, name } = queues({ groupConcurrency: 1, capacity: 9_000 })
    await mine.offer('flying')
    const flying = await mine.poll()
    await mine.offer('dead', { maxDeliveries: 1, priority: 1 })
    await (await mine.poll())?.nack()
    await mine.offerAll(
      Array.from({ length: 1_500 }, (_, index) => String(index)),
      { group: 'g' },
    )
    await mine.offerAll(['a', 'b'], { delayMs: LONG_MS })
    await mine.offer('c', { dedup: { id: 'x' } })
    expect(await other.clear()).toBe(1_503)
    expect(await mine.counts()).toEqual({ ready: 0, delayed: 0, inFlight: 1, heldBack: 0, dead: 1 })
    expect(await mine.isEmpty()).toBe(false)
    await flying?.ack()
    expect(await mine.isEmpty()).toBe(true)
    expect([await mine.clearDeadLetters(), await mine.clearDeadLetters(), await mine.clear()]).toEqual([
      1, 0, 0,
    ])
    expect(await askOwner(topology, `${name}:facts`, 'HKEYS')).toEqual(['#'])
    await mine.offer('d', { group: 'g' })
    expect((await mine.poll())?.value).toBe('d')
  })

  it.each<[string, OfferOptions, (queue: RReliableQueue<string>, id: string) => Promise<unknown>]>([
    ['acknowledged', {}, async (queue) => (await queue.poll())?.ack()],
    ['acknowledged in a group', { group: 'g' }, async (queue) => (await queue.poll())?.ack()],
    ['removed', {}, (queue, id) => queue.remove(id)],
    [
      'removed as a dead letter',
      {},
      async (queue, id) => {
        await (await queue.poll())?.reject()
        await queue.remove(id)
      },
    ],
    [
      'cleared as a dead letter',
      {},
      async (queue) => {
        await (await queue.poll())?.nack()
        await (await queue.poll())?.reject()
        await queue.clearDeadLetters()
      },
    ],
    ['cleared', { group: 'g' }, (queue) => queue.clear()],
    [
      'cancelled',
      {},
      async (queue, id) => {
        const delivery = await queue.poll()
        await queue.cancel(id)
        await delivery?.nack()
      },
    ],
  ])('keeps nothing of a message that was redriven and is %s', async (_, options, remove) => {
    const { mine, name } = queues({ groupConcurrency: 1 })
    const id = await mine.offer('a', options)
    await (await mine.poll())?.reject()
    expect(await mine.redrive()).toBe(1)
    await remove(mine, id)
    expect(await askOwner(topology, `${name}:facts`, 'HKEYS')).toEqual(['#'])
    expect(await mine.counts()).toEqual({ ready: 0, delayed: 0, inFlight: 0, heldBack: 0, dead: 0 })
  })

  it('wakes who waits for room, when others are removed', async () => {
    const { mine, other, name } = queues({ capacity: 1 })
    await mine.offer('a')
    const waiting = other.offer('b', { waitMs: LONG_MS })
    await eventually(async () => {
      expect(await channelsOf(topology)).toContain(`ioredisson_queue_space:${name}`)
    })
    await mine.clear()
    await waiting
    expect((await mine.poll())?.value).toBe('b')
  })

  it('gives back what was not worked on, uncounted', async () => {
    const { mine, other } = queues()
    await mine.offerAll(['a', 'b'])
    const first = await mine.poll()
    await first?.release()
    const again = await other.poll()
    expect([again?.value, again?.deliveries]).toEqual(['a', 1])
    {
      await using second = await mine.poll()
      expect(second?.value).toBe('b')
    }
    expect(await mine.counts()).toMatchObject({ ready: 1, inFlight: 1 })
  })

  it.each(['ack', 'nack', 'reject', 'release', 'extend'] as const)(
    'refuses %s of a delivery that is settled, or lost with its queue',
    async (method) => {
      const { mine, name } = queues()
      await mine.offerAll(['a', 'b'])
      const [settled, lost] = await mine.poll(2)
      await settled?.ack()
      await expect(settled?.[method]()).rejects.toMatchObject({
        code: 'DELIVERY_LOST',
        reason: 'settled',
        queue: name,
      })
      await mine.delete()
      if (method === 'release') return // it would come again in any case
      await expect(lost?.[method]()).rejects.toMatchObject({ code: 'DELIVERY_LOST', reason: 'not-held' })
      expect(lost?.signal.aborted).toBe(true)
    },
  )

  it('delivers messages of a higher priority first, also when they come again', async () => {
    const { mine } = queues()
    await mine.offer('low', { priority: -5 })
    await mine.offer('plain')
    await mine.offer('high', { priority: 1_000_000, headers: { kind: 'fast', ключ: 'значение' } })
    await mine.offer('high too', { priority: 1_000_000 })
    const [first] = await mine.poll(1)
    expect(first).toMatchObject({
      value: 'high',
      priority: 1_000_000,
      headers: { kind: 'fast', ключ: 'значение' },
    })
    await first?.nack()
    expect(valuesOf(await mine.poll(9))).toEqual(['high', 'high too', 'plain', 'low'])
  })

  it('delivers no delayed message before it is due', async () => {
    const { mine, other, name } = queues()
    await mine.offer('a', { delayMs: LONG_MS })
    expect([await other.poll(), (await mine.counts()).delayed]).toEqual([undefined, 1])
    await end(name, 'delayed')
    const delivery = await other.poll()
    expect(delivery?.value).toBe('a')
    await delivery?.nack({ delayMs: LONG_MS })
    expect(await mine.poll()).toBeUndefined()
    await end(name, 'delayed')
    expect((await mine.poll())?.deliveries).toBe(2)
  })

  it('counts a delivery that has ended as failed', async () => {
    const { mine, other, name } = queues({ maxDeliveries: 2 })
    await mine.offer('a')
    const slow = await mine.poll()
    await end(name, 'leases')
    expect((await other.poll())?.deliveries).toBe(2)
    await expect(slow?.ack()).rejects.toMatchObject({ code: 'DELIVERY_LOST', reason: 'not-held' })
    expect(slow?.signal.aborted).toBe(true)
    await end(name, 'leases')
    expect([await other.poll(), (await mine.counts()).dead]).toEqual([undefined, 1])
  })

  it('delivers delayed messages when they are due, to one that waits', { tags: ['timed'] }, async () => {
    const { mine, other } = queues()
    const waiting = other.poll({ waitMs: LONG_MS })
    await mine.offer('later', { delayMs: 300 })
    await mine.offer('sooner', { delayMs: 150 })
    expect(await mine.counts()).toMatchObject({ ready: 0, delayed: 2 })
    const first = await waiting
    const second = await mine.poll({ waitMs: LONG_MS })
    expect([first?.value, second?.value]).toEqual(['sooner', 'later'])
    await second?.nack({ delayMs: 100 })
    expect(await mine.poll()).toBeUndefined()
    expect(await other.poll({ waitMs: LONG_MS })).toMatchObject({ value: 'later', deliveries: 2 })
  })

  it(
    'delivers again what was not acknowledged in time, and tells its first worker before',
    { tags: ['timed'] },
    async () => {
      const { mine, other } = queues()
      await mine.offer('a')
      const slow = await mine.poll({ visibilityMs: 200 })
      const lost = new Promise((resolve) => slow?.signal.addEventListener('abort', resolve))
      const again = await other.poll({ waitMs: LONG_MS })
      expect(slow?.signal.aborted).toBe(true)
      await lost
      expect(slow?.signal.reason).toMatchObject({ code: 'DELIVERY_LOST', reason: 'expired' })
      expect([again?.value, again?.deliveries]).toEqual(['a', 2])
      await expect(slow?.ack()).rejects.toMatchObject({ code: 'DELIVERY_LOST' })
      await again?.ack()
      expect(await mine.size()).toBe(0)
    },
  )

  it('acknowledges what is overdue, as long as no one else has it', async () => {
    const { mine, name } = queues()
    await mine.offer('a')
    const slow = await mine.poll()
    await end(name, 'leases')
    await slow?.ack()
    expect(await mine.counts()).toEqual({ ready: 0, delayed: 0, inFlight: 0, heldBack: 0, dead: 0 })
  })

  it('extends a delivery', async () => {
    const { mine, name } = queues()
    await mine.offer('a')
    const endOf = async () => {
      const [, moment] = (await askOwner(
        topology,
        `${name}:leases`,
        'ZRANGE',
        0,
        -1,
        'WITHSCORES',
      )) as string[]
      return Number(moment)
    }
    const slow = await mine.poll({ visibilityMs: LONG_MS })
    const before = await endOf()
    await slow?.extend(3 * LONG_MS)
    expect((await endOf()) - before).toBeGreaterThanOrEqual(2 * LONG_MS)
    await slow?.extend() // it lasts for longer already
    expect((await endOf()) - before).toBeGreaterThanOrEqual(2 * LONG_MS)
    await slow?.ack()
  })

  it('wakes one that waits, and ends its waiting by a signal, which takes nothing', async () => {
    const { mine, other } = queues()
    const ending = new AbortController()
    const aborted = mine.poll({ waitMs: LONG_MS, signal: ending.signal })
    const waiting = other.poll({ waitMs: LONG_MS })
    ending.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    await mine.offer('a')
    expect((await waiting)?.value).toBe('a')
    expect(await mine.poll()).toBeUndefined()
  })

  it.each<[string, OfferOptions]>([
    ['as long as it is there', { dedup: { id: 'x' } }],
    ['for some time', { dedup: { id: 'x', ttlMs: LONG_MS } }],
  ])('drops a duplicate %s', async (_, options) => {
    const { mine, other } = queues()
    const id = await mine.offer('a', options)
    expect(await other.offer('b', options)).toBe(id)
    const first = await mine.poll()
    expect(await other.offer('b', options)).toBe(id)
    await first?.ack()
    const isTimed = options.dedup?.ttlMs !== undefined
    expect((await other.offer('c', options)) === id).toBe(isTimed)
    expect(valuesOf(await mine.poll(5))).toEqual(isTimed ? [] : ['c'])
  })

  it('replaces a duplicate that waits, and not one that is worked on', async () => {
    const { mine } = queues()
    const options: OfferOptions = { dedup: { id: 'x', mode: 'replace' }, delayMs: 20 }
    await mine.offer('a', options)
    await mine.offer('b', options)
    expect(await mine.size()).toBe(1)
    const first = await mine.poll({ waitMs: LONG_MS })
    expect(first?.value).toBe('b')
    await mine.offer('c', options)
    await mine.offer('d', { dedup: { id: 'x', mode: 'replace' } })
    expect(valuesOf(await mine.poll(5))).toEqual(['d'])
  })

  it('ends a deduplication after its time', async () => {
    const { mine } = queues()
    const options: OfferOptions = { dedup: { id: 'x', ttlMs: 100 } }
    const id = await mine.offer('a', options)
    await eventually(async () => {
      expect(await mine.offer('b', options)).not.toBe(id)
    })
    expect(valuesOf(await mine.poll(5))).toEqual(['a', 'b'])
  })

  it('refuses what does not fit, and lets one wait for room', async () => {
    const { mine, other, name } = queues({ capacity: 2 })
    await mine.offerAll(['a', 'b'])
    await expect(mine.offer('c')).rejects.toMatchObject({
      code: 'QUEUE_FULL',
      queue: name,
      capacity: 2,
      waitMs: 0,
    })
    await expect(mine.offer('c', { waitMs: 20 })).rejects.toMatchObject({ code: 'QUEUE_FULL', waitMs: 20 })
    const waiting = mine.offer('c', { waitMs: LONG_MS })
    const first = await other.poll()
    expect(await mine.size()).toBe(2)
    await first?.ack()
    await waiting
    await (await other.poll())?.reject()
    await mine.offer('d')
    expect(await mine.counts()).toMatchObject({ ready: 2, dead: 1 })
  })

  it('works on as many messages of a group at the same time as it may, in their order', async () => {
    const { mine, other, name } = queues({ groupConcurrency: 1 })
    for (const value of ['a1', 'a2', 'a3']) await mine.offer(value, { group: 'a' })
    await mine.offer('b1', { group: 'b' })
    await mine.offer('none')
    expect(await mine.counts()).toMatchObject({ ready: 3, heldBack: 2 })
    const [first, ...others] = await mine.poll(9)
    expect([first?.value, first?.group, ...valuesOf(others)]).toEqual(['a1', 'a', 'b1', 'none'])
    await first?.nack({ delayMs: LONG_MS })
    expect(await other.poll()).toBeUndefined()
    await end(name, 'delayed')
    const again = await other.poll()
    expect([again?.value, again?.deliveries]).toEqual(['a1', 2])
    await again?.ack()
    const second = await other.poll()
    expect(second?.value).toBe('a2')
    await second?.reject()
    const third = await mine.poll()
    expect(third?.value).toBe('a3')
    await third?.release()
    await (await mine.poll())?.ack()
    expect(await mine.counts()).toMatchObject({ ready: 0, heldBack: 0, inFlight: 2, dead: 1 })
  })

  it('has priorities and delays within a group', async () => {
    const { mine, name } = queues({ groupConcurrency: 1 })
    await mine.offer('first', { group: 'a' })
    await mine.offer('low', { group: 'a', priority: -1 })
    await mine.offer('due', { group: 'a', delayMs: LONG_MS, priority: 3 })
    await mine.offer('high', { group: 'a', priority: 2 })
    const seen: string[] = []
    await end(name, 'delayed')
    for (let turn = 0; turn < 4; turn += 1) {
      const delivery = await mine.poll()
      seen.push(delivery?.value ?? 'none')
      await delivery?.ack()
    }
    expect(seen).toEqual(['first', 'due', 'high', 'low'])
  })

  it('reads what is ready, and removes what waits', async () => {
    const { mine, other } = queues({ groupConcurrency: 1 })
    const a = await mine.offer('a', { headers: { h: '1' } })
    const b = await mine.offer('b', { delayMs: LONG_MS, priority: 3 })
    await mine.offer('c', { group: 'g' })
    const d = await mine.offer('d', { group: 'g' })
    expect(await other.peek(5)).toMatchObject([
      { id: a, value: 'a', headers: { h: '1' }, failures: 0 },
      { value: 'c', group: 'g' },
    ])
    const first = await other.poll()
    expect([await mine.remove(a), await mine.remove(b), await mine.remove(d), await mine.remove(d)]).toEqual([
      false,
      true,
      true,
      false,
    ])
    await first?.reject()
    expect([await mine.remove(a), await mine.deadLetters()]).toEqual([true, []])
    expect(await mine.size()).toBe(1)
  })

  it('cancels a message that waits', async () => {
    const { mine } = queues()
    const id = await mine.offer('a')
    expect([await mine.cancel(id), await mine.cancel(id), await mine.poll()]).toEqual([
      true,
      false,
      undefined,
    ])
  })

  it('cancels a message that another process works on', async () => {
    const { mine, other } = queues({ groupConcurrency: 1 })
    const id = await mine.offer('a', { group: 'g' })
    await mine.offer('b', { group: 'g' })
    const consumed = iteratorOf(other.consume())
    const { value: delivery } = await consumed.next()
    expect(await mine.cancel(id, { reason: 'not wanted any more' })).toBe(true)
    await eventually(() => {
      expect(delivery?.signal.reason).toMatchObject({
        code: 'DELIVERY_CANCELLED',
        reason: 'not wanted any more',
        id,
      })
    })
    expect(delivery?.isHeld).toBe(true)
    await delivery?.nack()
    expect((await mine.poll())?.value).toBe('b')
    await consumed.return?.()
    expect(await mine.counts()).toMatchObject({ ready: 0, inFlight: 1, dead: 0 })
  })

  it('removes a cancelled message when its delivery has ended', async () => {
    const { mine, other, name } = queues()
    const id = await mine.offer('a')
    await other.poll()
    expect(await mine.cancel(id)).toBe(true)
    await end(name, 'leases')
    expect([await mine.poll(), await mine.size()]).toEqual([undefined, 0])
  })

  it('iterates over deliveries, as many at the same time as it may', async () => {
    const { mine, other } = queues()
    await mine.offerAll(['a', 'b', 'c', 'd', 'e'])
    const open: Delivery<string>[] = []
    for await (const delivery of other.consume({ concurrency: 2 })) {
      open.push(delivery)
      if (open.length === 2) {
        expect(await mine.counts()).toMatchObject({ inFlight: 2 })
        await open.shift()?.ack()
        await open.shift()?.nack()
      }
      if (delivery.deliveries === 2) break
    }
    expect(valuesOf(open)).toEqual(['b'])
    expect(await mine.counts()).toMatchObject({ ready: 3, inFlight: 1 }) // c was not handed out
  })

  it('ends an iteration by its signal, and gives back what it had not handed out', async () => {
    const { mine } = queues()
    const ending = new AbortController()
    const iteration = iteratorOf(mine.consume({ concurrency: 3, signal: ending.signal }))
    await mine.offerAll(['a', 'b', 'c'])
    const { value: first } = await iteration.next()
    await first?.ack()
    ending.abort(new Error('enough'))
    await expect(iteration.next()).rejects.toThrow('enough')
    expect(await mine.counts()).toMatchObject({ ready: 2, inFlight: 0 })
    expect(await iteration.next()).toEqual({ done: true, value: undefined })
  })

  it('works on messages with a function, and retries those that fail', async () => {
    const { mine, other } = queues({ maxDeliveries: 2 })
    const seen: string[] = []
    const failed: unknown[] = []
    const worker = other.process(
      ({ value, deliveries }) => {
        seen.push(`${value}${String(deliveries)}`)
        if (value === 'bad') throw new Error('broken')
      },
      { concurrency: 2, retryDelayMs: (deliveries) => deliveries * 10 },
    )
    worker.on('failed', ({ error }) => failed.push(error))
    await mine.offerAll(['a', 'bad', 'b'])
    await eventually(async () => {
      expect(await mine.counts()).toMatchObject({ ready: 0, delayed: 0, inFlight: 0, dead: 1 })
    })
    await worker.close()
    expect(seen.sort()).toEqual(['a1', 'b1', 'bad1', 'bad2'])
    expect(failed).toMatchObject([{ message: 'broken' }, { message: 'broken' }])
    expect(await mine.deadLetters()).toMatchObject([{ reason: 'Error: broken' }])
  })

  it('closes a worker when its function has returned', async () => {
    const { mine, other } = queues()
    const begun = Promise.withResolvers<undefined>()
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const worker = other.process(() => {
      begun.resolve(undefined)
      return promise
    })
    await mine.offerAll(['a', 'b'])
    await begun.promise
    const closed = worker.close()
    resolve(undefined)
    await closed
    expect(await mine.counts()).toMatchObject({ ready: 1, inFlight: 0 })
  })

  it('makes a dead letter of a message that cannot be read', async () => {
    const { mine, name } = queues()
    const raw = clients.other.getReliableQueue(name, { codec: bytesCodec() })
    await raw.offer(Buffer.from('{nothing'))
    await expect(mine.poll()).rejects.toMatchObject({ code: 'CODEC' })
    await raw.offerAll([Buffer.from('{nothing'), Buffer.from('"a"')])
    const error = await mine.poll(2).catch((reason: unknown) => reason)
    expect(valuesOf((error as CodecError).taken() as Delivery<string>[])).toEqual(['a'])
    const letters = await mine.deadLetters()
    expect(letters).toHaveLength(2)
    expect(() => letters[0]?.value).toThrow(/cannot decode/)
  })

  it('adds messages in a batch, beside other changes', async () => {
    const { mine, name } = queues()
    const [id] = await clients.mine.batch(
      (batch) => [
        batch.getReliableQueue<string>(name).offer('a', { delayMs: 1 }),
        batch.getBucket(`${name}:b`).set(1),
      ],
      { mode: 'atomic' },
    )
    await expect(clients.mine.batch((batch) => [batch.getReliableQueue(name).poll()])).rejects.toMatchObject({
      code: 'NOT_IN_BATCH',
    })
    await clients.mine.getBucket(`${name}:b`).delete()
    expect(await mine.poll({ waitMs: LONG_MS })).toMatchObject({ id, value: 'a' })
  })

  it('gives tokens to a guard', async () => {
    const { mine, other, name } = queues()
    await mine.offer('a')
    const late = await mine.poll()
    await late?.release()
    const next = await other.poll()
    const guard = clients.mine.getFencingGuard(`${name}:guarded`)
    expect(await guard.accepts(next?.fencingToken ?? 0)).toBe(true)
    expect(await guard.accepts(late?.fencingToken ?? 0)).toBe(false)
    await clients.mine.getBucket(`ioredisson_fencing_token:${name}:guarded`).delete()
  })

  it.each(['eq', '#', ' ', 'f', '{x}'])('keeps numbers and groups apart: %j', async (group) => {
    const { mine } = queues({ groupConcurrency: 1 })
    const ids = [await mine.offer('a', { group }), await mine.offer('b', { group })]
    const first = await mine.poll()
    await first?.ack()
    const second = await mine.poll()
    await second?.ack()
    expect([first?.id, second?.id]).toEqual(ids)
    expect(second?.fencingToken).toBeGreaterThan(first?.fencingToken ?? Infinity)
    expect(await mine.size()).toBe(0)
  })

  it(
    'delivers to the next iteration of a process what another one has let go',
    { tags: ['timed'] },
    async () => {
      const { other } = queues()
      await other.offer('a')
      const iterations = [1, 2].map(() => iteratorOf(other.consume({ visibilityMs: 200 })))
      const first = await iterations[0]?.next()
      const again = await iterations[1]?.next()
      expect([first?.value?.deliveries, again?.value?.deliveries]).toEqual([1, 2])
      await again?.value?.ack()
      for (const each of iterations) await each.return?.()
    },
  )

  it('takes one message at a time for an iteration whose deliveries have a time of their own', async () => {
    const { mine } = queues()
    await mine.offerAll(['a', 'b', 'c'])
    for await (const delivery of mine.consume({ concurrency: 3, visibilityMs: LONG_MS })) {
      expect([delivery.value, (await mine.counts()).inFlight]).toEqual(['a', 1])
      break
    }
  })

  it('takes no more than a megabyte at once, and leaves the rest in its order', async () => {
    const { mine, other } = queues()
    const large = 'x'.repeat(400_000)
    await mine.offerAll(['a', 'b', 'c', 'd', 'e'].map((each) => each + large))
    await mine.offer(`first${large}${large}${large}`, { priority: 1 })
    const taken: string[][] = []
    for (let each = 0; each < 4; each += 1)
      taken.push(valuesOf(await other.poll(10)).map((value) => value.replaceAll('x', '')))
    expect(taken).toEqual([['first'], ['a', 'b'], ['c', 'd'], ['e']])
    expect(await mine.counts()).toMatchObject({ ready: 0, inFlight: 6 })
  })

  it('hands one waiter after the other what is too large to be taken at once', async () => {
    const { mine } = queues()
    const waiting = [1, 2, 3].map(() => mine.poll(10, { waitMs: LONG_MS }))
    await mine.offerAll(['a', 'b', 'c'].map((each) => each.repeat(700_000)))
    expect((await Promise.all(waiting)).map(({ length }) => length)).toEqual([1, 1, 1])
  })

  it.each([
    ['an error whose name is a symbol', () => Object.assign(new Error('x'), { name: Symbol('s') })],
    [
      'an error whose message throws',
      () => Object.defineProperty(new Error('x'), 'message', { get: refuse }),
    ],
    [
      'an error whose message is no text',
      () => Object.assign(new Error('x'), { message: Object.create(null) }),
    ],
    ['a proxy that was revoked', revokedProxy],
    ['null', () => null],
  ])('goes on after a function that has thrown %s', async (_, thrown) => {
    const { mine, other } = queues({ maxDeliveries: 1 })
    await other.offerAll(['a', 'b'])
    const both = Promise.withResolvers<undefined>()
    const worker = mine.process(({ value }) => {
      if (value === 'a') throw thrown()
      both.resolve(undefined)
    })
    await both.promise
    await worker.close()
    expect((await other.deadLetters()).map(({ value, reason }) => [value, typeof reason])).toEqual([
      ['a', 'string'],
    ])
  })

  it('refuses more values than there can ever be', async () => {
    const { mine } = queues({ capacity: 2 })
    await expect(mine.offerAll(['a', 'b', 'c'], { waitMs: LONG_MS })).rejects.toThrow(RangeError)
    expect(await mine.size()).toBe(0)
  })

  it.each([
    ['a delivery ends that was the last one', 1],
    ['a cancelled message is given back', 2],
  ])('tells one that waits for room when %s', async (_, maxDeliveries) => {
    const { mine, other, name } = queues({ capacity: 1, maxDeliveries })
    const id = await mine.offer('a')
    const delivery = await other.poll()
    const waiting = mine.offer('b', { waitMs: LONG_MS })
    if (maxDeliveries === 1) await end(name, 'leases')
    else {
      await mine.cancel(id)
      await delivery?.release()
    }
    expect((await other.poll({ waitMs: LONG_MS }))?.value).toBe('b')
    await waiting
  })

  it('lets the worker of a cancelled message acknowledge it within its grace, and extend it no more', async () => {
    const { mine, other } = queues({ groupConcurrency: 1 })
    const id = await mine.offer('a', { group: 'g' })
    await mine.offer('b', { group: 'g' })
    const delivery = await other.poll({ visibilityMs: LONG_MS })
    await mine.cancel(id, { graceMs: 2 * LONG_MS })
    await expect(delivery?.extend()).rejects.toMatchObject({ code: 'DELIVERY_CANCELLED', id })
    expect(delivery?.signal.aborted).toBe(true)
    expect(await mine.poll()).toBeUndefined() // its place is taken
    expect(delivery?.isHeld).toBe(true)
    await delivery?.ack()
    expect((await mine.poll())?.value).toBe('b')
  })

  it('lets a delivery with a time of its own last, although its message is cancelled', async () => {
    const { mine, other } = queues({ groupConcurrency: 1 })
    const id = await mine.offer('a', { group: 'g' })
    await mine.offer('b', { group: 'g' })
    const delivery = await other.poll({ visibilityMs: LONG_MS })
    await mine.cancel(id, { graceMs: 1 })
    expect([await mine.poll(), delivery?.isHeld]).toEqual([undefined, true])
  })

  it('leaves dead letters alone where a duplicate is replaced', async () => {
    const { mine } = queues({ capacity: 1 })
    const options: OfferOptions = { dedup: { id: 'x', ttlMs: LONG_MS, mode: 'replace' } }
    await mine.offer('a', options)
    await (await mine.poll())?.reject()
    await mine.offer('b', options)
    await expect(mine.offer('c')).rejects.toMatchObject({ code: 'QUEUE_FULL' })
    expect(await mine.counts()).toMatchObject({ ready: 1, dead: 1 })
  })

  it('reads nothing where nothing is asked for', async () => {
    const { mine } = queues()
    await mine.offerAll(['a', 'b'])
    await (await mine.poll())?.reject()
    expect([await mine.peek(0), await mine.deadLetters({ count: 0 }), await mine.poll(0)]).toEqual([
      [],
      [],
      [],
    ])
  })

  it('adds and redrives thousands in a batch', async () => {
    const { mine, name } = queues()
    const values = Array.from({ length: 1_500 }, (_, index) => String(index))
    const [ids] = await clients.mine.batch((batch) => [batch.getReliableQueue(name).offerAll(values)], {
      mode: 'atomic',
    })
    expect([ids.length, await mine.size()]).toEqual([1_500, 1_500])
    const [moved] = await clients.mine.batch((batch) => [batch.getReliableQueue(name).redrive(ids)])
    expect(moved).toBe(0)
  })

  it('keeps headers of any name', async () => {
    const { mine } = queues()
    await mine.offer('a', {
      headers: JSON.parse('{"__proto__":"b","constructor":"c"}') as Record<string, string>,
    })
    const delivery = await mine.poll()
    expect(Object.entries(delivery?.headers ?? {})).toEqual([
      ['__proto__', 'b'],
      ['constructor', 'c'],
    ])
  })

  it('reports nothing of a delivery that its function settles without waiting for it', async () => {
    const { mine, other } = queues()
    const errors: unknown[] = []
    const worker = other.process((delivery) => void delivery.ack())
    worker.on('error', (error) => errors.push(error))
    await mine.offerAll(['a', 'b'])
    await eventually(async () => {
      expect(await mine.size()).toBe(0)
    })
    await worker.close()
    expect(errors).toEqual([])
  })

  it('refuses a pause before the next delivery that makes no sense', async () => {
    const { mine } = queues()
    for (const retryDelayMs of [Infinity, NaN, 1e13])
      expect(() => mine.process(() => undefined, { retryDelayMs })).toThrow(RangeError)
    const errors: unknown[] = []
    const worker = mine.process(() => Promise.reject(new Error('no')), { retryDelayMs: () => Infinity })
    worker.on('error', (error) => errors.push(error))
    await mine.offer('a')
    await eventually(async () => {
      expect(await mine.counts()).toMatchObject({ delayed: 1, inFlight: 0 })
    })
    await worker.close()
    expect(errors).toMatchObject([{ name: 'RangeError' }])
  })

  it('ends an iteration at a shutdown, and gives back what it has not handed out', async () => {
    const { mine, name } = queues()
    const client = await Redisson.create(topology.options())
    await mine.offerAll(['a', 'b', 'c'])
    const iteration = iteratorOf(client.getReliableQueue<string>(name).consume({ concurrency: 3 }))
    const first = await iteration.next()
    const closed = client.shutdown({ drainMs: LONG_MS })
    await expect(iteration.next()).rejects.toMatchObject({ code: 'CLOSED' })
    expect(await mine.counts()).toMatchObject({ ready: 2, inFlight: 1 })
    await first.value?.ack()
    await closed
    expect((await mine.poll(5)).map(({ deliveries }) => deliveries)).toEqual([1, 1])
  })

  it('refuses a grace without an end', async () => {
    const { mine } = queues()
    const id = await mine.offer('a')
    for (const graceMs of [Infinity, NaN, 1e17])
      await expect(mine.cancel(id, { graceMs })).rejects.toThrow(RangeError)
    expect(await mine.size()).toBe(1)
  })

  it('adds what was cancelled once more, although it has the same deduplication', async () => {
    const { mine, other } = queues()
    const options: OfferOptions = { dedup: { id: 'x' } }
    const id = await mine.offer('a', options)
    const delivery = await other.poll()
    await mine.cancel(id)
    expect(await mine.offer('b', options)).not.toBe(id)
    await delivery?.ack()
    expect(await mine.size()).toBe(1)
  })

  it('tells one that waits for room that the queue was deleted', async () => {
    const { mine, other } = queues({ capacity: 1 })
    await mine.offer('a')
    const waiting = mine.offer('b', { waitMs: LONG_MS })
    await eventually(async () => {
      const isOver = await Promise.race([waiting.then(() => true), sleep(20).then(() => false)])
      if (!isOver) await other.delete()
      expect(isOver).toBe(true)
    })
    expect((await other.poll())?.value).toBe('b')
  })

  it('settles a delivery once where its block ends meanwhile', async () => {
    const { mine } = queues()
    await mine.offer('a')
    {
      await using delivery = await mine.poll()
      void delivery?.ack()
    }
    expect(await mine.size()).toBe(0)
  })

  it('hands out no message that was cancelled while it waited for the iteration', async () => {
    const { mine, other } = queues()
    const [first = '', second = '', third = ''] = await mine.offerAll(['a', 'b', 'c', 'd'])
    const seen: string[] = []
    for await (const delivery of other.consume({ concurrency: 4 })) {
      seen.push(delivery.value)
      if (delivery.value === 'b') await mine.cancel(third)
      if (delivery.value === 'a' || delivery.value === 'b')
        await eventually(async () => {
          await mine.cancel(delivery.value === 'a' ? first : second) // the first message may come before the subscription
          expect(delivery.signal.aborted).toBe(true) // so the message about the third one has come before that about the second
        })
      if (delivery.signal.aborted) await delivery.release()
      else await delivery.ack()
      if (delivery.value === 'd') break
    }
    expect([seen, await mine.size()]).toEqual([['a', 'b', 'd'], 0])
  })
})
