import {
  ReadableStream,
  WritableStream,
  type ReadableByteStreamController,
  type WritableStreamDefaultController,
} from 'node:stream/web'
import type { ChunkReader } from './chunk-reader.js'
import type { ChunkWriter } from './chunk-writer.js'
import type { StreamEnd } from './stream-end.js'

/** A web stream that reads, and nothing ahead. */
export function webReadable(reader: ChunkReader, end: StreamEnd): ReadableStream<Uint8Array> {
  const pull = async (controller: ReadableByteStreamController) => {
    end.listen(failing(controller, end))
    const chunk = await reader.next()
    if (end.signal.aborted) return
    if (chunk === undefined) close(controller, end)
    else controller.enqueue(new Uint8Array(chunk)) // a copy: the stream takes the memory over, and other replies may have parts of it
  }
  return new ReadableStream({
    type: 'bytes',
    start: (controller) => {
      end.watch(controller)
    },
    pull: (controller) => endedByFailure(end, pull(controller)),
    cancel: () => {
      end.reach()
    },
  })
}

/** What a web stream that writes is made of. */
export interface WebWriting {
  readonly writer: ChunkWriter
  readonly end: StreamEnd
  /** @throws {@link CodecError} for what is no chunk */
  readonly encode: (chunk: Uint8Array) => Buffer
  readonly highWaterMark: number
}

/** A web stream that writes. */
export function webWritable({ writer, end, encode, highWaterMark }: WebWriting): WritableStream<Uint8Array> {
  let fail: (reason: Error) => void
  const write = async (chunk: Uint8Array) => {
    end.listen(fail)
    await writer.write([encode(chunk)])
  }
  const finish = async () => {
    end.listen(fail)
    await writer.end()
    end.reach()
  }
  return new WritableStream<Uint8Array>(
    {
      start: (controller) => {
        fail = (reason) => {
          failing(controller, end)(writer.failureBy(reason))
        }
        end.watch(controller)
        // Earlier than `abort`, which waits for the chunk that is under way.
        signalOf(controller).addEventListener('abort', () => {
          end.reach()
        })
      },
      write: (chunk) => endedByFailure(end, write(chunk)),
      close: () => endedByFailure(end, finish()),
    },
    { highWaterMark, size: sizeOf },
  )
}

function close(controller: ReadableByteStreamController, end: StreamEnd): void {
  end.reach()
  controller.close()
  controller.byobRequest?.respond(0)
}

function failing(
  controller: ReadableByteStreamController | WritableStreamDefaultController,
  end: StreamEnd,
): (reason: Error) => void {
  return (reason) => {
    end.reach()
    controller.error(reason)
  }
}

async function endedByFailure(end: StreamEnd, call: Promise<void>): Promise<void> {
  try {
    await call
  } catch (error) {
    end.reach()
    throw error
  }
}

/** Its signal is not among the types of Node. */
function signalOf(controller: WritableStreamDefaultController): AbortSignal {
  return (controller as WritableStreamDefaultController & { readonly signal: AbortSignal }).signal
}

/** What is no chunk is refused when its turn comes. */
function sizeOf(chunk: unknown): number {
  return chunk instanceof Uint8Array ? chunk.byteLength : 1
}
