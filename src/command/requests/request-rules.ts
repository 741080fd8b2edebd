import type { Config } from '../../config/config.js'
import { ClientClosedError } from '../../errors/client-errors.js'
import { OvertakenError } from '../../errors/overtaken.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { isBetweenNodes, isLasting, isTransient, mayPass } from '../../errors/transient.js'
import { onAbort } from '../../util/abort/abort-listeners.js'
import { Deadline } from '../../util/time/deadline.js'
import type { RunOptions } from '../operation/command-executor.js'
import type { DedupCleanup } from '../once/dedup-cleanup.js'
import { inTheEnd } from './in-the-end.js'
import { keptMs } from '../once/once-evaluation.js'
import type { Requests } from './requests.js'
import type { Transmission } from '../operation/transmission.js'

/** Which requests are sent again, when, and what their replies mean: for single requests and for batches. */
export class RequestRules {
  readonly #config: Config
  readonly #requests: Requests
  readonly #cleanup: DedupCleanup
  readonly #closing: AbortSignal

  constructor(config: Config, requests: Requests, cleanup: DedupCleanup, closing: AbortSignal) {
    this.#config = config
    this.#requests = requests
    this.#cleanup = cleanup
    this.#closing = closing
  }

  /** For how long a request has to be remembered, in milliseconds. */
  lifeMs(options: RunOptions): number {
    return this.#requests.lifeMs(options)
  }

  /** Whether a request may be sent once more after an error. */
  mayRepeat(request: Transmission<unknown>, error: unknown, options: RunOptions): boolean {
    const {
      deadline = Deadline.never,
      divisible = false,
      insistMs,
      until = Infinity,
      endOfWaiting,
      sending,
      isOfUse,
    } = options
    const isLost = request.loss !== undefined
    // Of what carries an idempotency key only a copy with the same key is harmless then; requests about each key would have others.
    if (divisible && isBetweenNodes(error) && !(isLost && request.isKept)) return false
    if (!request.isRepeatable && isLost) return false
    const passes = insistMs === undefined ? isTransient(error) : mayPass(error)
    if (!passes || this.mayBeForgotten(request, options)) return false
    if (sending?.over === true || (options.failFast === true && isNotSent(error))) return false
    if (isLasting(error) && isToldSoon(request, options)) return false
    if (performance.now() >= until || isOfUse?.() === false) return false
    // Redis works, and has the first copy: another one only has the reply come sooner.
    if (error instanceof OvertakenError) return true
    return endOfWaiting?.aborted !== true && !this.#closing.aborted && !deadline.passed
  }

  /**
   * Whether another attempt may follow that many.
   *
   * A cluster rejects at once what is for a node that refuses connections. Other connections wait for the next attempt to connect, and so
   * get over a restart. To get as far, a request without a connection is tried for as long as replies would be waited for.
   */
  isOneLeft(attempt: number, request: Transmission<unknown>, error: unknown): boolean {
    const { retryAttempts, timeoutMs, longestRetryDelayMs, server } = this.#config
    if (attempt < retryAttempts) return true
    const isCluster =
      server.mode === 'cluster' ||
      (server.mode === 'ioredis' && 'isCluster' in server.client && server.client.isCluster === true)
    if (!isCluster || retryAttempts === 0 || !isRedissonError(error, 'CONNECTION_LOST')) return false
    return request.facts.elapsedMs + longestRetryDelayMs < timeoutMs * (retryAttempts + 1)
  }

  /**
   * From when on no copy may be sent, on the monotonic clock. The server may have forgotten, when it arrives, its reply to an earlier one, so
   * that it would count twice.
   *
   * Copies are sent in time, unless this process is suspended for a while, or a copy has to wait for others.
   */
  forgottenAt({ lostSince, isKept }: Transmission<unknown>, options: RunOptions): number {
    if ((options.remember !== true && !isKept) || lostSince === undefined) return Infinity
    return lostSince + this.lifeMs(options) - this.#requests.attemptMs(options)
  }

  /** Whether it is too late for a copy. */
  mayBeForgotten(request: Transmission<unknown>, options: RunOptions): boolean {
    return performance.now() >= this.forgottenAt(request, options)
  }

  /** The result of a request, unless it leaves open whether an earlier copy ran. */
  resultOf<R>(
    request: Transmission<unknown>,
    result: R,
    options: RunOptions,
    unchanged: false | undefined,
  ): R {
    if (request.loss !== undefined && !request.isKept && unchanged !== undefined && result === unchanged)
      throw inTheEnd(request.loss, request)
    this.#forget(request, options)
    return result
  }

  /** Takes note of the error in which a request has ended. */
  ended(request: Transmission<unknown>, error: unknown, options: RunOptions): void {
    if (request.isKept && isFailure(error)) this.#forget(request, options)
  }

  /** Removes Redis's stored reply to the only copy of a request. */
  #forget({ attempts, isKept, requestKey }: Transmission<unknown>, options: RunOptions): void {
    const { remember = false, keep = false, sending } = options
    if ((!remember && !isKept) || keep || attempts !== 1) return
    if (sending?.over === true) return // what undoes it without a caller needs that reply
    const lifeMs = this.lifeMs(options)
    this.#cleanup.forget(requestKey, isKept ? keptMs(lifeMs) : lifeMs)
  }

  /** Waits before another attempt. */
  async pause(attempt: number, { endOfWaiting }: RunOptions = {}): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const signals = endOfWaiting === undefined ? [this.#closing] : [this.#closing, endOfWaiting]
    const end = () => {
      reject(new ClientClosedError())
    }
    const timer = setTimeout(resolve, this.#config.retryDelay(attempt))
    const stops = signals.map((signal) => onAbort(signal, end)) // thousands of calls may pause at once
    if (signals.some(({ aborted }) => aborted)) end()
    try {
      await promise
    } finally {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }
}

/** Whether the caller is told of a state that lasts. Renewals and releases go on, as what they are for would be lost. */
function isToldSoon(
  { attempts }: Transmission<unknown>,
  { insistMs, deadline, replyBy }: RunOptions,
): boolean {
  const isBackground = insistMs !== undefined || (deadline !== undefined && deadline !== replyBy)
  return attempts > 1 && !isBackground
}

/** Whether Redis could not be reached. */
function isNotSent(error: unknown): boolean {
  return isRedissonError(error, 'CONNECTION_LOST') && !error.mayHaveRun
}

/** Whether Redis has replied with an error, which it keeps as any reply. */
function isFailure(error: unknown): boolean {
  return (
    isRedissonError(error, 'SCRIPT') ||
    isRedissonError(error, 'COMMAND') ||
    isRedissonError(error, 'WRONG_TYPE')
  )
}
