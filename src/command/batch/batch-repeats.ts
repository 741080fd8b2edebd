import type { Config } from '../../config/config.js'
import type { RedissonError } from '../../errors/redisson-error.js'
import type { BatchEntry } from './batch-entry.js'
import { isSentOn, overtakenOf, type Unanswered } from './batch-order.js'
import { inTheEnd } from '../requests/in-the-end.js'
import type { RequestRules } from '../requests/request-rules.js'

/** Which operations of a batch may be sent again. */
export class BatchRepeats {
  readonly #config: Config
  readonly #rules: RequestRules

  constructor(config: Config, rules: RequestRules) {
    this.#config = config
    this.#rules = rules
  }

  /** Whether another copy may follow the first one. None that was sent on to another node, or is sent in full, counts as an attempt. */
  mayFollow(unanswered: Unanswered): boolean {
    return isSentOn(unanswered) || (this.#config.retryAttempts > 0 && this.mayRepeat(unanswered))
  }

  /** Whether another copy may follow a later one. */
  mayRepeat({ entry: { request, options }, error }: Unanswered): boolean {
    return this.#rules.mayRepeat(request, error, options)
  }

  /** From when on no copy may be sent, on the monotonic clock. */
  forgottenAt({ request, options }: BatchEntry): number {
    return this.#rules.forgottenAt(request, options)
  }

  /** Whether the server may have forgotten its reply to an operation. */
  isForgotten({ request, options }: BatchEntry): boolean {
    return this.#rules.mayBeForgotten(request, options)
  }

  /** @throws the loss of an operation to which the server may have forgotten its reply */
  demandRemembered(entries: readonly BatchEntry[]): void {
    const forgotten = entries.find((entry) => this.isForgotten(entry))
    if (forgotten !== undefined) throw forgotten.request.loss as RedissonError
  }

  /**
   * Whether a transaction that failed may be repeated: all that it changes, or nothing. What it reads fails where it would find what the
   * transaction itself has changed.
   */
  maySendAgain(entries: readonly BatchEntry[], failure: unknown): boolean {
    const unanswered = entries.map((entry) => ({ entry, error: entry.request.explain(failure) }))
    if (!unanswered.every((each) => this.mayRepeat(each))) return false
    const overtaken = overtakenOf(entries, unanswered)
    if ([...overtaken].some(({ changes }) => changes)) return false
    for (const each of unanswered) if (overtaken.has(each.entry)) fail(each)
    return true
  }
}

/** Ends an operation that is not sent again. */
export function fail({ entry, error }: Unanswered): void {
  const { request } = entry
  entry.fail(inTheEnd(request.explain(error), request))
}
