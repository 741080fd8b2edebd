import { describe, expect, it, vi } from 'vitest'
import { Redisson, stringCodec, type RBoundedBlockingQueue, type RequestTrace } from '../../../src/index.js'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { ChannelEvents } from '../../support/channel-events.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** Longer than a test may take, so that a waiter wakes by a change of the key. */
vi.mock('../../../src/waiting/recheck.js', () => ({ RECHECK_MS: 600_000 }))

/** More than any test takes. */
const LONG_MS = 60_000

describe.each(slottedTopologies)('waiting for room in a bounded queue ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A queue that is full. */
  const queues = async (elements = ['a', 'b']) => {
    const name = `{room-${topology.kind}-${String(names++)}}`
    const mine = clients.mine.getBoundedBlockingQueue<string>(name)
    const other = clients.other.getBoundedBlockingQueue<string>(name)
    await mine.trySetCapacity(elements.length)
    await mine.addAll(elements)
    return { name, mine, other, places: `redisson_bqs:${name}` }
  }

  /** Resolves once the server tells some client of the next change of a key. */
  const waiting = (name: string) =>
    eventually(async () => {
      const info = String(await (await ownerOf(topology, name)).command('INFO', 'stats'))
      expect(info).toMatch(/tracking_total_keys:[1-9]/)
    })

  it.each<[string, (queue: RBoundedBlockingQueue<string>, name: string) => Promise<unknown>]>([
    ['poll()', (queue) => queue.poll()],
    ['take()', (queue) => queue.take()],
    ['drainTo()', (queue) => queue.drainTo(1)],
    [
      'pollFromAny() of another queue',
      (_, name) => clients.other.getBoundedBlockingQueue(`${name}x`).pollFromAny([name]),
    ],
    ['remove()', (queue) => queue.remove('a')],
    ['removeAll()', (queue) => queue.removeAll(['a'])],
    ['retainAll()', (queue) => queue.retainAll(['b'])],
    ['a move', (queue, name) => queue.move({ to: `${name}:to` })],
    [
      'Java, which takes an element and then gives its place back',
      async (_, name) => {
        await askOwner(topology, name, 'LPOP')
        await askOwner(topology, `redisson_bqs:${name}`, 'INCRBY', '1')
      },
    ],
  ])('adds a value when there is room after %s', async (_, remove) => {
    const { name, mine, other } = await queues()
    const put = mine.put('c')
    await waiting(name)
    await remove(other, name)
    await put
    expect(await mine.readAll()).toEqual(['b', 'c'])
    expect(await mine.remainingCapacity()).toBe(0)
    await mine.delete()
    await clients.mine.getQueue(`${name}:to`).delete()
  })

  it('adds a value when the queue is cleared, or has gone elsewhere and gets another capacity', async () => {
    const { name, mine, other } = await queues()
    const first = mine.offer('c', { waitMs: LONG_MS })
    await waiting(name)
    await other.clear()
    expect(await first).toBe(true)
    await other.add('d')
    const second = mine.put('e')
    await waiting(name)
    const full = clients.other.getBoundedBlockingQueue(`${name}:roomy`)
    await full.trySetCapacity(2)
    await full.add('x')
    await full.rename(name)
    await second
    expect(await mine.readAll()).toEqual(['x', 'e'])
    await mine.delete()
  })

  it('rejects when the capacity is deleted meanwhile', async () => {
    const { name, mine, other } = await queues()
    const calls = [mine.put('c'), mine.put('d'), mine.offer('e', { waitMs: LONG_MS })]
    await waiting(name)
    const rejected = Promise.all(
      calls.map((call) => expect(call).rejects.toMatchObject({ code: 'CAPACITY_NOT_SET', object: name })),
    )
    await other.delete()
    await rejected
    expect(await mine.isExists()).toBe(false)
  })

  it('has never more elements than places, with many that add and many that remove', async () => {
    const { name, mine, other, places } = await queues(['a', 'b', 'c'])
    await mine.clear()
    const values = Array.from({ length: 60 }, (_, n) => `v${String(n)}`)
    const put = values.map((value, n) => (n % 2 === 0 ? mine : other).put(value))
    const sizes: number[] = []
    const taken = Promise.all(
      values.map(async (_, n) => {
        const element = await (n % 3 === 0 ? mine : other).take()
        sizes.push(await other.size())
        return element
      }),
    )
    await Promise.all(put)
    expect((await taken).toSorted()).toEqual(values.toSorted())
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3)
    expect(await askOwner(topology, places, 'GET')).toBe('3')
    expect(await askOwner(topology, name, 'EXISTS')).toBe(0)
    await mine.delete()
  })

  it('lets no call overtake those of its process that wait', async () => {
    const { name, mine, other } = await queues(['a'])
    const values = Array.from({ length: 30 }, (_, n) => `v${String(n)}`)
    const put = [mine.put('v0')]
    await waiting(name)
    put.push(...values.slice(1).map((value) => mine.put(value)))
    const taken = [await other.take()]
    for (let n = 0; n < 29; n += 1) taken.push(await other.take())
    expect(taken).toEqual(['a', ...values.slice(0, 29)])
    await Promise.all(put)
    await mine.delete()
  })

  it('sends a few requests for each place, with a thousand that wait', async () => {
    const { name, mine, other } = await queues(['a'])
    let added = 0
    const abort = new AbortController()
    const put = Array.from({ length: 1_000 }, (_, n) =>
      mine.put(String(n), { signal: abort.signal }).then(
        () => (added += 1),
        () => undefined,
      ),
    )
    await mine.size() // their first requests have found nothing by then
    await waiting(name)
    using requests = new ChannelEvents<RequestTrace>('ioredisson:request')
    for (let place = 1; place <= 5; place += 1) {
      await other.poll()
      await eventually(() => {
        expect(added).toBe(place)
      })
    }
    const offers = requests.all.filter(
      ([event, trace]) => event === 'start' && trace.name === 'bounded-blocking-queue/offer',
    )
    expect(offers.length).toBeGreaterThanOrEqual(5)
    expect(offers.length).toBeLessThan(50)
    abort.abort()
    await Promise.all(put)
    await mine.delete()
  })

  it('tells clients in Java of each place that is free', async () => {
    const { name, mine } = await queues(['a', 'b', 'b', 'c', 'd', 'e'])
    const channel = `redisson_sc:redisson_bqs:${name}`
    const heard: string[] = []
    const topic = clients.other[topology.kind === 'cluster' ? 'getShardedTopic' : 'getTopic'](channel, {
      codec: stringCodec(),
    })
    const subscription = await topic.addListener((message) => heard.push(message))
    await mine.poll()
    await mine.remove('c')
    await mine.removeAll(['b'])
    await mine.remove('none')
    await mine.clear()
    await mine.put('x')
    await mine.delete()
    await mine.trySetCapacity(3)
    await eventually(() => {
      expect(heard).toEqual(['1', '2', '4', '6', '2147483647', '3'])
    })
    await subscription.unsubscribe()
    await mine.delete()
  })

  it('adds nothing for a signal that has aborted, with a time to wait or without', async () => {
    const { mine, other } = await queues()
    await other.clear()
    const signal = AbortSignal.abort(new Error('enough'))
    for (const call of [
      () => mine.put('c', { signal }),
      () => mine.offer('c', { signal }),
      () => mine.offer('c', { signal, waitMs: LONG_MS }),
    ])
      await expect(call()).rejects.toThrow('enough')
    expect(await other.isExists()).toBe(false)
    await other.delete()
  })

  it('ends after its time, and adds nothing', async () => {
    const { mine } = await queues()
    const waitMs = 1_000 // enough for a reply of a busy machine
    expect(await Promise.all([mine.offer('c', { waitMs }), mine.offer('d', { waitMs })])).toEqual([
      false,
      false,
    ])
    expect(await mine.readAll()).toEqual(['a', 'b'])
    await mine.delete()
  })

  it('ends with its signal, and adds nothing after that', async () => {
    const { name, mine, other } = await queues()
    const abort = new AbortController()
    const { signal } = abort
    const put = [
      mine.put('c', { signal }),
      mine.put('d', { signal }),
      mine.offer('e', { waitMs: LONG_MS, signal }),
    ]
    await waiting(name)
    abort.abort(new Error('enough'))
    await Promise.all(put.map((each) => expect(each).rejects.toThrow('enough')))
    expect(await other.drainTo()).toEqual(['a', 'b'])
    await other.put('z')
    expect(await other.readAll()).toEqual(['z'])
    expect(await other.remainingCapacity()).toBe(1)
    await other.delete()
  })

  it('says truly whether it has added a value when calls are aborted just as there is room', async () => {
    const { name, mine, other, places } = await queues(['a'])
    const added: string[] = []
    const taken: (string | undefined)[] = []
    for (let round = 0; round < 36; round += 1) {
      const abort = new AbortController()
      const value = `v${String(round)}`
      const putting = mine.put(value, { signal: abort.signal }).then(
        () => added.push(value),
        (error: unknown) => {
          expect(error).toBe(abort.signal.reason)
        },
      )
      await waiting(name)
      const polled = other.poll()
      for (let turn = 0; turn < round % 6; turn += 1) await new Promise((next) => setImmediate(next))
      if (round % 6 === 5) await polled
      abort.abort()
      await putting
      taken.push(await polled)
      await other.offer('filler')
    }
    taken.push(...(await other.drainTo()))
    expect(taken.filter((each) => each !== 'filler').toSorted()).toEqual(['a', ...added].toSorted())
    expect(await askOwner(topology, places, 'GET')).toBe('1')
    await other.delete()
  }, 60_000)

  it('ends with the client', async () => {
    const { name, mine } = await queues()
    const client = await Redisson.create(topology.options())
    const queue = client.getBoundedBlockingQueue<string>(name)
    const calls = [queue.put('c'), queue.offer('d', { waitMs: LONG_MS })]
    await waiting(name)
    const refused = Promise.all(calls.map((call) => expect(call).rejects.toMatchObject({ code: 'CLOSED' })))
    await client.shutdown()
    await refused
    expect(await mine.readAll()).toEqual(['a', 'b'])
    await mine.delete()
  })

  it('ends with the signal of the client', async () => {
    const { name, mine } = await queues()
    const abort = new AbortController()
    const queue = clients.mine.withSignal(abort.signal).getBoundedBlockingQueue<string>(name)
    const put = queue.put('c')
    await waiting(name)
    abort.abort(new Error('enough'))
    await expect(put).rejects.toMatchObject({ code: 'ABORTED', mayHaveRun: false })
    await mine.delete()
  })

  it('has elements for those who wait for them, and for subscriptions', async () => {
    const { name, mine, other } = await queues(['a'])
    await other.clear()
    const first = mine.take()
    await waiting(name)
    await other.put('b')
    expect(await first).toBe('b')
    const heard: string[] = []
    await using subscription = mine.subscribeOnElements((element) => heard.push(element))
    for (const value of ['c', 'd', 'e']) await other.put(value)
    await eventually(() => {
      expect(heard).toEqual(['c', 'd', 'e'])
    })
    await subscription.unsubscribe()
    expect(await other.remainingCapacity()).toBe(1)
    await other.put('f')
    for await (const element of mine.consume()) {
      expect(element).toBe('f')
      break
    }
    expect(await other.remainingCapacity()).toBe(1)
    await other.delete()
  })
})
