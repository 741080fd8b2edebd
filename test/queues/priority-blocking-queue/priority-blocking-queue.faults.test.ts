import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Redisson, type RedissonClient, type RPriorityBlockingDeque } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
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

/** Which bytes of a take are those at which the connection breaks. */
const STEP = 37

const recheck = vi.hoisted(() => ({ RECHECK_MS: 600_000 }))

vi.mock('../../../src/waiting/recheck.js', () => recheck)

const grace = vi.hoisted(() => ({ REPLY_GRACE_MS: 500 }))

vi.mock('../../../src/queues/shared/reply-grace.js', () => grace)

const tracked = () =>
  eventually(async () => {
    const info = String(await single.nodes[0].command('INFO', 'stats'))
    expect(info).toMatch(/tracking_total_keys:[1-9]/)
  })

describe('the taking from a priority queue over a connection that breaks', () => {
  noLeaks(single)

  it.each([
    ['requests', false],
    ['replies', false],
    ['requests', true],
    ['replies', true],
  ] as const)(
    'at any byte of its %s: loses no element, and has none twice (under the lock of Java: %s)',
    async (direction, isLocked) => {
      const key = `cut-priority-${direction}-${String(isLocked)}`
      const door = await proxied(single)
      const proxy = door.proxyOf(single.nodes[0])
      const client = await Redisson.create(door.options(PATIENT))
      const other = await Redisson.create(single.options())
      const queue = client.getPriorityBlockingDeque(key)
      const lock = other.getLock(`redisson_sortedset_lock:{${key}}`)
      let byte = 0
      for (; !proxy.cuts; byte += STEP) {
        proxy.cutAfter(byte, direction)
        const first = queue.take()
        await tracked()
        const hold = isLocked ? await lock.acquire() : undefined
        await askOwner(single, key, 'RPUSH', '"a"', '"b"', '"c"')
        if (hold !== undefined) await sleep(20)
        await hold?.unlock()
        const rest = [await first, await queue.takeLast(), await queue.poll({ waitMs: LONG_MS })]
        expect(rest, `cut after ${String(byte)} bytes`).toEqual(['a', 'c', 'b'])
        expect(await askOwner(single, key, 'EXISTS')).toBe(0)
      }
      expect(byte).toBeGreaterThan(100) // or nothing was cut
      await client.shutdown()
      await other.shutdown()
      await door.stop()
    },
    120_000,
  )
})

describe('a priority queue over a network that fails', () => {
  noLeaks(single)
  let door: Proxied<SingleTopology<ServerNode>>
  let proxy: TcpProxy
  let straight: RedissonClient
  let queue: RPriorityBlockingDeque<string>
  let names = 0
  const clients: RedissonClient[] = []

  beforeAll(async () => {
    door = await proxied(single)
    proxy = door.proxyOf(single.nodes[0])
    straight = await Redisson.create(single.options())
  })

  beforeEach(() => {
    queue = straight.getPriorityBlockingDeque(`{faulty-priority-${String(names++)}}`)
  })

  afterEach(async () => {
    await proxy.heal()
    await queue.delete()
    await Promise.all(clients.splice(0).map((client) => client.shutdown()))
    recheck.RECHECK_MS = 600_000
    grace.REPLY_GRACE_MS = 500
  })

  afterAll(async () => {
    await straight.shutdown()
    await door.stop()
  })

  const faulty = async (settings: typeof PATIENT) => {
    const client = await Redisson.create(door.options(settings))
    clients.push(client)
    return client.getPriorityBlockingDeque(queue.name)
  }

  /** What there is in the end. */
  const left = (elements: readonly string[]) =>
    eventually(async () => {
      expect(await queue.readAll()).toEqual(elements)
    })

  const other = () => straight.getQueue<string>(`${queue.name}:other`)

  it.each<[string, (mine: RPriorityBlockingDeque<string>, signal: AbortSignal) => Promise<unknown>]>([
    ['a take', (mine, signal) => mine.take({ signal })],
    ['a take from the end', (mine, signal) => mine.takeLast({ signal })],
    ['a poll of several', (mine, signal) => mine.poll(2, { waitMs: LONG_MS, signal })],
    ['a poll of several from the end', (mine, signal) => mine.pollLast(3, { waitMs: LONG_MS, signal })],
    ['a move', (mine, signal) => mine.takeLastAndOfferFirstTo(other().name, { signal })],
  ])(
    'puts back in its place what it removes for %s that was aborted before the reply came',
    async (_, take) => {
      const mine = await faulty(PATIENT)
      const abort = new AbortController()
      await queue.addAll(['b', 'c', 'c', 'd', 'e'])
      expect(await take(mine, abort.signal)).toBeDefined() // the server knows the script
      await queue.delete()
      await other().delete()
      await queue.addAll(['b', 'c', 'c', 'd', 'e'])
      proxy.stall('replies')
      const late = take(mine, abort.signal)
      await eventually(async () => {
        expect(await queue.size()).toBeLessThan(5)
      })
      await queue.addAll(['a', 'z'])
      abort.abort(new Error('enough'))
      await expect(late).rejects.toThrow('enough')
      proxy.resume('replies')
      await left(['a', 'b', 'c', 'c', 'd', 'e', 'z'])
      expect(await other().isExists()).toBe(false)
    },
  )

  it('puts equal elements back where they were among each other', async () => {
    const mine = await faulty(PATIENT)
    const numbers = ['1', '1.0', '1.00', '2', '2.0']
    const bytes = () => askOwner(single, queue.name, 'LRANGE', '0', '-1')
    for (const poll of ['poll', 'pollLast'] as const) {
      await askOwner(single, queue.name, 'RPUSH', ...numbers)
      proxy.stall('replies')
      const abort = new AbortController()
      const late = mine[poll](2, { waitMs: LONG_MS, signal: abort.signal })
      await eventually(async () => {
        expect(await queue.size()).toBe(3)
      })
      abort.abort(new Error('enough'))
      await expect(late).rejects.toThrow('enough')
      proxy.resume('replies')
      await eventually(async () => {
        expect(await bytes()).toEqual(numbers)
      })
      await queue.delete()
    }
  })

  it('puts back what cannot be read, or is in an order of Java, at the end where it was', async () => {
    const mine = await faulty(PATIENT)
    const comparator = `${queue.name}:redisson_sortedset_comparator`
    for (const elements of [
      ['no JSON', 'nor this'],
      ['"b"', '"a"'],
    ]) {
      await askOwner(single, queue.name, 'RPUSH', ...elements)
      await askOwner(single, comparator, 'SET', 'a.Class:sign')
      proxy.stall('replies')
      const abort = new AbortController()
      const late = mine.take({ signal: abort.signal })
      await eventually(async () => {
        expect(await queue.size()).toBe(1)
      })
      abort.abort(new Error('enough'))
      await expect(late).rejects.toThrow('enough')
      proxy.resume('replies')
      await eventually(async () => {
        expect(await askOwner(single, queue.name, 'LRANGE', '0', '-1')).toEqual(elements)
      })
      await queue.delete()
    }
  })

  it('puts back under the lock of Java, once a client has given it back', async () => {
    const mine = await faulty(PATIENT)
    await queue.addAll(['a', 'b'])
    proxy.stall('replies')
    const abort = new AbortController()
    const late = mine.take({ signal: abort.signal })
    await left(['b'])
    const hold = await straight.getLock(`redisson_sortedset_lock:${queue.name}`).acquire()
    abort.abort(new Error('enough'))
    await expect(late).rejects.toThrow('enough')
    const asked = proxy.onRequest('redisson_lock__channel')
    proxy.resume('replies')
    await asked.happened
    expect(await queue.readAll()).toEqual(['b'])
    await hold.unlock()
    await left(['a', 'b'])
  })

  it('removes nothing after an abort while there is no connection', { tags: ['timed'] }, async () => {
    const mine = await faulty(PATIENT)
    const abort = new AbortController()
    const taken = mine.take({ signal: abort.signal })
    await tracked()
    proxy.refuse()
    proxy.cut()
    await sleep(50)
    const another = mine.take({ signal: abort.signal })
    await sleep(50)
    abort.abort(new Error('enough'))
    await Promise.all([taken, another].map((call) => expect(call).rejects.toThrow('enough')))
    await queue.put('a')
    await proxy.accept()
    await mine.size()
    expect(await queue.readAll()).toEqual(['a'])
  })

  it(
    'removes nothing after an abort while there is no connection for the lock',
    { tags: ['flaky'] },
    async () => {
      const mine = await faulty(PATIENT)
      await queue.put('a')
      const hold = await straight.getLock(`redisson_sortedset_lock:${queue.name}`).acquire()
      const abort = new AbortController()
      const asked = proxy.onRequest('redisson_lock__channel')
      const taken = mine.take({ signal: abort.signal })
      const polled = mine.poll({ waitMs: 500 })
      await asked.happened
      proxy.refuse()
      proxy.cut()
      await hold.unlock()
      abort.abort(new Error('enough'))
      await expect(taken).rejects.toThrow('enough')
      expect(await polled).toBeUndefined()
      await proxy.accept()
      await mine.size()
      expect(await queue.readAll()).toEqual(['a'])
    },
  )

  it('waits on through an outage that is longer than all attempts', { tags: ['timed'] }, async () => {
    const mine = await faulty(HASTY)
    const taken = [mine.take(), mine.takeLast()]
    await tracked()
    await mine.size()
    proxy.refuse()
    proxy.cut()
    await sleep(1_500)
    await queue.addAll(['a', 'b'])
    await proxy.accept()
    expect(await Promise.all(taken)).toEqual(['a', 'b'])
  })

  it('finds an element although the notification of it is lost', async () => {
    recheck.RECHECK_MS = 200
    const mine = await faulty(PATIENT)
    const taken = mine.take()
    await tracked()
    for (const connection of proxy.connections.filter(({ subscribed }) => subscribed)) connection.freeze()
    await queue.put('a')
    expect(await taken).toBe('a')
  })
})
