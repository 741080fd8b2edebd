import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  bytesCodec,
  CodecError,
  longCodec,
  Redisson,
  stringCodec,
  type RStream,
  type StreamConsumerOptions,
  type StreamDelivery,
} from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** The shortest that there is: messages of dead consumers come soon. */
const SOON_MS = 100

/** More than any test takes. */
const LONG_MS = 60_000

type Message = StreamDelivery<string, unknown>

describe.each(slottedTopologies)('a consumer of a stream ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A stream with messages that have the numbers from 0 on. */
  const withStream = async (
    count: number,
    use: (stream: RStream<string, unknown>, name: string) => Promise<void>,
  ) => {
    const name = `{consumed-${topology.kind}-${String(names++)}}`
    const stream = clients.mine.getStream(name)
    try {
      for (let n = 0; n < count; n += 1) await stream.add({ n }, { id: `${String(n + 1)}-1` })
      await use(stream, name)
    } finally {
      await stream.delete()
      await clients.mine.getStream(`${name}:dead`).delete()
    }
  }

  /** The next messages of a group, each of which is given to a function. */
  const take = async (
    stream: RStream<string, unknown>,
    count: number,
    settle: (message: Message) => unknown = (message) => message.ack(),
    options: StreamConsumerOptions = {},
  ) => {
    const taken: Message[] = []
    if (count === 0) return taken
    for await (const message of stream.consumer('g', options)) {
      taken.push(message)
      await settle(message)
      if (taken.length === count) break
    }
    return taken
  }

  const numbersOf = (messages: readonly Message[]) => messages.map(({ fields }) => fields.get('n'))
  const pending = async (stream: RStream<string, unknown>) =>
    (await stream.listPending('g')).map(({ id, deliveries }) => [id, deliveries])

  it('creates the group, receives all messages, and waits for more', async () => {
    await withStream(3, async (stream, name) => {
      const other = clients.other.getStream(name)
      const seen: unknown[] = []
      for await (const message of stream.consumer('g')) {
        seen.push(message.fields.get('n'))
        expect(message.deliveries).toBe(1)
        await message.ack()
        if (seen.length === 3) void sleep(20).then(() => other.add({ n: 3 }))
        if (seen.length === 4) break
      }
      expect(seen).toEqual([0, 1, 2, 3])
      expect(await pending(stream)).toEqual([])
      expect(await stream.listConsumers('g')).toEqual([]) // it had a name that nobody else has
    })
  })

  it('begins where it is told to, in a stream that may not be there yet', async () => {
    await withStream(3, async (stream) => {
      const newest = await take(stream, 1, (message) => message.ack(), { from: '2-1' })
      expect(numbersOf(newest)).toEqual([2])
      await stream.delete()
      const first = take(stream, 1, undefined, { from: '$' })
      await eventually(async () => {
        expect(await stream.listGroups()).toHaveLength(1)
      })
      await stream.add({ n: 7 })
      expect(numbersOf(await first)).toEqual([7])
    })
  })

  it('shares the messages of a group among many, none of which is lost or comes twice', async () => {
    await withStream(200, async (stream, name) => {
      const seen: unknown[] = []
      const abort = new AbortController()
      const consumers = [stream, stream, clients.other.getStream(name)].map(async (each) => {
        for await (const message of each.consumer('g', { batch: 7, signal: abort.signal })) {
          seen.push(message.fields.get('n'))
          await message.ack()
        }
      })
      await eventually(() => {
        expect(seen).toHaveLength(200)
      })
      abort.abort(new Error('enough'))
      for (const each of await Promise.allSettled(consumers))
        expect(each).toMatchObject({ reason: { message: 'enough' } })
      expect(new Set(seen).size).toBe(200)
      expect(await pending(stream)).toEqual([])
    })
  })

  it('receives first what it had not acknowledged, after a restart with the same name', async () => {
    await withStream(3, async (stream, name) => {
      const before = await take(stream, 2, (message) => (message.id === '2-1' ? message.ack() : undefined), {
        name: 'me',
      })
      expect(numbersOf(before)).toEqual([0, 1])
      const after = await take(clients.other.getStream(name), 2, undefined, { name: 'me' })
      expect(after.map(({ id, deliveries }) => [id, deliveries])).toEqual([
        ['1-1', 2],
        ['3-1', 1], // it had not been handed out
      ])
      expect(await pending(stream)).toEqual([])
    })
  })

  it('gives back what nobody has asked for, which does not count as delivered', async () => {
    await withStream(5, async (stream) => {
      await take(stream, 2)
      const rest = await stream.listPending('g')
      expect(rest.map(({ id, deliveries }) => [id, deliveries])).toEqual([
        ['3-1', 0],
        ['4-1', 0],
        ['5-1', 0],
      ])
      expect(rest.every(({ idleMs }) => idleMs >= LONG_MS)).toBe(true)
      const others = await take(stream, 3)
      expect(others.map(({ deliveries }) => deliveries)).toEqual([1, 1, 1])
      expect(numbersOf(others)).toEqual([2, 3, 4])
      expect(await pending(stream)).toEqual([])
    })
  })

  it('claims the messages of consumers that have died', async () => {
    await withStream(2, async (stream) => {
      await stream.createGroup('g', { from: '0' })
      await stream.readGroup('g', 'dead')
      const claimed = await take(stream, 2, undefined, { claimIdleMs: SOON_MS })
      expect(claimed.map(({ id, deliveries }) => [id, deliveries])).toEqual([
        ['1-1', 2],
        ['2-1', 2],
      ])
      expect(await pending(stream)).toEqual([])
    })
  })

  it('claims nothing of one that still works on it', { tags: ['timed'] }, async () => {
    await withStream(1, async (stream, name) => {
      const abort = new AbortController()
      const others: unknown[] = []
      const settings = { claimIdleMs: 300, signal: abort.signal }
      let other: Promise<void> | undefined
      await take(
        stream,
        1,
        async (message) => {
          other = (async () => {
            for await (const stolen of clients.other.getStream(name).consumer('g', settings))
              others.push(stolen.id)
          })()
          await sleep(1_000) // more than three times as long as it takes to claim it
          await message.ack()
        },
        { claimIdleMs: 300 },
      )
      abort.abort()
      await other?.catch(() => undefined)
      expect(others).toEqual([])
    })
  })

  it(
    'delivers a message again that was given back, to any consumer, and not before its time',
    { tags: ['timed'] },
    async () => {
      await withStream(1, async (stream) => {
        const options = { claimIdleMs: 10_000 }
        let since = 0
        const deliveries: number[] = []
        await take(
          stream,
          3,
          async (message) => {
            deliveries.push(message.deliveries)
            if (message.deliveries === 1) {
              await message.nack()
              return
            }
            if (message.deliveries === 2) {
              since = performance.now()
              await message.nack({ delayMs: 200 })
              return
            }
            expect(performance.now() - since).toBeGreaterThanOrEqual(190)
            await message.ack()
          },
          options,
        )
        expect(deliveries).toEqual([1, 2, 3])
        await expect(stream.consumer('g')[Symbol.asyncIterator]().return?.()).resolves.toEqual({
          done: true,
          value: undefined,
        })
      })
    },
  )

  it('moves a message that was delivered too often to the dead letter stream, with the reason', async () => {
    await withStream(2, async (stream, name) => {
      const dead = clients.other.getStream(`${name}:dead`)
      const options = { name: 'me', maxDeliveries: 2, deadLetter: dead, claimIdleMs: SOON_MS }
      const seen: unknown[] = []
      await take(
        stream,
        3,
        async (message) => {
          seen.push([message.fields.get('n'), message.deliveries])
          await (message.id === '1-1' ? message.nack() : message.ack())
        },
        options,
      )
      expect(seen.sort()).toEqual([
        [0, 1],
        [0, 2],
        [1, 1],
      ])
      const [letter, ...more] = await dead.range()
      expect(more).toEqual([])
      expect(letter?.fields).toEqual(
        new Map<string, unknown>([
          ['n', 0],
          ['dead-letter', { stream: name, group: 'g', id: '1-1', consumer: 'me', deliveries: 2 }],
        ]),
      )
      expect(await pending(stream)).toEqual([])
    })
  })

  it('moves messages whose consumers have died too often, also its own', { tags: ['timed'] }, async () => {
    await withStream(3, async (stream, name) => {
      await stream.createGroup('g', { from: '0' })
      await stream.readGroup('g', 'me', { count: 1 })
      await stream.readGroup('g', 'dead', { count: 1 })
      await sleep(SOON_MS)
      const options = { name: 'me', maxDeliveries: 1, deadLetter: `${name}:dead`, claimIdleMs: SOON_MS }
      expect(numbersOf(await take(stream, 1, undefined, options))).toEqual([2])
      const dead = await clients.mine.getStream(`${name}:dead`).range()
      expect(dead.map(({ fields }) => fields.get('n')).sort()).toEqual([0, 1])
      expect(await pending(stream)).toEqual([])
    })
  })

  it('writes the reason as the codec can read it, or not at all', async () => {
    await withStream(0, async (_, name) => {
      const reasonBy = async (codec: never) => {
        await askOwner(topology, name, 'XADD', '*', 'n', '7')
        const stream = clients.mine.getStream(name, { codec })
        for await (const message of stream.consumer('g', { maxDeliveries: 1, deadLetter: `${name}:dead` })) {
          await message.nack()
          break
        }
        const [letter] = await clients.mine.getStream(`${name}:dead`, { codec: bytesCodec() }).range()
        await clients.mine.getStream(`${name}:dead`).delete()
        return letter && [...letter.fields].map(([key, value]) => [key, String(value)])
      }
      expect(await reasonBy(longCodec() as never)).toEqual([['n', '7']])
      const texts = await reasonBy(stringCodec() as never)
      expect(texts?.[1]?.[0]).toBe('dead-letter')
      expect(JSON.parse(texts?.[1]?.[1] ?? '')).toMatchObject({ group: 'g', deliveries: 1 })
      expect(await reasonBy({ key: longCodec(), value: longCodec() } as never)).toEqual([['n', '7']])
    })
  })

  it('hands out a message that the codec cannot read, and only its fields throw', async () => {
    await withStream(1, async (stream, name) => {
      await askOwner(topology, name, 'XADD', '*', 'n', '{')
      await stream.add({ n: 2 })
      const seen: unknown[] = []
      await take(stream, 3, async (message) => {
        try {
          seen.push(message.fields.get('n'))
          expect(message.fields).toBe(message.fields)
        } catch (error) {
          seen.push(error instanceof CodecError)
        }
        await message.ack()
      })
      expect(seen).toEqual([0, true, 2])
    })
  })

  it('joins the acknowledgements of one turn, and acknowledges after its end', async () => {
    await withStream(5, async (stream) => {
      const acks: Promise<void>[] = []
      const taken = await take(stream, 4, (message) => {
        acks.push(message.ack())
      })
      await Promise.all(acks)
      await taken[0]?.ack()
      expect((await stream.listPending('g')).map(({ id }) => id)).toEqual(['5-1'])
      const [last] = await take(stream, 1, () => undefined)
      await last?.ack()
      expect(await pending(stream)).toEqual([])
    })
  })

  it('hands out no more messages than may be unsettled', async () => {
    await withStream(4, async (stream) => {
      const iterator = stream.consumer('g', { concurrency: 2 })[Symbol.asyncIterator]()
      const next = async () => (await iterator.next()).value as Message
      const [first, second] = [await next(), await next()]
      let isThere = false
      const third = next().then((message) => {
        isThere = true
        return message
      })
      await sleep(50)
      expect(isThere).toBe(false)
      await second.ack()
      expect((await third).fields.get('n')).toBe(2)
      await first.nack()
      expect((await next()).id).toBe('4-1')
      await iterator.return?.()
    })
  })

  it('creates the group again that somebody has removed, after the last message', async () => {
    await withStream(2, async (stream, name) => {
      const seen: unknown[] = []
      for await (const message of stream.consumer('g', { batch: 1 })) {
        seen.push(message.fields.get('n'))
        await message.ack()
        if (seen.length === 2) {
          await clients.other.getStream(name).removeGroup('g')
          await stream.add({ n: 2 })
        }
        if (seen.length === 3) {
          await clients.other.getStream(name).delete()
          await stream.add({ n: 3 }) // after all that it has seen, as ids have the time
        }
        if (seen.length === 4) {
          await stream.delete()
          await stream.add({ n: 4 }, { id: '1-1' }) // a stream of its own
        }
        if (seen.length === 5) break
      }
      expect(seen).toEqual([0, 1, 2, 3, 4])
    })
  })

  it('ends with its signal, wherever it is, and takes nothing after that', async () => {
    await withStream(1, async (stream, name) => {
      const abort = new AbortController()
      const seen: unknown[] = []
      const consuming = (async () => {
        for await (const message of stream.consumer('g', { signal: abort.signal })) {
          seen.push(message.id)
          await message.ack()
        }
      })()
      await eventually(() => {
        expect(seen).toHaveLength(1)
      })
      abort.abort(new Error('enough'))
      await expect(consuming).rejects.toThrow('enough')
      await clients.other.getStream(name).add({ n: 1 })
      expect(await pending(stream)).toEqual([])
      expect((await stream.readGroup('g', 'c')).length).toBe(1)
      const aborted = stream.consumer('g', { signal: abort.signal })[Symbol.asyncIterator]()
      await expect(aborted.next()).rejects.toThrow('enough')
      expect(await aborted.next()).toEqual({ done: true, value: undefined })
    })
  })

  it('ends with its client, and with the signal of its object', async () => {
    await withStream(0, async (stream, name) => {
      const client = await Redisson.create(topology.options())
      const abort = new AbortController()
      const loops = [client.getStream(name), clients.mine.withSignal(abort.signal).getStream(name)].map(
        async (each) => {
          for await (const message of each.consumer('g', { name: 'c' })) await message.ack()
        },
      )
      await eventually(async () => {
        expect(await stream.listGroups()).toHaveLength(1)
      })
      const ends = Promise.allSettled(loops)
      await client.shutdown()
      abort.abort()
      const [closed, aborted] = await ends
      expect(closed).toMatchObject({ reason: { code: 'CLOSED' } })
      expect(aborted).toMatchObject({ reason: { code: 'ABORTED' } })
    })
  })

  it('takes no more than about a megabyte of large messages at once', async () => {
    await withStream(0, async (stream) => {
      for (let n = 0; n < 6; n += 1) await stream.add({ n, large: 'x'.repeat(900_000) })
      const pending: number[] = []
      for await (const message of stream.consumer('g')) {
        pending.push((await stream.getPendingInfo('g')).total)
        await message.ack()
        if (pending.length === 6) break
      }
      expect(Math.max(...pending)).toBeLessThan(3) // one that is handed out, and one in advance
    })
  })

  it('reads large messages too', async () => {
    await withStream(0, async (stream) => {
      const large = 'x'.repeat(700_000)
      for (let n = 0; n < 6; n += 1) await stream.add({ n, large })
      const taken = await take(stream, 6, undefined, { batch: 2 })
      expect(numbersOf(taken)).toEqual([0, 1, 2, 3, 4, 5])
      expect(taken.every(({ fields }) => fields.get('large') === large)).toBe(true)
    })
  })

  it('refuses options that are wrong, and sends nothing', async () => {
    await withStream(0, async (stream, name) => {
      const refused: readonly [RegExp, object][] = [
        [/name/, { name: '' }],
        [/from/, { from: '>' }],
        [/claimIdleMs/, { claimIdleMs: 99 }],
        [/together/, { maxDeliveries: 1 }],
        [/together/, { deadLetter: `${name}:dead` }],
        [/deadLetter/, { maxDeliveries: 1, deadLetter: 7 }],
        [/another stream/, { maxDeliveries: 1, deadLetter: stream }],
        [/another stream/, { maxDeliveries: 1, deadLetter: stream.name }],
        [/maxDeliveries/, { maxDeliveries: 0, deadLetter: `${name}:dead` }],
        [/batch/, { batch: 5_001 }],
        [/concurrency/, { concurrency: 0 }],
        [/signal/, { signal: 1 }],
        [/group/, { group: 'g' }],
      ]
      for (const [words, options] of refused)
        expect(() => stream.consumer('g', options as never)).toThrow(words)
      expect(() => stream.consumer('')).toThrow('group')
      expect(await stream.isExists()).toBe(false)
      await stream.add({ n: 1 })
      await take(stream, 1, async (message) => {
        await expect(message.nack({ delayMs: -1 })).rejects.toThrow('delayMs')
        await expect(message.nack({ delayMs: 60_001 })).rejects.toThrow('delayMs')
        await message.ack()
      })
    })
  })
})
