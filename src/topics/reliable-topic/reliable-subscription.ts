import type { ReliableSubscription, ReliableSubscriptionEvents } from './reliable-topic.api.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { isLasting, isTransient } from '../../errors/transient.js'
import { followAborts } from '../../util/abort/follow-aborts.js'
import { raceAbort } from '../../util/abort/race-abort.js'
import { refuseSurplus } from '../../util/refuse-surplus.js'
import { SubscriptionEmitter } from '../../util/subscription-emitter.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { RECHECK_MS } from '../../waiting/recheck.js'
import type { Deliveries } from './deliveries.js'
import type { KeySleep } from './key-sleep.js'
import type { SubscriberPlace } from './subscriber-place.js'
import type { Tenure } from './tenure.js'

/** How many messages are read at once. */
const BATCH = 100

/** The pause after an error, and before a subscriber is made again that was made a moment ago, in milliseconds. */
const PAUSE_MS = 1_000

/** What a subscription is made of. */
export interface SubscriptionParts {
  readonly place: SubscriberPlace
  /** Makes its tenure. */
  readonly tenureOf: (onLost: () => void) => Tenure
  /** Makes what calls its listener. */
  readonly deliveriesOf: (events: SubscriptionEmitter<ReliableSubscriptionEvents>) => Deliveries
  /** Wakes it after each change of the topic. */
  readonly changes: KeySleep
  /** Wakes a process that waits to become active; undefined if no other one can be. */
  readonly successions: KeySleep | undefined
  readonly position: string
  readonly timeoutMs: number
  /** Each of them ends it. */
  readonly ends: readonly (AbortSignal | undefined)[]
  readonly ended: () => void
}

/** Reads the messages of a subscriber, and has its listener take one after the other. */
export class ReliableSubscriptionLoop implements ReliableSubscription {
  static {
    refuseSurplus(this, {
      on: 'off() ends it',
      off: 'it removes one listener',
      unsubscribe: 'it ends this subscription',
    })
  }

  readonly #parts: SubscriptionParts
  readonly #tenure: Tenure
  readonly #deliveries: Deliveries
  readonly #events = new SubscriptionEmitter<ReliableSubscriptionEvents>('gap', 'error', 'dropped')
  readonly #ending = new AbortController()
  readonly #stopFollowing: () => void
  #over: Promise<void> = Promise.resolve()
  #madeAt: number | undefined
  /** How many messages are read one by one: after a crash, also of another process, one of them may be the reason. */
  #careful = 0

  constructor(parts: SubscriptionParts) {
    this.#parts = parts
    this.#tenure = parts.tenureOf(() => {
      parts.changes.wake()
    })
    this.#deliveries = parts.deliveriesOf(this.#events)
    this.#stopFollowing = followAborts(this.#ending, parts.ends)
  }

  /** Resolves when it has ended, in Redis as well. Never rejects. */
  get over(): Promise<void> {
    return this.#over
  }

  /** Makes the subscriber, and begins to read. */
  async begin(): Promise<void> {
    const { signal } = this.#ending
    try {
      signal.throwIfAborted()
      this.#parts.changes.listen()
      await raceAbort(this.#activate(), signal)
      this.#over = withoutAsyncContext(() => this.#run())
    } catch (error) {
      this.#ending.abort()
      this.#over = this.#end()
      throw error
    }
  }

  on<K extends keyof ReliableSubscriptionEvents>(
    event: K,
    listener: (event: ReliableSubscriptionEvents[K]) => void,
  ): this {
    this.#events.on(event, listener)
    return this
  }

  off<K extends keyof ReliableSubscriptionEvents>(
    event: K,
    listener: (event: ReliableSubscriptionEvents[K]) => void,
  ): this {
    this.#events.off(event, listener)
    return this
  }

  async unsubscribe(): Promise<void> {
    this.#ending.abort()
    if (!this.#deliveries.isWaitedFor) await this.#over
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.unsubscribe()
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      try {
        await this.#turn(signal)
      } catch (error) {
        await this.#afterError(error as Error, signal)
      }
    }
    await this.#end()
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const { place, changes, successions } = this.#parts
    if (!this.#tenure.isHeld && !(await raceAbort(this.#activate(), signal))) {
      await (successions ?? changes).sleep(RECHECK_MS, signal)
      return
    }
    successions?.[Symbol.dispose]()
    const batch = await raceAbort(place.next(this.#careful > 0 ? 1 : BATCH), signal)
    if (typeof batch === 'string') {
      this.#tenure.drop()
      return
    }
    if (batch.messages.length === 0) {
      await changes.sleep(RECHECK_MS, signal)
      return
    }
    this.#careful = batch.deliveries > 1 ? BATCH : Math.max(0, this.#careful - 1)
    await this.#deliveries.deliver(batch, this.#tenure, signal)
  }

  /** Returns whether this process is active for the subscriber. */
  async #activate(): Promise<boolean> {
    const { place, position, timeoutMs, successions } = this.#parts
    successions?.listen()
    const before = this.#madeAt
    if (before !== undefined && performance.now() - before < PAUSE_MS)
      await this.#parts.changes.sleep(PAUSE_MS, this.#ending.signal)
    const sentAt = performance.now()
    const { isActive, isNew } = await place.subscribe(position, timeoutMs)
    if (isNew) {
      if (before !== undefined) this.#events.emit('gap', undefined)
      this.#madeAt = performance.now()
    } else this.#madeAt ??= -Infinity
    if (isActive && !this.#ending.signal.aborted) {
      if (successions !== undefined) this.#careful = BATCH
      this.#tenure.begin(sentAt)
    }
    return isActive
  }

  async #afterError(error: Error, signal: AbortSignal): Promise<void> {
    if (isRedissonError(error, 'CLOSED') || isRedissonError(error, 'ABORTED')) this.#ending.abort()
    if (signal.aborted) return
    if (!isTransient(error) || isLasting(error)) this.#events.emitOrWarn(error)
    await this.#parts.changes.sleep(PAUSE_MS, signal).catch(() => undefined)
  }

  async #end(): Promise<void> {
    const { changes, successions, place, ended } = this.#parts
    this.#stopFollowing()
    this.#tenure.drop()
    changes[Symbol.dispose]()
    successions?.[Symbol.dispose]()
    ended()
    await place.leave().catch(() => undefined) // it ends by itself then, in time
  }
}
