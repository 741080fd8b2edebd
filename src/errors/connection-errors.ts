import { RedissonError, type RedissonErrorOptions } from './redisson-error.js'

/** What is known of a request that failed in the end. */
export interface RequestFacts {
  /** The request, such as `lock/acquire of orders`. */
  readonly request: string
  /** How often it was sent. */
  readonly attempts: number
  /** How long that took altogether, in milliseconds. */
  readonly elapsedMs: number
  /** Whether the reply to a copy was lost, so that it may have run. */
  readonly mayHaveRun: boolean
}

/** Facts and cause, as far as they are known. */
export type RequestErrorOptions = Partial<RequestFacts> & RedissonErrorOptions

/** The base of errors after which the same call may well succeed a moment later. */
export abstract class RequestError extends RedissonError {
  /** The request, such as `lock/acquire of orders`, where that is known. */
  readonly request: string | undefined
  /** How often it was sent, where that is known. */
  readonly attempts: number | undefined
  /** How long that took altogether, in milliseconds, where that is known. */
  readonly elapsedMs: number | undefined
  readonly #problem: string

  constructor(problem: string, { request, attempts, elapsedMs, ...options }: RequestErrorOptions = {}) {
    const facts = [request, takenFor(attempts, elapsedMs)].filter((fact) => fact !== undefined)
    super(facts.length === 0 ? problem : `${problem} (${facts.join(', ')})`, options)
    this.request = request
    this.attempts = attempts
    this.elapsedMs = elapsedMs === undefined ? undefined : inTenths(elapsedMs)
    this.#problem = problem
  }

  /** The failure, without the request. */
  protected get problem(): string {
    return this.#problem
  }

  /** Returns the same error with what is known of the request. */
  abstract about(facts: RequestFacts): RequestError
}

/** A duration that a program may print: the clock has more digits than it means. */
function inTenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

function takenFor(attempts: number | undefined, elapsedMs: number | undefined): string | undefined {
  if (attempts === undefined || elapsedMs === undefined) return undefined
  return `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} in ${Math.round(elapsedMs)} ms`
}

/**
 * The servers could not be reached, or the connection broke before Redis replied, so whether the command ran is unknown.
 *
 * What such a request may have acquired of a lock or a synchronizer is released, and acquiring it again is safe. For any other call,
 * {@link RedissonError.mayHaveRun} says whether it may have taken effect. After a release that failed so, such as `unlock()`, what was done
 * under the lock is done, and the release is sent again in the background.
 */
export class ConnectionLostError extends RequestError {
  override readonly name = 'ConnectionLostError'
  override readonly code = 'CONNECTION_LOST'

  constructor(problem: string, { mayHaveRun = true, ...options }: RequestErrorOptions = {}) {
    super(problem, { mayHaveRun, ...options })
  }

  override about(facts: RequestFacts): ConnectionLostError {
    return new ConnectionLostError(this.problem, { ...facts, cause: this.cause })
  }
}

/**
 * Redis did not reply in time, so whether the command ran is unknown.
 *
 * What such a request may have acquired of a lock or a synchronizer is released, and acquiring it again is safe. For any other call,
 * {@link RedissonError.mayHaveRun} says whether it may have taken effect. After a release that failed so, such as `unlock()`, what was done
 * under the lock is done, and the release is sent again in the background.
 */
export class ReplyTimeoutError extends RequestError {
  override readonly name = 'ReplyTimeoutError'
  override readonly code = 'REPLY_TIMEOUT'
  /** The server, as `host:port`. */
  readonly address: string
  /** How long each reply was waited for, in milliseconds. */
  readonly timeoutMs: number

  constructor(
    address: string,
    timeoutMs: number,
    { mayHaveRun = true, ...options }: RequestErrorOptions = {},
  ) {
    super(`Redis at ${address} did not reply within ${timeoutMs} ms`, { mayHaveRun, ...options })
    this.address = address
    this.timeoutMs = timeoutMs
  }

  override about(facts: RequestFacts): ReplyTimeoutError {
    return new ReplyTimeoutError(this.address, this.timeoutMs, { ...facts, cause: this.cause })
  }
}

/**
 * Redis refused the command for now, as it does while it loads, fails over, has too few replicas, has no memory left or cannot
 * write to its disk. This copy of the request did not run; {@link RedissonError.mayHaveRun} says whether an earlier one may have.
 */
export class ServerNotReadyError extends RequestError {
  override readonly name = 'ServerNotReadyError'
  override readonly code = 'SERVER_NOT_READY'

  override about(facts: RequestFacts): ServerNotReadyError {
    return new ServerNotReadyError(this.problem, { ...facts, cause: this.cause })
  }
}

/** Redis, or a sentinel, refused the user name or the password, or does not let this user connect. Nothing ran. */
export class AuthenticationError extends RedissonError {
  override readonly name = 'AuthenticationError'
  override readonly code = 'AUTHENTICATION'
  /** Which server it was, as `host:port`. */
  readonly address: string

  constructor(message: string, options: ErrorOptions & { readonly address: string }) {
    super(message, options)
    this.address = options.address
  }
}

/**
 * A function of the settings that returns credentials has failed, has returned none, or has not settled in time. Nothing ran.
 *
 * It is the `cause` of a {@link ConnectionLostError}, because connecting is tried again.
 */
export class CredentialsError extends RedissonError {
  override readonly name = 'CredentialsError'
  override readonly code = 'CREDENTIALS'
  /** For which server they were asked for, as `host:port`, or as the path of its socket. */
  readonly address: string

  constructor(message: string, options: ErrorOptions & { readonly address: string }) {
    super(message, options)
    this.address = options.address
  }
}

/** A channel could not be subscribed in time. */
export class SubscriptionTimeoutError extends RedissonError {
  override readonly name = 'SubscriptionTimeoutError'
  override readonly code = 'SUBSCRIPTION_TIMEOUT'
  /** The channel of the subscription. */
  readonly channel: string
  /** How long the confirmation was really waited for, in milliseconds. */
  readonly elapsedMs: number

  constructor(channel: string, elapsedMs: number, options?: ErrorOptions) {
    super(`Redis did not confirm the subscription to ${channel} within ${Math.round(elapsedMs)} ms`, options)
    this.channel = channel
    this.elapsedMs = inTenths(elapsedMs)
  }
}
