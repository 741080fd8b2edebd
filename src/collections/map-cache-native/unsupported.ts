import { isRedissonError } from '../../errors/redisson-error.js'
import { UnsupportedCommandError } from '../../errors/topic-errors.js'

/** What servers say of a command that they do not know, asked for by itself or in a script. */
const UNKNOWN = /unknown command .?h(?:pexpire|persist|pttl)\b|unknown (?:\w+ )?command called from/i

/**
 * Says that a server knows no ends of fields. Scripts look for that before they write.
 *
 * @throws UnsupportedCommandError where it does not; any other error as it is
 */
export async function withEndsOfFields<R>(reply: Promise<R>): Promise<R> {
  try {
    return await reply
  } catch (error) {
    if (!isRedissonError(error) || !(error.cause instanceof Error) || !UNKNOWN.test(error.cause.message))
      throw error
    throw new UnsupportedCommandError('The time to live of an entry', 'Redis 7.4 or Valkey 9', {
      cause: error,
    })
  }
}
