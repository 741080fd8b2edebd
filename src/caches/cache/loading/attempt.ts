import type { RunOptions } from '../../../command/operation/command-executor.js'
import { notSent } from '../../../command/requests/caller-wait.js'
import type { Sending } from '../../../connection/connection.js'
import { ReplyTimeoutError } from '../../../errors/connection-errors.js'
import type { RedissonError } from '../../../errors/redisson-error.js'
import { isTransient } from '../../../errors/transient.js'
import type { CacheParts, LoadRequest } from '../cache-parts.js'
import type { Entry } from '../entry-reader.js'
import type { Ask } from '../tag-times.js'
import type { Outage } from './outage.js'

/** A request that has no reply. */
interface Open {
  readonly key: string
  readonly sending: Sending
  readonly outage: Outage
}

/** The requests of one lookup, which has a limited time. */
export class Attempt<V> {
  readonly request: LoadRequest<V>
  /** What was read, once it was. */
  seen: { readonly entry: Entry<V> | undefined } | undefined
  readonly #parts: Pick<CacheParts<V>, 'keys' | 'reads' | 'marks'>
  readonly #open = new Set<Open>()
  #isLate = false

  constructor(parts: Pick<CacheParts<V>, 'keys' | 'reads' | 'marks'>, request: LoadRequest<V>) {
    this.#parts = parts
    this.request = request
  }

  /** Whether its time is over: no call waits for it any more, and it begins no load. */
  get isLate(): boolean {
    return this.#isLate
  }

  /**
   * Makes a request that reads.
   *
   * @throws the error by which its node is down, at once
   */
  readonly read: Ask = (key, request) => this.#ask(this.#parts.reads, key, request)

  /** The same for one that marks a load. */
  readonly mark: Ask = (key, request) => this.#ask(this.#parts.marks, key, request)

  /** Its time is over: what has no reply is not sent any more. Returns why it has none. */
  end(elapsedMs: number): Error {
    this.#isLate = true
    let first: RedissonError | undefined
    for (const { key, sending, outage } of this.#open) {
      const error = reasonOf(sending, elapsedMs)
      sending.over = true
      outage.begin(key, error)
      first ??= error
    }
    const { keys, reads } = this.#parts
    return first ?? timeoutAt(reads.placeOf(keys.of(this.request.key).entry), elapsedMs)
  }

  async #ask<T>(outage: Outage, key: string, request: (how: RunOptions) => Promise<T>): Promise<T> {
    const down = outage.of([key])
    if (down !== undefined) throw down.error
    const open = { key, outage, sending: notSent(outage.placeOf(key)) }
    this.#open.add(open)
    try {
      const reply = await request({ sending: open.sending })
      outage.over(key)
      return reply
    } catch (error) {
      if (!this.#isLate && isTransient(error)) outage.begin(key, error)
      throw error
    } finally {
      this.#open.delete(open)
    }
  }
}

/** What Redis has said instead, or that it has said nothing. */
function reasonOf({ sent, place, refusal, unreachable }: Sending, elapsedMs: number): RedissonError {
  const cause = refusal ?? (sent ? undefined : unreachable())
  return isTransient(cause) ? cause : timeoutAt(place, elapsedMs, cause)
}

function timeoutAt(place: string, elapsedMs: number, cause?: RedissonError): ReplyTimeoutError {
  return new ReplyTimeoutError(place, Math.round(elapsedMs), cause && { cause })
}
