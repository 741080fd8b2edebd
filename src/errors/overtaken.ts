import { ReplyTimeoutError } from './connection-errors.js'

/** A request waits behind large replies on a working connection. Its reply is given up, so that a copy can be sent over another connection. */
export class OvertakenError extends ReplyTimeoutError {}
