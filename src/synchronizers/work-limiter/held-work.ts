import type { Work } from './work-limiter.api.js'
import { refusalOf } from '../../core/context/late-release.js'
import type { LockContext } from '../../core/context/object-context.js'
import { lazyLossSignal } from '../../core/holds/lazy-loss-signal.js'
import type { LockLossReason } from '../../errors/lock-errors.js'
import { Lease, type LeaseHolder, type RenewalKind } from '../../renewal/lease.js'
import { followAborts } from '../../util/abort/follow-aborts.js'
import { outcomeWithin } from '../../util/time/outcome-within.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import type { WorkRequest } from './settings.js'
import type { Granted } from './waiting-work.js'
import { WorkLostError } from './work-limiter.errors.js'

interface HeldFacts {
  /** The name of the limiter, as the program gave it, and its key. */
  readonly limiter: string
  readonly key: string
  readonly kind: RenewalKind
  readonly request: WorkRequest
  readonly granted: Granted
  readonly context: LockContext
  /** Gives the places back. No renewal is sent after this was called. */
  readonly giveBack: () => Promise<unknown>
}

/** The places of a function while it runs. */
export class HeldWork implements LeaseHolder {
  readonly #facts: HeldFacts
  readonly #lease: Lease
  readonly #controller = new AbortController()
  #lost: WorkLostError | undefined
  #isOver = false

  constructor(facts: HeldFacts) {
    const { key, limiter, kind, request, granted, context } = facts
    const { config, renewal, topology } = context
    this.#facts = facts
    const owner = `${granted.id} ${granted.first} ${granted.count}`
    this.#lease = new Lease({ kind, name: key, owner, slot: topology.slotOf(key) }, this)
    this.#lease.renewed = true
    this.#lease.confirm(granted.leaseFrom, config.lockWatchdogTimeoutMs)
    renewal.track(this.#lease)
    if (this.#lost !== undefined) return // the client was shut down meanwhile
    const what = `A place of work limiter ${limiter}`
    request.watched?.start({ what, owner: granted.id, isRenewed: () => true })
  }

  /** Why its places were lost, if they were. */
  get lost(): WorkLostError | undefined {
    if (!this.#isOver && this.#lease.expired) this.onLeaseLost('expired')
    return this.#lost
  }

  onLeaseLost(reason: LockLossReason): void {
    if (this.#lost !== undefined || this.#isOver) return
    const { limiter } = this.#facts
    const lost = new WorkLostError({ limiter, reason: reason === 'forced' ? 'not-held' : reason })
    this.#lost = lost
    this.#lease.endBy(reason)
    this.#stopWatching()
    withoutAsyncContext(() => {
      this.#controller.abort(lost)
    })
  }

  async giveBack(): Promise<void> {
    if (!this.#isOver) await this.#facts.giveBack()
  }

  /** Runs the function, and gives its places back. */
  async run<T>(fn: (work: Work) => T | PromiseLike<T>): Promise<T> {
    const stopListening = followAborts(this.#controller, [this.#facts.request.signal])
    try {
      return await fn({ signal: lazyLossSignal(this.#controller, () => this.lost) })
    } finally {
      stopListening()
      await this.#end()
    }
  }

  /** Ends the hold of a function that has not begun. */
  drop(): void {
    this.#isOver = true
    this.#stopWatching()
  }

  /** Gives the places back, even if they were lost by this process's clock, and waits for that only so long. */
  async #end(): Promise<void> {
    const { context, limiter: name, key, granted } = this.#facts
    const isLost = this.lost !== undefined
    this.drop()
    const outcome = await outcomeWithin(this.#facts.giveBack(), context.config.releaseWaitMs)
    const ended = { kind: this.#lease.kind.name, key, name, owner: granted.id }
    if (!isLost) refusalOf(context, ended, outcome)
  }

  /** Stops watching the places. */
  #stopWatching(): void {
    const { context, request } = this.#facts
    context.renewal.untrack(this.#lease)
    request.watched?.stop()
  }
}
