import { AbortError } from '../../errors/client-errors.js'
import { raceAbort } from '../../util/race-abort.js'

/** A call of several steps, which the signal of its object ends: see {@link RedissonClient.withSignal}. */
export interface EndedCall {
  /** Undefined where nothing ends it. */
  readonly signal: AbortSignal | undefined
  /** What is asked, for the error. */
  readonly request: string
  /** Whether something may have been changed by now. */
  readonly mayHaveRun: () => boolean
}

/**
 * Waits for the result of a call until its signal aborts. What the call has begun goes on, such as a function of the program, and its result is dropped.
 *
 * @throws {@link AbortError} when the signal has aborted
 */
export async function untilEnded<T>(result: Promise<T>, call: EndedCall): Promise<T> {
  try {
    return await raceAbort(result, call.signal)
  } catch (error) {
    throw asEnded(error, call)
  }
}

/** What a call rejects with: an error of the library where the reason of its signal has ended it. */
export function asEnded(error: unknown, { signal, request, mayHaveRun }: EndedCall): unknown {
  if (signal?.aborted !== true || error !== signal.reason) return error
  return new AbortError(request, { cause: error, mayHaveRun: mayHaveRun() })
}

/** A signal that aborts when one of two does. */
export function eitherSignal(
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | undefined {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other])
}
