import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { Readable, type Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished, pipeline } from 'node:stream/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  BinaryStreamChangedError,
  CodecError,
  Redisson,
  WrongTypeError,
  type RBinaryStream,
  type RedissonClient,
} from '../../../src/index.js'
import { onceOf } from '../../../src/command/once/once-evaluation.js'
import * as scripts from '../../../src/objects/binary-stream/binary-stream.scripts.js'
import { askOwner } from '../../support/ask-owner.js'
import { twoClients } from '../../support/clients.js'
import { collectGarbage } from '../../support/collect-garbage.js'
import { eventually } from '../../support/eventually.js'
import { noLeaks } from '../../support/no-leaks.js'
import { proxied, type Proxied } from '../../support/proxied.js'
import type { TcpProxy } from '../../support/proxy.js'
import { slottedTopologies, single } from '../../support/topologies.js'
import { pipeInto, pipeOut } from './fixtures/piping.js'

const LONG_MS = 600_000
const MIB = 2 ** 20

/** Streams have it run once. */
const appendAt = onceOf(scripts.appendAt)

/** Bytes that differ from place to place. */
const some = (length: number, first = 0) =>
  Buffer.from(Uint8Array.from({ length }, (_, at) => ((first + at) * 31) % 251))

const bytes = (text: string) => Buffer.from(text)

/** Hands out pieces of this length, of the kind that sources of bytes do. */
function* piecesOf(all: Buffer, length: number): Generator<Buffer> {
  for (let at = 0; at < all.length; at += length) yield all.subarray(at, at + length)
}

/** Writes a chunk, and waits for its confirmation. */
function written(stream: Writable, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}

/** The error by which a stream ends. */
function failureOf(stream: Readable | Writable): Promise<unknown> {
  return finished(stream).catch((error: unknown) => error)
}

async function lengthsOf(chunks: AsyncIterable<Uint8Array>): Promise<number[]> {
  const lengths: number[] = []
  for await (const { length } of chunks) lengths.push(length)
  return lengths
}

describe.each(slottedTopologies)('the streams of a binary stream ($kind)', (topology) => {
  noLeaks(topology)
  const clients = twoClients(topology)
  const on = (name: string) => clients.mine.getBinaryStream(`{streams-${topology.kind}}:${name}`)
  const ask = (key: string, command: string, ...args: readonly (string | number)[]) =>
    askOwner(topology, key, command, ...args)

  describe('that read', () => {
    it('return the bytes in order, in chunks, from the first to the last position', async () => {
      const one = on('read')
      const all = some(10_000)
      await one.set(all)
      expect(await buffer(one.createReadStream())).toEqual(all)
      expect(await buffer(one.readable())).toEqual(all)
      expect(await buffer(one.createReadStream({ start: 10, end: 19 }))).toEqual(all.subarray(10, 20))
      expect(await buffer(one.readable({ start: 10, end: 10 }))).toEqual(all.subarray(10, 11))
      expect(await buffer(one.createReadStream({ start: 9_990, end: Infinity }))).toEqual(all.subarray(9_990))
      expect(await buffer(one.createReadStream({ start: 10_000 }))).toHaveLength(0)
      expect(await buffer(one.createReadStream({ start: 20_000, end: 30_000 }))).toHaveLength(0)
      for (const highWaterMark of [2_500, 3_000, 9_999, 10_000, 10_001]) {
        const chunks = (await one.createReadStream({ highWaterMark }).toArray()) as Buffer[]
        expect(Buffer.concat(chunks)).toEqual(all)
        expect(chunks).toHaveLength(Math.ceil(10_000 / highWaterMark))
        const lengths = chunks.map(({ length }) => length)
        expect(await lengthsOf(one.readable({ highWaterMark }))).toEqual(lengths)
      }
      await one.delete()
    })

    it('are empty where there is nothing', async () => {
      expect(await buffer(on('none').createReadStream())).toHaveLength(0)
      expect(await buffer(on('none').readable())).toHaveLength(0)
    })

    it('fail where there is an object of another kind', async () => {
      const list = clients.mine.getList(on('list').name)
      await list.add(1)
      await expect(buffer(on('list').createReadStream())).rejects.toBeInstanceOf(WrongTypeError)
      await expect(buffer(on('list').readable())).rejects.toBeInstanceOf(WrongTypeError)
      await list.delete()
    })

    it('return what is appended before they have come to the end', async () => {
      const one = on('growing')
      await one.set(some(100))
      const reading = one.createReadStream({ highWaterMark: 60 })[Symbol.asyncIterator]()
      expect((await reading.next()).value).toEqual(some(60))
      await one.append(some(50, 100))
      const rest: Uint8Array[] = []
      for (let next = await reading.next(); next.done !== true; next = await reading.next())
        rest.push(next.value as Buffer)
      // The chunk that was read ahead may be from before.
      expect(Buffer.concat([some(60), ...rest])).toEqual(
        some(rest.reduce((sum, { length }) => sum + length, 60)),
      )
      await one.delete()
      const web = one.readable({ highWaterMark: 60 }).getReader()
      await one.set(some(100))
      expect((await web.read()).value).toEqual(new Uint8Array(some(60)))
      await one.append(some(50, 100))
      expect((await web.read()).value).toEqual(new Uint8Array(some(60, 60)))
      expect((await web.read()).value).toEqual(new Uint8Array(some(30, 120)))
      expect(await web.read()).toEqual({ done: true, value: undefined })
      await one.delete()
    })

    it.each([
      ['is removed', (one: RBinaryStream) => one.delete(), 0],
      ['is shortened', (one: RBinaryStream) => one.truncate(50), 50],
      ['is replaced by a shorter one', (one: RBinaryStream) => one.set(some(7)), 7],
      ['expires', (one: RBinaryStream) => one.expire(new Date(1)), 0],
    ])('fail when the value %s while it is read', async (_, change, size) => {
      const one = on('shrinking')
      await one.set(some(200))
      const web = one.readable({ highWaterMark: 100 }).getReader()
      await web.read()
      await change(one)
      const error: unknown = await web.read().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(BinaryStreamChangedError)
      expect(error).toMatchObject({ object: one.name, expectedSize: 100, size, mayHaveRun: false })
      await one.set(some(300))
      const reading = one.createReadStream({ highWaterMark: 100 })
      await once(reading, 'readable')
      await change(one)
      expect(await failureOf(reading.resume())).toMatchObject({ code: 'BINARY_STREAM_CHANGED', size })
      await one.delete()
    })
  })

  describe('that write', () => {
    it.each([
      ['at the end', {}, 'oldnew'],
      ['at the end, by its flag', { flags: 'a' }, 'oldnew'],
      ['in place of the value', { flags: 'w' }, 'new'],
      ['at a position', { start: 1 }, 'onew'],
      ['at a position, by both', { start: 1, flags: 'r+' }, 'onew'],
      ['at the beginning', { flags: 'r+' }, 'new'],
      ['beyond the end', { start: 5 }, 'old\0\0new'],
    ] as const)('%s', async (_, options, left) => {
      const one = on('flags')
      await one.set(bytes('old'), LONG_MS)
      await pipeline([bytes('n'), bytes('e'), bytes('w')], one.createWriteStream(options))
      expect(String(await one.get())).toBe(left)
      expect(await one.remainTimeToLive()).toBeGreaterThan(0)
      await one.set(bytes('old'), LONG_MS)
      await Readable.toWeb(Readable.from([bytes('n'), bytes('ew')])).pipeTo(one.writable(options))
      expect(String(await one.get())).toBe(left)
      expect(await one.remainTimeToLive()).toBeGreaterThan(0)
      await one.delete()
    })

    it('leave an empty value when they are ended at once, in place of the value only', async () => {
      const one = on('empty')
      await one.set(bytes('old'))
      for (const flags of ['a', 'r+'] as const) {
        await finished(one.createWriteStream({ flags }).end())
        await one.writable({ flags }).close()
        expect(String(await one.get())).toBe('old')
      }
      await finished(one.createWriteStream({ flags: 'w' }).end())
      expect(await one.get()).toHaveLength(0)
      await one.set(bytes('old'))
      await one.writable({ flags: 'w' }).close()
      expect(await one.get()).toHaveLength(0)
      await one.delete()
    })

    it('write texts, bytes of any view, and nothing for no bytes', async () => {
      const one = on('kinds')
      const stream = one.createWriteStream()
      stream.write('größe ')
      stream.write('6162', 'hex')
      stream.write(new Uint8Array())
      stream.write(Uint8Array.of(32, 99).subarray(1))
      await finished(stream.end(' end'))
      expect(String(await one.get())).toBe('größe abc end')
      await one.delete()
    })

    it('pass on what they are given by a pipeline, and give it back', async () => {
      const [one, two] = [on('pipe'), on('copy')]
      const all = some(3 * MIB + 17)
      await pipeline(piecesOf(all, 65_536), one.createWriteStream({ flags: 'w' }))
      await pipeline(one.createReadStream({ highWaterMark: 100_000 }), two.createWriteStream())
      expect(all.equals((await two.get()) as Buffer)).toBe(true)
      await two.readable().pipeTo(one.writable({ flags: 'w', highWaterMark: 1 }))
      expect(all.equals((await one.get()) as Buffer)).toBe(true)
      await Promise.all([one.delete(), two.delete()])
    })

    it('fail where there is an object of another kind', async () => {
      const list = clients.mine.getList(on('list').name)
      await list.add(1)
      for (const flags of ['a', 'w', 'r+'] as const) {
        const stream = on('list').createWriteStream({ flags })
        stream.end('text')
        expect(await failureOf(stream)).toBeInstanceOf(WrongTypeError)
        const writer = on('list').writable({ flags }).getWriter()
        await expect(writer.write(bytes('text'))).rejects.toBeInstanceOf(WrongTypeError)
        await expect(writer.closed).rejects.toBeInstanceOf(WrongTypeError)
      }
      expect(await list.readAll()).toEqual([1])
      await list.delete()
    })

    it('fail for what is no chunk', async () => {
      const one = on('no-chunk')
      const stream = one.createWriteStream()
      expect(() => stream.write(5)).toThrow(TypeError)
      stream.destroy()
      const writer = one.writable().getWriter()
      await expect(writer.write('a text' as unknown as Uint8Array)).rejects.toBeInstanceOf(CodecError)
      await expect(writer.closed).rejects.toBeInstanceOf(CodecError)
      expect(await one.isExists()).toBe(false)
    })

    const changes: readonly (readonly [string, (one: RBinaryStream) => Promise<unknown>, number])[] = [
      ['another client appends', (one) => one.append(bytes('x')), 6],
      ['the value is removed', (one) => one.delete(), 0],
      ['the value expires', (one) => one.expire(new Date(1)), 0],
      ['a failover has lost the last chunk', (one) => one.truncate(4), 4], // what a replica has that did not receive it
      [
        'another stream replaces the value',
        (one) => pipeline([bytes('ab')], one.createWriteStream({ flags: 'w' })),
        2,
      ],
    ]

    it.each(changes)('at the end fail when %s in between', async (_, change, size) => {
      const one = on('conflict')
      for (const flags of ['a', 'w'] as const) {
        await one.delete()
        const stream = one.createWriteStream({ flags })
        const failed = failureOf(stream)
        await written(stream, bytes('1234'))
        await written(stream, bytes('5'))
        await change(one)
        const left = await one.get()
        stream.write('67')
        const error = await failed
        expect(error).toBeInstanceOf(BinaryStreamChangedError)
        expect(error).toMatchObject({ object: one.name, expectedSize: 5, size, mayHaveRun: false })
        expect(await one.get()).toEqual(left)
      }
      await one.delete()
    })

    it.each(changes.slice(1))('at a position fail when %s in between', async (_, change, size) => {
      const one = on('conflict-at')
      await one.delete()
      const writer = one.writable({ start: 0 }).getWriter()
      await writer.write(bytes('12345'))
      await change(one)
      const left = await one.get()
      const error: unknown = await writer.write(bytes('67')).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'BINARY_STREAM_CHANGED', expectedSize: 5, size })
      expect(await one.get()).toEqual(left)
      await one.delete()
    })

    it('at positions of their own write side by side', async () => {
      const one = on('side-by-side')
      const all = some(200_000)
      const half = 100_000
      await Promise.all(
        [0, half].map((start) =>
          pipeline(
            piecesOf(all.subarray(start, start + half), 1_000),
            one.createWriteStream({ start, highWaterMark: 1 }),
          ),
        ),
      )
      expect(all.equals((await one.get()) as Buffer)).toBe(true)
      await one.delete()
    })

    it('at the end never mix the bytes of a chunk, and one of two fails', async () => {
      const one = on('two-writers')
      const theirs = clients.other.getBinaryStream(one.name)
      const streams = [one.createWriteStream(), theirs.createWriteStream()]
      const chunks = ['a', 'b'].map((letter) => bytes(letter.repeat(1_000)))
      const outcomes = await Promise.allSettled(
        streams.map((stream, at) =>
          pipeline(
            Array.from({ length: 20 }, () => chunks[at] as Buffer),
            stream,
          ),
        ),
      )
      const failed = outcomes.filter(({ status }) => status === 'rejected')
      expect(failed.length).toBeLessThan(2)
      for (const each of failed) expect(each).toMatchObject({ reason: { code: 'BINARY_STREAM_CHANGED' } })
      const all = String(await one.get())
      expect(all).toMatch(/^(?:a{1000}|b{1000})*$/)
      const won = outcomes[0]?.status === 'fulfilled' ? 'a' : 'b'
      expect(all.replaceAll(won === 'a' ? 'b' : 'a', '')).toBe(won.repeat(20_000))
      await one.delete()
    })
  })

  it('refuse options that are wrong', () => {
    const one = on('options')
    for (const method of ['createReadStream', 'readable'] as const) {
      expect(() => one[method]({ start: -1 })).toThrow(RangeError)
      expect(() => one[method]({ start: 5, end: 4 })).toThrow(RangeError)
      expect(() => one[method]({ end: 1.5 })).toThrow(RangeError)
      expect(() => one[method]({ highWaterMark: 0 })).toThrow(RangeError)
      expect(() => one[method]({ highWaterMark: 2 ** 30 })).toThrow(RangeError)
      expect(() => one[method]({ signal: {} as AbortSignal })).toThrow(TypeError)
      expect(() => one[method]({ flags: 'r' } as object)).toThrow(TypeError)
    }
    for (const method of ['createWriteStream', 'writable'] as const) {
      expect(() => one[method]({ start: -1 })).toThrow(RangeError)
      expect(() => one[method]({ start: 2 ** 30 })).toThrow(RangeError)
      expect(() => one[method]({ start: 1, flags: 'a' })).toThrow(TypeError)
      expect(() => one[method]({ start: 0, flags: 'w' })).toThrow(TypeError)
      expect(() => one[method]({ flags: 'ax' as 'a' })).toThrow("'a', 'w' or 'r+'")
      expect(() => one[method]({ highWaterMark: -1 })).toThrow(RangeError)
      expect(() => one[method]({ end: 1 } as object)).toThrow(TypeError)
    }
  })

  it('never begin when their signal has aborted', async () => {
    const one = on('aborted')
    const reason = new Error('enough')
    const signal = AbortSignal.abort(reason)
    const reading = one.createReadStream({ signal })
    expect(await failureOf(reading)).toMatchObject({ name: 'AbortError', cause: reason })
    const writing = one.createWriteStream({ signal })
    writing.write('a')
    expect(await failureOf(writing)).toMatchObject({ name: 'AbortError', cause: reason })
    await expect(one.readable({ signal }).getReader().read()).rejects.toBe(reason)
    await expect(one.writable({ signal }).getWriter().write(bytes('a'))).rejects.toBe(reason)
    expect(await ask(one.name, 'EXISTS')).toBe(0)
  })
})

describe('the requests of streams', () => {
  let door: Proxied<typeof single>
  let proxy: TcpProxy
  let client: RedissonClient
  let one: RBinaryStream
  let names = 0
  noLeaks(single)

  beforeAll(async () => {
    door = await proxied(single)
    proxy = door.proxyOf(single.nodes[0])
  })

  beforeEach(async () => {
    await proxy.heal()
    client = await Redisson.create(door.options({ retryDelay: 5, reconnectionDelay: 5 }))
    one = client.getBinaryStream(`requests-${String(names++)}`)
    await pipeline([bytes('a')], one.createWriteStream({ flags: 'w' })) // so that the server knows the scripts
    await one.delete()
  })

  afterEach(async () => {
    await proxy.heal()
    await client.shutdown()
    await single.nodes[0].command('DEL', one.name)
  })

  afterAll(() => door.stop())

  /** Counts the requests that contain a text from now on. */
  const counting = (match: string) => {
    const counted = { requests: 0 }
    proxy.onRequest(
      match,
      () => {
        counted.requests += 1
      },
      { times: Infinity },
    )
    return counted
  }

  it('ask for the next chunk only when it is wanted', async () => {
    await one.set(some(100))
    const asked = counting('getrange')
    const reading = one.createReadStream({ highWaterMark: 10 })
    expect(asked.requests).toBe(0)
    await once(reading, 'readable')
    await one.size() // a request that came later has its reply
    expect(asked.requests).toBe(1)
    expect(reading.read()).toEqual(some(10))
    await once(reading, 'readable')
    await one.size()
    expect(asked.requests).toBe(2)
    reading.destroy()
    const web = one.readable({ highWaterMark: 10 })
    const reader = web.getReader()
    await one.size()
    expect(asked.requests).toBe(2)
    await reader.read()
    await one.size()
    expect(asked.requests).toBe(3)
    await reader.cancel()
    expect(asked.requests).toBe(3)
  })

  it('fill the buffers of readers that bring their own', async () => {
    await one.set(some(25))
    const reader = one.readable({ highWaterMark: 10 }).getReader({ mode: 'byob' })
    const found: Buffer[] = []
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(7))
      if (value !== undefined) found.push(Buffer.from(value))
      if (done) break
    }
    expect(Buffer.concat(found)).toEqual(some(25))
  })

  it('confirm a chunk when Redis has, and make the program wait', async () => {
    const stream = one.createWriteStream({ highWaterMark: 4 })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const trap = proxy.onReply(appendAt.sha, () => released)
    let confirmed = false
    expect(
      stream.write('1234', () => {
        confirmed = true
      }),
    ).toBe(false)
    await eventually(async () => (await single.nodes[0].command('STRLEN', one.name)) === 4)
    expect(confirmed).toBe(false)
    expect(stream.writableNeedDrain).toBe(true)
    release()
    await once(stream, 'drain')
    expect(confirmed).toBe(true)
    await trap.happened
    await finished(stream.end())
  })

  it('confirm a chunk of a web stream when Redis has, and make the program wait', async () => {
    const writer = one.writable({ highWaterMark: 4 }).getWriter()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    proxy.onReply(appendAt.sha, () => released)
    expect(writer.desiredSize).toBe(4)
    let confirmed = false
    const write = writer.write(bytes('123456')).then(() => {
      confirmed = true
    })
    expect(writer.desiredSize).toBe(-2)
    await eventually(async () => (await single.nodes[0].command('STRLEN', one.name)) === 6)
    expect(confirmed).toBe(false)
    release()
    await writer.ready
    await write
    expect(writer.desiredSize).toBe(4)
    await writer.close()
  })

  it('join small chunks that wait, up to a bound, and divide none', async () => {
    const asked = counting(appendAt.sha)
    const stream = one.createWriteStream({ highWaterMark: 8 * MIB })
    const lengths = [1, 2, 3, MIB - 6, 2, 3 * MIB, 0, 5]
    let first = 0
    for (const length of lengths) {
      stream.write(some(length, first))
      first += length
    }
    await finished(stream.end())
    // 1 alone, as it is sent at once; 2 + 3 + MIB - 6; 2; 3 MIB; 5
    expect(asked.requests).toBe(5)
    expect(some(first).equals((await one.get()) as Buffer)).toBe(true)
  })

  it('refuse chunks that end beyond what Redis can have, and send nothing of them', async () => {
    const asked = counting(one.name)
    const stream = one.createWriteStream({ start: 2 ** 29 - 1 })
    stream.write('ab')
    expect(await failureOf(stream)).toMatchObject({ name: 'RangeError' })
    const writer = one.writable({ start: 2 ** 29 }).getWriter()
    await expect(writer.write(bytes('a'))).rejects.toThrow('to end at 536870912 or before, got 536870913')
    expect(asked.requests).toBe(0)
  })

  it('say that the server finds a value too long', async () => {
    const words = 'ERR string exceeds maximum allowed size (proto-max-bulk-len)'
    const refuse = (match: string) => {
      proxy.onRequest(match, (passing) => {
        passing.refuse(words)
      })
    }
    const expected = { name: 'RangeError', cause: { message: expect.stringContaining(words) as string } }
    refuse('append')
    await expect(one.append(bytes('a'))).rejects.toMatchObject(expected)
    refuse('setrange')
    await expect(one.write(5, bytes('a'))).rejects.toMatchObject(expected)
    refuse(appendAt.sha)
    const stream = one.createWriteStream()
    stream.write('a')
    expect(await failureOf(stream)).toMatchObject(expected)
  })

  it('say that the server finds a chunk too long', async () => {
    const words = 'ERR Protocol error: invalid bulk length'
    proxy.onRequest(
      one.name,
      (passing) => {
        passing.refuse(words)
      },
      { times: Infinity },
    )
    const expected = { name: 'RangeError', cause: { message: expect.stringContaining(words) as string } }
    await expect(one.append(bytes('a'))).rejects.toMatchObject(expected)
    await expect(one.write(5, bytes('a'))).rejects.toMatchObject(expected)
    await expect(one.writable().getWriter().write(bytes('a'))).rejects.toMatchObject(expected)
  })

  it('are none for chunks whose memory was taken away', async () => {
    const asked = counting(one.name)
    const memory = new ArrayBuffer(16, { maxByteLength: 16 })
    const chunk = Buffer.from(memory, 8, 8)
    memory.resize(4)
    await expect(one.append(chunk)).rejects.toBeInstanceOf(CodecError)
    await expect(one.write(0, chunk)).rejects.toBeInstanceOf(CodecError)
    await expect(one.writable().getWriter().write(chunk)).rejects.toBeInstanceOf(CodecError)
    const stream = one.createWriteStream()
    stream.write(chunk)
    expect(await failureOf(stream)).toBeInstanceOf(CodecError)
    const corked = one.createWriteStream()
    corked.cork()
    corked.write('a')
    corked.write(chunk)
    corked.uncork()
    expect(await failureOf(corked)).toBeInstanceOf(CodecError)
    expect(asked.requests).toBe(0)
  })

  it('are let go of when a reader is destroyed', async () => {
    await one.set(some(100))
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const { happened } = proxy.onReply('getrange', () => {
      ask()
      return released
    })
    const reading = one.createReadStream()
    reading.resume()
    await asked
    reading.destroy()
    await once(reading, 'close')
    release()
    await happened
    expect(await one.size()).toBe(100)
    const error = new Error('enough')
    const failing = one.createReadStream().resume()
    failing.destroy(error)
    expect(await failureOf(failing)).toBe(error)
  })

  it('are waited for when a writer is destroyed, and none comes after them', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    proxy.onReply(appendAt.sha, () => released)
    const asked = counting(appendAt.sha)
    const stream = one.createWriteStream()
    let closed = false
    stream.on('close', () => {
      closed = true
    })
    stream.write('1')
    stream.write('2')
    await eventually(async () => (await single.nodes[0].command('STRLEN', one.name)) === 1)
    stream.destroy()
    expect(stream.destroyed).toBe(true)
    await single.nodes[0].command('PING') // some turns of the event loop
    expect(closed).toBe(false)
    release()
    await once(stream, 'close')
    expect(String(await one.get())).toBe('1')
    expect(asked.requests).toBe(1)
  })

  it('are not sent again for a writer that is destroyed', async () => {
    const asked = counting(appendAt.sha)
    const stream = one.createWriteStream()
    proxy.onRequest(appendAt.sha, (passing) => {
      stream.destroy()
      passing.cut()
    })
    stream.write('1')
    await once(stream, 'close')
    expect(await one.size()).toBe(0)
    expect(asked.requests).toBe(1)
  })

  it('are not sent again for a web writer that is aborted', async () => {
    const asked = counting(appendAt.sha)
    const writer = one.writable().getWriter()
    const reason = new Error('enough')
    const aborted = Promise.withResolvers<void>()
    proxy.onRequest(appendAt.sha, (passing) => {
      aborted.resolve(writer.abort(reason))
      passing.cut()
    })
    const write = writer.write(bytes('1'))
    await expect(write).rejects.toThrow()
    await aborted.promise
    await expect(writer.closed).rejects.toBe(reason)
    expect(await one.size()).toBe(0)
    expect(asked.requests).toBe(1)
  })

  it('end with the signal', async () => {
    await one.set(some(100))
    const abort = new AbortController()
    const reason = new Error('enough')
    const { signal } = abort
    const reading = one.createReadStream({ highWaterMark: 10, signal })
    await once(reading, 'readable')
    const writing = one.createWriteStream({ signal })
    await written(writing, bytes('a'))
    const reader = one.readable({ highWaterMark: 10, signal }).getReader()
    await reader.read()
    const writer = client.getBinaryStream(`${one.name}:web`).writable({ signal }).getWriter()
    await writer.write(bytes('a'))
    const ends = [failureOf(reading), failureOf(writing)]
    abort.abort(reason)
    for (const end of await Promise.all(ends))
      expect(end).toMatchObject({ name: 'AbortError', cause: reason })
    await expect(reader.closed).rejects.toBe(reason)
    await expect(reader.read()).rejects.toBe(reason)
    await expect(writer.closed).rejects.toBe(reason)
    await client.getBinaryStream(`${one.name}:web`).delete()
  })

  it('are not needed for the end with the signal', async () => {
    const asked = counting(one.name)
    const abort = new AbortController()
    const reason = new Error('enough')
    const { signal } = abort
    const readable = one.readable({ signal })
    const reader = readable.getReader()
    const writer = one.writable({ signal }).getWriter()
    abort.abort(reason)
    await expect(reader.closed).rejects.toBe(reason)
    await expect(writer.closed).rejects.toBe(reason)
    await expect(one.readable({ signal }).getReader().closed).rejects.toBe(reason)
    await expect(one.writable({ signal }).getWriter().closed).rejects.toBe(reason)
    await expect(writer.write(bytes('a'))).rejects.toBe(reason)
    reader.releaseLock()
    await expect(readable.cancel()).rejects.toBe(reason)
    expect(asked.requests).toBe(0)
  })

  it('end with the client, also of streams that wait for their program', async () => {
    await one.set(some(100))
    const reading = one.createReadStream({ highWaterMark: 10 })
    await once(reading, 'readable')
    const writing = one.createWriteStream()
    await written(writing, bytes('a'))
    const reader = one.readable({ highWaterMark: 10 }).getReader()
    await reader.read()
    const writer = client.getBinaryStream(`${one.name}:web`).writable().getWriter()
    await writer.write(bytes('a'))
    const ends = [failureOf(reading), failureOf(writing), reader.closed, writer.closed].map((end) =>
      end.catch((error: unknown) => error),
    )
    const unused = [one.createReadStream(), one.createWriteStream()] as const
    await client.shutdown()
    for (const end of await Promise.all(ends))
      expect(end).toMatchObject({ code: 'CLOSED', mayHaveRun: false })
    const late = failureOf(unused[1])
    unused[1].write('a')
    expect(await failureOf(unused[0].resume())).toMatchObject({ code: 'CLOSED' })
    expect(await late).toMatchObject({ code: 'CLOSED' })
    await expect(one.readable().getReader().read()).rejects.toMatchObject({ code: 'CLOSED' })
    await expect(one.writable().getWriter().write(bytes('a'))).rejects.toMatchObject({ code: 'CLOSED' })
    await expect(one.writable({ flags: 'w' }).close()).rejects.toMatchObject({ code: 'CLOSED' })
    await single.nodes[0].command('DEL', `${one.name}:web`)
  })

  it('keep the async context of the program', async () => {
    const context = new AsyncLocalStorage<string>()
    await one.set(some(100))
    const seen = new Set<unknown>()
    await context.run('reading', async () => {
      const reading = one.createReadStream({ highWaterMark: 10 })
      reading.on('data', () => seen.add(context.getStore()))
      reading.on('end', () => seen.add(context.getStore()))
      await finished(reading)
      for await (const _ of one.readable({ highWaterMark: 10 })) seen.add(context.getStore())
    })
    expect([...seen]).toEqual(['reading'])
    await context.run('writing', async () => {
      const writing = one.createWriteStream()
      for (let n = 0; n < 3; n += 1)
        writing.write('a', () => {
          seen.add(context.getStore())
        })
      await finished(writing.end())
    })
    expect([...seen]).toEqual(['reading', 'writing'])
  })

  it('take the memory of some chunks for a value of many', { tags: ['full'] }, async () => {
    const length = 8 * MIB
    const into = await pipeInto(one, length)
    expect(await one.size()).toBe(length)
    for (const chunks of [one.createReadStream(), one.readable()]) {
      const out = await pipeOut(chunks)
      expect(out.hash).toBe(into.hash)
      expect(out.peak).toBeLessThan(2 * MIB)
    }
    expect(into.peak).toBeLessThan(2 * MIB)
  })

  it('leave nothing behind that holds on to streams which have ended', async () => {
    const { signal } = new AbortController()
    const use = async () => {
      const reading = one.createReadStream({ signal })
      await buffer(reading)
      const writing = one.createWriteStream({ signal })
      await finished(writing.end('a'))
      const web = one.readable({ signal })
      await buffer(web)
      const target = one.writable({ signal })
      const writer = target.getWriter()
      await writer.write(bytes('a'))
      await writer.close()
      return [reading, writing, web, target].map((stream) => new WeakRef(stream))
    }
    const streams = await use()
    await client.getBucket('another').isExists()
    await eventually(() => {
      collectGarbage()
      return streams.every((stream) => stream.deref() === undefined)
    })
  })

  it('are none of streams that are never used, which nothing holds on to', async () => {
    const asked = counting(one.name)
    const signal = new AbortController().signal
    const unused = () =>
      [
        one.createReadStream(),
        one.createWriteStream({ flags: 'w' }),
        one.readable({ signal }),
        one.writable({ flags: 'w', signal }),
      ].map((stream) => new WeakRef(stream))
    const streams = unused()
    await eventually(() => {
      collectGarbage()
      return streams.every((stream) => stream.deref() === undefined)
    })
    await client.getBucket('another').isExists()
    expect(asked.requests).toBe(0)
  })
})
