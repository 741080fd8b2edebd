import { demandTurns } from '../../command/operation/command-executor.js'
import type { Script } from '../../command/operation/script.js'
import type { Argument } from '../../connection/connection.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { afterEffect } from '../../errors/after-effect.js'
import { identityOf } from './identity-of.js'
import { inParts, type OfValues } from './in-parts.js'
import type { ObjectRequests } from '../../core/object-requests.js'

/** How sets of one kind keep some of their values. */
export interface Retaining {
  /** Removes all others at once; undefined if the set is too large for that. */
  readonly atOnce: Script<'set', 'most' | '...kept', boolean | undefined>
  /** Removes values. Returns whether there were any. */
  readonly remove: OfValues<boolean>
  /** All values of the set. */
  readonly pages: () => AsyncIterable<readonly Buffer[]>
}

/** Removes all values of a set but some. Returns whether there were any others. */
export async function retainAll(
  requests: ObjectRequests,
  retaining: Retaining,
  kept: readonly Argument[],
): Promise<boolean> {
  if (kept.length <= MOST_ENTRIES) {
    const removed = await requests.ask(retaining.atOnce, { most: MOST_ENTRIES, kept })
    if (removed !== undefined) return removed
  }
  return await retainInPages(requests, retaining, kept)
}

/** Looks at one page of the set after the other, and removes what is not to be kept. */
async function retainInPages(
  requests: ObjectRequests,
  { remove, pages }: Retaining,
  kept: readonly Argument[],
): Promise<boolean> {
  const what = 'retainAll()'
  demandTurns(requests, `${what} of more than ${String(MOST_ENTRIES)} values`)
  const wanted = new Set(kept.map((value) => identityOf(value)))
  let removed = false
  try {
    for await (const page of pages()) {
      const others = page.filter((value) => !wanted.has(identityOf(value)))
      if ((await inParts(requests, remove, what, others)).includes(true)) removed = true
    }
    return removed
  } catch (error) {
    throw removed ? afterEffect(error) : error
  }
}
