import { ReplyTimeoutError } from './connection-errors.js'

/** A request waits behind large replies, and its connection works. Its reply is not waited for any more, so that a copy can go another way. */
export class OvertakenError extends ReplyTimeoutError {}
