import { setImmediate } from 'node:timers/promises'
import { chunk } from '../util/chunk.js'
import { Deadline } from '../util/deadline.js'
import { outside } from '../util/outside.js'
import { timerDelay } from '../util/timers.js'
import type { Lease } from './lease.js'

/** So many calls take some milliseconds to send. */
const CALLS_PER_BURST = 100

interface Settings {
  /** How long a lease lasts that the watchdog renews, in milliseconds. */
  readonly leaseMs: number
  /** How many leases one call renews. */
  readonly batchSize: number
}

/**
 * The watchdog: one timer for every lease of a client.
 *
 * It renews three times per lease, and says so when a lease has ended, by Redis's word or by the clock, whichever comes
 * first. An unreachable Redis is no loss as such: the next turn tries again, until the clock decides.
 */
export class RenewalService {
  readonly #leases = new Set<Lease>()
  readonly #leaseMs: number
  readonly #batchSize: number
  #timer: NodeJS.Timeout | undefined
  #timerAt = Infinity
  #renewAt = Infinity
  #closed = false

  constructor({ leaseMs, batchSize }: Settings) {
    this.#leaseMs = leaseMs
    this.#batchSize = batchSize
  }

  /** How many leases are looked after. */
  get size(): number {
    return this.#leases.size
  }

  /** Looks after a lease from now on; to be told again when its end or its renewal has changed. */
  keep(lease: Lease): void {
    if (this.#closed) {
      lease.lose('closed')
      return
    }
    this.#leases.add(lease)
    if (lease.renewed) this.#renewAt = Math.min(this.#renewAt, performance.now() + this.#periodMs)
    this.#wakeAt(Math.min(this.#renewAt, lease.expiresAt))
  }

  /** Forgets a lease. No renewal of it is sent after this. */
  drop(lease: Lease): void {
    this.#leases.delete(lease)
  }

  /**
   * Renews every lease that wants it, by kind and slot, a batch to a call. Never rejects.
   *
   * No batch waits for another's answer, because a slot whose node is silent must not hold up the others. But there may be
   * thousands of them, and so the event loop gets a turn in between.
   */
  async renewAll(): Promise<void> {
    const calls: Promise<void>[] = []
    for (const burst of chunk([...this.#batches()], CALLS_PER_BURST)) {
      if (calls.length > 0) await setImmediate()
      for (const batch of burst) calls.push(this.#renew(batch))
    }
    await Promise.all(calls)
  }

  /** Ends every lease, also those that come later, because nobody will renew them. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    for (const lease of this.#leases) lease.lose('closed')
    this.#leases.clear()
  }

  get #periodMs(): number {
    return this.#leaseMs / 3
  }

  *#batches(): Generator<Lease[]> {
    const renewed = [...this.#leases].filter((lease) => lease.renewed)
    for (const sameKind of Map.groupBy(renewed, ({ kind }) => kind).values()) {
      for (const sameSlot of Map.groupBy(sameKind, ({ slot }) => slot).values())
        yield* chunk(sameSlot, this.#batchSize)
    }
  }

  async #renew(planned: readonly Lease[]): Promise<void> {
    const batch = planned.filter((lease) => this.#leases.has(lease)) // others may have been given back since
    const [first] = batch
    if (first === undefined) return
    const sentAt = performance.now()
    let held: readonly boolean[]
    try {
      held = await first.kind.renew(batch, this.#leaseMs, Deadline.after(this.#periodMs))
    } catch {
      return // the next turn tries again; the clock ends what cannot be renewed
    }
    batch.forEach((lease, index) => {
      if (!this.#leases.has(lease)) return // released meanwhile
      if (held[index] === true) lease.confirm(sentAt, this.#leaseMs)
      else this.#lose(lease, 'not-held')
    })
  }

  #lose(lease: Lease, reason: 'not-held' | 'expired'): void {
    this.drop(lease)
    lease.lose(reason)
  }

  #wakeAt(moment: number): void {
    if (moment >= this.#timerAt) return
    clearTimeout(this.#timer)
    this.#timerAt = moment
    this.#timer = outside(() =>
      setTimeout(
        () => {
          this.#turn()
        },
        timerDelay(moment - performance.now()),
      ).unref(),
    )
  }

  #turn(): void {
    this.#timerAt = Infinity
    const now = performance.now()
    for (const lease of this.#leases) if (lease.expiresAt <= now) this.#lose(lease, 'expired')
    if (this.#renewAt <= now) void this.#renewInTurn(now)
    this.#wakeAt(this.#nextMoment())
  }

  #renewInTurn(now: number): Promise<void> {
    const renewing = [...this.#leases].some(({ renewed }) => renewed)
    this.#renewAt = renewing ? now + this.#periodMs : Infinity
    return this.renewAll()
  }

  #nextMoment(): number {
    let next = this.#renewAt
    for (const { expiresAt } of this.#leases) next = Math.min(next, expiresAt)
    return next
  }
}
