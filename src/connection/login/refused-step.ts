import { withoutSecrets } from '../node/foreign-errors.js'

/** What a server says to a connection before it closes that: it has not read any step. */
const SAID_UNASKED = /^(?:ERR max number of clients |DENIED )/

/**
 * A server has refused a step of the handshake, so that the connection was dropped.
 *
 * It is no reply to any request: nothing was sent yet.
 */
export class RefusedStep extends Error {
  override readonly name = 'RefusedStep'

  /**
   * @param step - such as `SELECT 5`
   * @param reply - what the server has replied; its words come first, by which the kinds of refusals are distinguished
   */
  constructor(step: string, reply: Error) {
    const { message } = withoutSecrets(reply)
    super(SAID_UNASKED.test(message) ? message : `${message} (the server refused ${step})`)
  }
}
