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
      requested(this, end, () => reader.next()).then(
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

/** A stream of Node that writes. */
export function nodeWritable(writer: ChunkWriter, end: StreamEnd, settings: StreamSettings): Writable {
  const settle = (stream: Writable, call: () => Promise<void>, done: (error?: Error) => void) => {
    requested(stream, end, call).then(() => {
      done()
    }, done)
  }
  return new Writable({
    ...optionsOf(settings),
    write(chunk: Buffer, _, done) {
      settle(this, () => writer.write([chunk]), done)
    },
    writev(entries, done) {
      const chunks = entries.map(({ chunk }) => chunk as Buffer)
      settle(this, () => writer.write(chunks), done)
    },
    final(done) {
      settle(this, () => writer.end(), done)
    },
    destroy(error, done) {
      end.reach()
      // A request that is under way may still write, and `close` says that none does.
      void writer.settled().then(() => {
        done(error)
      })
    },
  })
}

/** Makes a request of a stream, which is destroyed if the client closes meanwhile or before the next one. */
async function requested<T>(stream: Readable | Writable, end: StreamEnd, call: () => Promise<T>): Promise<T> {
  end.listen((reason) => {
    stream.destroy(reason)
  })
  return await call()
}

/** The program's signal is listened to by Node, which makes an `AbortError` of its reason. */
function optionsOf({ highWaterMark, signal }: StreamSettings): {
  highWaterMark: number
  signal?: AbortSignal
} {
  return signal === undefined ? { highWaterMark } : { highWaterMark, signal }
}
