import { demandTurns, type CommandExecutor } from '../../command/operation/command-executor.js'
import { afterEffect, mayHaveTakenEffect } from '../../errors/after-effect.js'
import { chunk } from '../../util/collections/chunk.js'
import { valueOf } from '../../util/settled-values.js'

/** How many requests leave together: Redis has always something to do, and the requests of others between them are held up for a moment. */
const PARTS_TOGETHER = 5

/** How the requests of one call are sent. */
export interface Sending {
  /** How many leave together, and are waited for before the next ones leave. */
  readonly together: number
  readonly changes: Changes
}

/**
 * Whether a request that succeeds has changed something. With `perhaps`, a reply that is `false` or 0 says that it has not. With `always` no reply says
 * so: that of `ZADD` counts new members alone.
 */
export type Changes = 'never' | 'perhaps' | 'always'

/** One change after the other: what comes between two of them is not held up for long. */
export const IN_TURN: Sending = Object.freeze({ together: 1, changes: 'perhaps' })

/** How many parts of a call leave together; all of them in a batch, where nothing is answered before everything was asked. */
export function partsTogether(
  { isBatch }: Pick<CommandExecutor, 'isBatch'>,
  parts: readonly unknown[],
): number {
  return isBatch ? Math.max(1, parts.length) : PARTS_TOGETHER
}

/**
 * Sends a request for each part of a call, some of them together. Returns the replies in the order of the parts.
 *
 * @throws the error of the first part that failed, once all that left with it have settled; nothing leaves afterwards. It has `mayHaveRun` if
 * another part has changed something, or may have
 */
export async function sendParts<P, R>(
  parts: readonly P[],
  send: (part: P) => Promise<R>,
  { together, changes }: Sending,
): Promise<R[]> {
  const replies: R[] = []
  for (const some of chunk(parts, together)) {
    const outcomes = await Promise.allSettled(some.map(send))
    const failed = outcomes.find(({ status }) => status === 'rejected')
    const isChange = (reply: unknown) => changes === 'always' || (reply !== false && reply !== 0)
    const mayHaveChanged = (outcome: PromiseSettledResult<R>) =>
      outcome.status === 'fulfilled' ? isChange(outcome.value) : mayHaveTakenEffect(outcome.reason)
    if (
      failed !== undefined &&
      changes !== 'never' &&
      (replies.some(isChange) || outcomes.some(mayHaveChanged))
    )
      throw afterEffect((failed as PromiseRejectedResult).reason)
    for (const outcome of outcomes) replies.push(valueOf(outcome))
  }
  return replies
}

/**
 * Sends one part after the other, as {@link sendParts} does.
 *
 * @param what - what takes several requests, for the error of a batch
 * @throws {@link NotInBatchError} for several parts in a batch
 */
export async function sendInTurn<P, R>(
  executor: Pick<CommandExecutor, 'isBatch'>,
  what: string,
  parts: readonly P[],
  send: (part: P) => Promise<R>,
  changes: Changes = 'perhaps',
): Promise<R[]> {
  if (parts.length > 1) demandTurns(executor, what)
  return await sendParts(parts, send, { together: 1, changes })
}
