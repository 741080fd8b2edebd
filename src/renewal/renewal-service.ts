import { KnownMatch } from '../util/collections/known-match.js'
import { Alarm } from '../util/time/alarm.js'
import { timerDelay } from '../util/time/timers.js'
import type { HoldTraces } from './hold-traces.js'
import type { Lease } from './lease.js'
import { Renewals, type RenewalSettings } from './renewals.js'

/** How many periods of a lease are left at least when it is granted in time. One of which less is left, because a reply was lost, is renewed at once. */
const LEFT_AT_FIRST = 2.5

/**
 * The watchdog: one timer for every lease of a client.
 *
 * It renews three times per lease, and says so when a lease has ended, by Redis's word or by the clock, whichever comes
 * first. An unreachable Redis is no loss as such: the next turn tries again, until the clock decides. An error that will not
 * pass is reported to the process as well.
 */
export class RenewalService {
  readonly #leases = new Set<Lease>()
  /** Those that this process may still release itself. */
  readonly #own = new KnownMatch(this.#leases, ({ handedOn }) => !handedOn)
  readonly #renewals: Renewals
  readonly #traces: HoldTraces | undefined
  readonly #alarm = new Alarm(() => {
    this.#begin()
  })
  #renewAt = Infinity
  /** Those that were granted late, until they are renewed for the first time. */
  readonly #late: Lease[] = []
  #reading: NodeJS.Immediate | undefined
  #closed = false
  #onDrained: (() => void) | undefined

  /** @param traces - traces how leases begin and end, where they are holds of the program */
  constructor(settings: RenewalSettings, traces?: HoldTraces) {
    this.#traces = traces
    this.#renewals = new Renewals(settings, {
      isTracked: (lease) => this.#leases.has(lease),
      notHeld: (lease) => {
        this.#lose(lease, 'not-held')
      },
    })
  }

  /** How many leases are watched. */
  get size(): number {
    return this.#leases.size
  }

  /**
   * Whether a lease may have ended by the clock before what has arrived was read: the program has not let the event loop run. A call that can
   * wait reads first, before it takes something for lost.
   */
  get isBehind(): boolean {
    return this.#alarm.isOverdue || this.#reading !== undefined
  }

  /** Watches a lease from now on; to be called again when its end or its renewal has changed. */
  track(lease: Lease): void {
    if (this.#closed) {
      lease.lose('closed')
      return
    }
    const isNew = !this.#leases.has(lease)
    if (isNew) this.#traces?.begin(lease)
    this.#leases.add(lease)
    if (lease.renewed) {
      const { periodMs } = this.#renewals
      const now = performance.now()
      this.#renewAt = Math.min(this.#renewAt, now + periodMs)
      const leftMs = lease.expiresAt - now
      if (isNew && leftMs > 0 && leftMs < LEFT_AT_FIRST * periodMs) this.#renewSoon(lease)
    }
    this.#alarm.setFor(Math.min(this.#renewAt, lease.expiresAt))
  }

  /** Forgets a lease. No renewal of it is sent after this. */
  untrack(lease: Lease): void {
    if (this.#leases.delete(lease)) this.#traces?.end(lease, lease.lostBy)
    if (this.#onDrained !== undefined && !this.#own.look()) this.#onDrained()
  }

  /**
   * Waits until no renewal of a lease is under way, and has none be sent again if the lease is not to be renewed any more.
   *
   * A renewal whose reply was lost would otherwise be repeated after what was asked for since, and undo that.
   */
  async quiet(lease: Lease): Promise<void> {
    await this.#renewals.quiet(lease)
  }

  /** Waits until everything has been released or has ended, but no longer than that number of milliseconds. */
  async drained(withinMs: number): Promise<void> {
    if (withinMs === 0 || !this.#own.look()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = withinMs === Infinity ? undefined : setTimeout(resolve, timerDelay(withinMs))
    this.#onDrained = resolve
    await promise
    this.#onDrained = undefined
    clearTimeout(timer)
  }

  /** Renews every lease that wants it. Never rejects. */
  async renewAll(): Promise<void> {
    await this.#renewals.renew([...this.#leases])
  }

  /** Renews the lease of an owner at once, in the middle of a period, or one of several for the same. Never rejects. */
  async renewNow(name: string, owner: string): Promise<void> {
    const lease = [...this.#leases].find((one) => one.name === name && one.owner === owner)
    if (lease !== undefined) await this.#renewals.renew([lease])
  }

  /**
   * Ends every lease, also those that come later, because they are not renewed any more. Returns those that were left, and are this
   * process's own.
   */
  close(): Lease[] {
    this.#closed = true
    this.#alarm.clear()
    clearImmediate(this.#reading)
    const own = [...this.#leases].filter(({ handedOn }) => !handedOn)
    for (const lease of this.#leases) {
      this.#traces?.end(lease, 'closed')
      lease.lose('closed')
    }
    this.#leases.clear()
    return own
  }

  /** Renews a lease at once, together with others that were granted at the same time. */
  #renewSoon(lease: Lease): void {
    if (this.#late.push(lease) === 1) process.nextTick(() => void this.#renewals.renew(this.#late.splice(0)))
  }

  #lose(lease: Lease, reason: 'not-held' | 'expired'): void {
    this.#traces?.end(lease, reason)
    this.untrack(lease)
    lease.lose(reason)
  }

  /**
   * Begins a turn. Before a lease is taken for expired, what has arrived is read: while the process stood still, a reply may have come that
   * renews it, and timers fire before that is read.
   */
  #begin(): void {
    if (!this.#hasExpired) this.#turn()
    else
      this.#reading ??= setImmediate(() => {
        this.#reading = undefined
        this.#turn()
      })
  }

  get #hasExpired(): boolean {
    for (const { expired } of this.#leases) if (expired) return true
    return false
  }

  #turn(): void {
    const now = performance.now()
    for (const lease of this.#leases) if (lease.expiresAt <= now) this.#lose(lease, 'expired')
    if (this.#renewAt <= now) void this.#renewInTurn(now)
    this.#alarm.setFor(this.#nextMoment())
  }

  #renewInTurn(now: number): Promise<void> {
    const renewing = [...this.#leases].some(({ renewed }) => renewed)
    this.#renewAt = renewing ? now + this.#renewals.periodMs : Infinity
    return this.renewAll()
  }

  #nextMoment(): number {
    let next = this.#renewAt
    for (const { expiresAt } of this.#leases) next = Math.min(next, expiresAt)
    return next
  }
}
