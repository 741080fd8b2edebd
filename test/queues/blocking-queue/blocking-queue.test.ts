import { describe, expect, it, vi } from 'vitest'
import { Redisson, type RequestTrace } from '../../../src/index.js'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { ChannelEvents } from '../../support/channel-events.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { everyTopology } from '../../support/topologies.js'

/** Longer than a test may take, so that a waiter wakes by a change of the key. */
vi.mock('../../../src/waiting/recheck.js', () => ({ RECHECK_MS: 600_000 }))

/** More than any test takes. */
const LONG_MS = 60_000

describe.each(everyTopology)('waiting for an element of a queue ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  const queues = () => {
    const name = `{takes-${topology.kind}-${String(names++)}}`
    return {
      name,
      mine: clients.mine.getBlockingDeque<string>(name),
      other: clients.other.getBlockingQueue<string>(name),
    }
  }

  /** Resolves once the server tells some client of the next change of a key. */
  const waiting = (name: string) =>
    eventually(async () => {
      const info = String(await (await ownerOf(topology, name)).command('INFO', 'stats'))
      expect(info).toMatch(/tracking_total_keys:[1-9]/)
    })

  it('takes one that is there, at either end', async () => {
    const { mine, other } = queues()
    await other.put('b')
    await mine.putFirst('a')
    await mine.putLast('c')
    expect(await mine.takeLast()).toBe('c')
    expect(await other.take()).toBe('a')
    expect(await mine.pollLast({ waitMs: LONG_MS })).toBe('b')
    expect(await mine.isExists()).toBe(false)
  })

  it.each([
    ['put', (name: string) => clients.other.getBlockingQueue<string>(name).put('a')],
    ['putFirst', (name: string) => clients.other.getBlockingDeque<string>(name).putFirst('a')],
    ['the add of a list', (name: string) => clients.other.getList<string>(name).add('a')],
    ['a command of another program', (name: string) => askOwner(topology, name, 'RPUSH', '"a"')],
    [
      'a move',
      (name: string) =>
        clients.other
          .getQueue<string>(`${name}:from`)
          .add('a')
          .then(() => clients.other.getQueue(`${name}:from`).move({ to: name })),
    ],
  ])('takes one that comes by %s', async (_, add) => {
    const { name, mine } = queues()
    const taken = mine.take()
    await waiting(name)
    await add(name)
    expect(await taken).toBe('a')
    expect(await mine.isExists()).toBe(false)
  })

  it('returns as many as there are', async () => {
    const { name, mine, other } = queues()
    const few = mine.pollLast(2, { waitMs: LONG_MS })
    await waiting(name)
    await other.addAll(['a', 'b', 'c'])
    expect(await few).toEqual(['c', 'b'])
    expect(await mine.poll(5, { waitMs: LONG_MS })).toEqual(['a'])
    expect(await mine.poll(0, { waitMs: LONG_MS })).toEqual([])
    expect(await mine.pollFirst(3)).toEqual([])
    expect(await mine.poll()).toBeUndefined()
  })

  it('gives each element to one of a hundred that wait, in the order of their calls', async () => {
    const { name, mine, other } = queues()
    const values = Array.from({ length: 100 }, (_, n) => `v${String(n)}`)
    const mineTaken = values.slice(0, 50).map(() => mine.take())
    const otherTaken = values.slice(50).map(() => other.take())
    await waiting(name)
    await other.isEmpty()
    for (const value of values) await mine.put(value)
    const taken = await Promise.all([...mineTaken, ...otherTaken])
    expect(taken.toSorted()).toEqual(values.toSorted())
    for (const each of [taken.slice(0, 50), taken.slice(50)])
      expect(each).toEqual(each.toSorted((a, b) => values.indexOf(a) - values.indexOf(b)))
    expect(await mine.isExists()).toBe(false)
  })

  it('lets no call overtake those that wait', async () => {
    const { mine, other } = queues()
    const uses = [0, 0, 0]
    const work = async (worker: number) => {
      for (let left = 100; left > 0 && uses.some((count) => count < 10); left -= 1) {
        await mine.take()
        uses[worker] = (uses[worker] as number) + 1
        await other.size() // the others have begun to wait
        await mine.put('resource')
      }
    }
    await other.put('resource')
    await Promise.all([0, 1, 2].map(work))
    expect(Math.min(...uses)).toBeGreaterThanOrEqual(10)
    expect(Math.max(...uses)).toBeLessThan(20)
    await other.delete()
  })

  it('removes nothing for a signal that has aborted, with a time to wait or without', async () => {
    const { mine, other } = queues()
    await other.addAll(['a', 'b'])
    const aborted = { signal: AbortSignal.abort(new Error('enough')) }
    const to = `${mine.name}:to`
    for (const options of [aborted, { ...aborted, waitMs: 300 }])
      for (const call of [
        () => mine.poll(options),
        () => mine.poll(2, options),
        () => mine.pollLast(options),
        () => mine.pollFromAny([to], options),
        () => mine.pollLastAndOfferFirstTo(to, options),
        () => mine.move({ to, count: 2, ...options }),
        () => mine.move({ poll: 'first', addLastTo: to, ...options }),
      ])
        await expect(call()).rejects.toThrow('enough')
    expect(await other.readAll()).toEqual(['a', 'b'])
    await other.delete()
  })

  it('sends a few requests for each element, with a thousand that wait', async () => {
    const { name, mine, other } = queues()
    let taken = 0
    const take = async () => {
      await mine.take()
      taken += 1
    }
    const takers = Array.from({ length: 1_000 }, take)
    await mine.size() // their first requests have found nothing by then
    await waiting(name)
    using requests = new ChannelEvents<RequestTrace>('ioredisson:request')
    for (let value = 1; value <= 5; value += 1) {
      await other.put(String(value))
      await eventually(() => {
        expect(taken).toBe(value)
      })
    }
    const pops = requests.all.filter(([event, trace]) => event === 'start' && trace.name === 'LPOP')
    expect(pops.length).toBeGreaterThanOrEqual(5)
    expect(pops.length).toBeLessThan(50)
    await other.addAll(takers.slice(5).map((_, n) => String(n)))
    await Promise.all(takers)
    expect(await mine.isExists()).toBe(false)
  })

  it('ends after its time, with nothing', async () => {
    const { mine } = queues()
    const waitMs = 1_000 // enough for a reply of a busy machine
    const polled = await Promise.all([
      mine.poll({ waitMs }),
      mine.pollLast(3, { waitMs }),
      mine.pollLastAndOfferFirstTo(`${mine.name}:to`, { waitMs }),
      mine.move({ to: `${mine.name}:to`, waitMs }),
    ])
    expect(polled).toEqual([undefined, [], undefined, []])
  })

  it('ends with its signal, and removes nothing after that', async () => {
    const { name, mine, other } = queues()
    const abort = new AbortController()
    const taken = [mine.take({ signal: abort.signal }), mine.takeLast({ signal: abort.signal })]
    await waiting(name)
    abort.abort(new Error('enough'))
    await Promise.all(taken.map((each) => expect(each).rejects.toThrow('enough')))
    await other.put('a')
    await expect(mine.take({ signal: abort.signal })).rejects.toThrow('enough')
    expect(await mine.readAll()).toEqual(['a'])
    await mine.delete()
  })

  it('loses nothing when calls are aborted just as elements come', async () => {
    const { name, mine, other } = queues()
    const values = Array.from({ length: 60 }, (_, n) => `v${String(n)}`)
    const taken: string[] = []
    for (const value of values) {
      const abort = new AbortController()
      const taking = mine.take({ signal: abort.signal }).then(
        (each) => taken.push(each),
        (error: unknown) => {
          expect(error).toBe(abort.signal.reason)
        },
      )
      await waiting(name)
      const put = other.put(value)
      const turns = Number(value.slice(1)) % 6
      for (let turn = 0; turn < turns; turn += 1) await new Promise((next) => setImmediate(next))
      if (turns === 5) await put
      abort.abort()
      await Promise.all([put, taking])
      taken.push(...(await mine.poll(9)))
    }
    expect(taken.toSorted()).toEqual(values.toSorted())
  }, 60_000)

  it('ends with the client', async () => {
    const { name } = queues()
    const client = await Redisson.create(topology.options())
    const queue = client.getBlockingQueue<string>(name)
    const calls = [
      queue.take(),
      queue.poll({ waitMs: LONG_MS }),
      queue.pollFromAny([`${name}b`], { waitMs: LONG_MS }),
    ]
    const consumed = queue.consume()[Symbol.asyncIterator]().next()
    const subscription = queue.subscribeOnElements(() => undefined)
    await waiting(name)
    const refused = Promise.all(
      [...calls, consumed].map((call) => expect(call).rejects.toMatchObject({ code: 'CLOSED' })),
    )
    await client.shutdown()
    await refused
    await subscription.unsubscribe()
  })

  it('ends with the signal of the client', async () => {
    const { name } = queues()
    const abort = new AbortController()
    const queue = clients.mine.withSignal(abort.signal).getBlockingQueue<string>(name)
    const taken = queue.take()
    await waiting(name)
    abort.abort(new Error('enough'))
    await expect(taken).rejects.toMatchObject({ code: 'ABORTED', mayHaveRun: false })
  })

  it('is not for batches, except where it does not wait', async () => {
    const { name, mine } = queues()
    const codes = { code: 'NOT_IN_BATCH' }
    await expect(clients.mine.batch((b) => [b.getBlockingQueue(name).take()])).rejects.toMatchObject(codes)
    await expect(
      clients.mine.batch((b) => [b.getBlockingQueue(name).poll({ waitMs: 1 })]),
    ).rejects.toMatchObject(codes)
    await expect(
      clients.mine.batch((b) => [b.getBlockingQueue(name).move({ to: `${name}b`, waitMs: 1 })]),
    ).rejects.toMatchObject(codes)
    await mine.addAll(['a', 'b', 'c', 'd'])
    expect(
      await clients.mine.batch((b) => {
        const queue = b.getBlockingDeque<string>(name)
        return [queue.put('e'), queue.poll(), queue.pollLast(1), queue.pollFromAny([]), queue.drainTo(5)]
      }),
    ).toEqual([undefined, 'a', ['e'], 'b', ['c', 'd']])
  })
})
