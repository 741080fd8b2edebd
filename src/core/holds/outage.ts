import { ClientClosedError } from '../../errors/client-errors.js'
import { RequestError, SubscriptionTimeoutError } from '../../errors/connection-errors.js'
import { CommandError, ScriptError, WrongTypeError } from '../../errors/reply-errors.js'
import { isTransient } from '../../errors/transient.js'
import type { Deadline } from '../../util/time/deadline.js'

/** For how long something was tried. */
interface Trying {
  readonly deadline: Deadline
  readonly signal?: AbortSignal | undefined
}

/**
 * Whether the error of the one who asked for a line is what all who waited there would get: Redis could not be reached, in all the
 * attempts that there are. A caller with more time may try for longer than one whose deadline has passed.
 */
export function isOutage(error: unknown, { deadline, signal }: Trying): error is Error {
  if (deadline.passed || signal?.aborted === true) return false
  return isTransient(error) || error instanceof SubscriptionTimeoutError
}

/** Whether a request has no reply because the time of its caller is over. */
export function isOverdue(error: unknown, { deadline, signal }: Trying): boolean {
  return deadline.passed && signal?.aborted !== true && isTransient(error)
}

/** The same failure for another caller, who gets an error of its own. */
export function sameOutage(error: Error): Error {
  const { cause } = error
  if (error instanceof SubscriptionTimeoutError)
    return new SubscriptionTimeoutError(error.channel, error.elapsedMs, cause === undefined ? {} : { cause })
  if (error instanceof ClientClosedError)
    return new ClientClosedError(error.message, { cause, mayHaveRun: error.mayHaveRun })
  if (!(error instanceof RequestError)) return sameReply(error)
  const { request, attempts, elapsedMs, mayHaveRun } = error
  if (request === undefined || attempts === undefined || elapsedMs === undefined) return error
  return error.about({ request, attempts, elapsedMs, mayHaveRun })
}

/** The same of a reply of Redis. */
function sameReply(error: Error): Error {
  const { cause } = error
  if (!(cause instanceof Error)) return error
  if (error instanceof WrongTypeError)
    return new WrongTypeError(error.object, {
      cause,
      mayHaveRun: error.mayHaveRun,
      isOneOfSeveral: error.isOneOfSeveral,
    })
  if (error instanceof ScriptError)
    return new ScriptError(error.script, { cause, mayHaveRun: error.mayHaveRun, needs: error.needs })
  if (error instanceof CommandError)
    return new CommandError(error.command, { cause, mayHaveRun: error.mayHaveRun, needs: error.needs })
  return error
}
