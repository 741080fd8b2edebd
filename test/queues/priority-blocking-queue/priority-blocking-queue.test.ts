import { describe, expect, it, vi } from 'vitest'
import { askOwner, ownerOf } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** Longer than a test may take, so that a waiter wakes by a change of the key. */
vi.mock('../../../src/waiting/recheck.js', () => ({ RECHECK_MS: 600_000 }))

/** More than any test takes. */
const LONG_MS = 60_000

describe.each(slottedTopologies)('waiting for an element of a priority queue ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  const queues = () => {
    const name = `{priority-takes-${topology.kind}-${String(names++)}}`
    return {
      name,
      mine: clients.mine.getPriorityBlockingDeque(name),
      other: clients.other.getPriorityBlockingQueue(name),
      to: clients.other.getQueue<string>(`${name}:to`),
      lock: clients.other.getLock(`redisson_sortedset_lock:${name}`),
    }
  }

  /** Resolves once the server tells some client of the next change of a key. */
  const waiting = (name: string) =>
    eventually(async () => {
      const info = String(await (await ownerOf(topology, name)).command('INFO', 'stats'))
      expect(info).toMatch(/tracking_total_keys:[1-9]/)
    })

  it('takes those that are there, at either end', async () => {
    const { mine, other } = queues()
    await other.put('b')
    await mine.put('c')
    await mine.put('a')
    expect(await mine.takeLast()).toBe('c')
    expect(await other.take()).toBe('a')
    expect(await mine.pollLast({ waitMs: LONG_MS })).toBe('b')
    await mine.addAll(['c', 'a', 'b', 'd'])
    expect(await mine.pollFirst(2, { waitMs: LONG_MS })).toEqual(['a', 'b'])
    expect(await mine.pollLast(5, { waitMs: LONG_MS })).toEqual(['d', 'c'])
    expect([await mine.poll(0), await mine.poll(2), await mine.poll()]).toEqual([[], [], undefined])
    expect(await mine.isExists()).toBe(false)
  })

  it.each([
    ['a put', (name: string) => clients.other.getPriorityBlockingQueue(name).put('a')],
    ['an add', (name: string) => clients.other.getPriorityQueue(name).add('a')],
    ['a command of another program', (name: string) => askOwner(topology, name, 'RPUSH', '"a"')],
  ])('takes one that comes by %s', async (_, add) => {
    const { name, mine } = queues()
    const taken = mine.take()
    await waiting(name)
    await add(name)
    expect(await taken).toBe('a')
    expect(await mine.isExists()).toBe(false)
  })

  it('takes one that a client adds under the lock of Java, as soon as the lock is free', async () => {
    const { name, mine, lock } = queues()
    const taken = [mine.take(), mine.takeLast()]
    await waiting(name)
    const hold = await lock.acquire()
    await askOwner(topology, name, 'RPUSH', '"a"', '"b"')
    await mine.size()
    expect(await mine.readAll()).toEqual(['a', 'b'])
    await hold.unlock()
    expect((await Promise.all(taken)).toSorted()).toEqual(['a', 'b'])
  })

  it('ends by its signal and by its time while another client has the lock, and removes nothing after that', async () => {
    const { mine, lock, to, other } = queues()
    await other.addAll(['a', 'b', 'c'])
    const hold = await lock.acquire()
    const abort = new AbortController()
    const { signal } = abort
    const aborted = [
      mine.take({ signal }),
      mine.takeLast({ signal }),
      mine.poll({ waitMs: LONG_MS, signal }),
      mine.takeLastAndOfferFirstTo(to.name, { signal }),
    ]
    const waitMs = 500
    const late = [
      mine.poll({ waitMs }),
      mine.pollLast(2, { waitMs }),
      mine.pollLastAndOfferFirstTo(to.name, { waitMs }),
    ]
    await mine.size()
    abort.abort(new Error('enough'))
    await Promise.all(aborted.map((call) => expect(call).rejects.toThrow('enough')))
    expect(await Promise.all(late)).toEqual([undefined, [], undefined])
    await hold.unlock()
    await lock.withLock(() => undefined) // who waited for it would have had it
    expect(await other.readAll()).toEqual(['a', 'b', 'c'])
    expect(await to.isExists()).toBe(false)
    await other.delete()
  })

  it('takes and moves the highest for another queue', async () => {
    const { name, mine, other, to } = queues()
    const moved = [
      mine.takeLastAndOfferFirstTo(to.name),
      mine.pollLastAndOfferFirstTo(to.name, { waitMs: LONG_MS }),
    ]
    await waiting(name)
    await other.addAll(['a', 'b', 'c'])
    expect(await Promise.all(moved)).toEqual(['c', 'b'])
    expect(await to.readAll()).toEqual(['b', 'c'])
    expect(await mine.drainTo()).toEqual(['a'])
    await to.delete()
  })

  it('gives each element to one of a hundred that wait', async () => {
    const { name, mine, other } = queues()
    const values = Array.from({ length: 100 }, (_, n) => `v${String((n * 37) % 100).padStart(2, '0')}`)
    const taken = values.map((_, n) => (n % 2 === 0 ? mine.take() : other.take()))
    await waiting(name)
    await Promise.all(values.map((value, n) => (n % 3 === 0 ? mine : other).put(value)))
    expect((await Promise.all(taken)).toSorted()).toEqual(values.toSorted())
    expect(await mine.isExists()).toBe(false)
  })

  it('ends after its time, with nothing', async () => {
    const { mine, to } = queues()
    const waitMs = 500
    expect(
      await Promise.all([
        mine.poll({ waitMs }),
        mine.pollLast(3, { waitMs }),
        mine.pollLastAndOfferFirstTo(to.name, { waitMs }),
      ]),
    ).toEqual([undefined, [], undefined])
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

  it('hands elements to listeners and to iterations, in the order that they have when they are taken', async () => {
    const { mine, other } = queues()
    await other.addAll(['c', 'a', 'b'])
    const heard: string[] = []
    const all = Promise.withResolvers<undefined>()
    const listen = (value: string) => {
      if (heard.push(value) === 3) all.resolve(undefined)
    }
    await using first = mine.subscribeOnFirstElements(listen)
    await all.promise
    expect(heard).toEqual(['a', 'b', 'c'])
    await first.unsubscribe()
    const last = Promise.withResolvers<string>()
    await using subscription = mine.subscribeOnLastElements(last.resolve)
    await other.put('z')
    expect(await last.promise).toBe('z')
    await subscription.unsubscribe()
    await other.addAll(['2', '1'])
    const consumed: string[] = []
    for await (const value of other.consume()) if (consumed.push(value) === 2) break
    expect(consumed).toEqual(['1', '2'])
  })
})
