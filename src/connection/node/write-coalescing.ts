import type { Writable } from 'node:stream'
import type { Redis } from 'ioredis'

/** So much leaves at once, without waiting for more: what Redis reads in one go. */
const ENOUGH_BYTES = 16 * 1024

const NOW = Promise.resolve()

/**
 * Has requests that are made together leave together.
 *
 * ioredis hands every command to the operating system by itself, which takes more time than all the rest of a request. What
 * many flows ask in one go is held back until the last of them has asked, and that is no later than before the event loop
 * turns: a single command loses nothing. Texts become one text, because a stream keeps a record for each of its chunks.
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
