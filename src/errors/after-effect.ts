import { ClientClosedError } from './client-errors.js'
import { AuthenticationError, ConnectionLostError } from './connection-errors.js'
import { noteEffect } from './redisson-error.js'

/** Returns the error of a call of several requests, one of which has changed something before another one failed. */
export function afterEffect(error: unknown): unknown {
  const own = isShared(error) ? copyOf(error) : error
  noteEffect(own)
  return own
}

type SharedError = ClientClosedError | AuthenticationError

/** Whether other calls may get the same error: all that a client ends, or all that wait for one login. */
function isShared(error: unknown): error is SharedError {
  return error instanceof ClientClosedError || error instanceof AuthenticationError
}

/** After a refused login nothing has run, so that the error is another one where something has. */
function copyOf(error: SharedError): ClientClosedError | ConnectionLostError {
  return error instanceof ClientClosedError
    ? new ClientClosedError(error.message, { cause: error.cause })
    : new ConnectionLostError(`Some requests of the call had an effect, and then ${error.message}`, {
        cause: error,
      })
}
