import pRetry from 'p-retry'
import { isTransient } from '../errors/transient.js'
import { orAborted } from '../util/or-aborted.js'

/** The first and the longest pause before a request is undone once more, in milliseconds. */
const UNDO_PAUSES = { minTimeout: 100, maxTimeout: 1000 }

interface Abandoned<T> {
  /** What Redis answers to the request. */
  readonly answer: Promise<T>
  /** Gives back what an answer says was taken. */
  readonly giveBack: (value: T) => Promise<unknown>
  /** Gives back whatever the request took, where no answer says so. */
  readonly undo: () => Promise<unknown>
  /** Which errors leave it open whether the request has run. */
  readonly isOpen?: (error: unknown) => boolean
  /** After so many milliseconds there is nothing left to undo. */
  readonly undoWithinMs: number
}

interface Request<T> extends Abandoned<T> {
  /** Ends the waiting for the answer. */
  readonly signal: AbortSignal | undefined
  /** Is told of the giving back, which goes on when this has rejected, and never rejects itself. */
  readonly onTakingBack?: (takingBack: Promise<void>) => void
}

/**
 * Waits for the answer to a request that takes something.
 *
 * When the caller gives up first, or no answer comes, this rejects at once; what the request took is given back meanwhile.
 */
export function orUndone<T>(request: Request<T>): Promise<T> {
  return orAborted(request.answer, request.signal).catch((error: unknown) => {
    request.onTakingBack?.(takeBack(request))
    throw error
  })
}

/**
 * Gives back what a request took that nobody waits for any more.
 *
 * Never rejects: what Redis cannot be told within that time has ended by itself, or is lost with the server.
 */
export async function takeBack<T>({
  answer,
  giveBack,
  undo,
  isOpen = isTransient,
  undoWithinMs,
}: Abandoned<T>): Promise<void> {
  try {
    await giveBack(await answer)
  } catch (error) {
    if (isOpen(error)) await undoFor(undoWithinMs, undo)
  }
}

async function undoFor(maxRetryTime: number, undo: () => Promise<unknown>): Promise<void> {
  const shouldRetry = ({ error }: { readonly error: Error }) => isTransient(error)
  const options = { ...UNDO_PAUSES, retries: Infinity, maxRetryTime, shouldRetry, unref: true }
  await pRetry(undo, options).catch(() => undefined)
}
