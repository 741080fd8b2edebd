/**
 * Companion keys and channels of an object, as Redisson names them.
 *
 * The object's name becomes the hash tag, so that everything about it lives in one slot; a name that has a brace is taken
 * to bring its own.
 */
export function prefixed(prefix: string, name: string): string {
  return name.includes('{') ? `${prefix}:${name}` : `${prefix}:{${name}}`
}

/** The channel on which a lock says that it is free. */
export function lockChannel(name: string): string {
  return prefixed('redisson_lock__channel', name)
}

/** Where a script that counts remembers what it answered to one request. Redisson keeps its unlock latch there. */
export function requestKey(name: string, requestId: string): string {
  return `${prefixed('redisson_unlock_latch', name)}:${requestId}`
}
