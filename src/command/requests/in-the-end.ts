import { ClientClosedError } from '../../errors/client-errors.js'
import { AuthenticationError, ConnectionLostError, RequestError } from '../../errors/connection-errors.js'
import type { Transmission } from '../operation/transmission.js'

/** An error with what is known of the whole request. A copy of it may have run although the last one did not. */
export function inTheEnd(reason: unknown, request: Transmission<unknown>): unknown {
  const { loss, facts } = request
  if (loss !== undefined && reason instanceof AuthenticationError) return lostBefore(reason).about(facts)
  if (loss !== undefined && reason instanceof ClientClosedError)
    return new ClientClosedError(reason.message, { mayHaveRun: true })
  return reason instanceof RequestError ? reason.about(facts) : reason
}

/** After a refused login nothing has run, unless an earlier copy has. */
function lostBefore(error: AuthenticationError): ConnectionLostError {
  const problem = `The connection to Redis was lost before the reply, and then ${error.message}`
  return new ConnectionLostError(problem, { cause: error })
}
