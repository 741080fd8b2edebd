import type { Redis } from 'ioredis'

/**
 * Has requests that are made together leave together.
 *
 * ioredis hands every command to the operating system by itself, which takes more time than all the rest of a request. What
 * many flows ask in one go is held back until the last of them has asked, and that is no later than before the event loop
 * turns: whoever asks alone loses nothing.
 */
export function joinWrites(redis: Redis): void {
  redis.on('connect', () => {
    const { stream } = redis
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
    stream.write = (...args: unknown[]) => {
      if (stream.writableCorked === 0) {
        stream.cork()
        queueMicrotask(() => {
          stream.uncork()
        })
      }
      return write(...args)
    }
  })
}
