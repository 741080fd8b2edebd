import { repliedWords } from '../errors/lasting-failure.js'
import { UnsupportedCommandError } from '../errors/topic-errors.js'

/** What servers say of a command that they do not know, to a client and to a script. */
const UNKNOWN = /unknown (redis )?(sub)?command/i

/**
 * What a request resolves with that servers know since some version only.
 *
 * @param needs - that version, such as `Redis 7`
 * @throws {@link UnsupportedCommandError} where the server does not know it
 */
export async function demandSupported<T>(asked: Promise<T>, what: string, needs: string): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (UNKNOWN.test(repliedWords(error))) throw new UnsupportedCommandError(what, needs, { cause: error })
    throw error
  }
}
