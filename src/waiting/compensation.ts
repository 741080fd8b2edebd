import pRetry from 'p-retry'
import { mayHaveRun, mayPass } from '../errors/transient.js'
import { raceAbort } from '../util/race-abort.js'

/** The first and the longest pause before a request is undone once more, in milliseconds. */
const UNDO_PAUSES = { minTimeout: 100, maxTimeout: 1000 }

/** A request that takes something, and for which no caller waits any more. */
export interface Abandoned<T> {
  /** The reply to the request. */
  readonly answer: Promise<T>
  /**
   * Releases what a reply says was taken. Called once: it repeats its own request, by which the server knows a copy, for as
   * long as that makes sense. A request of another kind after one whose reply was lost could release twice.
   */
  readonly giveBack: (value: T) => Promise<unknown>
  /** Releases what the request acquired, where no reply says it. Repeated: what was undone once is not undone again. */
  readonly undo: () => Promise<unknown>
  /** Which errors leave it open whether the request has run. */
  readonly isOpen?: (error: unknown) => boolean
  /** For how long it is tried to undo the request, in milliseconds. After that there is nothing left to undo. */
  readonly undoWithinMs: number
}

interface Request<T> extends Abandoned<T> {
  /** Ends the waiting for the reply. */
  readonly signal: AbortSignal | undefined
}

/**
 * Waits for the reply to a request that takes something.
 *
 * When the caller gives up first, or no reply comes, this rejects at once; what the request took is released meanwhile.
 */
export function orCompensated<T>(request: Request<T>): Promise<T> {
  return raceAbort(request.answer, request.signal).catch((error: unknown) => {
    void takeBack(request)
    throw error
  })
}

/**
 * Releases what a request acquired without a caller: by `giveBack` where a reply says what that is, otherwise by
 * `undo`, and never by both.
 *
 * Never rejects: what cannot be released within that time has ended by itself, or is lost with the server.
 */
export async function takeBack<T>({
  answer,
  giveBack,
  undo,
  isOpen = mayHaveRun,
  undoWithinMs,
}: Abandoned<T>): Promise<void> {
  let taken: T
  try {
    taken = await answer
  } catch (error) {
    if (isOpen(error)) await undoFor(undoWithinMs, undo)
    return
  }
  await giveBack(taken).catch(() => undefined)
}

async function undoFor(maxRetryTime: number, undo: () => Promise<unknown>): Promise<void> {
  const shouldRetry = ({ error }: { readonly error: Error }) => mayPass(error)
  const options = { ...UNDO_PAUSES, retries: Infinity, maxRetryTime, shouldRetry, unref: true }
  await pRetry(undo, options).catch(() => undefined)
}
