import { Readable, Writable } from 'node:stream'
import type { ChunkReader } from './chunk-reader.js'
import type { ChunkWriter } from './chunk-writer.js'
import type { StreamEnd } from './stream-end.js'
import type { StreamSettings } from './stream-settings.js'

/** A stream of Node that reads. */
export function nodeReadable(reader: ChunkReader, end: StreamEnd, settings: StreamSettings): Readable {
  return new Readable({
    ...optionsOf(settings),
    read() {
      const fail = (reason: Error) => void this.destroy(reason)
      requested(end, fail, () => reader.next()).then(
        (chunk) => this.push(chunk ?? null),
        (error: unknown) => this.destroy(error as Error),
      )
    },
    destroy(error, done) {
      end.reach()
      done(error)
    },
  })
}

/** What a stream of Node that writes is made of. */
export interface NodeWriting {
  readonly writer: ChunkWriter
  readonly end: StreamEnd
  /** @throws {@link CodecError} for what has lost its memory while it waited */
  readonly encode: (chunk: Uint8Array) => Buffer
  readonly settings: StreamSettings
}

/** A stream of Node that writes. */
export function nodeWritable({ writer, end, encode, settings }: NodeWriting): Writable {
  const settle = (stream: Writable, call: () => Promise<void>, done: (error?: Error) => void) => {
    const fail = (reason: Error) => void stream.destroy(writer.failureBy(reason))
    requested(end, fail, call).then(() => {
      done()
    }, done)
  }
  return new Writable({
    ...optionsOf(settings),
    write(chunk: Buffer, _, done) {
      settle(this, () => writer.write([encode(chunk)]), done)
    },
    writev(entries, done) {
      const chunks = entries.map(({ chunk }) => chunk as Buffer)
      settle(this, () => writer.write(chunks.map(encode)), done)
    },
    final(done) {
      settle(this, () => writer.end(), done)
    },
    destroy(error, done) {
      end.reach()
      // A request that is under way may still write, until it has its reply or is withdrawn, and `close` says that none does.
      void writer.settled().then(() => {
        done(error)
      })
    },
  })
}

/** Makes a request of a stream, which fails if the client closes meanwhile or before the next one. */
async function requested<T>(
  end: StreamEnd,
  fail: (reason: Error) => void,
  call: () => Promise<T>,
): Promise<T> {
  end.listen(fail)
  return await call()
}

/** The program's signal is listened to by Node, which makes an `AbortError` of its reason. */
function optionsOf({ highWaterMark, signal }: StreamSettings): {
  highWaterMark: number
  signal?: AbortSignal | undefined
} {
  return signal === undefined ? { highWaterMark } : { highWaterMark, signal }
}
