import type { Redis } from 'ioredis'

/** So much leaves at once, without waiting for more: what Redis reads in one go. */
const ENOUGH_BYTES = 16 * 1024

const NOW = Promise.resolve()

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
    const uncork = (): void => {
      stream.uncork()
    }
    stream.write = (...args: unknown[]) => {
      if (stream.writableCorked === 0) {
        stream.cork()
        void NOW.then(uncork) // queueMicrotask() does the same, and makes an AsyncResource for it
      }
      const more = write(...args)
      if (stream.writableLength >= ENOUGH_BYTES) stream.uncork()
      return more
    }
  })
}
