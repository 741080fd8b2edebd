import type { Cluster, Redis } from 'ioredis'
import type { ConnectionEvent, RedissonEvents } from '../api/events.js'
import type { Emitter } from '../util/emitter.js'
import { outside } from '../util/outside.js'

/** A socket whose peer does not answer is destroyed by ioredis well before, after its own `disconnectTimeout`. */
const LONGEST_GOODBYE_MS = 1000

/** Tells the client's listeners what becomes of a connection. It also keeps ioredis from printing its errors. */
export function announce(
  redis: Redis,
  purpose: ConnectionEvent['purpose'],
  events: Emitter<RedissonEvents>,
): void {
  let everReady = false
  let ready = false
  let cause: Error | undefined
  redis.on('error', (error: Error) => {
    cause = error
  })
  redis.on('ready', () => {
    events.emit(everReady ? 'reconnected' : 'connected', { address: addressOf(redis), purpose })
    everReady = ready = true
    cause = undefined
  })
  redis.on('close', () => {
    if (ready) events.emit('disconnected', { address: addressOf(redis), purpose, cause })
    ready = false
  })
}

/** Asks an idle connection for a sign of life now and then; ioredis drops one that stays silent. Answers how to stop. */
export function keepInTouch(redis: Redis, intervalMs: number): Disposable {
  if (intervalMs === 0) return { [Symbol.dispose]: () => undefined }
  const timer = outside(() =>
    setInterval(() => {
      if (redis.status === 'ready') redis.ping().catch(() => undefined) // the connection says itself that it broke
    }, intervalMs).unref(),
  )
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer)
    },
  }
}

/** Ends a connection, and waits until its socket is gone. */
export async function hangUp(redis: Redis | Cluster): Promise<void> {
  const open = redis.status === 'ready' || redis.status === 'connect' || redis.status === 'connecting'
  const { promise, resolve } = Promise.withResolvers<void>()
  redis.once('close', resolve).once('end', resolve)
  redis.disconnect()
  const timer = setTimeout(resolve, LONGEST_GOODBYE_MS) // ioredis does not always say that it is done
  if (open) await promise
  clearTimeout(timer)
}

/** Where a connection leads, as `host:port`. */
export function addressOf(redis: Redis): string {
  const { path, host, port } = redis.options
  return path ?? `${host ?? ''}:${String(port ?? '')}`
}
