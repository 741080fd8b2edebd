import type { RunOptions } from '../../../command/operation/command-executor.js'
import { notSent } from '../../../command/requests/caller-wait.js'
import type { Sending } from '../../../connection/connection.js'
import type { OverdueWaiter } from '../../../connection/requests/overdue-waiters.js'
import { ReplyTimeoutError } from '../../../errors/connection-errors.js'
import type { RedissonError } from '../../../errors/redisson-error.js'
import { isTransient } from '../../../errors/transient.js'
import type { CacheParts, LoadRequest } from '../cache-parts.js'
import type { Entry } from '../entry-reader.js'
import type { Asking } from '../tag-times.js'
import type { Outage } from './outage.js'

type AttemptParts<V> = Pick<CacheParts<V>, 'reads' | 'marks' | 'redisTimeoutMs'>

/** The requests of one lookup, which has a limited time. */
export class Attempt<V> implements Asking, OverdueWaiter {
  previous: OverdueWaiter | undefined
  next: OverdueWaiter | undefined
  readonly request: LoadRequest<V>
  /** What was read, once it was. */
  seen: { readonly entry: Entry<V> | undefined } | undefined
  readonly #parts: AttemptParts<V>
  readonly #startedAt = performance.now()
  readonly #asked: AttemptRequest[] = []

  constructor(parts: AttemptParts<V>, request: LoadRequest<V>) {
    this.#parts = parts
    this.request = request
  }

  /** How long it may take, in milliseconds. */
  get limitMs(): number {
    return this.request.policy.redisTimeoutMs
  }

  /** When its time is over, on the monotonic clock. */
  get overdueAt(): number {
    return this.#startedAt + this.limitMs
  }

  /**
   * Makes a request that reads.
   *
   * @throws the error by which its node is down, at once; or why there is no reply, when the time is over
   */
  read<T>(key: string, request: (how: RunOptions) => Promise<T>): Promise<T> {
    return this.#ask(this.#parts.reads, key, request)
  }

  /** The same for one that marks a load. */
  mark<T>(key: string, request: (how: RunOptions) => Promise<T>): Promise<T> {
    return this.#ask(this.#parts.marks, key, request)
  }

  /** Its time is over: what has no reply rejects, and is not sent any more. */
  end(): void {
    const elapsedMs = performance.now() - this.#startedAt
    const isHurried = this.limitMs < this.#parts.redisTimeoutMs
    for (const asked of this.#asked) asked.giveUp(elapsedMs, isHurried ? 'doubt' : 'begin')
  }

  #ask<T>(outage: Outage, key: string, request: (how: RunOptions) => Promise<T>): Promise<T> {
    const down = outage.of([key])
    if (down !== undefined) return Promise.reject(down.error)
    const asked = new AttemptRequest(outage, key)
    this.#asked.push(asked)
    return asked.settled(request({ sending: asked.sending }))
  }
}

/** A request of a lookup. It settles with its reply, or when the time of the lookup is over. */
class AttemptRequest {
  readonly sending = notSent()
  readonly #outage: Outage
  readonly #key: string
  #isSettled = false
  #reject: ((error: Error) => void) | undefined

  constructor(outage: Outage, key: string) {
    this.#outage = outage
    this.#key = key
  }

  /** Settles with the result of the request, which says as well whether the node is down. */
  settled<T>(result: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reject = reject
      result.then(
        (reply) => {
          this.#isSettled = true
          this.#outage.over(this.#key) // also where it comes too late
          resolve(reply)
        },
        (error: unknown) => {
          if (!this.#isSettled && isTransient(error)) this.#outage.begin(this.#key, error)
          this.#isSettled = true
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the same that it has rejected with
          reject(error)
        },
      )
    })
  }

  /**
   * Rejects with the reason for which there is no reply. Nothing of it is sent any more.
   *
   * @param conclusion - what follows for the node: it is down, or that is in doubt
   */
  giveUp(elapsedMs: number, conclusion: 'begin' | 'doubt'): void {
    if (this.#isSettled) return
    this.#isSettled = true
    const error = reasonOf(this.sending, this.#outage.placeOf(this.#key), elapsedMs)
    this.sending.over = true
    this.#outage[conclusion](this.#key, error)
    this.#reject?.(error)
  }
}

/**
 * What Redis has said instead, or that it has said nothing.
 *
 * @param owner - where it should have gone, if it was not sent
 */
function reasonOf(
  { sent, place, refusal, unreachable }: Sending,
  owner: string,
  elapsedMs: number,
): RedissonError {
  const cause = refusal ?? (sent ? undefined : unreachable())
  return isTransient(cause) ? cause : timeoutAt(sent ? place : owner, elapsedMs, cause)
}

function timeoutAt(place: string, elapsedMs: number, cause?: RedissonError): ReplyTimeoutError {
  return new ReplyTimeoutError(place, Math.round(elapsedMs), cause && { cause })
}
