/**
 * Companion keys and channels of an object, as Redisson names them.
 *
 * The object's name becomes the hash tag, so that everything about it lives in one slot; a name that has a brace is taken
 * to bring its own.
 */
export function prefixed(prefix: string, name: string): string {
  return name.includes('{') ? `${prefix}:${name}` : `${prefix}:{${name}}`
}

/** The same for keys that Redisson makes by adding to the name, not by putting something before it. */
function suffixed(name: string, suffix: string): string {
  return name.includes('{') ? `${name}:${suffix}` : `{${name}}:${suffix}`
}

/** The channel on which a lock says that it is free. */
export function lockChannel(name: string): string {
  return prefixed('redisson_lock__channel', name)
}

/** The owners who wait for a fair lock, in their order. */
export function lockQueue(name: string): string {
  return prefixed('redisson_lock_queue', name)
}

/** Until when each of them stays in the queue. */
export function lockTimeouts(name: string): string {
  return prefixed('redisson_lock_timeout', name)
}

/** Until when those of this library count as alive. */
export function lockHeartbeats(name: string): string {
  return prefixed('redisson_lock_heartbeat', name)
}

/** The channel of a read-write lock. */
export function readWriteChannel(name: string): string {
  return prefixed('redisson_rwlock', name)
}

/** What the keys of a read-write lock's readers begin with. */
export function readerMarkers(name: string): string {
  return name.includes('{') ? name : `{${name}}`
}

/** The writers who wait for a read-write lock that prefers them. */
export function waitingWriters(name: string): string {
  return prefixed('redisson_rwlock_writers', name)
}

/** The counter from which a lock takes its fencing tokens. */
export function lockToken(name: string): string {
  return prefixed('redisson_lock_token', name)
}

/** The largest fencing token that the guard of a key has seen. */
export function fencingTokens(name: string): string {
  return prefixed('ioredisson_fencing_token', name)
}

/** Where a script that counts remembers what it answered to one request. Redisson keeps its unlock latch there. */
export function requestKey(name: string, requestId: string): string {
  return `${prefixed('redisson_unlock_latch', name)}:${requestId}`
}

/** The channel of a semaphore of either kind. */
export function semaphoreChannel(name: string): string {
  return prefixed('redisson_sc', name)
}

/** Until when each permit of a semaphore is lent. */
export function permitTimeouts(name: string): string {
  return suffixed(name, 'timeout')
}

/**
 * The channel of a latch: Redisson's, wherever it can be used.
 *
 * Redisson puts braces around the name even if that brings a hash tag of its own, and so the channel may belong to another
 * node than the latch. In a cluster a script cannot reach it then, and such names have no latch in Redisson.
 */
export function latchChannel(name: string, slotOf: (key: string) => number): string {
  const channel = `redisson_countdownlatch__channel__{${name}}`
  return slotOf(channel) === slotOf(name) ? channel : `redisson_countdownlatch__channel__${name}`
}

/** The permits that a rate limiter has left: for everybody, or for one client. */
export function rateValue(name: string, clientId?: string): string {
  return suffixed(name, clientId === undefined ? 'value' : `value:${clientId}`)
}

/** What a rate limiter has granted lately: to everybody, or to one client. */
export function rateGrants(name: string, clientId?: string): string {
  return suffixed(name, clientId === undefined ? 'permits' : `permits:${clientId}`)
}
