import { withoutSecrets } from '../node/foreign-errors.js'

/** The messages of a server that closes a connection without having read any step. */
const SAID_UNASKED = /^(?:ERR max number of clients |DENIED )/

/**
 * The error of a connection that was dropped because the server refused a step of the handshake.
 *
 * It is no reply to any request: none was sent yet.
 */
export class RefusedStep extends Error {
  override readonly name = 'RefusedStep'

  /**
   * @param step - such as `SELECT 5`
   * @param reply - the reply of the server; its message comes first, because it tells the kinds of refusals apart
   */
  constructor(step: string, reply: Error) {
    const { message } = withoutSecrets(reply)
    super(SAID_UNASKED.test(message) ? message : `${message} (the server refused ${step})`)
  }
}
