import { tracingChannel } from 'node:diagnostics_channel'
import type { AcquireTrace } from '../../api/diagnostics.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { withoutWords } from '../../errors/without-words.js'
import type { Mutable } from '../../util/mutable.js'

const channel = tracingChannel<AcquireTrace>('ioredisson:acquire')

/** What is thrown where something was not free in time. */
const TIMEOUTS = ['LOCK_TIMEOUT', 'PERMIT_TIMEOUT', 'WORK_TIMEOUT', 'WORK_QUEUE_FULL'] as const

/** What may be traced. */
export interface Traceable {
  /** Ends the waiting of its caller. */
  readonly signal: AbortSignal | undefined
  /** Tells the subscribers of it; undefined where there are none. */
  readonly trace?: TracedAcquisition | undefined
}

/** The trace of one acquisition, from when it is asked for. */
export class TracedAcquisition {
  readonly #trace: Mutable<AcquireTrace>
  readonly #askedAt = performance.now()

  constructor(kind: string, name: string) {
    this.#trace = { kind, name, attempts: 0, waitedMs: 0, outcome: undefined }
    channel.start.publish(this.#trace)
    channel.end.publish(this.#trace)
  }

  /** A request asks Redis for it. What is asked after its end does not count. */
  attempt(): void {
    if (this.#trace.outcome === undefined) this.#trace.attempts += 1
  }

  acquired(): void {
    this.#end('acquired')
  }

  /** It was not free in time. */
  refused(): void {
    this.#end('refused')
  }

  /** It has ended with what its caller gets thrown. */
  thrown(error: unknown, signal: AbortSignal | undefined): void {
    if (TIMEOUTS.some((code) => isRedissonError(error, code))) this.#end('refused')
    else if (signal?.aborted === true && error === signal.reason) this.#end('aborted')
    else this.#end('failed', error)
  }

  /** The first end counts. */
  #end(outcome: NonNullable<AcquireTrace['outcome']>, error?: unknown): void {
    const trace = this.#trace
    if (trace.outcome !== undefined) return
    trace.outcome = outcome
    trace.waitedMs = performance.now() - this.#askedAt
    if (outcome === 'failed') {
      trace.error = withoutWords(error, 'The acquisition')
      channel.error.publish(trace)
    }
    channel.asyncStart.publish(trace)
    channel.asyncEnd.publish(trace)
  }
}

/**
 * Begins the trace of a request; without a subscriber, returns the request as it is.
 *
 * It has to be called in the synchronous part of the call, so that subscribers find the context of the caller.
 */
export function traced<R extends Traceable>(request: R, kind: string, name: string): R {
  return channel.hasSubscribers ? { ...request, trace: new TracedAcquisition(kind, name) } : request
}

/** Counts a request that asks Redis for all of these. */
export function countAttempt(asked: readonly Pick<Traceable, 'trace'>[]): void {
  for (const { trace } of asked) trace?.attempt()
}

/** Traces a request to its end, if it is traced. */
export function followed<T>(
  request: Traceable,
  acquiring: Promise<T>,
  isAcquired: (result: T) => boolean = isGranted,
): Promise<T> {
  const { trace } = request
  return trace === undefined ? acquiring : follow(trace, request.signal, acquiring, isAcquired)
}

async function follow<T>(
  trace: TracedAcquisition,
  signal: AbortSignal | undefined,
  acquiring: Promise<T>,
  isAcquired: (result: T) => boolean,
): Promise<T> {
  try {
    const result = await acquiring
    if (isAcquired(result)) trace.acquired()
    else trace.refused()
    return result
  } catch (error) {
    trace.thrown(error, signal)
    throw error
  }
}

/** Calls that refuse return nothing, or `false`. */
function isGranted(result: unknown): boolean {
  return result !== undefined && result !== false
}
