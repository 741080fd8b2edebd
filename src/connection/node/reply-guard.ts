import { Redis } from 'ioredis'
import * as imported from 'ioredis/built/DataHandler.js'

type DataHandlerType = typeof imported.default.default

/**
 * What reads replies. Loaders differ in what they take for the default export of such a module. The file is an internal one of ioredis: a version
 * without it has its replies unguarded.
 */
const DataHandler = [
  imported.default,
  (imported.default as Partial<typeof imported.default> | undefined)?.default,
].find((each): each is DataHandlerType => typeof each === 'function')

/** What is used of ioredis that its types keep private. */
interface Inside {
  silentEmit(event: 'error', error: Error): void
  /** Rejects the commands that wait for a reply. */
  flushQueue(error: Error, options: { readonly offlineQueue: boolean }): void
}

/** What arrived is no reply of Redis. It is not shown: it may be anything, also a secret. */
export function notRedis(): Error {
  return new Error('the server does not reply in the protocol of Redis')
}

/**
 * Drops a connection over which something arrives that is no reply to a request, nor a message.
 *
 * ioredis would throw where nothing can catch it, or wait for ever. What reads the replies is replaced before the first one arrives.
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

/** What waits for a reply rejects with this error. ioredis connects again. */
function dropConnection(redis: Redis, error: Error): void {
  const { stream } = redis
  if (stream.destroyed) return
  const inside = redis as unknown as Inside
  inside.silentEmit('error', error) // first, so that what waits finds the reason
  inside.flushQueue(error, { offlineQueue: false })
  stream.destroy()
}
