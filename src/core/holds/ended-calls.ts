import { AbortError } from '../../errors/client-errors.js'
import { raceAbort } from '../../util/abort/race-abort.js'

/** A call of several steps that ends when the signal of its object aborts: see {@link RedissonClient.withSignal}. */
export interface EndedCall {
  /** Undefined where nothing ends it. */
  readonly signal: AbortSignal | undefined
  /** A name of the call, for the error. */
  readonly request: string
  /** Whether something may have been changed by now. */
  readonly mayHaveRun: () => boolean
}

/**
 * Waits for the result of a call until its signal aborts. A callback that is running then is not stopped, and its result is dropped.
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

/** Returns the error of a call: an `AbortError` if the reason of its signal has ended the call, and otherwise the error itself. */
export function asEnded(error: unknown, { signal, request, mayHaveRun }: EndedCall): unknown {
  if (signal?.aborted !== true || !Object.is(error, signal.reason)) return error
  return new AbortError(request, { cause: error, mayHaveRun: mayHaveRun() })
}
