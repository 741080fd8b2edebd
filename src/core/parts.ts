import type { CommandExecutor } from '../command/command-executor.js'
import { afterEffect } from '../errors/after-effect.js'
import { isRedissonError } from '../errors/redisson-error.js'
import { chunk } from '../util/chunk.js'
import { valueOf } from '../util/settled-values.js'

/** How many requests leave together: Redis has always something to do, and the requests of others between them are held up for a moment. */
const PARTS_TOGETHER = 5

/** How the requests of one call are sent. */
export interface Sending {
  /** How many leave together, and are waited for before the next ones leave. */
  readonly together: number
  /** Whether a request changes something: then its reply is `false` or 0 only if it has not. */
  readonly changes: boolean
}

/** One change after the other: what comes between two of them is not held up for long. */
export const IN_TURN: Sending = Object.freeze({ together: 1, changes: true })

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
    if (failed !== undefined && changes && (replies.some(isChange) || outcomes.some(mayHaveChanged)))
      throw afterEffect((failed as PromiseRejectedResult).reason)
    for (const outcome of outcomes) replies.push(valueOf(outcome))
  }
  return replies
}

function mayHaveChanged(outcome: PromiseSettledResult<unknown>): boolean {
  if (outcome.status === 'fulfilled') return isChange(outcome.value)
  return isRedissonError(outcome.reason) && outcome.reason.mayHaveRun
}

function isChange(reply: unknown): boolean {
  return reply !== false && reply !== 0
}
