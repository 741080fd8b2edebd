import type { Readable, Writable } from 'node:stream'
import type { ReadableStream, WritableStream } from 'node:stream/web'
import { describe, expectTypeOf, it } from 'vitest'
import { bytesCodec, type RBinaryStream, type RBucket, type RedissonClient } from '../../src/index.js'

declare const client: RedissonClient

describe('the types of a binary stream', () => {
  it('are those of a bucket of bytes', () => {
    const stream = client.getBinaryStream('x', { exactlyOnce: true })
    expectTypeOf(stream).toEqualTypeOf<RBinaryStream>()
    expectTypeOf(stream).toExtend<RBucket<Uint8Array>>()
    expectTypeOf(stream.get()).resolves.toEqualTypeOf<Uint8Array | undefined>()
    // @ts-expect-error: bytes are no text
    void stream.set('a text')
    // @ts-expect-error: the codec is that of bytes
    client.getBinaryStream('x', { codec: bytesCodec() })
  })

  it('are streams of Node and of the web', () => {
    const stream = client.getBinaryStream('x')
    expectTypeOf(stream.createReadStream({ start: 1, end: 2 })).toEqualTypeOf<Readable>()
    expectTypeOf(stream.createWriteStream({ flags: 'w' })).toEqualTypeOf<Writable>()
    expectTypeOf(stream.readable()).toEqualTypeOf<ReadableStream<Uint8Array>>()
    expectTypeOf(stream.writable()).toEqualTypeOf<WritableStream<Uint8Array>>()
    // @ts-expect-error: one of the flags
    stream.createWriteStream({ flags: 'ax' })
  })
})
