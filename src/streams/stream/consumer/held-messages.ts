import { Alarm } from '../../../util/time/alarm.js'

/** In which share of the time the messages are reported: three times until somebody may claim them. */
const RENEWALS = 3

/** From which share of the time on nothing is handed out without asking first: somebody may have claimed it, as clocks differ. */
const DOUBT = 0.8

/**
 * The messages that a consumer has received and not settled. It reports them to Redis, so that no other consumer claims them.
 *
 * The watchdog of the locks has one time for all, and this has that of its consumer.
 */
export class HeldMessages {
  readonly #keep: (ids: readonly string[]) => Promise<readonly string[]>
  readonly #claimIdleMs: number
  /** Since when Redis knows that each is held, on the monotonic clock. */
  readonly #since = new Map<string, number>()
  readonly #alarm = new Alarm(() => {
    void this.#inTurn()
  })

  /** @param keep - reports them; returns those that are another's by now */
  constructor(keep: (ids: readonly string[]) => Promise<readonly string[]>, claimIdleMs: number) {
    this.#keep = keep
    this.#claimIdleMs = claimIdleMs
  }

  has(id: string): boolean {
    return this.#since.has(id)
  }

  /** @param since - when the request was sent that has brought it */
  add(id: string, since: number): void {
    this.#since.set(id, since)
    if (this.#claimIdleMs !== Infinity) this.#alarm.setFor(since + this.#claimIdleMs / RENEWALS)
  }

  delete(id: string): void {
    this.#since.delete(id)
  }

  /** Whether it is held; whether somebody may have claimed it meanwhile; or whether that is known. */
  stateOf(id: string): 'held' | 'in doubt' | 'lost' {
    const since = this.#since.get(id)
    if (since === undefined) return 'lost'
    return performance.now() > since + this.#claimIdleMs * DOUBT ? 'in doubt' : 'held'
  }

  /** Reports all of them. Those that are another's are held no more. */
  async keepAll(): Promise<void> {
    const ids = [...this.#since.keys()]
    const now = performance.now()
    const lost = new Set(await this.#keep(ids))
    for (const id of ids) {
      if (lost.has(id)) this.#since.delete(id)
      else if (this.#since.has(id)) this.#since.set(id, now)
    }
  }

  /** Reports nothing any more. */
  close(): void {
    this.#alarm.clear()
  }

  /** Where Redis cannot be reached, the next turn tries again. */
  async #inTurn(): Promise<void> {
    if (this.#since.size === 0) return
    this.#alarm.setFor(performance.now() + this.#claimIdleMs / RENEWALS)
    await this.keepAll().catch(() => undefined)
  }
}
