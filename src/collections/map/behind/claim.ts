import { lazyLossSignal } from '../../../core/holds/lazy-loss-signal.js'
import { safeUntil } from '../../../renewal/lease.js'
import { afterReading } from '../../../util/time/after-reading.js'
import { Alarm } from '../../../util/time/alarm.js'
import { withoutAsyncContext } from '../../../util/time/without-async-context.js'

interface ClaimOptions {
  /** Extends the claim to that number of milliseconds from now. Resolves with whether it still existed. */
  readonly extend: (leaseMs: number) => Promise<boolean>
  /** For how long it was made. */
  readonly leaseMs: number
  /** When the request was sent that made it, on the monotonic clock. */
  readonly sentAt: number
}

/** Keeps what a client has claimed for it, until that ends. */
export class Claim {
  /** Aborts when another client may have claimed the same. */
  readonly signal: AbortSignal
  readonly #lost = new AbortController()
  readonly #options: ClaimOptions
  readonly #timer: NodeJS.Timeout
  readonly #alarm = new Alarm(() => void this.#lookAfterReading())
  /** Until when it lasts for certain, on the monotonic clock. */
  #until: number
  #ended = false

  constructor(options: ClaimOptions) {
    const { leaseMs, sentAt } = options
    this.#options = options
    this.#until = safeUntil(sentAt, leaseMs)
    this.signal = lazyLossSignal(this.#lost, () => this.#lookAtClock())
    this.#timer = withoutAsyncContext(() => setInterval(() => void this.#renew(), leaseMs / 3).unref())
    this.#alarm.setFor(this.#until)
  }

  end(): void {
    this.#ended = true
    clearInterval(this.#timer)
    this.#alarm.clear()
  }

  /** A process that was suspended may find that its claim has ended, and must not ask for more of it. */
  async #renew(): Promise<void> {
    if (this.#hasRunOut) await afterReading()
    if (this.signal.aborted) return
    const { extend, leaseMs } = this.#options
    const sentAt = performance.now()
    const kept = await extend(leaseMs).catch(() => undefined) // it is tried again while there is time
    if (kept === true) this.#until = Math.max(this.#until, safeUntil(sentAt, leaseMs))
    if (kept === false) this.#lose()
  }

  get #hasRunOut(): boolean {
    return performance.now() >= this.#until
  }

  /** While the process stood still, a reply may have come that extends it. */
  async #lookAfterReading(): Promise<void> {
    await afterReading()
    this.#lookAtClock()
  }

  #lookAtClock(): void {
    if (this.#ended) return
    if (this.#hasRunOut) this.#lose()
    else this.#alarm.setFor(this.#until)
  }

  #lose(): void {
    if (this.#ended) return
    this.end()
    withoutAsyncContext(() => {
      this.#lost.abort(new Error('Another client may write the same by now'))
    })
  }
}
