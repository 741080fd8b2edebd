import type { Redis } from 'ioredis'
import type { Command } from '../connection.js'
import { Request } from './request.js'
import { SocketProgress } from '../node/socket-progress.js'

/** From this size on, requests without a reply delay later ones, whether or not their bytes have left this process. */
const LARGE_REQUESTS_BYTES = 256 * 1024

/** From this size on, replies delay the ones behind them, unless they arrive at once. */
const LARGE_REPLIES_BYTES = 16 * 1024

/** Replies that arrive within this time do not count as delaying others, in milliseconds. */
export const AT_ONCE_MS = 200

/**
 * Returns whether a connection is congested: large requests have no reply yet, or large replies are still arriving. A request that is
 * sent over it now would wait behind them. A silent connection with small requests is not congested.
 */
export function isCongested({ status, stream, commandQueue }: Redis): boolean {
  if (status !== 'ready') return false
  if (SocketProgress.of(stream).isBlocked) return true
  const oldest = commandQueue.peekFront()?.command
  if (!(oldest instanceof Request)) return false
  return oldest.largeBytesSent >= LARGE_REQUESTS_BYTES || isBehindReplies(oldest)
}

/** Returns whether large replies have kept a request waiting since it was sent. */
function isBehindReplies(request: Request): boolean {
  return request.isBehind(LARGE_REPLIES_BYTES, AT_ONCE_MS)
}

/** Returns whether one large reply keeps a sent request waiting. Many small ones do not count, as the event loop may just have been busy. */
export function isBehindLargeReply(request: Request): boolean {
  return isBehindReplies(request) && request.bytesArriving >= LARGE_REPLIES_BYTES
}

/** Returns a command that rejects with an `OvertakenError` once it waits behind large replies, if its sender may send a copy. */
export function asOvertakable(command: Command): Command {
  return command.isRepeatable === true ? { ...command, overtakable: true } : command
}
