import type { Redis } from 'ioredis'
import { Request } from './request.js'
import { SocketProgress } from './socket-progress.js'

/** Replies of so many bytes make the next ones wait, unless they come at once. */
const LARGE_REPLIES_BYTES = 256 * 1024

/** What has come within this time has not kept others waiting, in milliseconds. */
const AT_ONCE_MS = 200

/**
 * Whether what is sent over a connection now waits for long: behind large requests that have not left, or for its reply behind large
 * ones that are coming in. A connection that is silent is not congested.
 */
export function isCongested({ status, stream, commandQueue }: Redis): boolean {
  if (status !== 'ready') return false
  if (SocketProgress.of(stream).isBlocked) return true
  const oldest = commandQueue.peekFront()?.command
  return oldest instanceof Request && oldest.isBehind(LARGE_REPLIES_BYTES, AT_ONCE_MS)
}
