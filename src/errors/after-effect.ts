import { ClientClosedError } from './client-errors.js'
import { AuthenticationError, ConnectionLostError } from './connection-errors.js'
import { LockLostError } from './lock-errors.js'
import { isRedissonError, noteEffect } from './redisson-error.js'
import { MarkLostError } from './service-errors.js'
import { PermitLostError } from './synchronizer-errors.js'

/** Returns the error of a call that failed after it had an effect: a request of it has changed something, or the program's own writer was called. */
export function afterEffect(error: unknown): unknown {
  const own = isShared(error) ? copyOf(error) : error
  noteEffect(own)
  return own
}

type LossError = LockLostError | PermitLostError | MarkLostError

type SharedError = ClientClosedError | AuthenticationError | LossError

/** Whether others may get the same error: all calls that a client ends, all that wait for one login, all that listen to the signal of a loss. */
function isShared(error: unknown): error is SharedError {
  return error instanceof ClientClosedError || error instanceof AuthenticationError || isLoss(error)
}

function isLoss(error: unknown): error is LossError {
  return error instanceof LockLostError || error instanceof PermitLostError || error instanceof MarkLostError
}

/** After a refused login nothing has run, so that the error is another one where something has. */
function copyOf(error: SharedError): Exclude<SharedError, AuthenticationError> | ConnectionLostError {
  if (isLoss(error)) return copyOfLoss(error)
  if (error instanceof ClientClosedError) return new ClientClosedError(error.message, { cause: error.cause })
  return new ConnectionLostError(`Some requests of the call had an effect, and then ${error.message}`, {
    cause: error,
  })
}

function copyOfLoss(error: LossError): LossError {
  if (error instanceof LockLostError) return new LockLostError(error, { cause: error })
  if (error instanceof PermitLostError) return new PermitLostError(error, { cause: error })
  const copy = new MarkLostError(error, { cause: error })
  copy.message = error.message // which may say more than the facts do
  return copy
}

/** Whether a request that failed may have had an effect nevertheless. */
export function mayHaveTakenEffect(error: unknown): boolean {
  return isRedissonError(error) && error.mayHaveRun
}
