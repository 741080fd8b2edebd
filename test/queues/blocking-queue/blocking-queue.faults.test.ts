import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Redisson, type RBlockingDeque, type RedissonClient } from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { eventually } from '../../support/eventually.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { TcpProxy } from '../../support/proxy.js'
import type { Passing } from '../../support/proxy/trap.js'
import { single } from '../../support/topologies.js'

/** Long enough for a slow machine, and for many copies of a request. */
const PATIENT = { timeout: 2000, retryAttempts: 10, retryDelay: 5, reconnectionDelay: 5 }

/** Soon at its end. */
const HASTY = { timeout: 200, retryAttempts: 1, retryDelay: 5, reconnectionDelay: 5 }

/** More than any test takes. */
const LONG_MS = 60_000

const TEN = Array.from({ length: 10 }, (_, n) => String(n))

/** Which bytes of a take are those at which the connection breaks: each of them is one in some of the rounds. */
const STEP = 5

const recheck = vi.hoisted(() => ({ RECHECK_MS: 600_000 }))

vi.mock('../../../src/waiting/recheck.js', () => recheck)

const grace = vi.hoisted(() => ({ REPLY_GRACE_MS: 500 }))

vi.mock('../../../src/queues/shared/reply-grace.js', () => grace)

const tracked = () =>
  eventually(async () => {
    const info = String(await single.nodes[0].command('INFO', 'stats'))
    expect(info).toMatch(/tracking_total_keys:[1-9]/)
  })

describe('the taking of elements over a connection that breaks', () => {
  noLeaks(single)

  it.each(['requests', 'replies'] as const)(
    'at any byte of its %s: loses no element, and has none twice',
    async (direction) => {
      const key = `cut-queue-${direction}`
      const door = await proxied(single)
      const proxy = door.proxyOf(single.nodes[0])
      const client = await Redisson.create(door.options(PATIENT))
      const queue = client.getBlockingDeque<string>(key)
      let byte = 0
      for (; !proxy.cuts; byte += STEP) {
        proxy.cutAfter(byte, direction)
        const first = queue.take()
        await tracked()
        await askOwner(single, key, 'RPUSH', '"a"', '"b"', '"c"')
        const rest = [await first, await queue.takeLast(), await queue.poll({ waitMs: LONG_MS })]
        expect(rest, `cut after ${String(byte)} bytes`).toEqual(['a', 'c', 'b'])
        expect(await askOwner(single, key, 'EXISTS')).toBe(0)
      }
      expect(byte).toBeGreaterThan(100) // or nothing was cut
      await client.shutdown()
      await door.stop()
    },
    120_000,
  )
})

describe('a queue over a network that fails', () => {
  noLeaks(single)
  let door: Proxied<SingleTopology<ServerNode>>
  let proxy: TcpProxy
  let straight: RedissonClient
  let queue: RBlockingDeque<string>
  let names = 0
  const clients: RedissonClient[] = []

  beforeAll(async () => {
    door = await proxied(single)
    proxy = door.proxyOf(single.nodes[0])
    straight = await Redisson.create(single.options())
  })

  beforeEach(() => {
    queue = straight.getBlockingDeque(`{faulty-queue-${String(names++)}}`)
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

  const faulty = async (settings: typeof PATIENT & { readonly subscriptionTimeout?: number }) => {
    const client = await Redisson.create(door.options(settings))
    clients.push(client)
    return client.getBlockingDeque<string>(queue.name)
  }

  /** Begins a call that waits, and resolves once it has tried in vain since the server notifies the client of changes. */
  const begun = async <T>(begin: () => T): Promise<{ readonly result: T }> => {
    const read = proxy.onReply(`exists ${queue.name}`)
    const result = begin()
    await read.happened
    await tried()
    return { result }
  }

  /** Resolves once the next removal that is tried has found nothing. */
  const tried = async () => {
    await proxy.onReply(/^evalsha/i).happened
    await Promise.all(clients.map((client) => client.getQueue(queue.name).size())) // the reply has come before theirs
  }

  /** Options of a move that waits. */
  const waits = () => ({ to: `${queue.name}:other`, waitMs: LONG_MS })

  /** What there is in the end. */
  const left = (elements: readonly string[]) =>
    eventually(async () => {
      expect(await queue.readAll()).toEqual(elements)
    })

  it('puts back what it removes for a call that was aborted before the reply came', async () => {
    const mine = await faulty(PATIENT)
    for (const take of [
      (signal: AbortSignal) => mine.take({ signal }),
      (signal: AbortSignal) => mine.takeLast({ signal }),
      (signal: AbortSignal) => mine.poll(2, { waitMs: LONG_MS, signal }),
      (signal: AbortSignal) => mine.pollLast(3, { waitMs: LONG_MS, signal }),
      (signal: AbortSignal) => mine.pollFromAny([`${queue.name}:other`], { waitMs: LONG_MS, signal }),
      (signal: AbortSignal) => mine.takeLastAndOfferFirstTo(`${queue.name}:other`, { signal }),
      (signal: AbortSignal) => mine.move({ to: `${queue.name}:other`, count: 2, waitMs: LONG_MS, signal }),
      (signal: AbortSignal) =>
        mine.move({ poll: 'first', addLastTo: `${queue.name}:other`, waitMs: LONG_MS, signal }),
    ]) {
      const abort = new AbortController()
      const { result: taken } = await begun(() => take(abort.signal))
      await queue.addAll(['a', 'b', 'c'])
      expect(await taken).toBeDefined()
      await queue.delete()
      await straight.getQueue(`${queue.name}:other`).delete()
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
      await left(['a', 'b', 'c'])
      expect(await straight.getQueue(`${queue.name}:other`).isExists()).toBe(false)
      await queue.delete()
    }
  })

  it('puts back what it removes for a call whose time was over before the reply came', async () => {
    const mine = await faulty(PATIENT)
    await queue.addAll(['a', 'b'])
    proxy.stall('replies')
    const late = mine.poll({ waitMs: 1_000 })
    await expect(late).rejects.toMatchObject({ code: 'REPLY_TIMEOUT', mayHaveRun: true })
    proxy.resume('replies')
    await left(['a', 'b'])
  })

  it(
    'returns what it removes for a call that ends in the moment of the reply',
    { tags: ['timed'] },
    async () => {
      const mine = await faulty(PATIENT)
      await queue.addAll(['a', 'b'])
      proxy.delay(200, 'replies')
      const abort = new AbortController()
      const calls = [mine.take({ signal: abort.signal }), mine.poll({ waitMs: 100 })]
      await eventually(async () => {
        expect(await queue.isExists()).toBe(false)
      })
      abort.abort()
      expect((await Promise.all(calls)).toSorted()).toEqual(['a', 'b'])
    },
  )

  it('removes nothing after an abort while there is no connection', async () => {
    const mine = await faulty(PATIENT)
    const abort = new AbortController()
    const { result: taken } = await begun(() => mine.take({ signal: abort.signal }))
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

  it('waits on through an outage that is longer than all attempts', { tags: ['timed'] }, async () => {
    const mine = await faulty(HASTY)
    const { result: taken } = await begun(() => [mine.take(), mine.takeLast()])
    proxy.refuse()
    proxy.cut()
    await sleep(1_500)
    await queue.addAll(['a', 'b'])
    await proxy.accept()
    expect(await Promise.all(taken)).toEqual(['a', 'b'])
  })

  it('says of one call alone that it may have removed an element', async () => {
    const mine = await faulty(HASTY)
    const { result: first } = await begun(() => mine.take())
    const second = mine.take()
    await tried() // it waits behind the first
    proxy.loseReplyTo(/^evalsha/i, { times: 2 })
    const refused = expect(first).rejects.toMatchObject({ mayHaveRun: true })
    await queue.addAll(['a', 'b'])
    await refused
    expect(await second).toBe('b')
  })

  it('finds an element although both notifications of it are lost', async () => {
    recheck.RECHECK_MS = 200
    const mine = await faulty(PATIENT)
    const { result: taken } = await begun(() => [mine.take(), mine.poll({ waitMs: LONG_MS })])
    const hearing = proxy.connections.filter(({ subscribed }) => subscribed)
    expect(hearing).not.toEqual([])
    for (const connection of hearing) connection.freeze()
    await queue.addAll(['a', 'b'])
    expect(await Promise.all(taken)).toEqual(['a', 'b'])
  })

  it('waits on where each copy of what only reads is lost', async () => {
    recheck.RECHECK_MS = 50
    const mine = await faulty(HASTY)
    const { result: taken } = await begun(() => [
      mine.take(),
      mine.move({ ...waits(), count: 2, exactly: true }),
    ])
    let lost = 0
    proxy.onReply(
      /^llen/i,
      (passing) => {
        lost += 1
        passing.cut()
      },
      { times: 8 },
    )
    await eventually(() => {
      expect(lost).toBe(8) // two copies of four requests
    })
    await queue.addAll(['a', 'b', 'c'])
    expect((await Promise.all(taken)).flat().toSorted()).toEqual(['a', 'b', 'c'])
    await straight.getQueue(`${queue.name}:other`).delete()
  })

  it('waits on where Redis refuses for long to notify it of changes', async () => {
    recheck.RECHECK_MS = 50
    const mine = await faulty({ ...PATIENT, subscriptionTimeout: 100 })
    const { result: taken } = await begun(() => [mine.take(), mine.take()])
    let refusals = 0
    const refuse = (passing: Passing) => {
      refusals += 1
      passing.refuse('BUSY Redis is busy running a script.')
    }
    proxy.onRequest(`exists ${queue.name}`, refuse, { times: 60 })
    for (const connection of proxy.connections.filter(({ subscribed }) => subscribed)) connection.cut()
    await eventually(() => {
      expect(refusals).toBe(60)
    })
    await queue.addAll(['a', 'b'])
    expect((await Promise.all(taken)).toSorted()).toEqual(['a', 'b'])
  })

  /** Has four calls remove elements whose replies are held back, and aborts them. */
  const abortFour = async (call: (signal: AbortSignal) => Promise<unknown>) => {
    await queue.addAll(TEN)
    proxy.stall('replies')
    const abort = new AbortController()
    const calls = Promise.allSettled(Array.from({ length: 4 }, () => call(abort.signal)))
    await eventually(async () => {
      expect([2, 6]).toContain(await queue.size())
    })
    abort.abort()
    return { calls }
  }

  /** Has the server know the scripts: a reply which says that it does not would be held back. */
  const known = () =>
    Promise.all([
      queue.poll({ waitMs: 1 }),
      queue.pollLast({ waitMs: 1 }),
      queue.poll(2, { waitMs: 1 }),
      queue.move({ ...waits(), waitMs: 1 }),
    ])

  it.each<[string, (mine: RBlockingDeque<string>, signal: AbortSignal) => Promise<unknown>]>([
    ['takes', (mine, signal) => mine.take({ signal })],
    ['takes from the end', (mine, signal) => mine.takeLast({ signal })],
    ['polls of several', (mine, signal) => mine.poll(2, { waitMs: LONG_MS, signal })],
    ['moves', (mine, signal) => mine.move({ ...waits(), count: 2, signal })],
  ])('puts back in their order what it removes for %s that end together', async (_, call) => {
    await known()
    grace.REPLY_GRACE_MS = 0
    const mine = await faulty(PATIENT)
    const { calls } = await abortFour((signal) => call(mine, signal))
    for (const { status } of await calls) expect(status).toBe('rejected')
    proxy.resume('replies')
    await left(TEN)
  })

  it('puts back in their order what it removes for subscriptions that end together', async () => {
    const mine = await faulty(PATIENT)
    await known()
    const { calls } = await abortFour(async (signal) => {
      const subscription = mine.subscribeOnElements(() => undefined, { signal })
      await once(signal, 'abort')
      await subscription.unsubscribe()
    })
    for (let round = 0; round < 20; round += 1) await queue.size() // they have given up
    proxy.resume('replies')
    await calls
    await left(TEN)
  })

  it('puts back before the client is shut down what it removes for subscriptions', async () => {
    grace.REPLY_GRACE_MS = 0
    const mine = await faulty(PATIENT)
    await queue.addAll(['a', 'b', 'c', 'd'])
    proxy.stall('replies')
    const abort = new AbortController()
    for (let count = 0; count < 3; count += 1)
      mine.subscribeOnElements(() => undefined, { signal: abort.signal })
    await eventually(async () => {
      expect(await queue.size()).toBe(1)
    })
    abort.abort()
    const closed = clients[0]?.shutdown()
    for (let round = 0; round < 20; round += 1) await queue.size()
    proxy.resume('replies')
    await closed
    expect(await queue.readAll()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('names both queues if one of them is none', async () => {
    await straight.getBucket(`${queue.name}:other`).set('text')
    await queue.addAll(['a'])
    const wrong = { object: queue.name, isOneOfSeveral: true }
    await expect(queue.move({ to: `${queue.name}:other` })).rejects.toMatchObject(wrong)
    await expect(queue.move(waits())).rejects.toMatchObject(wrong)
    expect(await queue.readAll()).toEqual(['a'])
    await straight.getBucket(`${queue.name}:other`).delete()
  })

  it('ends a subscription when what was being removed is back', async () => {
    const mine = await faulty(PATIENT)
    for (const element of ['"a"', 'no JSON']) {
      await askOwner(single, queue.name, 'RPUSH', element)
      proxy.stall('replies')
      const subscription = mine.subscribeOnElements(() => {
        throw new Error('it had ended')
      })
      await eventually(async () => {
        expect(await queue.isExists()).toBe(false)
      })
      let isOver = false
      const ended = subscription.unsubscribe().then(() => (isOver = true))
      for (let round = 0; round < 20; round += 1) await queue.size()
      expect(isOver).toBe(false)
      proxy.resume('replies')
      await ended
      expect(await askOwner(single, queue.name, 'LRANGE', '0', '-1')).toEqual([element])
      await queue.delete()
    }
  })

  it('reports to a subscription what Redis refuses for long', async () => {
    const mine = await faulty(HASTY)
    await queue.put('a')
    const refuse = (passing: Passing) => passing.refuse('NOREPLICAS Not enough good replicas to write.')
    proxy.onRequest(/^evalsha/i, refuse, { times: 2 })
    const heard = Promise.withResolvers<string>()
    const error = Promise.withResolvers<Error>()
    await using subscription = mine.subscribeOnElements(heard.resolve)
    subscription.on('error', error.resolve)
    expect(await error.promise).toMatchObject({ code: 'SERVER_NOT_READY' })
    expect(await heard.promise).toBe('a')
  })

  it('looks at the last thousand elements of another queue for those that are to be moved back', async () => {
    const mine = await faulty(PATIENT)
    const other = straight.getQueue<string>(`${queue.name}:other`)
    const abort = new AbortController()
    const { result: first } = await begun(() => mine.move({ ...waits(), signal: abort.signal }))
    await queue.addAll(['a', 'b'])
    expect(await first).toEqual(['a']) // the server knows the script
    proxy.stall('replies')
    const late = mine.move({ ...waits(), signal: abort.signal })
    await eventually(async () => {
      expect(await queue.isExists()).toBe(false)
    })
    abort.abort(new Error('enough'))
    await expect(late).rejects.toThrow('enough')
    await other.addAll(Array.from({ length: 1_000 }, (_, n) => String(n)))
    const looked = Promise.withResolvers<void>()
    const look = ({ reply }: Passing) => {
      if (reply?.startsWith(':') === true) looked.resolve() // no error that it has to be sent in full
    }
    proxy.onReply(' lpush -1 ', look, { times: 2 })
    proxy.resume('replies')
    await looked.promise
    expect([await queue.size(), await other.size()]).toEqual([0, 1_002])
    await other.delete()
  })
})
