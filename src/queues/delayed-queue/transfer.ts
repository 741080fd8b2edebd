import type { ObjectContext } from '../../core/context/object-context.js'
import { isPassing, wordsOf } from '../../errors/lasting-failure.js'
import type { ChannelListener, Subscription } from '../../pubsub/subscriptions.js'
import { Alarm } from '../../util/time/alarm.js'
import { warnOnce } from '../../util/warn-once.js'
import { RECHECK_MS } from '../../waiting/recheck.js'
import { delayedChannel, delayedKeys } from './keys.js'
import * as scripts from './delayed-queue.scripts.js'

/** How many elements one request moves at most. */
const MOST_MOVED = 1_000

/** After how long a client looks again if nothing waits, in milliseconds. */
export const IDLE_RECHECK_MS = 60_000

/** What {@link scripts.transfer} returns if no element waits. */
const NONE_WAITS = -1

/** What a transfer asks Redis with. */
export type TransferContext = Pick<ObjectContext, 'executor' | 'subscriptions'>

/**
 * Moves the elements of one delayed queue that are due to their destination, for one client.
 *
 * It looks when it begins, when the next element is due, and after a message or an interruption of the channel. Messages may get lost. So it also looks
 * every few seconds while an element waits, and once a minute while none does.
 */
export class Transfer implements ChannelListener {
  readonly #context: TransferContext
  readonly #queue: string
  readonly #onIdle: () => void
  readonly #ending = new AbortController()
  readonly #alarm = new Alarm(() => {
    this.look()
  })
  #subscription: Subscription | undefined
  /** From when on a channel is asked for again that was refused, on the monotonic clock. */
  #listensAt = 0
  /** The clock of the server, less the monotonic clock of this process; undefined before the first reply. */
  #clockAhead: number | undefined
  #isRunning = false
  #isIdle = false
  #isWanted = false

  /**
   * @param queue - the key of the destination
   * @param onIdle - is called after each look that has found no element waiting
   */
  constructor(context: TransferContext, queue: string, onIdle: () => void) {
    this.#context = context
    this.#queue = queue
    this.#onIdle = onIdle
  }

  /** Whether the last look has found no element waiting. */
  get isIdle(): boolean {
    return this.#isIdle
  }

  /** Looks for what is due now. */
  look(): void {
    this.#isWanted = true
    if (!this.#isRunning) void this.#run()
  }

  /** Looks when an element is due, in so many milliseconds. */
  expectIn(ms: number): void {
    this.#alarm.setFor(performance.now() + Math.min(ms, RECHECK_MS))
  }

  /** Ends it. A request that was sent still takes effect. */
  end(): void {
    this.#ending.abort()
    this.#alarm.clear()
    this.#subscription?.leave()
  }

  message(payload: Buffer): void {
    const dueMs = Number(payload.toString())
    if (this.#clockAhead === undefined || Number.isNaN(dueMs)) this.look()
    else this.expectIn(dueMs - this.#clockAhead - performance.now())
  }

  subscribed(): void {
    this.look()
  }

  gap(): void {
    this.look()
  }

  refused(error: Error): void {
    this.#subscription = undefined
    this.#listensAt = performance.now() + IDLE_RECHECK_MS
    this.#report(error)
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#isWanted && !this.#ending.signal.aborted) {
      this.#isWanted = false
      this.#listen()
      await this.#transfer()
    }
    this.#isRunning = false
  }

  #listen(): void {
    if (this.#subscription !== undefined || performance.now() < this.#listensAt) return
    const channel = { kind: 'plain', name: delayedChannel(this.#queue) } as const
    this.#subscription = this.#context.subscriptions.join(channel, this)
  }

  /** Never rejects. */
  async #transfer(): Promise<void> {
    const { signal } = this.#ending
    const call = { keys: { queue: this.#queue, ...delayedKeys(this.#queue) }, args: { most: MOST_MOVED } }
    try {
      const [leftMs, serverMs] = await this.#context.executor.run(scripts.transfer, call, { signal })
      this.#clockAhead = serverMs - performance.now()
      if (!signal.aborted) this.#plan(leftMs)
    } catch (error) {
      if (signal.aborted) return
      this.expectIn(RECHECK_MS)
      this.#report(error)
    }
  }

  #plan(leftMs: number): void {
    this.#isIdle = leftMs === NONE_WAITS
    if (leftMs === 0) this.#isWanted = true
    else if (leftMs !== NONE_WAITS) this.expectIn(leftMs)
    else {
      this.#alarm.setFor(performance.now() + IDLE_RECHECK_MS)
      this.#onIdle()
    }
  }

  #report(error: unknown): void {
    if (this.#ending.signal.aborted || isPassing(error)) return
    const words = wordsOf(error)
    const message = `Elements of the delayed queue ${this.#queue} cannot be moved when they are due: ${words}`
    warnOnce('REDISSON_TRANSFER_FAILED', `${this.#queue} ${words}`, message)
  }
}
