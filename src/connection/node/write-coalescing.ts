import type { Writable } from 'node:stream'
import type { Redis } from 'ioredis'

/**
 * This much leaves at once, without waiting for more: some twenty commands. Redis begins with them while the program makes the others. With 100 callers
 * all of whose commands left together, each of the two would wait for the other.
 */
const ENOUGH_BYTES = 4 * 1024

const NOW = Promise.resolve()

/**
 * Writes requests together that are made together.
 *
 * ioredis hands every command to the operating system by itself, which takes more time than the rest of a request. Here commands are held
 * back until the last flow has sent its own, but not beyond the present turn of the event loop. So a single command loses nothing. Texts
 * become one text, because a stream keeps a record for each of its chunks.
 */
export function joinWrites(redis: Redis): void {
  redis.on('connect', () => {
    join(redis.stream)
  })
}

function join(stream: Writable): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  const end = stream.end.bind(stream) as (...args: unknown[]) => Writable
  let text = ''
  let isHeldBack = false
  const pass = (): void => {
    const joint = text
    text = ''
    if (joint !== '') write(joint)
  }
  const release = (): void => {
    isHeldBack = false
    pass()
    stream.uncork()
  }
  stream.write = (chunk: unknown, ...rest: unknown[]) => {
    if (!isHeldBack) {
      isHeldBack = true
      void NOW.then(release) // queueMicrotask() does the same, and makes an AsyncResource for it
    }
    if (typeof chunk === 'string' && rest.length === 0) text += chunk
    else {
      if (stream.writableCorked === 0) stream.cork()
      pass()
      write(chunk, ...rest)
    }
    if (text.length + stream.writableLength >= ENOUGH_BYTES) {
      pass()
      stream.uncork()
    }
    return !stream.writableNeedDrain
  }
  stream.end = (...args: unknown[]) => {
    pass()
    return end(...args)
  }
}
