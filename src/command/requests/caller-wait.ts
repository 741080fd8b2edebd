import type { Sending } from '../../connection/connection.js'
import { AbortError } from '../../errors/client-errors.js'
import { ReplyTimeoutError, RequestError } from '../../errors/connection-errors.js'
import { NotSentError } from '../../errors/not-sent.js'
import { onAbort } from '../../util/abort/abort-listeners.js'
import { afterRunning } from '../../util/time/after-running.js'
import type { RunOptions } from '../operation/command-executor.js'
import type { Transmission } from '../operation/transmission.js'

/** By how much a timer may fire too early, in milliseconds: the deadline has passed when it does. */
const EARLY_MS = 1

/** Prepares a request whose caller may stop waiting for it, and one whose caller waits for nothing. */
export function asWaitedFor(options: RunOptions): RunOptions {
  const { replyBy, signal } = options
  // Also for a caller that waits for ever, so that replies reach all of them in their order.
  if (replyBy === undefined && signal === undefined) return options
  const { deadline, sending = notSent() } = options
  const waited = { ...options, deadline: replyBy ?? deadline, sending }
  return replyBy?.passed === true ? { ...waited, replyBy: undefined, failFast: true } : waited
}

/**
 * What is known of a request at first.
 *
 * @param place - where it goes, as `host:port` or in words, as far as that is known
 */
export function notSent(place = 'the server'): Sending {
  return { sent: false, over: false, place, unreachable: notYet }
}

function notYet(): undefined {
  return undefined
}

/**
 * Waits for the result of a request for as long as its caller does. After that nothing more is sent, and the error says whether a copy may have run.
 */
export function whileWaitedFor<R>(
  result: Promise<R>,
  request: Transmission<unknown>,
  { replyBy, signal, sending }: RunOptions,
): Promise<R> {
  // What only shares its state is waited for by others.
  if (sending === undefined || (replyBy === undefined && signal === undefined)) return result
  const leftMs = replyBy?.within(Infinity) ?? Infinity
  if (leftMs === Infinity && signal === undefined) return result.then() // as late as for the others, so that replies reach all in their order
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const giveUp = (reason: (mayHaveRun: boolean) => Error): void => {
      stop()
      sending.over = true
      reject(reason(sending.sent || request.loss !== undefined))
    }
    const late = (): void => {
      giveUp((mayHaveRun) => {
        const error = lateError(request, sending, performance.now() - startedAt)
        return error instanceof RequestError ? error.about({ ...request.facts, mayHaveRun }) : error
      })
    }
    const stopTimer = leftMs === Infinity ? undefined : afterRunning(leftMs + EARLY_MS, late)
    const aborted = (): void => {
      giveUp((mayHaveRun) => new AbortError(request.facts.request, { cause: signal?.reason, mayHaveRun }))
    }
    const stopListening = signal === undefined ? undefined : onAbort(signal, aborted)
    const stop = (): void => {
      stopTimer?.()
      stopListening?.()
    }
    result.then(
      (value) => {
        stop()
        resolve(value)
      },
      (error: unknown) => {
        stop()
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the same that it has rejected with
        reject(error)
      },
    )
  })
}

/** Why there is no result in time. */
function lateError({ loss }: Transmission<unknown>, sending: Sending, elapsedMs: number): Error {
  if (sending.sent) return new ReplyTimeoutError(sending.place, Math.round(elapsedMs))
  const why =
    sending.unreachable() ??
    sending.refusal ??
    new NotSentError(`There was no connection to Redis within ${Math.round(elapsedMs)} ms`)
  return loss ?? why
}
