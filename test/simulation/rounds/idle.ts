import type { Entry } from '../../../chaos/history.js'
import type { Breach } from '../../../chaos/random-use/check.js'
import type { SharedObject } from '../../../chaos/random-use/objects.js'
import { locksTakenAlone, usesOf, type Use } from './uses.js'

/** A free lock has a holder within this time if a caller waits for it. Without a message a waiter would sleep for longer. */
const AT_MOST_MS = 1_000

/** Looks for callers that wait for a lock that has no holder: a message was not sent, or woke no waiter. */
export function checkIdle(entries: readonly Entry[], objects: readonly SharedObject[]): Breach[] {
  const locks = locksTakenAlone(objects).filter(({ kind }) => kind !== 'spin') // its waiters wait for no message
  return [...new Set(locks.map(({ name }) => name))].flatMap((name) => {
    const uses = usesOf(entries, name)
    return uses.flatMap((use) => {
      const idleMs = longestIdleMs(use, uses)
      if (idleMs <= AT_MOST_MS) return []
      const what = `${name}: ${use.begin.process} waited for ${idleMs.toFixed(0)} ms while the lock was free`
      return [{ kind: 'idle', what, entries: [use.begin] }]
    })
  })
}

/** The longest time within a wait in which the lock had no holder. */
function longestIdleMs({ begin, returnedAt }: Use, uses: readonly Use[]): number {
  if (returnedAt === Infinity) return 0 // the round itself demands that every call returns
  const held = uses
    .filter((use) => use.isGranted && use.releasedAt > begin.at && use.returnedAt < returnedAt)
    .toSorted((one, other) => one.returnedAt - other.returnedAt)
  let [freeSince, longest] = [begin.at, 0]
  for (const use of held) {
    longest = Math.max(longest, use.returnedAt - freeSince)
    freeSince = Math.max(freeSince, use.releasedAt)
  }
  return Math.max(longest, returnedAt - freeSince)
}
