import type { OnceRun } from './once.api.js'
import { refusalOf } from '../../core/context/late-release.js'
import { lazyLossSignal } from '../../core/holds/lazy-loss-signal.js'
import type { LockContext } from '../../core/context/object-context.js'
import type { LockLossReason } from '../../errors/lock-errors.js'
import { MarkLostError } from '../../errors/service-errors.js'
import type { Lease, LeaseHolder } from '../../renewal/lease.js'
import { followAborts } from '../../util/abort/follow-aborts.js'
import { outcomeWithin } from '../../util/time/outcome-within.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'

/** A request at the end of a mark, which is repeated where its reply is lost. */
export interface Ending<T> {
  /** Rejects when the first attempt could not reach Redis. */
  readonly answer: Promise<T>
  /** Resolves when Redis has confirmed it, or further attempts are useless. Never rejects. */
  readonly over: Promise<void>
}

/** What becomes of a mark in Redis. */
export interface MarkEnds {
  /** Extends it to its promised time, if it would end earlier. The reply is whether it still existed. */
  readonly keep: () => Ending<boolean>
  /** Removes it. The reply is whether it was still there. */
  readonly remove: () => Ending<boolean>
  /** When the function throws. */
  readonly onError: 'keep' | 'remove'
  /** When a shutdown is to release what is left. */
  readonly onRelease: 'keep' | 'remove'
}

interface MarkOptions {
  /** The name, as the program gave it. */
  readonly once: string
  readonly fire: string | undefined
  readonly leaseOf: (holder: LeaseHolder) => Lease
  /** What traces call it, and its key in Redis. */
  readonly mark: { readonly kind: string; readonly name: string }
  readonly context: Pick<LockContext, 'config' | 'events' | 'renewal'>
  readonly ends: MarkEnds
}

/** The mark of one run, while its function runs. */
export class Mark implements LeaseHolder {
  readonly #facts: MarkOptions
  readonly #lease: Lease
  readonly #controller = new AbortController()
  #lost: MarkLostError | undefined
  /** Whether the function has ended. */
  #ended = false

  constructor(facts: MarkOptions) {
    this.#facts = facts
    this.#lease = facts.leaseOf(this)
  }

  onLeaseLost(reason: LockLossReason): void {
    const { once, fire, context } = this.#facts
    context.renewal.untrack(this.#lease)
    if (this.#lost !== undefined || this.#ended) return
    const lost = new MarkLostError({ once, fire, reason: reason === 'forced' ? 'not-held' : reason })
    this.#lost = lost
    withoutAsyncContext(() => {
      this.#controller.abort(lost)
    })
  }

  async giveBack(): Promise<void> {
    const { remove, onRelease } = this.#facts.ends
    if (onRelease === 'remove' && !this.#ended) await remove().answer
  }

  /** Runs the function that the mark is for. */
  async run<T>(fn: (run: OnceRun) => T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
    const { context, ends } = this.#facts
    context.renewal.track(this.#lease)
    const stopListening = followAborts(this.#controller, [signal])
    const end = () => {
      this.#ended = true
      stopListening()
    }
    let value: T
    try {
      value = await fn({ signal: lazyLossSignal(this.#controller, () => this.#lookAtClock()) })
    } catch (error) {
      end()
      await this.#end(ends.onError).catch(() => undefined) // the function's own error says more
      throw error
    }
    end()
    const kept = await this.#end('keep')
    if (kept === false) throw this.#lost ?? this.#gone()
    return value
  }

  /**
   * Settles the mark at the end of the function, and waits for that only so long; returns what Redis has replied in time, if anything.
   *
   * What was lost by this process's clock may still be there, so Redis is asked in any case. Where it cannot be reached, the loss counts.
   */
  async #end(end: 'keep' | 'remove'): Promise<boolean | undefined> {
    const { once: name, context } = this.#facts
    const { kind, name: key } = this.#facts.mark
    const settled = await outcomeWithin(this.#settle(end), context.config.releaseWaitMs)
    if (settled?.status === 'fulfilled') return settled.value
    if (this.#lost !== undefined) return false
    const refusal = refusalOf(context, { kind, key, name }, settled)
    if (refusal !== undefined) throw refusal
    return undefined
  }

  #gone(): MarkLostError {
    const { once, fire } = this.#facts
    return new MarkLostError({ once, fire, reason: 'not-held' })
  }

  /** Settles the mark in Redis. One that stays is renewed until Redis knows, because it could end before. */
  #settle(end: 'keep' | 'remove'): Promise<boolean> {
    const { context, ends } = this.#facts
    const { answer, over } = ends[end]()
    const drop = () => {
      context.renewal.untrack(this.#lease)
    }
    if (end === 'remove') drop()
    else void over.then(drop)
    return answer
  }

  #lookAtClock(): void {
    if (this.#lease.expired) this.#lease.lose('expired')
  }
}
