import type { Entry } from '../../history.js'
import type { Breach, Conditions } from './breach.js'
import { callsIn } from './data/calls.js'
import { checkCounts } from './data/counts.js'
import { checkElements } from './data/elements.js'
import { checkIds } from './data/ids.js'
import { checkRegisters } from './data/registers.js'
import { checkReplies } from './data/replies.js'
import { checkSums } from './data/sums.js'

/**
 * Compares what calls of data objects have returned with what all calls did: one that was confirmed did, one that was refused for certain did
 * not, and one whose reply was lost, or whose process was killed, may have.
 */
export function checkData(entries: readonly Entry[], conditions: Conditions): Breach[] {
  const calls = callsIn(entries)
  return [
    ...checkReplies(calls, entries, conditions),
    ...[checkCounts, checkSums, checkIds, checkRegisters, checkElements].flatMap((check) =>
      check(calls, entries, conditions),
    ),
  ]
}
