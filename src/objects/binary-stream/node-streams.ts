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
      const fail = failing(this)
      demanded(end, fail, () => reader.next()).then((chunk) => this.push(chunk ?? null), fail)
    },
    destroy(error, done) {
      end.reach()
      done(error)
    },
  })
}

/** A stream of Node that writes. */
export function nodeWritable(writer: ChunkWriter, end: StreamEnd, settings: StreamSettings): Writable {
  return new Writable({
    ...optionsOf(settings),
    write(chunk: Buffer, _, done) {
      settle(
        demanded(end, failing(this), () => writer.write([chunk])),
        done,
      )
    },
    writev(entries, done) {
      const chunks = entries.map(({ chunk }) => chunk as Buffer)
      settle(
        demanded(end, failing(this), () => writer.write(chunks)),
        done,
      )
    },
    final(done) {
      settle(
        demanded(end, failing(this), () => writer.end()),
        done,
      )
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

/** The program's signal is listened to by Node, which makes an `AbortError` of its reason. */
function optionsOf({ highWaterMark, signal }: StreamSettings): {
  highWaterMark: number
  signal?: AbortSignal
} {
  return signal === undefined ? { highWaterMark } : { highWaterMark, signal }
}

async function demanded<T>(
  end: StreamEnd,
  fail: (reason: Error) => void,
  call: () => Promise<T>,
): Promise<T> {
  end.listen(fail)
  return await call()
}

function failing(stream: Readable | Writable): (reason: Error) => void {
  return (reason) => {
    stream.destroy(reason)
  }
}

function settle(call: Promise<void>, done: (error?: Error) => void): void {
  call.then(() => {
    done()
  }, done)
}
