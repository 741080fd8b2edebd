import { describe, expect, it } from 'vitest'
import {
  CodecError,
  jsonCodec,
  longCodec,
  NoSuchGroupError,
  NoSuchObjectError,
  NotInBatchError,
  stringCodec,
  WrongTypeError,
  type RStream,
} from '../../../src/index.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { slottedTopologies } from '../../support/topologies.js'

/** More than any test takes. */
const LONG_MS = 60_000

/** More than one request may be about. */
const MANY = 12_000

const fields = (...of: readonly RStreamMessage[]) => of.map((message) => Object.fromEntries(message.fields))

interface RStreamMessage {
  readonly id: string
  readonly fields: Map<string, unknown>
}

describe.each(slottedTopologies)('a stream ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  let names = 0

  /** A stream with messages `1-1`, `2-1` and so on, which is removed after the test. */
  const withStream = async (
    use: (stream: RStream<string, unknown>, name: string) => Promise<void>,
    content: readonly Readonly<Record<string, unknown>>[] = [],
  ) => {
    const name = `stream-${topology.kind}-${String(names++)}`
    const stream = clients.mine.getStream(name)
    try {
      for (const [n, message] of content.entries()) await stream.add(message, { id: `${String(n + 1)}-1` })
      await use(stream, name)
    } finally {
      await stream.delete()
    }
  }

  const abc = [{ a: 1 }, { b: 'x', c: null }, { d: [1, { e: true }] }]

  it('has messages in the order of their ids, whichever client adds them', async () => {
    await withStream(async (stream, name) => {
      const other = clients.other.getStream(name)
      const first = await stream.add({ a: 1, b: 'x' })
      const second = await other.add(new Map([['a', 2]]))
      const third = await stream.add([['a', null]])
      expect([first, second, third].every((id) => /^\d{13}-\d+$/.test(id))).toBe(true)
      expect(await other.range()).toEqual([
        {
          id: first,
          fields: new Map<string, unknown>([
            ['a', 1],
            ['b', 'x'],
          ]),
        },
        { id: second, fields: new Map([['a', 2]]) },
        { id: third, fields: new Map([['a', null]]) },
      ])
      expect(await stream.size()).toBe(3)
      expect(await stream.remove(second, second, '1-1')).toBe(1)
      expect(fields(...(await stream.rangeReversed()))).toEqual([{ a: null }, { a: 1, b: 'x' }])
    })
  })

  it('returns the messages of a range, of either direction, and some of them', async () => {
    await withStream(async (stream) => {
      const ids = async (...args: Parameters<typeof stream.range>) =>
        (await stream.range(...args)).map(({ id }) => id)
      expect(await ids({ from: '2' })).toEqual(['2-1', '3-1'])
      expect(await ids({ from: '2-1', fromInclusive: false })).toEqual(['3-1'])
      expect(await ids({ to: '2-1' })).toEqual(['1-1', '2-1'])
      expect(await ids({ to: '2-1', toInclusive: false })).toEqual(['1-1'])
      expect(await ids({ count: 2 })).toEqual(['1-1', '2-1'])
      expect(await ids({ count: 0 })).toEqual([])
      const back = await stream.rangeReversed({ from: '1-1', to: '3-0', count: 1 })
      expect(back.map(({ id }) => id)).toEqual(['2-1'])
      expect(await stream.rangeReversed({ count: 0 })).toEqual([])
    }, abc)
  })

  it('takes an id of the program, and refuses one that is not above all others', async () => {
    await withStream(async (stream) => {
      expect(await stream.add({ a: 1 }, { id: '5-7' })).toBe('5-7')
      expect(await stream.add({ a: 1 }, { id: '5-*' })).toBe('5-8')
      await expect(stream.add({ a: 1 }, { id: '5-8' })).rejects.toMatchObject({ code: 'COMMAND' })
    })
  })

  it('adds nothing to a stream that is not there, if that was asked for', async () => {
    await withStream(async (stream) => {
      expect(await stream.add({ a: 1 }, { noMakeStream: true })).toBeUndefined()
      expect(await stream.isExists()).toBe(false)
      await stream.add({ a: 1 })
      expect(await stream.add({ a: 1 }, { noMakeStream: true })).toMatch(/^\d+-\d+$/)
    })
  })

  it('is trimmed to a length or an id, while messages are added too', async () => {
    await withStream(async (stream) => {
      await stream.add({ f: 1 }, { id: '4-1', maxLen: 3, exact: true })
      expect((await stream.range()).map(({ id }) => id)).toEqual(['2-1', '3-1', '4-1'])
      expect(await stream.trim({ minId: '3' })).toBe(1)
      expect(await stream.trim({ maxLen: 1 })).toBe(1)
      expect(await stream.trimNonStrict({ maxLen: 0 })).toBeLessThanOrEqual(1)
      expect(await stream.trimNonStrict({ minId: '9-9', limit: 10 })).toBe(0)
      expect(await stream.trim({ maxLen: 0 })).toBeLessThanOrEqual(1)
      await stream.add({ f: 1 }, { id: '5-1', minId: '5-1', exact: true, noMakeStream: true })
      expect(await stream.size()).toBe(1)
    }, abc)
  })

  it('is read after an id, and waits for messages', async () => {
    await withStream(async (stream, name) => {
      const other = clients.other.getStream(name)
      expect(await stream.read({ waitMs: 1 })).toEqual([])
      const all = stream.read({ waitMs: LONG_MS })
      const again = stream.read({ waitMs: Infinity })
      await other.add({ a: 1 }, { id: '1-1' })
      expect(await all).toEqual([{ id: '1-1', fields: new Map([['a', 1]]) }])
      expect(await again).toEqual(await all)
      expect(await stream.read({ after: '1-1' })).toEqual([])
      expect(await stream.read({ after: '$' })).toEqual([])
      const next = stream.read({ after: '1-1', waitMs: LONG_MS })
      const newest = stream.read({ after: '$', waitMs: LONG_MS, count: 1 })
      await eventually(async () => {
        expect(await tracked()).toMatch(/tracking_total_keys:[1-9]/)
      })
      await other.add({ a: 2 }, { id: '2-1' })
      expect((await next).map(({ id }) => id)).toEqual(['2-1'])
      expect((await newest).map(({ id }) => id)).toEqual(['2-1'])
      expect(await stream.read({ count: 0, waitMs: LONG_MS })).toEqual([])
      expect((await stream.read({ count: 1 })).map(({ id }) => id)).toEqual(['1-1'])
    })
  })

  /** What all servers say of the keys whose changes are told. */
  const tracked = async () => {
    const all = await Promise.all(topology.nodes.map((node) => node.command('INFO', 'stats')))
    return all.map(String).join('\n')
  }

  it('ends a waiting with the reason of its signal, and delivers nothing after that', async () => {
    await withStream(async (stream) => {
      await stream.createGroup('g', { makeStream: true })
      const abort = new AbortController()
      const { signal } = abort
      const waiting = [
        stream.read({ waitMs: LONG_MS, signal }),
        stream.readGroup('g', 'c', { waitMs: LONG_MS, signal }),
      ]
      abort.abort(new Error('enough'))
      for (const each of waiting) await expect(each).rejects.toThrow('enough')
      await expect(stream.read({ signal })).rejects.toThrow('enough')
      await stream.add({ a: 1 })
      expect((await stream.getPendingInfo('g')).total).toBe(0)
    })
  })

  it('delivers each message to one consumer of a group, until it is acknowledged', async () => {
    await withStream(async (stream) => {
      expect(await stream.createGroup('g', { from: '0' })).toBe(true)
      expect(await stream.createGroup('g')).toBe(false)
      const first = await stream.readGroup('g', 'one', { count: 2 })
      const second = await stream.readGroup('g', 'two')
      expect([...first, ...second].map(({ id }) => id)).toEqual(['1-1', '2-1', '3-1'])
      expect(await stream.readGroup('g', 'one')).toEqual([])
      expect(await stream.getPendingInfo('g')).toEqual({
        total: 3,
        lowestId: '1-1',
        highestId: '3-1',
        consumers: new Map([
          ['one', 2],
          ['two', 1],
        ]),
      })
      expect(await stream.ack('g', '1-1', '3-1', '9-9')).toBe(2)
      expect(await stream.readGroup('g', 'one', { after: '0' })).toEqual(first.slice(1))
      expect(await stream.readGroup('g', 'one', { after: '2-1' })).toEqual([])
      expect(await stream.pendingRange('g')).toEqual(first.slice(1))
      const [entry] = await stream.listPending('g', { consumer: 'one' })
      expect(entry).toMatchObject({ id: '2-1', consumer: 'one', deliveries: 2 })
      expect(await stream.listPending('g', { consumer: 'two' })).toEqual([])
      expect(await stream.listPending('g', { idleMs: LONG_MS })).toEqual([])
      expect(await stream.listPending('g', { from: '2-1', fromInclusive: false, count: 1 })).toEqual([])
      await stream.ack('g', '2-1')
      expect(await stream.getPendingInfo('g')).toEqual({
        total: 0,
        lowestId: undefined,
        highestId: undefined,
        consumers: new Map(),
      })
    }, abc)
  })

  it('wakes one that waits for the messages of a group, and keeps none pending without acknowledgement', async () => {
    await withStream(async (stream, name) => {
      await stream.createGroup('g', { makeStream: true })
      const one = stream.readGroup('g', 'one', { waitMs: LONG_MS })
      await clients.other.getStream(name).add({ a: 1 }, { id: '1-1' })
      expect((await one).map(({ id }) => id)).toEqual(['1-1'])
      expect(await stream.readGroup('g', 'one', { waitMs: 1 })).toEqual([])
      await stream.add({ a: 2 })
      expect(await stream.readGroup('g', 'one', { noAck: true })).toHaveLength(1)
      expect((await stream.getPendingInfo('g')).total).toBe(1)
      expect(await stream.readGroup('g', 'one', { count: 0 })).toEqual([])
    })
  })

  it('gives pending messages to other consumers', async () => {
    await withStream(async (stream) => {
      await stream.createGroup('g', { from: '0' })
      await stream.readGroup('g', 'dead')
      expect(await stream.claim('g', 'mine', { idleMs: LONG_MS, ids: ['1-1'] })).toEqual([])
      expect(await stream.claim('g', 'mine', { idleMs: 0, ids: [] })).toEqual([])
      const [claimed] = await stream.claim('g', 'mine', { idleMs: 0, ids: ['1-1', '9-9'] })
      expect(claimed).toEqual({ id: '1-1', fields: new Map([['a', 1]]) })
      expect(await stream.fastClaim('g', 'mine', { idleMs: 0, ids: new Set(['2-1']) })).toEqual(['2-1'])
      const deliveries = (await stream.listPending('g')).map((each) => [each.consumer, each.deliveries])
      expect(deliveries).toEqual([
        ['mine', 2],
        ['mine', 1],
        ['dead', 1],
      ])
      const page = await stream.autoClaim('g', 'third', { idleMs: 0, count: 2 })
      expect(page.messages.map(({ id }) => id)).toEqual(['1-1', '2-1'])
      expect(page.nextId).toBe('3-1')
      await stream.remove('3-1')
      const rest = await stream.fastAutoClaim('g', 'third', { idleMs: 0, from: page.nextId })
      expect(rest.nextId).toBe('0-0')
      expect([...rest.ids, ...rest.deletedIds]).toEqual(['3-1'])
      expect(await stream.pendingRange('g', { count: 1 })).toHaveLength(1)
    }, abc)
  })

  it('has groups and consumers, which it tells about', async () => {
    await withStream(async (stream) => {
      expect(await stream.getInfo()).toBeUndefined()
      expect(await stream.listGroups()).toEqual([])
      expect(await stream.removeGroup('g')).toBe(false)
      await expect(stream.createGroup('g')).rejects.toBeInstanceOf(NoSuchObjectError)
      expect(await stream.createGroup('g', { makeStream: true })).toBe(true)
      expect(await stream.createConsumer('g', 'c')).toBe(true)
      expect(await stream.createConsumer('g', 'c')).toBe(false)
      await stream.add({ a: 1 }, { id: '1-1' })
      await stream.add({ a: 2 }, { id: '2-1' })
      expect(await stream.getInfo()).toMatchObject({
        length: 2,
        groups: 1,
        lastGeneratedId: '2-1',
        firstEntry: { id: '1-1', fields: new Map([['a', 1]]) },
        lastEntry: { id: '2-1', fields: new Map([['a', 2]]) },
      })
      await stream.readGroup('g', 'c', { count: 1 })
      const [group] = await stream.listGroups()
      expect(group).toMatchObject({ name: 'g', consumers: 1, pending: 1, lastDeliveredId: '1-1' })
      const [consumer] = await stream.listConsumers('g')
      expect(consumer).toMatchObject({ name: 'c', pending: 1 })
      await stream.updateGroupMessageId('g', '$')
      expect(await stream.readGroup('g', 'c')).toEqual([])
      await stream.updateGroupMessageId('g', '0')
      expect(await stream.readGroup('g', 'c')).toHaveLength(2)
      expect(await stream.removeConsumer('g', 'c')).toBe(2)
      expect(await stream.removeGroup('g')).toBe(true)
      expect(await stream.removeGroup('g')).toBe(false)
    })
  })

  it('says that there is no such group', async () => {
    await withStream(async (stream, name) => {
      const calls = () => [
        stream.readGroup('g', 'c'),
        stream.createConsumer('g', 'c'),
        stream.removeConsumer('g', 'c'),
        stream.updateGroupMessageId('g', '0'),
        stream.getPendingInfo('g'),
        stream.listPending('g'),
        stream.pendingRange('g'),
        stream.claim('g', 'c', { idleMs: 0, ids: ['1-1'] }),
        stream.fastClaim('g', 'c', { idleMs: 0, ids: ['1-1'] }),
        stream.autoClaim('g', 'c', { idleMs: 0 }),
        stream.fastAutoClaim('g', 'c', { idleMs: 0 }),
        stream.listConsumers('g'),
      ]
      for (const isThere of [false, true]) {
        if (isThere) await stream.add({ a: 1 })
        for (const outcome of await Promise.allSettled(calls())) {
          const error: unknown = outcome.status === 'rejected' ? outcome.reason : undefined
          expect(error).toBeInstanceOf(NoSuchGroupError)
          expect(error).toMatchObject({ code: 'NO_SUCH_GROUP', object: name, group: 'g' })
        }
        expect(await stream.ack('g', '1-1')).toBe(0)
      }
    })
  })

  it('has names and values of other codecs', async () => {
    const name = `stream-${topology.kind}-${String(names++)}`
    const stream = clients.mine.getStream<number, string>(name, {
      codec: { key: longCodec(), value: stringCodec() },
    })
    await stream.add([
      [7, 'a'],
      [8, 'b'],
    ])
    const [message] = await stream.range()
    expect(message?.fields).toEqual(
      new Map([
        [7, 'a'],
        [8, 'b'],
      ]),
    )
    const json = clients.mine.getStream(name, { codec: { value: jsonCodec() } })
    await expect(json.range()).rejects.toBeInstanceOf(CodecError)
    await expect(json.getInfo()).rejects.toBeInstanceOf(CodecError)
    await stream.delete()
  })

  it('returns the last of several fields with the same name', async () => {
    await withStream(async (stream, name) => {
      await askOwner(topology, name, 'XADD', '*', 'a', '1', 'b', '2', 'a', '3')
      expect(fields(...(await stream.range()))).toEqual([{ a: 3, b: 2 }])
    })
  })

  it('acknowledges and removes more messages than one request may be about', async () => {
    await withStream(async (stream, name) => {
      const ids = Array.from({ length: MANY }, (_, n) => `1-${String(n + 1)}`)
      await clients.mine.batch((batch) => ids.map((id) => batch.getStream(name).add({ n: 1 }, { id })))
      await stream.createGroup('g', { from: '0' })
      expect(await stream.readGroup('g', 'c')).toHaveLength(MANY)
      expect(await stream.ack('g', ...ids)).toBe(MANY)
      expect(await stream.remove(...ids)).toBe(MANY)
    })
  })

  it('refuses what is no field, id, count or option, and changes nothing', async () => {
    await withStream(async (stream) => {
      const untyped = stream as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
      const refused: readonly [RegExp, string, ...unknown[]][] = [
        [/one field/, 'add', {}],
        [/Map/, 'add', 7],
        [/value/, 'add', { a: undefined }],
        [/id/, 'add', { a: 1 }, { id: 'x' }],
        [/either/, 'add', { a: 1 }, { maxLen: 1, minId: '1' }],
        [/limit/, 'add', { a: 1 }, { maxLen: 1, limit: 1, exact: true }],
        [/either/, 'trim', {}],
        [/limit/, 'trim', { maxLen: 1, limit: 1 }],
        [/id/, 'trim', { minId: '-' }],
        [/id/, 'range', { from: '-' }],
        [/count/, 'range', { count: -1 }],
        [/after/, 'read', { after: '>' }],
        [/after/, 'readGroup', 'g', 'c', { after: '$' }],
        [/group/, 'readGroup', '', 'c'],
        [/consumer/, 'readGroup', 'g', 7],
        [/ids/, 'ack', 'g', 'x'],
        [/ids/, 'claim', 'g', 'c', { idleMs: 0, ids: '1-1' }],
        [/idleMs/, 'claim', 'g', 'c', { ids: [] }],
        [/idleMs/, 'autoClaim', 'g', 'c', { idleMs: -1 }],
        [/count/, 'autoClaim', 'g', 'c', { idleMs: 0, count: 5_001 }],
      ]
      for (const [words, method, ...args] of refused)
        await expect(untyped[method]?.(...args), method).rejects.toThrow(words)
      expect(await stream.isExists()).toBe(false)
    })
  })

  it('refuses a name that belongs to another kind of object', async () => {
    await withStream(async (stream, name) => {
      await clients.mine.getList(name).add(1)
      await expect(stream.add({ a: 1 })).rejects.toBeInstanceOf(WrongTypeError)
      await expect(stream.createGroup('g', { makeStream: true })).rejects.toBeInstanceOf(WrongTypeError)
      await expect(stream.readGroup('g', 'c')).rejects.toBeInstanceOf(WrongTypeError)
      await clients.mine.getList(name).delete()
    })
  })

  it('is read in a batch, where nothing can be waited for', async () => {
    await withStream(async (_, name) => {
      const [id, messages] = await clients.mine.batch((batch) => {
        const batched = batch.getStream(name)
        return [batched.add({ a: 1 }), batched.read(), batched.createGroup('g', { from: '0' })]
      })
      expect(messages).toEqual([{ id, fields: new Map([['a', 1]]) }])
      const waiting = clients.mine.batch((batch) => [batch.getStream(name).read({ waitMs: 1 })])
      await expect(waiting).rejects.toBeInstanceOf(NotInBatchError)
      const looping = clients.mine.batch((batch) => {
        batch.getStream(name).consumer('g')
        return []
      })
      await expect(looping).rejects.toBeInstanceOf(NotInBatchError)
    })
  })
})
