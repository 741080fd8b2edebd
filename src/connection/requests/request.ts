import type { Socket } from 'node:net'
import { Command } from 'ioredis'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { RedissonError } from '../../errors/redisson-error.js'
import { mayHaveBeenSent } from '../../errors/transient.js'
import type { Argument, Command as Asked, Outcome } from '../connection.js'
import { hashSlot } from './hash-slot.js'
import { SocketProgress } from '../node/socket-progress.js'
import { DISCONNECT_TIMEOUT_MS } from '../node/socket-timeout.js'

/** What is sent in the place of a command that was given up: it changes nothing, and its reply is dropped. */
const INSTEAD = new Command('ping')

/** A command, which knows where it was sent, and that is not sent any more once it was given up. It settles once. */
export class Request extends Command {
  static {
    // Private in ioredis's types: it makes a promise for each command, and three functions. A request has its own way to settle.
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
  /** Since when its reply is waited for, on the monotonic clock. */
  readonly #since: number
  readonly #sending: Asked['sending']
  /** Whether it settles as soon as Redis cannot be reached. */
  readonly failFast: boolean
  /** Whether its sender sends a copy past large replies that it waits behind. */
  readonly overtakable: boolean

  /** @param since - since when its reply is waited for, on the monotonic clock */
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

  /** Says what came of it; what comes later is dropped. */
  settle(outcome: Outcome): void {
    if (this.isSettled) return
    this.isSettled = true
    if (this.#sending !== undefined && outcome instanceof RedissonError && !mayHaveBeenSent(outcome))
      this.#sending.sent = false
    const onSettled = this.#onSettled
    this.#letGo()
    onSettled(outcome)
  }

  /** `commandTimeout` of a shared client is never shorter than the time after which it is given up. */
  override setTimeout(): void {
    return undefined
  }

  /** Whether it was sent, so that it may have run. */
  get sent(): boolean {
    return this.#socket !== undefined
  }

  /** Whether the connection has ended that it was sent over. */
  get isCut(): boolean {
    return this.#socket?.destroyed === true
  }

  /** Whether it was not sent because its time was over, so that what arrives is no reply to it. */
  get cameTooLate(): boolean {
    return this.#givenUp && !this.sent
  }

  /**
   * Has it not be sent from now on.
   *
   * ioredis keeps what waits for a connection, or for a slot that moves, and sends it when it can. By then another copy may be
   * under way, and the first one would count as well.
   */
  giveUp(): void {
    this.#givenUp = true
  }

  /**
   * Until when its reply may still come, on the monotonic clock: as long as no pause of its connection is longer than that.
   *
   * One that is not to be sent after some moment is not to arrive long after it either, so that it does not wait behind others for longer.
   */
  hopeUntil(pauseMs: number): number {
    if (this.#progress === undefined) return -Infinity
    return Math.min(this.#progress.movedAt, this.#until) + pauseMs
  }

  /** Whether it still waits for its reply although that many bytes have come since it was sent, the last of them that much later. */
  isBehind(bytes: number, ms: number): boolean {
    const progress = this.#progress
    if (progress === undefined) return false
    return progress.bytesIn - this.#bytesInBefore >= bytes && progress.movedAt - this.#since >= ms
  }

  /** Notes that its reply has arrived. */
  replied(): void {
    this.#progress?.replied()
  }

  /** How many bytes have arrived, over its connection, of a reply that is not complete. */
  get bytesArriving(): number {
    return this.#progress?.arriving ?? 0
  }

  /** How many bytes of large requests were sent over its connection since it began to be sent, itself among them. */
  get largeBytesSent(): number {
    return this.#progress === undefined ? 0 : this.#progress.largeBytesOut - this.#largeBytesOutBefore
  }

  /** Why the last server that it was sent to has not run it, where it is to be sent again. */
  get refusal(): RedissonError | undefined {
    return this.#sending?.refusal
  }

  /** Takes note that a server has refused it for now, and has not run it. */
  refuse(refusal: RedissonError): void {
    this.#socket = this.#progress = undefined
    if (this.#sending !== undefined) Object.assign(this.#sending, { sent: false, refusal })
  }

  /** Takes note that the node that it was sent to has not run it, and has named another one. */
  redirected(): void {
    this.#socket = this.#progress = undefined
    if (this.#sending !== undefined) this.#sending.sent = false
  }

  /** Drops the connection that it was sent over. */
  dropConnection(reason: string): void {
    this.#socket?.destroy(new Error(reason))
  }

  /**
   * Ends the connection that it was sent over, once the replies are read that are on their way. A new one leads to the present master.
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
   * The slot of the first key.
   *
   * Messages of one channel go to one node as well, since those that nodes of a cluster pass on to each other have no order among them. That
   * node is asked about the channel, too.
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

  /** The channel, or the pattern, of a command that ioredis does not know to have one. */
  get #channel(): string | undefined {
    if (this.name === 'publish') return String(this.args[0])
    return this.name === 'pubsub' && this.args.length > 1 ? String(this.args[1]) : undefined
  }

  /**
   * Lets go of what waited for it.
   *
   * What ioredis keeps of a request may be in V8's old generation from the start, as it lives longer than most things. Until the whole heap is
   * looked through, all that it refers to would stay, and be moved there as well: of a batch everything.
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

/** The slot of a command. For a script it is found without making a request of it. */
export function slotOf({ name, args }: Pick<Asked, 'name' | 'args'>): number {
  const [, keys, first] = args
  if ((name === 'evalsha' || name === 'eval') && Number(keys) > 0 && first !== undefined)
    return hashSlot(typeof first === 'number' ? String(first) : first)
  return new Request(name, [...args], ignore).getSlot()
}

function ignore(): void {
  return undefined
}
