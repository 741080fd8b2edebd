import { Loss } from '../../core/holds/loss.js'
import type { LockLossReason } from '../../errors/lock-errors.js'
import { mayHaveRun } from '../../errors/transient.js'
import type { Lease, LeaseHolder } from '../../renewal/lease.js'
import type { RenewalService } from '../../renewal/renewal-service.js'
import { afterReading } from '../../util/time/after-reading.js'
import { Deadline } from '../../util/time/deadline.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import type { DeliveredMessage } from './records.js'
import { DeliveryCancelledError, DeliveryLostError } from './reliable-queue.errors.js'

interface HeldFacts {
  /** The name of the queue, as the program gave it. */
  readonly queue: string
  readonly message: DeliveredMessage
  readonly leaseOf: (holder: LeaseHolder) => Lease
  /** When the request was sent that has delivered it, on the monotonic clock. */
  readonly sentAt: number
  /** How long it lasts, in milliseconds; undefined where the watchdog renews it. */
  readonly visibilityMs: number | undefined
  readonly watchdogMs: number
  readonly renewal: RenewalService
  /** Gives the message back, as if it had not been delivered. */
  readonly giveBack: () => Promise<unknown>
  /** Called once, when the delivery is settled or lost. */
  readonly onEnd: () => void
}

/** What a delivery is in Redis. */
export function memberOf({ id, token }: Pick<DeliveredMessage, 'id' | 'token'>): string {
  return `${id} ${String(token)}`
}

/** Under what the deliveries of a client are found: the key of the queue, and the member. */
export function heldKey(key: string, member: string): string {
  return `${member} ${key}`
}

/** A delivery that this process watches until it is settled or lost. */
export class HeldDelivery implements LeaseHolder {
  readonly message: DeliveredMessage
  readonly lease: Lease
  /** Whether it has made a dead letter of its message. */
  isDead = false
  readonly #facts: HeldFacts
  readonly #loss = new Loss<DeliveryLostError | DeliveryCancelledError>()
  readonly #listeners: (() => void)[] = []
  #lost: DeliveryLostError | undefined
  #isSettled = false
  #isCancelled = false
  /** Whether an acknowledgement may have been carried out whose reply was lost. */
  #mayBeAcknowledged = false
  #lastTurn: Promise<unknown> = Promise.resolve()

  constructor(facts: HeldFacts) {
    const { message, sentAt, visibilityMs, watchdogMs, renewal } = facts
    this.#facts = facts
    this.message = message
    this.lease = facts.leaseOf(this)
    this.lease.renewed = visibilityMs === undefined
    this.lease.confirm(sentAt, visibilityMs ?? watchdogMs)
    renewal.track(this.lease)
  }

  get isSettled(): boolean {
    return this.#isSettled
  }

  get isCancelled(): boolean {
    return this.#isCancelled
  }

  /** Why it was lost, if it was. */
  get lost(): DeliveryLostError | undefined {
    if (!this.#isSettled && this.lease.expired) this.onLeaseLost('expired')
    return this.#lost
  }

  get isHeld(): boolean {
    return !this.#isSettled && this.lost === undefined
  }

  get signal(): AbortSignal {
    return this.#loss.signal(() => this.lost)
  }

  /** Calls a function when the delivery is settled or lost. */
  onEnd(listener: () => void): void {
    if (this.#isSettled || this.#lost !== undefined) listener()
    else this.#listeners.push(listener)
  }

  /**
   * The message was cancelled: no renewal extends its delivery any more.
   *
   * @param end - how long it lasts, in milliseconds, and when the request was sent that says so; left out for what a message says, whose age is unknown
   */
  cancel(reason: string, end?: { readonly leftMs: number; readonly sentAt: number }): void {
    if (this.#isCancelled || !this.isHeld) return
    const { queue, message, renewal } = this.#facts
    this.#isCancelled = true
    this.lease.renewed = false
    if (end !== undefined) this.lease.begin(end.sentAt, end.leftMs) // what was asked before does not count any more
    renewal.track(this.lease)
    this.#loss.note(new DeliveryCancelledError({ queue, id: message.id, reason }))
    this.#abort()
  }

  /** Stops the renewal of a delivery that could not be given back: it ends by itself. */
  abandon(): void {
    this.lease.renewed = false
  }

  onLeaseLost(reason: LockLossReason): void {
    this.#facts.renewal.untrack(this.lease)
    if (this.#lost !== undefined || this.#isSettled) return
    if (reason === 'not-held' && this.#mayBeAcknowledged && !this.lease.expired) {
      this.#settled() // no one else can have removed it
      return
    }
    this.#lost = this.#lostBy(reason)
    if (this.#loss.error === undefined) this.#loss.note(this.#lost)
    this.#end()
    this.#abort()
  }

  async giveBack(): Promise<void> {
    if (!this.#isSettled) await this.#facts.giveBack()
  }

  /**
   * Ends the delivery by a request that returns whether it was held.
   *
   * What was lost by this process's clock may still be held in Redis, so Redis is asked in any case. No renewal is sent meanwhile: one that arrives
   * after the request would find no delivery. If an acknowledgement fails, the delivery lasts on. Of any other request it is not known then whether
   * another process has the message.
   *
   * @throws {@link DeliveryLostError} if it was lost, or is settled
   */
  async settle(request: () => Promise<boolean>, { isAck }: { readonly isAck: boolean }): Promise<void> {
    const { renewal } = this.#facts
    if (renewal.isBehind) await afterReading()
    await this.#inTurn(async () => {
      if (this.#isSettled && this.#mayBeAcknowledged && isAck) return // the reply to an earlier one was lost
      if (this.#isSettled) throw this.#lostBy('settled')
      const { renewed } = this.lease
      this.lease.renewed = false
      await renewal.quiet(this.lease)
      let held: boolean
      try {
        held = await request()
      } catch (error) {
        this.lease.renewed = renewed && !this.#isCancelled
        if (mayHaveRun(error)) this.#afterLostReply(isAck)
        if (this.isHeld) renewal.track(this.lease)
        throw error
      }
      // An earlier acknowledgement may have removed it: as long as the delivery lasts, no one else can have done so.
      if (!held && !(this.#mayBeAcknowledged && isAck && this.isHeld)) {
        this.onLeaseLost('not-held')
        throw this.#lost as DeliveryLostError
      }
      this.#settled()
    })
  }

  /** @param visibilityMs - undefined where the watchdog shall renew it */
  async extend(visibilityMs: number | undefined): Promise<void> {
    const { renewal, watchdogMs } = this.#facts
    const lasting = visibilityMs ?? watchdogMs
    await this.#inTurn(async () => {
      this.#demandHeld()
      const sentAt = performance.now()
      const deadline = Deadline.after(this.lease.expiresAt - sentAt)
      const [held] = await this.lease.kind.renew([this.lease], lasting, deadline)
      if (held === true) this.lease.confirm(sentAt, lasting)
      else this.onLeaseLost('not-held')
      this.#demandHeld()
      this.lease.renewed = visibilityMs === undefined
      renewal.track(this.lease)
    })
  }

  #demandHeld(): void {
    if (this.#isSettled) throw this.#lostBy('settled')
    if (this.lost !== undefined) throw this.lost
    if (this.#isCancelled) throw this.#loss.error as DeliveryCancelledError
  }

  #settled(): void {
    this.#isSettled = true
    this.#facts.renewal.untrack(this.lease)
    this.#end()
  }

  #afterLostReply(isAck: boolean): void {
    if (isAck) this.#mayBeAcknowledged = true
    else this.onLeaseLost('not-held')
  }

  #lostBy(reason: LockLossReason | 'settled'): DeliveryLostError {
    const { queue, message } = this.#facts
    return new DeliveryLostError({ queue, id: message.id, reason })
  }

  #end(): void {
    this.#facts.onEnd()
    for (const listener of this.#listeners.splice(0)) listener()
  }

  #abort(): void {
    withoutAsyncContext(() => {
      this.#loss.abort()
    })
  }

  #inTurn<T>(request: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(request)
    this.#lastTurn = turn.catch(() => undefined)
    return turn
  }
}
