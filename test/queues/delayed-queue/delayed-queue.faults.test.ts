import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Redisson, type RBlockingQueue, type RDelayedQueue, type RedissonClient } from '../../../src/index.js'
import * as scripts from '../../../src/queues/delayed-queue/delayed-queue.scripts.js'
import { recordOf } from '../../../src/queues/delayed-queue/record.js'
import { askOwner } from '../../support/ask-owner.js'
import { describeFaults, strike } from '../../support/faults.js'
import { eventually } from '../../support/eventually.js'
import type { ServerNode, SingleTopology } from '../../support/launch/topology.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import { single } from '../../support/topologies.js'

const TIMEOUT_MS = 200
const SETTINGS = { timeout: TIMEOUT_MS, retryDelay: 20, reconnectionDelay: 10, retryAttempts: 20 }

/** So long that nothing gets to the destination meanwhile. */
const LONG_MS = 600_000

/** Which bytes are those at which the connection breaks: each of them is one in some of the rounds. */
const STEP = 23

/** What waits, then what the destination has. */
type State = readonly [waiting: readonly string[], delivered: readonly string[]]

interface CountingCall {
  readonly what: string
  readonly call: (delayed: RDelayedQueue<string>) => Promise<unknown>
  readonly answer: unknown
  readonly after: State
}

/** Each is made where `a`, `b` and `c` wait, and would change something else if it ran twice. */
const calls: readonly CountingCall[] = [
  {
    what: 'offer',
    call: (delayed) => delayed.offer('x', LONG_MS),
    answer: undefined,
    after: [['a', 'b', 'a', 'c', 'x'], []],
  },
  {
    what: 'poll',
    call: (delayed) => delayed.poll(),
    answer: 'a',
    after: [['b', 'a', 'c'], []],
  },
  {
    what: 'poll of several',
    call: (delayed) => delayed.poll(2),
    answer: ['a', 'b'],
    after: [['a', 'c'], []],
  },
  {
    what: 'remove',
    call: (delayed) => delayed.remove('a'),
    answer: true,
    after: [['b', 'a', 'c'], []],
  },
  {
    what: 'removeAll',
    call: (delayed) => delayed.removeAll(['a', 'c']),
    answer: true,
    after: [['b'], []],
  },
  {
    what: 'retainAll',
    call: (delayed) => delayed.retainAll(['a', 'c']),
    answer: true,
    after: [['a', 'a', 'c'], []],
  },
  {
    what: 'pollLastAndOfferFirstTo',
    call: (delayed) => delayed.pollLastAndOfferFirstTo(delayed.name),
    answer: 'c',
    after: [['a', 'b', 'a'], ['c']],
  },
  {
    what: 'delete',
    call: (delayed) => delayed.delete(),
    answer: true,
    after: [[], []],
  },
]

const BEFORE: State = [['a', 'b', 'a', 'c'], []]

describe('a delayed queue over a network that fails', () => {
  noLeaks(single, { except: /^redisson__once/ })
  let door: Proxied<SingleTopology<ServerNode>>
  let client: RedissonClient
  let straight: RedissonClient
  let names = 0
  let queue: RBlockingQueue<string>
  /** Not through the proxy. */
  let plain: RDelayedQueue<string>

  beforeAll(async () => {
    door = await proxied(single)
    client = await Redisson.create(door.options(SETTINGS))
    straight = await Redisson.create(single.options())
  })

  beforeEach(() => {
    queue = client.getBlockingQueue<string>(`faulty-delays-${String(names++)}`)
    plain = straight.getDelayedQueue(straight.getQueue<string>(queue.name))
  })

  afterEach(async () => {
    await Promise.all(door.proxies.map((proxy) => proxy.heal()))
    await plain.delete()
    await plain.destroy()
    await straight.getQueue(queue.name).delete()
  })

  afterAll(async () => {
    await Promise.all([client.shutdown(), straight.shutdown()])
    await door.stop()
  })

  const look = async (): Promise<State> => {
    const waiting = await plain.readAll()
    expect(await askOwner(single, `redisson_delay_queue_timeout:{${queue.name}}`, 'ZCARD')).toBe(
      waiting.length,
    )
    return [waiting, await straight.getQueue<string>(queue.name).readAll()]
  }

  const listening = (wanted: number) =>
    eventually(async () => {
      const channel = `redisson_delay_queue_channel:{${queue.name}}`
      const [, count] = (await single.nodes[0].command('PUBSUB', 'NUMSUB', channel)) as [string, number]
      expect(count).toBe(wanted)
    })

  /** A delayed queue whose client has nothing to do any more before the call. */
  const ready = async (exactlyOnce: boolean) => {
    const delayed = client.getDelayedQueue(queue, { exactlyOnce })
    const [waiting] = BEFORE
    for (const element of waiting) await plain.offer(element, LONG_MS)
    await listening(2)
    await delayed.size()
    return delayed
  }

  /** Adds a record as a client does whose message is lost. */
  const addSilently = async (value: string, delayMs: number) => {
    const record = recordOf(JSON.stringify(value)) as unknown as string
    await askOwner(single, `redisson_delay_queue:{${queue.name}}`, 'RPUSH', record) // before anyone can move it
    await askOwner(
      single,
      `redisson_delay_queue_timeout:{${queue.name}}`,
      'ZADD',
      Date.now() + delayMs,
      record,
    )
  }

  describeFaults('with a call that %s', TIMEOUT_MS, (...fault) => {
    it.each(calls.map((call) => [call.what, call] as const))(
      'takes effect once with exactlyOnce: %s',
      async (_, { call, answer, after }) => {
        await using delayed = await ready(true)
        const { struck } = strike(door.proxies, queue.name, fault)
        expect(await call(delayed)).toEqual(answer)
        await struck
        expect(await look()).toEqual(after)
      },
    )

    it.each(calls.map((call) => [call.what, call] as const))(
      'takes effect once, or is not sent again: %s',
      async (what, { call, answer, after }) => {
        await using delayed = await ready(false)
        const { struck } = strike(door.proxies, queue.name, fault)
        const outcome = await call(delayed).then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        )
        await struck
        if ('value' in outcome) {
          expect(outcome.value).toEqual(answer)
          expect(await look()).toEqual(after)
        } else {
          expect(what).not.toBe('offer')
          expect(outcome.error).toMatchObject({ mayHaveRun: true })
          expect([BEFORE, after]).toContainEqual(await look())
        }
      },
    )

    it('moves each element once where its transfer is lost', async () => {
      await plain.destroy()
      await using delayed = client.getDelayedQueue(queue)
      await listening(1)
      await delayed.size()
      const { struck } = strike(door.proxies, scripts.transfer.sha, fault)
      await delayed.offer('a', 30)
      await delayed.offer('b', 10)
      expect([await queue.take(), await queue.take()].toSorted()).toEqual(['a', 'b'])
      await struck
      expect(await look()).toEqual([[], []])
    })
  })

  it.each(['requests', 'replies'] as const)(
    'offers and moves each element once, at whichever byte of its %s the connection is cut',
    async (direction) => {
      await plain.destroy()
      const proxy = door.proxyOf(single.nodes[0])
      let byte = 0
      for (; !proxy.cuts; byte += STEP) {
        proxy.cutAfter(byte, direction)
        const delayed = client.getDelayedQueue(queue)
        await delayed.offer('a', 5)
        await delayed.offer('b', 0)
        const taken = [await queue.take(), await queue.take()]
        expect(taken.toSorted(), `cut after ${String(byte)} bytes`).toEqual(['a', 'b'])
        await delayed.destroy()
        expect(await look()).toEqual([[], []])
      }
      expect(byte).toBeGreaterThan(100) // or nothing was cut
    },
    120_000,
  )

  it('moves what was offered while its client could not hear of it', async () => {
    await using delayed = client.getDelayedQueue(queue)
    await plain.destroy()
    await listening(1)
    await delayed.size()
    await addSilently('a', 0)
    for (const proxy of door.proxies) await proxy.heal()
    await single.nodes[0].command('CLIENT', 'KILL', 'TYPE', 'pubsub')
    await eventually(async () => {
      expect(await look()).toEqual([[], ['a']])
    })
  })

  it('moves an element although every message was lost, where only callers wait for it', async () => {
    await plain.destroy()
    await addSilently('a', 100)
    expect(await queue.poll({ waitMs: LONG_MS })).toBe('a')
  })
})
