import type { Socket } from 'node:net'
import { withoutAsyncContext } from '../util/without-async-context.js'

/** From so many bytes on, what is to be sent may take a while to leave. */
const LARGE_BYTES = 64 * 1024

/** How often it is looked whether some of it has left, in milliseconds. */
const LOOK_MS = 25

/** What is used of the inside of a socket: how many bytes it was given, and how many of them the system has not taken yet. */
interface Handle {
  readonly bytesWritten?: number
  readonly writeQueueSize?: number
  /** Of an encrypted connection: the one that carries it. */
  readonly _parent?: Handle | null
}

/**
 * When bytes came over a socket or left it last.
 *
 * Replies come in order, so that progress of a connection is progress of all that wait for it. What comes is heard of. Nothing tells
 * that a part of a large request has left, so that it is looked at now and then while something large is on its way out.
 */
export class SocketProgress {
  static readonly #known = new WeakMap<Socket, SocketProgress>()

  readonly #socket: Socket
  #movedAt = -Infinity
  #bytesIn = 0
  #looking: NodeJS.Timeout | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', ({ length }: Buffer) => {
      this.#bytesIn += length
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
   * The last moment at which bytes are known to have moved, on the monotonic clock. It is in the future where large requests have
   * just left: systems on the way may hold a part of them, for no longer than it took to send them.
   */
  get movedAt(): number {
    return this.#movedAt
  }

  /** How many bytes have come since it was first asked. */
  get bytesIn(): number {
    return this.#bytesIn
  }

  /** Whether what is sent now has to wait until something large has left, this process or the systems on the way. */
  get isBlocked(): boolean {
    return this.#socket.writableLength >= LARGE_BYTES || this.#movedAt > performance.now()
  }

  /** Something of that size is about to be written. */
  sending(bytes: number): void {
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

/** How many bytes the system has taken. Where the socket does not show that, what waits in it is reckoned as a whole. */
function bytesOut(socket: Socket): number {
  const { _handle: handle } = socket as Socket & { readonly _handle?: Handle | null }
  const { bytesWritten, writeQueueSize } = handle?._parent ?? handle ?? {}
  return bytesWritten === undefined || writeQueueSize === undefined
    ? socket.bytesWritten - socket.writableLength
    : bytesWritten - writeQueueSize
}
