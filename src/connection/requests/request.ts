import type { Socket } from 'node:net'
import { Command } from 'ioredis'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { RedissonError } from '../../errors/redisson-error.js'
import { mayHaveBeenSent } from '../../errors/transient.js'
import type { Argument, Command as Asked, Outcome } from '../connection.js'
import { hashSlot } from './hash-slot.js'
import { SocketProgress } from '../node/socket-progress.js'
import { DISCONNECT_TIMEOUT_MS } from '../node/socket-timeout.js'

/** The command that is sent in place of one that was cancelled. It changes nothing, and its reply is dropped. */
const INSTEAD = new Command('ping')

/** A command that knows where it was sent and is not sent any more once it was cancelled. It settles once. */
export class Request extends Command {
  static {
    // Private in ioredis's types. It creates a promise and three functions for each command; a request settles without them.
    Object.defineProperty(this.prototype, 'initPromise', {
      value(this: Request) {
        this.stringifyArguments()
      },
    })
  }

  #onSettled: (outcome: Outcome) => void
  #socket: Socket | undefined
  #progress: SocketProgress | undefined
  #bytesInBefore = 0
  #largeBytesOutBefore = 0
  #slot: number | undefined
  #givenUp = false
  readonly #until: number
  /** The time from which its reply is awaited, on the monotonic clock. */
  readonly #since: number
  readonly #sending: Asked['sending']
  /** Whether it settles as soon as Redis cannot be reached. */
  readonly failFast: boolean
  /** Whether its sender sends a copy of it when it waits behind large replies. */
  readonly overtakable: boolean

  /** @param since - the time from which its reply is awaited, on the monotonic clock */
  constructor(
    name: string,
    args: Argument[],
    onSettled: (outcome: Outcome) => void,
    {
      until = Infinity,
      sending,
      failFast = false,
      overtakable = false,
    }: Pick<Asked, 'until' | 'sending' | 'failFast' | 'overtakable'> = {},
    since = Infinity,
  ) {
    super(name, args)
    this.#onSettled = onSettled
    this.#until = until
    this.#since = since
    this.#sending = sending
    this.failFast = failFast
    this.overtakable = overtakable
  }

  /** Settles the request with its outcome. Later outcomes are dropped. */
  settle(outcome: Outcome): void {
    if (this.isSettled) return
    this.isSettled = true
    if (this.#sending !== undefined && outcome instanceof RedissonError && !mayHaveBeenSent(outcome))
      this.#sending.sent = false
    const onSettled = this.#onSettled
    this.#letGo()
    onSettled(outcome)
  }

  /** Ignores `commandTimeout` of a shared client: it is never shorter than the time after which the request is cancelled. */
  override setTimeout(): void {
    return undefined
  }

  /** Whether it was sent, so that it may have run. */
  get sent(): boolean {
    return this.#socket !== undefined
  }

  /** Whether the connection over which it was sent has ended. */
  get isCut(): boolean {
    return this.#socket?.destroyed === true
  }

  /** Whether it was cancelled and another command was sent in its place, so that what arrives is not its reply. */
  get cameTooLate(): boolean {
    return this.#givenUp && !this.sent
  }

  /**
   * Cancels the request if it has not been sent yet.
   *
   * ioredis keeps what waits for a connection, or for a slot that moves, and sends it when it can. By then another copy may be under way,
   * and the first one would count as well.
   */
  giveUp(): void {
    this.#givenUp = true
  }

  /**
   * Returns until when its reply may still come, on the monotonic clock, if no pause of its connection is longer than this.
   *
   * A request that is not to be sent after some time is not to arrive long after it either. So it does not wait longer behind others.
   */
  hopeUntil(pauseMs: number): number {
    if (this.#progress === undefined) return -Infinity
    return Math.min(this.#progress.movedAt, this.#until) + pauseMs
  }

  /** Returns whether it still waits although this many bytes have arrived since it was sent, the last of them this much later. */
  isBehind(bytes: number, ms: number): boolean {
    const progress = this.#progress
    if (progress === undefined) return false
    return progress.bytesIn - this.#bytesInBefore >= bytes && progress.movedAt - this.#since >= ms
  }

  /** Notes that its reply has arrived. */
  replied(): void {
    this.#progress?.replied()
  }

  /** How many bytes of an incomplete reply have arrived over its connection. */
  get bytesArriving(): number {
    return this.#progress?.arriving ?? 0
  }

  /** How many bytes of large requests were sent over its connection since it began to be sent, including itself. */
  get largeBytesSent(): number {
    return this.#progress === undefined ? 0 : this.#progress.largeBytesOut - this.#largeBytesOutBefore
  }

  /** Why the last server that it was sent to has not run it, if it is to be sent again. */
  get refusal(): RedissonError | undefined {
    return this.#sending?.refusal
  }

  /** Notes that a server has refused it for now, and has not run it. */
  refuse(refusal: RedissonError): void {
    this.#socket = this.#progress = undefined
    if (this.#sending !== undefined) Object.assign(this.#sending, { sent: false, refusal })
  }

  /** Notes that the node has not run it, and has named another one. */
  redirected(): void {
    this.#socket = this.#progress = undefined
    if (this.#sending !== undefined) this.#sending.sent = false
  }

  /** Drops the connection over which it was sent. */
  dropConnection(reason: string): void {
    this.#socket?.destroy(new Error(reason))
  }

  /**
   * Ends the connection over which it was sent, after reading the replies that are on their way. A new one leads to the present master.
   *
   * ioredis would end it once for each request that Redis refuses, with a listener and a timer each time.
   */
  leaveConnection(): void {
    const socket = this.#socket
    if (socket === undefined || socket.writableEnded || socket.destroyed) return
    socket.end()
    const stopped = withoutAsyncContext(() => setTimeout(() => socket.destroy(), DISCONNECT_TIMEOUT_MS))
    socket.once('close', () => {
      clearTimeout(stopped)
    })
  }

  /**
   * Returns the slot of the first key.
   *
   * Messages of one channel go to one node as well, since those that nodes of a cluster pass on to each other have no order. Questions
   * about the channel go to that node, too.
   */
  override getSlot(): number {
    if (this.#slot !== undefined) return this.#slot
    const key = this.#channel ?? this.getKeys()[0]
    return key === undefined ? super.getSlot() : (this.#slot = hashSlot(key))
  }

  /** Whether its time is over, or nobody waits for it any more. */
  get #isUnwanted(): boolean {
    if (this.#sending?.over === true) return true
    return this.#until !== Infinity && performance.now() >= this.#until
  }

  /** The channel, or the pattern, of a command that has none as far as ioredis knows. */
  get #channel(): string | undefined {
    if (this.name === 'publish') return String(this.args[0])
    return this.name === 'pubsub' && this.args.length > 1 ? String(this.args[1]) : undefined
  }

  /**
   * Drops the references to what waited for it.
   *
   * A request may be in V8's old generation from the start, as ioredis keeps it longer than most objects. All that it refers to would be
   * moved there as well, and stay until the whole heap is collected: for a batch, everything.
   */
  #letGo(): void {
    this.#onSettled = ignore
    this.resolve = ignore
    this.reject = ignore
  }

  override toWritable(socket: Socket): string | Buffer {
    this.#givenUp ||= this.#isUnwanted
    if (this.#givenUp) {
      this.#socket = this.#progress = undefined // a node that it was sent to has redirected it, and has not run it
      return INSTEAD.toWritable(socket)
    }
    if (this.#sending !== undefined) this.#sending.sent = true
    this.#socket = socket
    const progress = (this.#progress = SocketProgress.of(socket))
    this.#bytesInBefore = progress.bytesIn
    this.#largeBytesOutBefore = progress.largeBytesOut
    const written = super.toWritable(socket)
    progress.sending(written.length)
    return written
  }
}

/** Returns the slot of a command. For a script, no request has to be made. */
export function slotOf({ name, args }: Pick<Asked, 'name' | 'args'>): number {
  const [, keys, first] = args
  if ((name === 'evalsha' || name === 'eval') && Number(keys) > 0 && first !== undefined)
    return hashSlot(typeof first === 'number' ? String(first) : first)
  return new Request(name, [...args], ignore).getSlot()
}

function ignore(): void {
  return undefined
}
