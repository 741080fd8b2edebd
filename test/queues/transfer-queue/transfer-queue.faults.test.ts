import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RedissonClient, type RTransferQueue } from '../../../src/index.js'
import { testLostReplies, type CountingCall } from '../../contracts/values/lost-replies.js'
import { startChild } from '../../support/child.js'
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
const STEP = 31

const program = new URL('transfer-queue-user.ts', import.meta.url)

const queueOf = (client: RedissonClient, name: string, exactlyOnce = false) =>
  client.getTransferQueue<string>(name, { exactlyOnce })

const calling = (
  what: string,
  call: (queue: RTransferQueue<string>) => Promise<unknown>,
  answer: unknown,
  after: readonly string[],
): CountingCall => ({
  what,
  prepare: async (client, name) => {
    await queueOf(client, name).delete()
    await queueOf(client, name).addAll(['a', 'b', 'a'])
  },
  call: (client, name, exactlyOnce) => call(queueOf(client, name, exactlyOnce)),
  answer,
  states: [['a', 'b', 'a'], after],
})

testLostReplies(
  'a transfer queue',
  [
    calling('put', (queue) => queue.put('c'), undefined, ['a', 'b', 'a', 'c']),
    calling('poll', (queue) => queue.poll(), 'a', ['b', 'a']),
    calling('poll of several', (queue) => queue.poll(2), ['a', 'b'], ['a']),
    calling('drainTo', (queue) => queue.drainTo(), ['a', 'b', 'a'], []),
    calling('remove', (queue) => queue.remove('a'), true, ['b', 'a']),
    calling('removeAll', (queue) => queue.removeAll(['a']), true, ['b']),
    calling('retainAll', (queue) => queue.retainAll(['a']), true, ['a', 'a']),
  ],
  (client, name) => queueOf(client, name).readAll(),
)

describe('a hand-off over connections that break', () => {
  noLeaks(single)

  it.each([
    ['producer', 'requests'],
    ['producer', 'replies'],
    ['consumer', 'requests'],
    ['consumer', 'replies'],
  ] as const)(
    'at any byte of the %s’s %s: happens once',
    async (who, direction) => {
      const name = `cut-transfer-${who}-${direction}`
      const door = await proxied(single)
      const proxy = door.proxyOf(single.nodes[0])
      const client = await Redisson.create(door.options(PATIENT))
      const straight = await Redisson.create(single.options())
      const producer = (who === 'producer' ? client : straight).getTransferQueue<string>(name)
      const consumer = (who === 'producer' ? straight : client).getTransferQueue<string>(name)
      let byte = 0
      for (; !proxy.cuts; byte += STEP) {
        proxy.cutAfter(byte, direction)
        const transfers = [producer.transfer('a'), producer.tryTransfer('b', LONG_MS)]
        const taken = [await consumer.take(), await consumer.poll({ waitMs: LONG_MS })]
        expect(taken.sort(), `cut after ${String(byte)} bytes`).toEqual(['a', 'b'])
        expect(await Promise.all(transfers)).toEqual([undefined, true])
        expect(await producer.tryTransfer('c', 1)).toBe(false)
        expect(await consumer.size()).toBe(0)
      }
      expect(byte).toBeGreaterThan(100) // or nothing was cut
      await straight.shutdown()
      await client.shutdown()
      await door.stop()
    },
    240_000,
  )
})

describe('a transfer queue over a network that fails', () => {
  noLeaks(single)
  let door: Proxied<SingleTopology<ServerNode>>
  let proxy: TcpProxy
  let straight: RedissonClient
  let queue: RTransferQueue<string>
  let names = 0
  const clients: RedissonClient[] = []

  beforeAll(async () => {
    door = await proxied(single)
    proxy = door.proxyOf(single.nodes[0])
    straight = await Redisson.create(single.options())
    const known = straight.getTransferQueue('known-transfer') // so that the server knows the scripts
    await Promise.all([known.transfer('a'), known.take()])
    await known.tryTransfer('b', 1)
  })

  beforeEach(() => {
    queue = straight.getTransferQueue(`{faulty-transfer-${String(names++)}}`)
  })

  afterEach(async () => {
    await proxy.heal()
    await Promise.all(clients.splice(0).map((client) => client.shutdown()))
    await queue.delete()
    await straight.getBucket(`${queue.name}:consumers`).delete()
  })

  afterAll(async () => {
    await straight.shutdown()
    await door.stop()
  })

  const faulty = async (settings: typeof PATIENT) => {
    const client = await Redisson.create(door.options(settings))
    clients.push(client)
    return client.getTransferQueue<string>(queue.name)
  }

  const left = (elements: readonly string[]) =>
    eventually(async () => {
      expect(await queue.readAll()).toEqual(elements)
    })

  const waiting = (count: number) =>
    eventually(async () => {
      expect(await queue.getWaitingConsumerCount()).toBe(count)
    })

  it('removes an element whose call was aborted before the reply to its addition came', async () => {
    const mine = await faulty(PATIENT)
    const abort = new AbortController()
    proxy.stall('replies')
    const transferring = mine.transfer('a', { signal: abort.signal })
    transferring.catch(() => undefined)
    await left(['a'])
    abort.abort(new Error('enough'))
    await expect(transferring).rejects.toMatchObject({ code: 'ABORTED', mayHaveRun: true })
    proxy.resume('replies')
    await left([])
  })

  it('says that the element may be taken, where a call is aborted that does not know whether it was added', async () => {
    const mine = await faulty(PATIENT)
    const abort = new AbortController()
    proxy.stall('replies')
    const transferring = mine.transfer('a', { signal: abort.signal })
    transferring.catch(() => undefined)
    await left(['a'])
    expect(await queue.take()).toBe('a')
    abort.abort(new Error('enough'))
    proxy.resume('replies', { held: 'dropped' })
    proxy.cut()
    await expect(transferring).rejects.toMatchObject({ code: 'ABORTED', mayHaveRun: true })
  })

  it('forgets consumers of processes that have died, while others wait', async () => {
    await askOwner(single, `${queue.name}:consumers`, 'HSET', 'dead', '1 1')
    const taken = queue.take()
    await waiting(1)
    expect(await askOwner(single, `${queue.name}:consumers`, 'HLEN')).toBe(1)
    await queue.put('a')
    await taken
  })

  it('refuses to wait in a batch', async () => {
    const refused = straight.batch((batch) => [batch.getTransferQueue(queue.name).take()])
    await expect(refused).rejects.toMatchObject({ code: 'NOT_IN_BATCH' })
  })

  it('sends nothing of a call that was aborted while there is no connection', async () => {
    const mine = await faulty(PATIENT)
    proxy.refuse()
    proxy.cut()
    const transferring = mine.transfer('a', { signal: AbortSignal.timeout(50) })
    await expect(transferring).rejects.toBeDefined()
    await proxy.heal()
    await mine.put('b')
    await left(['b'])
  })

  it('removes an element that was not added for sure, when its call has failed', async () => {
    const mine = await faulty(HASTY)
    proxy.stall('replies')
    await expect(mine.tryTransfer('a', 100)).rejects.toMatchObject({ mayHaveRun: true })
    proxy.resume('replies')
    await left([])
  })

  it('rejects when it cannot know what became of the element, and removes it later', async () => {
    const mine = await faulty(HASTY)
    const tried = mine.tryTransfer('a', 600)
    await left(['a'])
    proxy.stall('both')
    await expect(tried).rejects.toMatchObject({ mayHaveRun: true })
    proxy.resume('both', { held: 'dropped' })
    await left([])
  })

  it('waits through an outage, in which a consumer takes the element', { tags: ['timed'] }, async () => {
    const mine = await faulty(HASTY)
    const transferring = mine.transfer('a')
    await left(['a'])
    proxy.refuse()
    proxy.cut()
    expect(await queue.take()).toBe('a')
    await sleep(500)
    await proxy.heal()
    await transferring
  })

  it('says that an element was taken whose call is aborted in an outage', async () => {
    const mine = await faulty(PATIENT)
    const abort = new AbortController()
    const transferring = mine.transfer('a', { signal: abort.signal })
    await left(['a'])
    proxy.stall('replies')
    expect(await queue.take()).toBe('a')
    abort.abort()
    proxy.resume('replies')
    await transferring
  })

  it('puts back what it takes for a consumer that was aborted before the reply came', async () => {
    const mine = await faulty(PATIENT)
    const abort = new AbortController()
    const taking = mine.take({ signal: abort.signal })
    taking.catch(() => undefined)
    await waiting(1)
    proxy.stall('replies')
    expect(await queue.tryTransfer('a')).toBe(false) // the consumer is away
    await queue.put('b')
    abort.abort(new Error('enough'))
    await expect(taking).rejects.toThrow('enough')
    proxy.resume('replies')
    await left(['b'])
    expect(await queue.poll()).toBe('b')
  })

  it('keeps the element of a producer that is killed, for the next consumer', async () => {
    const options = JSON.stringify(single.options())
    await using child = startChild(program, { args: [options, queue.name, 'producer'] })
    await left(['a'])
    await child.kill()
    await left(['a'])
    expect(await queue.take()).toBe('a')
    expect(await queue.isExists()).toBe(false)
  })

  it('forgets a consumer that is killed, and hands nothing to it', { tags: ['timed'] }, async () => {
    const options = JSON.stringify(single.options())
    await using child = startChild(program, { args: [options, queue.name, 'consumer'] })
    await waiting(1)
    await child.kill()
    expect(await queue.tryTransfer('a')).toBe(false)
    expect(await queue.size()).toBe(0)
    await waiting(0)
    expect(await queue.hasWaitingConsumer()).toBe(false)
    const transferring = queue.transfer('b')
    expect(await queue.take()).toBe('b')
    await transferring
  })

  it(
    'hands each element of 20 producers to one of 20 consumers, while their connections break',
    { tags: ['timed'] },
    async () => {
      const [mine, others] = [await faulty(PATIENT), await faulty(PATIENT)]
      const producers = Array.from({ length: 20 }, async (_, producer) => {
        const by = producer % 2 === 0 ? mine : queue
        for (let each = 0; each < 10; each += 1) await by.transfer(`${String(producer)}.${String(each)}`)
      })
      const taken: string[] = []
      const consumers = Array.from({ length: 20 }, async (_, consumer) => {
        const of = consumer % 2 === 0 ? others : queue
        for (let each = 0; each < 10; each += 1) taken.push(await of.take())
      })
      const ending = new AbortController()
      const breaking = (async () => {
        for (let cuts = 0; cuts < 15 && !ending.signal.aborted; cuts += 1) {
          await sleep(100)
          proxy.cut()
        }
      })()
      await Promise.all([...producers, ...consumers])
      ending.abort()
      await breaking
      expect([taken.length, new Set(taken).size, await queue.size()]).toEqual([200, 200, 0])
      await waiting(0)
    },
  )
})
