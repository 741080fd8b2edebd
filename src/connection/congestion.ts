import type { Redis } from 'ioredis'
import { Request } from './request.js'
import { SocketProgress } from './socket-progress.js'

/** From this size on, replies delay the ones behind them, unless they arrive at once. */
const LARGE_REPLIES_BYTES = 16 * 1024

/** Replies that arrive within this time have delayed no others, in milliseconds. */
const AT_ONCE_MS = 200

/**
 * Returns whether a connection is congested: large requests have not left yet, or large replies are still arriving. A request that is
 * sent over it now would wait behind them. A silent connection is not congested.
 */
export function isCongested({ status, stream, commandQueue }: Redis): boolean {
  if (status !== 'ready') return false
  if (SocketProgress.of(stream).isBlocked) return true
  const oldest = commandQueue.peekFront()?.command
  return oldest instanceof Request && oldest.isBehind(LARGE_REPLIES_BYTES, AT_ONCE_MS)
}
