import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import type { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { joinWrites } from '../../src/connection/joint-writes.js'

/** A socket that remembers what it was given to send at once. */
function socket() {
  const sent: string[][] = []
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      sent.push([chunk])
      done()
    },
    writev(chunks, done) {
      sent.push(chunks.map(({ chunk }) => chunk as string))
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
    expect(sent).toEqual([['one', 'two', 'three']])
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

  it('leave as soon as they are as many as Redis reads at once', async () => {
    const { stream, sent } = socket()
    connect(stream)
    const third = 'x'.repeat(6 * 1024)
    for (const request of [third, third, third, 'more', 'and more']) stream.write(request)
    expect(sent).toEqual([[third, third, third]])
    await Promise.resolve()
    expect(sent).toEqual([
      [third, third, third],
      ['more', 'and more'],
    ])
  })

  it('leave together also when the connection was made again', async () => {
    const redis = connect(socket().stream)
    const { stream, sent } = socket()
    redis.stream = stream
    redis.emit('connect')
    for (const request of ['one', 'two']) stream.write(request)
    await Promise.resolve()
    expect(sent).toEqual([['one', 'two']])
  })
})
