import { integer, type Decoder } from '../../command/operation/replies.js'

/** Whether anything was changed, of a reply that says how much. */
export const changed: Decoder<boolean> = (reply) => integer(reply) > 0
