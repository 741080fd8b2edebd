import type { Runnable } from '../../command/operation/script.js'
import type { Argument } from '../../connection/connection.js'
import { sendInTurn } from '../../core/context/parts.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { chunk } from '../../util/collections/chunk.js'
import type { ObjectRequests } from '../../core/object-requests.js'

/** A command or script that is given some values of a set. */
export type OfValues<R> = Runnable<'set', '...values', R>

/**
 * Sends a command about some values at a time, one part after the other.
 *
 * @param what - the method that does so, for the error of a batch
 */
export async function inParts<R>(
  requests: ObjectRequests,
  command: OfValues<R>,
  what: string,
  values: readonly Argument[],
): Promise<R[]> {
  return await sendInTurn(
    requests,
    `${what} of more than ${String(MOST_ENTRIES)} values`,
    chunk(values, MOST_ENTRIES),
    (part) => requests.ask(command, { values: part }),
    command.repeat === 'safe' ? 'never' : 'perhaps',
  )
}
