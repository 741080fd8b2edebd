import { ConnectionLostError, type RequestErrorOptions } from './connection-errors.js'

/** No copy of a request was sent, so nothing ran. To the program it is a {@link ConnectionLostError}. */
export class NotSentError extends ConnectionLostError {
  constructor(problem: string, options: RequestErrorOptions = {}) {
    super(problem, { ...options, mayHaveRun: false })
  }
}
