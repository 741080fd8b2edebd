import type { Socket } from 'node:net'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'

/** From this size on, a request may take a while to leave. */
const LARGE_BYTES = 64 * 1024

/** From this size on, one request is large. */
const LARGE_REQUEST_BYTES = 16 * 1024

/** How often the socket is checked for bytes that have left, in milliseconds. */
const LOOK_MS = 25

/** The internal handle of a socket: how many bytes it was given, and how many of them the system has not taken yet. */
interface Handle {
  readonly bytesWritten?: number
  readonly writeQueueSize?: number
  /** For an encrypted connection: the handle that carries it. */
  readonly _parent?: Handle | null
}

/**
 * Records when bytes last arrived on a socket or left it.
 *
 * Replies arrive in the order of the requests, so progress of a connection is progress of every request on it. Node emits an event for bytes
 * that arrive, but none when a part of a large request leaves. So the socket is checked periodically while a large request is being sent.
 */
export class SocketProgress {
  static readonly #known = new WeakMap<Socket, SocketProgress>()

  readonly #socket: Socket
  #movedAt = -Infinity
  #bytesIn = 0
  #largeBytesOut = 0
  /** How many bytes had arrived with the last chunk in which a reply ended. */
  #bytesInReplies = 0
  /** Whether a reply has ended in the present chunk. The parser may read it before this record does. */
  #hasReplied = false
  #looking: NodeJS.Timeout | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', ({ length }: Buffer) => {
      this.#bytesIn += length
      if (this.#hasReplied) this.#bytesInReplies = this.#bytesIn
      this.#hasReplied = false
      this.#movedAt = performance.now()
    })
  }

  static of(socket: Socket): SocketProgress {
    let progress = this.#known.get(socket)
    if (progress === undefined) {
      progress = new SocketProgress(socket)
      this.#known.set(socket, progress)
    }
    return progress
  }

  /**
   * The last time at which bytes moved, on the monotonic clock. It lies in the future after a large request has left: buffers of the system
   * may still hold a part of it, for no longer than it took to send.
   */
  get movedAt(): number {
    return this.#movedAt
  }

  /** How many bytes have arrived since this record began. */
  get bytesIn(): number {
    return this.#bytesIn
  }

  /** How many bytes have arrived since the last chunk in which a reply ended. */
  get arriving(): number {
    return this.#bytesIn - this.#bytesInReplies
  }

  /** Notes that a reply is complete. */
  replied(): void {
    this.#hasReplied = true
    this.#bytesInReplies = this.#bytesIn
  }

  /** How many bytes of large requests were written since this record began. Small ones do not count, as many may just have been sent at once. */
  get largeBytesOut(): number {
    return this.#largeBytesOut
  }

  /** Whether a request that is sent now waits behind a large one that is still being sent. */
  get isBlocked(): boolean {
    return this.#socket.writableLength >= LARGE_BYTES || this.#movedAt > performance.now()
  }

  /** Notes that a request of this size is about to be written. */
  sending(bytes: number): void {
    if (bytes >= LARGE_REQUEST_BYTES) this.#largeBytesOut += bytes
    if (this.#looking === undefined && this.#socket.writableLength + bytes >= LARGE_BYTES) this.#watch()
  }

  #watch(): void {
    const startedAt = performance.now()
    let before = bytesOut(this.#socket)
    const look = (): void => {
      const now = performance.now()
      const left = bytesOut(this.#socket)
      if (left > before) this.#movedAt = Math.max(this.#movedAt, now)
      before = left
      if (this.#socket.writableLength > 0 && !this.#socket.destroyed) return
      clearInterval(this.#looking)
      this.#looking = undefined
      this.#movedAt = Math.max(this.#movedAt, now + (now - startedAt))
    }
    this.#looking = withoutAsyncContext(() => setInterval(look, LOOK_MS).unref())
  }
}

/** Returns how many bytes the system has taken. Without the internal handle, only whole writes count. */
function bytesOut(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { readonly _handle?: Handle | null }
  const { bytesWritten, writeQueueSize } = handle?._parent ?? handle ?? {}
  return bytesWritten === undefined || writeQueueSize === undefined
    ? socket.bytesWritten - socket.writableLength
    : bytesWritten - writeQueueSize
}
