import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import { mayHaveRun, mayPass } from '../errors/transient.js'

/** The first pause before a request is undone once more, in milliseconds. Each is twice as long as the one before. */
const FIRST_PAUSE_MS = 100

const LONGEST_PAUSE_MS = 1000

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
  /** Aborts when it is waited for, as by a client that is about to close: then it is undone at once. */
  readonly awaited: AbortSignal
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
  ...how
}: Abandoned<T>): Promise<void> {
  let taken: T
  try {
    taken = await answer
  } catch (error) {
    if (isOpen(error)) await undoInTheEnd(undo, how)
    return
  }
  await giveBack(taken).catch(() => undefined)
}

async function undoInTheEnd(
  undo: () => Promise<unknown>,
  { undoWithinMs, awaited }: Pick<Abandoned<unknown>, 'undoWithinMs' | 'awaited'>,
): Promise<void> {
  const options = {
    retries: Infinity,
    maxRetryTime: undoWithinMs,
    minTimeout: 0, // the pause is ours
    unref: true,
    shouldRetry: ({ error }: { readonly error: Error }) => mayPass(error),
    onFailedAttempt: async ({
      error,
      attemptNumber,
    }: {
      readonly error: Error
      readonly attemptNumber: number
    }) => {
      if (mayPass(error)) await pause(attemptNumber, awaited)
    },
  }
  await pRetry(undo, options).catch(() => undefined)
}

/** Waits before another attempt. Who waits for it ends that, once: the attempts after it have pauses as well. */
async function pause(attemptNumber: number, awaited: AbortSignal): Promise<void> {
  const signal = awaited.aborted ? undefined : awaited
  const ms = awaited.aborted
    ? FIRST_PAUSE_MS
    : Math.min(FIRST_PAUSE_MS * 2 ** (attemptNumber - 1), LONGEST_PAUSE_MS)
  await sleep(ms, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined)
}
