import type { Cluster, Command, Redis } from 'ioredis'
import type { ConnectionEvent, RedissonEvents } from '../../api/events.js'
import type { Emitter } from '../../util/emitter.js'
import { Listeners } from '../../util/listeners.js'
import { afterRunning } from '../../util/time/after-running.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { withoutSecrets } from './foreign-errors.js'
import { interceptCommands } from './intercept-commands.js'
import { SocketProgress } from './socket-progress.js'
import { onSocketTimeout } from './socket-timeout.js'

/**
 * How long a disconnect may take, in milliseconds. ioredis destroys a socket whose peer does not respond well before, after `disconnectTimeout`.
 */
const LONGEST_GOODBYE_MS = 1000

/** The reason for a closed connection if no other is known. */
export const CLOSED_WITHOUT_ERROR = 'The connection was closed, without an error'

/** Members of ioredis that its types keep private. */
interface Inside {
  /** The timer of the pause before the next attempt to connect. */
  reconnectTimeout?: NodeJS.Timeout | null
}

/** The destinations of connections that learn them only while they connect. */
const led = new WeakMap<Redis, string>()

/** Remembers which server a connection has reached, or tried to reach, for {@link addressOf}. */
export function rememberAddress(redis: Redis, listeners: Listeners): void {
  const remember = () => {
    const { remoteAddress, remotePort } = redis.stream
    if (remoteAddress !== undefined) led.set(redis, `${remoteAddress}:${String(remotePort)}`)
  }
  if (redis.status === 'ready') remember()
  listeners.on(redis, 'connect', remember)
  listeners.on(redis, 'error', (error: Error) => {
    if ('address' in error && 'port' in error)
      led.set(redis, `${String(error.address)}:${String(error.port)}`)
  })
}

/** Reports the states of a connection to the client's listeners. It also keeps ioredis from printing its errors. */
export function forwardEvents(
  redis: Redis,
  purpose: ConnectionEvent['purpose'],
  events: Emitter<RedissonEvents>,
  listeners = new Listeners(),
): void {
  let everReady = false
  let ready = false
  let cause: Error | undefined
  listeners.on(redis, 'error', (error: Error) => {
    cause = withoutSecrets(error)
  })
  const onReady = () => {
    events.emit(everReady ? 'reconnected' : 'connected', { address: addressOf(redis), purpose })
    everReady = ready = true
    cause = undefined
  }
  if (redis.status === 'ready') onReady()
  listeners.on(redis, 'ready', onReady)
  listeners.on(redis, 'close', () => {
    if (ready) {
      const reason = cause ?? new Error(CLOSED_WITHOUT_ERROR)
      events.emit('disconnected', { address: addressOf(redis), purpose, cause: reason })
    }
    ready = false
  })
}

/** Drops a connection whose server accepts it and then sends nothing, before there is any command that could notice. */
export function guardHandshake(redis: Redis, timeoutMs: number): void {
  redis.on('connect', () => {
    const { stream } = redis
    const patienceMs = timeoutMs * 1.5 // requests that wait for it give up first, and say more
    let bytesBefore = stream.bytesRead
    const look = () => {
      if (stream.bytesRead === bytesBefore) stream.destroy(new Error(onSocketTimeout(patienceMs)))
      bytesBefore = stream.bytesRead
      stopLooking = afterRunning(patienceMs, look)
    }
    let stopLooking = afterRunning(patienceMs, look)
    const stop = () => {
      stopLooking()
      redis.off('ready', stop).off('close', stop)
    }
    redis.on('ready', stop).on('close', stop)
  })
}

/**
 * Drops a connection once a command waits for its reply and nothing has arrived for this time. It is for connections with few commands.
 *
 * ioredis can do so as well, but does not first read what has arrived while the program was busy.
 */
export function dropWhenSilent(redis: Redis, timeoutMs: number): void {
  let waitsSince = 0
  let isLooking = false
  const lookIn = (ms: number): void => {
    isLooking = true
    afterRunning(ms, look)
  }
  const look = (): void => {
    isLooking = false
    const { stream, commandQueue } = redis
    if (commandQueue.length === 0) return
    const leftMs = Math.max(SocketProgress.of(stream).movedAt, waitsSince) + timeoutMs - performance.now()
    if (leftMs > 0) lookIn(leftMs)
    else stream.destroy(new Error(onSocketTimeout(timeoutMs)))
  }
  interceptCommands(redis, (_, send) => {
    if (redis.commandQueue.length === 0) waitsSince = performance.now()
    const sent = send()
    if (redis.commandQueue.length === 0) return sent
    SocketProgress.of(redis.stream) // which records from now on
    if (!isLooking) lookIn(timeoutMs)
    return sent
  })
}

/** Pings a connection periodically, so that a silent one is noticed. Disposing of the result stops it. */
export function startPing(
  redis: Redis,
  intervalMs: number,
  ask: () => Promise<unknown> = () => redis.ping(),
): Disposable {
  if (intervalMs === 0) return { [Symbol.dispose]: () => undefined }
  const timer = withoutAsyncContext(() =>
    setInterval(() => {
      if (redis.status === 'ready') ask().catch(() => undefined) // the connection itself reports that it broke
    }, intervalMs).unref(),
  )
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer)
    },
  }
}

/** Makes a connection look for its server again, unless it leads to this address. One that pauses between two attempts connects at once. */
export function goTo(redis: Redis, address: string): void {
  if (redis.status === 'reconnecting') connectNow(redis)
  else if (knownAddressOf(redis) !== address) connectAgain(redis)
}

/** Makes a connection look for its server again. */
export function connectAgain(redis: Redis): void {
  // ioredis does not come back after it was disconnected while it looked for the master.
  if (redis.status === 'ready' || redis.status === 'connect') redis.disconnect(true)
}

/** Ends the pause between two attempts to connect. */
function connectNow(redis: Redis): void {
  const inside = redis as unknown as Inside
  if (inside.reconnectTimeout) clearTimeout(inside.reconnectTimeout)
  inside.reconnectTimeout = null
  withoutAsyncContext(() => redis.connect()).catch(() => undefined) // it goes on trying by itself
}

/** Ends a connection, and waits until its socket is gone. */
export async function disconnectNode(redis: Redis | Cluster): Promise<void> {
  const open = redis.status === 'ready' || redis.status === 'connect' || redis.status === 'connecting'
  const { promise, resolve } = Promise.withResolvers<void>()
  redis.once('close', resolve).once('end', resolve)
  redis.disconnect()
  const timer = setTimeout(resolve, LONGEST_GOODBYE_MS) // ioredis does not always say that it is done
  if (open) await promise
  clearTimeout(timer)
}

/** Returns where a connection leads, as `host:port`. */
export function addressOf(redis: Redis): string {
  return knownAddressOf(redis) ?? 'the master'
}

/** Returns where a connection leads, as `host:port`; undefined while that is unknown. */
export function knownAddressOf(redis: Redis): string | undefined {
  const { path, host, port } = redis.options
  return isToldWhere(redis) ? led.get(redis) : (path ?? `${host ?? ''}:${String(port ?? '')}`)
}

/** Returns whether a connection asks other servers where to connect. Then its own settings do not tell. */
export function isToldWhere({ options }: Redis): boolean {
  return Boolean(options.sentinels) || options.Connector !== undefined
}

/** Returns where a command goes, as `host:port`, if that is known. */
export function destinationOf(redis: Redis | Cluster, command?: Command): string | undefined {
  if (!redis.isCluster) return knownAddressOf(redis as Redis)
  return command === undefined ? undefined : (redis as Cluster).slots[command.getSlot()]?.[0]
}

/** What a node of a cluster is called whose address is not known. */
export const SOME_NODE = 'a node of the cluster'

/** Returns where a command goes, as `host:port`, or in words where that is not known. */
export function placeOf(redis: Redis | Cluster, command?: Command): string {
  return destinationOf(redis, command) ?? (redis.isCluster ? SOME_NODE : 'the master')
}
