import type { Reply } from '../../connection/connection.js'
import { warnOnce } from '../../util/warn-once.js'
import answerLua from '../lua/answer.lua'
import tellLua from '../lua/tell.lua'
import type { Decoder } from './replies.js'

/** The first item of the reply of a script whose message was refused; then come the channel and the reply itself. */
const REFUSED = Buffer.from('REFUSED')

/** The code of a script that publishes by `tell()`, so that its reply says where it was not allowed to. */
export function publishing(lua: string): string {
  return `${tellLua}\nlocal function answer()\n${lua}\nend\n${answerLua}`
}

/** Reads the reply of such a script, and warns if a message was refused. */
export function heedingRefusals<T>(decoder: Decoder<T>): Decoder<T> {
  return (reply) => decoder(isRefusal(reply) ? heeded(reply) : reply)
}

function isRefusal(reply: Reply): reply is readonly Reply[] {
  if (!Array.isArray(reply)) return false
  const first: unknown = reply[0]
  return Buffer.isBuffer(first) && first.equals(REFUSED)
}

function heeded([, channel, reply = null]: readonly Reply[]): Reply {
  warnOnce(
    'REDISSON_PUBLISH_FORBIDDEN',
    'channels',
    `Redis has refused to publish at ${String(channel)}. What was changed is changed, but waiting clients are not notified, and ` +
      'check again only periodically. The user of this client needs the permission for the channels of this library: `&redisson_*` and ' +
      '`&ioredisson_*`, with `+publish` and, in a cluster, `+spublish`.',
  )
  return reply
}
