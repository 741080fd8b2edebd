import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Redisson, stringCodec, type RBoundedBlockingQueue, type RedissonClient } from '../../../src/index.js'
import {
  LARGE,
  testLostReplies,
  testOvertakenCalls,
  type CountingCall,
  type RepeatedCall,
} from '../../contracts/values/lost-replies.js'
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

/** Which bytes are those at which the connection breaks: each of them is one in some of the rounds. */
const STEP = 7

const recheck = vi.hoisted(() => ({ RECHECK_MS: 600_000 }))

vi.mock('../../../src/waiting/recheck.js', () => recheck)

const grace = vi.hoisted(() => ({ REPLY_GRACE_MS: 500 }))

vi.mock('../../../src/queues/shared/reply-grace.js', () => grace)

const tracked = () =>
  eventually(async () => {
    const info = String(await single.nodes[0].command('INFO', 'stats'))
    expect(info).toMatch(/tracking_total_keys:[1-9]/)
  })

/** What a queue has: its places, then its elements. Places that are not there are empty. */
type State = readonly [places: string, ...elements: readonly string[]]

const queueOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getBoundedBlockingQueue<string>(name, { exactlyOnce })

type Queue = RBoundedBlockingQueue<string>

async function prepare(client: RedissonClient, name: string, [places, ...elements]: State): Promise<void> {
  const queue = queueOf(client, name)
  await queue.delete()
  if (places !== '') await queue.trySetCapacity(Number(places) + elements.length)
  await queue.addAll(elements)
}

async function look(client: RedissonClient, name: string): Promise<State> {
  const places = await client.getBucket(`redisson_bqs:{${name}}`, { codec: stringCodec() }).get()
  return [places ?? '', ...(await queueOf(client, name).readAll())]
}

/** A call of a queue, which would add or remove an element or a place more if it ran twice. */
function calling(
  what: string,
  call: (queue: Queue) => Promise<unknown>,
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

const ABBA: State = ['3', 'a', 'b', 'b', 'a']

const calls: readonly CountingCall[] = [
  calling('add', (queue) => queue.add('x'), true, [
    ['1', 'a'],
    ['0', 'a', 'x'],
  ]),
  calling('add of a large value', (queue) => queue.add(LARGE), true, [['2'], ['1', LARGE]]),
  calling('offer', (queue) => queue.offer('x'), true, [ABBA, ['2', 'a', 'b', 'b', 'a', 'x']]),
  calling('addAll', (queue) => queue.addAll(['x', 'y']), true, [ABBA, ['1', 'a', 'b', 'b', 'a', 'x', 'y']]),
  calling('trySetCapacity', (queue) => queue.trySetCapacity(2), true, [[''], ['2']]),
  calling('poll', (queue) => queue.poll(), 'a', [ABBA, ['4', 'b', 'b', 'a']]),
  calling('poll of several', (queue) => queue.poll(2), ['a', 'b'], [ABBA, ['5', 'b', 'a']]),
  calling('drainTo', (queue) => queue.drainTo(), ['a', 'b', 'b', 'a'], [ABBA, ['7']]),
  calling('remove', (queue) => queue.remove(), 'a', [ABBA, ['4', 'b', 'b', 'a']]),
  calling('remove of a value', (queue) => queue.remove('b'), true, [ABBA, ['4', 'a', 'b', 'a']]),
  calling('removeAll', (queue) => queue.removeAll(['b']), true, [ABBA, ['5', 'a', 'a']]),
  calling('retainAll', (queue) => queue.retainAll(['b']), true, [ABBA, ['5', 'b', 'b']]),
  calling('clear', (queue) => queue.clear(), undefined, [ABBA, ['7']]),
  calling('delete', (queue) => queue.delete(), true, [ABBA, ['']]),
]

testLostReplies('a bounded queue', calls, look)

const waitingCalls: readonly CountingCall[] = [
  calling('put', (queue) => queue.put('x'), undefined, [
    ['1', 'a'],
    ['0', 'a', 'x'],
  ]),
  calling('offer', (queue) => queue.offer('x', { waitMs: LONG_MS }), true, [
    ABBA,
    ['2', 'a', 'b', 'b', 'a', 'x'],
  ]),
  calling('take', (queue) => queue.take(), 'a', [ABBA, ['4', 'b', 'b', 'a']]),
  calling('poll', (queue) => queue.poll(2, { waitMs: LONG_MS }), ['a', 'b'], [ABBA, ['5', 'b', 'a']]),
]

testLostReplies('a bounded queue that is waited for', waitingCalls, look)

/** A call while another client does something that hides what the call has done. */
function overtaken(
  what: string,
  before: State,
  call: (queue: Queue) => Promise<unknown>,
  between: (queue: Queue) => Promise<unknown>,
  answer: unknown,
): RepeatedCall {
  return {
    what,
    prepare: (client, name) => prepare(client, name, before),
    call: (client, name, exactlyOnce) => call(queueOf(client, name, exactlyOnce)),
    between: (client, name) => between(queueOf(client, name)),
    answer,
    rejects: true,
  }
}

const repeated: readonly RepeatedCall[] = [
  overtaken(
    'offer, of what another takes',
    ['1'],
    (queue) => queue.offer('x'),
    (queue) => queue.take(),
    true,
  ),
  overtaken(
    'poll, whose place another takes',
    ['0', 'a'],
    (queue) => queue.poll(),
    (queue) => queue.put('y'),
    'a',
  ),
  overtaken(
    'trySetCapacity, of what another deletes and sets',
    [''],
    (queue) => queue.trySetCapacity(2),
    async (queue) => {
      await queue.delete()
      await queue.trySetCapacity(5)
    },
    true,
  ),
]

testOvertakenCalls('a bounded queue', repeated, look)

describe('the putting and taking of elements over a connection that breaks', () => {
  noLeaks(single)

  it.each(['requests', 'replies'] as const)(
    'at any byte of its %s: loses no element and no place, and has none twice',
    async (direction) => {
      const key = `cut-bounded-queue-${direction}`
      const places = `redisson_bqs:{${key}}`
      const door = await proxied(single)
      const proxy = door.proxyOf(single.nodes[0])
      const client = await Redisson.create(door.options(PATIENT))
      const straight = await Redisson.create(single.options())
      const queue = client.getBoundedBlockingQueue<string>(key)
      const other = straight.getBoundedBlockingQueue<string>(key)
      await queue.trySetCapacity(1)
      let byte = 0
      for (; !proxy.cuts; byte += STEP) {
        proxy.cutAfter(byte, direction)
        const first = queue.take()
        await tracked()
        await other.put('a')
        expect(await first).toBe('a')
        await queue.put('b')
        const last = queue.offer('c', { waitMs: LONG_MS })
        await tracked()
        expect(await other.take()).toBe('b')
        expect(await last).toBe(true)
        expect(await askOwner(single, places, 'GET'), `cut after ${String(byte)} bytes`).toBe('0')
        expect(await queue.poll({ waitMs: LONG_MS })).toBe('c')
        expect(await askOwner(single, places, 'GET')).toBe('1')
        expect(await askOwner(single, key, 'EXISTS')).toBe(0)
      }
      expect(byte).toBeGreaterThan(100) // or nothing was cut
      await other.delete()
      await client.shutdown()
      await straight.shutdown()
      await door.stop()
    },
    120_000,
  )
})

describe('a bounded queue over a network that fails', () => {
  noLeaks(single)
  let door: Proxied<SingleTopology<ServerNode>>
  let proxy: TcpProxy
  let straight: RedissonClient
  let queue: Queue
  let names = 0
  const clients: RedissonClient[] = []

  beforeAll(async () => {
    door = await proxied(single)
    proxy = door.proxyOf(single.nodes[0])
    straight = await Redisson.create(single.options())
  })

  beforeEach(() => {
    queue = straight.getBoundedBlockingQueue(`{faulty-bounded-${String(names++)}}`)
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
    return client.getBoundedBlockingQueue<string>(queue.name)
  }

  /** Gives the queue a capacity and elements. */
  const filled = async (capacity: number, elements: readonly string[] = []) => {
    await queue.trySetCapacity(capacity)
    await queue.addAll(elements)
  }

  const placesKey = () => `redisson_bqs:${queue.name}`

  /** What there is in the end. */
  const left = (places: number, elements: readonly string[]) =>
    eventually(async () => {
      expect(await queue.readAll()).toEqual(elements)
      expect(await askOwner(single, placesKey(), 'GET')).toBe(String(places))
    })

  /** Begins a call that waits, and resolves once it has tried in vain since the server notifies the client of changes. */
  const begun = async <T>(begin: () => T, key = placesKey()): Promise<{ readonly result: T }> => {
    const read = proxy.onReply(`exists ${key}`)
    const result = begin()
    await read.happened
    await tried()
    return { result }
  }

  /** Resolves once the next request that is tried has changed nothing. */
  const tried = async () => {
    await proxy.onReply(/^evalsha/i).happened
    await Promise.all(clients.map((client) => client.getQueue(queue.name).size())) // the reply has come before theirs
  }

  it('puts back what it removes for a call that was aborted before the reply came, and takes its places again', async () => {
    const mine = await faulty(PATIENT)
    const to = `${queue.name}:other`
    const other = straight.getBoundedBlockingQueue<string>(to)
    await filled(5)
    for (const take of [
      (signal: AbortSignal) => mine.take({ signal }),
      (signal: AbortSignal) => mine.poll(2, { waitMs: LONG_MS, signal }),
      (signal: AbortSignal) => mine.pollFromAny([to], { waitMs: LONG_MS, signal }),
      (signal: AbortSignal) => mine.pollLastFromAny([to], 2, { waitMs: LONG_MS, signal }),
      (signal: AbortSignal) => mine.takeLastAndOfferFirstTo(to, { signal }),
      (signal: AbortSignal) => mine.move({ to, count: 2, waitMs: LONG_MS, signal }),
    ]) {
      await other.trySetCapacity(2)
      const abort = new AbortController()
      const { result: taken } = await begun(() => take(abort.signal), queue.name)
      await queue.addAll(['a', 'b', 'c'])
      expect(await taken).toBeDefined()
      await queue.clear()
      await other.clear()
      // Now the same, but the reply to the removal is held back.
      await queue.addAll(['a', 'b', 'c'])
      proxy.stall('replies')
      const late = take(abort.signal)
      await eventually(async () => {
        expect(await queue.size()).toBeLessThan(3)
      })
      abort.abort(new Error('enough'))
      await expect(late).rejects.toThrow('enough')
      proxy.resume('replies')
      await left(2, ['a', 'b', 'c'])
      expect(await other.isExists()).toBe(false)
      expect(await other.remainingCapacity()).toBe(2)
      await queue.clear()
      await other.delete()
    }
  })

  it('puts back an element whose place another has taken, and gives that place to no one', async () => {
    const mine = await faulty(PATIENT)
    await filled(1, ['a'])
    const abort = new AbortController()
    proxy.stall('replies')
    const late = mine.take({ signal: abort.signal })
    await eventually(async () => {
      expect(await queue.size()).toBe(0)
    })
    await queue.put('b')
    abort.abort(new Error('enough'))
    await expect(late).rejects.toThrow('enough')
    proxy.resume('replies')
    await left(-1, ['a', 'b'])
    expect(await queue.remainingCapacity()).toBe(0)
    await expect(queue.add('c')).rejects.toMatchObject({ code: 'QUEUE_FULL', capacity: 1 })
    expect(await queue.take()).toBe('a')
    expect(await queue.offer('c')).toBe(false)
    expect(await queue.take()).toBe('b')
    expect(await queue.offer('c')).toBe(true)
    await left(0, ['c'])
  })

  it('says that it may have added a value where the reply does not come after an abort', async () => {
    grace.REPLY_GRACE_MS = 50
    const mine = await faulty(PATIENT)
    await filled(1)
    for (const put of [
      (signal: AbortSignal) => mine.put('a', { signal }),
      (signal: AbortSignal) => mine.offer('a', { signal, waitMs: LONG_MS }),
    ]) {
      const abort = new AbortController()
      proxy.stall('replies')
      const late = put(abort.signal)
      await eventually(async () => {
        expect(await queue.size()).toBe(1)
      })
      abort.abort(new Error('enough'))
      await expect(late).rejects.toMatchObject({
        code: 'ABORTED',
        mayHaveRun: true,
        cause: new Error('enough'),
      })
      proxy.resume('replies')
      await mine.size()
      await left(0, ['a'])
      await queue.clear()
    }
  })

  it('adds the value of a call that ends in the moment of the reply', { tags: ['timed'] }, async () => {
    const mine = await faulty(PATIENT)
    await filled(2)
    proxy.delay(200, 'replies')
    const abort = new AbortController()
    const calls = [mine.put('a', { signal: abort.signal }), mine.offer('b', { waitMs: 100 })]
    await eventually(async () => {
      expect(await queue.size()).toBe(2)
    })
    abort.abort()
    expect(await Promise.all(calls)).toEqual([undefined, true])
  })

  it('says that it may have added a value where the reply does not come in time', async () => {
    grace.REPLY_GRACE_MS = 50
    const mine = await faulty(PATIENT)
    await filled(2)
    proxy.stall('replies')
    const late = mine.offer('a', { waitMs: 500 })
    await expect(late).rejects.toMatchObject({ code: 'REPLY_TIMEOUT', mayHaveRun: true })
    proxy.resume('replies')
    await mine.size()
    await left(1, ['a'])
  })

  it('adds nothing after an abort while there is no connection', { tags: ['timed'] }, async () => {
    const mine = await faulty(PATIENT)
    await filled(1, ['a'])
    const abort = new AbortController()
    const { result: put } = await begun(() => mine.put('b', { signal: abort.signal }))
    proxy.refuse()
    proxy.cut()
    await sleep(50)
    const another = mine.put('c', { signal: abort.signal })
    await sleep(50)
    abort.abort(new Error('enough'))
    await Promise.all([put, another].map((call) => expect(call).rejects.toThrow('enough')))
    await queue.clear()
    await proxy.accept()
    await mine.size()
    await left(1, [])
  })

  it('waits on through an outage that is longer than all attempts', { tags: ['timed'] }, async () => {
    const mine = await faulty(HASTY)
    await filled(2, ['a', 'b'])
    const { result: put } = await begun(() => [mine.put('c'), mine.offer('d', { waitMs: LONG_MS })])
    proxy.refuse()
    proxy.cut()
    await sleep(1_500)
    await queue.clear()
    await proxy.accept()
    await Promise.all(put)
    await left(0, ['c', 'd'])
  })

  it('says of one call alone that it may have added a value', async () => {
    const mine = await faulty(HASTY)
    await filled(2, ['a', 'b'])
    const { result: first } = await begun(() => mine.put('c'))
    const second = mine.put('d')
    proxy.loseReplyTo(/^evalsha/i, { times: 2 })
    const refused = expect(first).rejects.toMatchObject({ mayHaveRun: true })
    await queue.clear()
    await refused
    await second
    await left(0, ['c', 'd'])
  })

  it('finds room although the notification of it is lost', async () => {
    recheck.RECHECK_MS = 200
    const mine = await faulty(PATIENT)
    await filled(2, ['a', 'b'])
    const { result: put } = await begun(() => [mine.put('c'), mine.put('d')])
    const hearing = proxy.connections.filter(({ subscribed }) => subscribed)
    expect(hearing).not.toEqual([])
    for (const connection of hearing) connection.freeze()
    await queue.clear()
    await Promise.all(put)
    await left(0, ['c', 'd'])
  })
})
