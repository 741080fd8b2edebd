import { Redis } from 'ioredis'
import * as imported from 'ioredis/built/DataHandler.js'

type DataHandlerType = typeof imported.default.default

/**
 * The parser of replies. Loaders differ in what they take for the default export of such a module. The file is internal to ioredis: if a
 * version does not have it, replies are not guarded.
 */
const DataHandler = [
  imported.default,
  (imported.default as Partial<typeof imported.default> | undefined)?.default,
].find((each): each is DataHandlerType => typeof each === 'function')

/** Members of ioredis that its types keep private. */
interface Inside {
  silentEmit(event: 'error', error: Error): void
  /** Rejects the commands that wait for a reply. */
  flushQueue(error: Error, options: { readonly offlineQueue: boolean }): void
}

/** Returns the error for data that is no reply of Redis. The data is not shown: it may be a secret. */
export function notRedis(): Error {
  return new Error('the server does not reply in the protocol of Redis')
}

/**
 * Drops a connection when something arrives that is neither a reply to a request nor a message.
 *
 * ioredis would throw where nothing can catch it, or wait for ever. The parser is replaced before the first reply arrives.
 */
export function guardReplies(redis: Redis): void {
  if (DataHandler === undefined || !(redis instanceof Redis)) return // another copy of ioredis has its own way to read
  redis.on('connect', () => {
    const { stream, options, condition } = redis
    const [theirs] = stream.listeners('data')
    if (theirs === undefined || condition === null) return
    stream.off('data', theirs as () => void)
    const { stringNumbers = false } = options
    const handler = new DataHandler(redis, { stringNumbers, replyMapping: condition.replyMapping })
    const drop = (error: Error) => {
      dropConnection(redis, error)
    }
    Object.assign(handler, {
      dispatch: (handle: () => void) => {
        if (stream.destroyed) return
        try {
          handle()
        } catch {
          drop(notRedis())
        }
      },
      shiftCommand: (reply: unknown) => {
        const asked = redis.commandQueue.shift()
        if (asked === undefined) drop(reply instanceof Error ? reply : notRedis())
        return asked
      },
      returnFatalError: () => {
        drop(notRedis())
      },
    })
  })
}

/** Drops a connection. Requests that wait for a reply reject with this error. ioredis connects again. */
function dropConnection(redis: Redis, error: Error): void {
  const { stream } = redis
  if (stream.destroyed) return
  const inside = redis as unknown as Inside
  inside.silentEmit('error', error) // first, so that requests that wait find the reason
  inside.flushQueue(error, { offlineQueue: false })
  stream.destroy()
}
