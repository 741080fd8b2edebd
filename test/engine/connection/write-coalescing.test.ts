import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import type { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { joinWrites } from '../../../src/connection/node/write-coalescing.js'

/** A socket that remembers what it was given to send at once. */
function socket() {
  const sent: (string | Buffer)[][] = []
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _, done) {
      sent.push([chunk])
      done()
    },
    writev(chunks, done) {
      sent.push(chunks.map(({ chunk }) => chunk as string | Buffer))
      done()
    },
  })
  return { stream, sent }
}

/** A connection over a socket. */
function connect(stream: Writable) {
  const redis = Object.assign(new EventEmitter(), { stream })
  joinWrites(redis as unknown as Redis)
  redis.emit('connect')
  return redis
}

describe('requests that are made together', () => {
  it('leave together, in their order', async () => {
    const { stream, sent } = socket()
    connect(stream)
    await Promise.all(
      ['one', 'two', 'three'].map(async (request) => {
        await Promise.resolve() // each flow comes by itself
        stream.write(request)
      }),
    )
    expect(sent).toEqual([['onetwothree']])
  })

  it('leave before the event loop turns', async () => {
    const { stream, sent } = socket()
    connect(stream)
    stream.write('alone')
    await Promise.resolve()
    expect(sent).toEqual([['alone']])
    stream.write('later')
    await Promise.resolve()
    expect(sent).toEqual([['alone'], ['later']])
  })

  it('leave as soon as they are some, so that Redis begins with them', async () => {
    const { stream, sent } = socket()
    connect(stream)
    const third = 'x'.repeat(1500)
    for (const request of [third, third, third, 'more', 'and more']) stream.write(request)
    expect(sent).toEqual([[third.repeat(3)]])
    await Promise.resolve()
    expect(sent).toEqual([[third.repeat(3)], ['moreand more']])
  })

  it('leave together also when the connection was made again', async () => {
    const redis = connect(socket().stream)
    const { stream, sent } = socket()
    redis.stream = stream
    redis.emit('connect')
    for (const request of ['one', 'two']) stream.write(request)
    await Promise.resolve()
    expect(sent).toEqual([['onetwo']])
  })

  it('keep their order where some are bytes', async () => {
    const { stream, sent } = socket()
    connect(stream)
    const bytes = Buffer.from([0xff, 0])
    for (const request of ['one', 'two', bytes, bytes, 'three', bytes, 'four']) stream.write(request)
    await Promise.resolve()
    expect(sent).toEqual([['onetwo', bytes, bytes, 'three', bytes, 'four']])
  })

  it('leave as soon as they are many, where they are bytes', () => {
    const { stream, sent } = socket()
    connect(stream)
    const third = Buffer.alloc(1500)
    for (const request of [third, 'one', third, third]) stream.write(request)
    expect(sent).toEqual([[third, 'one', third, third]])
  })

  it('leave before the end that follows them at once', async () => {
    const { stream, sent } = socket()
    connect(stream)
    for (const request of ['one', Buffer.from('two'), 'three']) stream.write(request)
    await new Promise<void>((resolve) => {
      stream.end(resolve)
    })
    expect(sent).toEqual([['one', Buffer.from('two'), 'three']])
  })

  it('are dropped with a connection that is destroyed at once, and the next one has nothing of them', async () => {
    const { stream, sent } = socket()
    const redis = connect(stream)
    stream.write('lost')
    stream.destroy()
    const next = socket()
    redis.stream = next.stream
    redis.emit('connect')
    next.stream.write('new')
    await new Promise((resolve) => setImmediate(resolve))
    expect([sent, next.sent]).toEqual([[], [['new']]])
  })

  it('say that they wait for a slow connection', async () => {
    const slow = new Writable({ decodeStrings: false, highWaterMark: 4, write: () => undefined })
    connect(slow)
    expect(slow.write('short')).toBe(true) // which is not known yet
    await Promise.resolve()
    expect(slow.write('more')).toBe(false)
  })
})
