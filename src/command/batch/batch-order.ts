import { isBetweenNodes, isRedirection } from '../../errors/transient.js'
import type { BatchEntry } from './batch-entry.js'

/** An operation that has no reply yet, and what came of its last copy. */
export interface Unanswered {
  readonly entry: BatchEntry
  readonly error: unknown
}

/** Whether the server has refused the copy as it was sent, to have the same one sent to another node, or with its whole script. */
export function isSentOn({ entry, error }: Unanswered): boolean {
  return isRedirection(error) || entry.request.asksForAll(error)
}

/** Whether the copy was refused because of its key, whatever became of others of its slot: while a slot moves, a node has some of its keys only. */
function isRefusedForKey(unanswered: Unanswered): boolean {
  return isSentOn(unanswered) || isBetweenNodes(unanswered.error)
}

/**
 * Those of the unanswered operations that must not be sent again, because later ones of their part have run, or may have: they would run
 * out of order, or find what came after them.
 *
 * @param entries - all of the part, whose first copies were sent together
 */
export function overtakenOf(
  entries: readonly BatchEntry[],
  unanswered: readonly Unanswered[],
): ReadonlySet<BatchEntry> {
  const errors = new Map(unanswered.map(({ entry, error }) => [entry, error]))
  const overtaken = new Set<BatchEntry>()
  const later = new LaterOperations()
  for (const entry of entries.toReversed()) {
    if (!errors.has(entry)) later.addAnswered(entry)
    else if (later.allow({ entry, error: errors.get(entry) })) later.addUnanswered(entry, true)
    else {
      overtaken.add(entry)
      later.addUnanswered(entry, false)
    }
  }
  return overtaken
}

/** What is known of the operations after another one of the same part. */
class LaterOperations {
  #haveAnswers = false
  /** The keys of those that have an answer. */
  readonly #answered = new Set<string>()
  /** The keys of those that may have changed something, although they have no answer. */
  readonly #changed = new Set<string>()
  /** Those keys among them whose change is not made again. */
  readonly #lasting = new Set<string>()

  addAnswered({ keys }: BatchEntry): void {
    this.#haveAnswers = true
    addAll(this.#answered, keys)
  }

  /** @param again - whether it is sent again */
  addUnanswered({ keys, isLost, changes, isIdempotent }: BatchEntry, again: boolean): void {
    if (!isLost || !changes) return
    addAll(this.#changed, keys)
    if (!again || !isIdempotent) addAll(this.#lasting, keys)
  }

  /** Whether an operation that comes before them may be sent again. */
  allow(unanswered: Unanswered): boolean {
    const { dependencies, isLost, isKept, overwrites } = unanswered.entry
    if (hasSome(this.#answered, dependencies)) return false
    // While a slot moves, a node has some of its keys and not the others, and has no reply to a request for keys of both kinds. It may also
    // refuse for its key the copy that has the script. The order is that of each key.
    if (this.#haveAnswers && dependencies.length > 0 && !isRefusedForKey(unanswered)) return false
    if (!hasSome(this.#changed, dependencies)) return true
    if (isLost && isKept) return true // it ran before them if they have run, and its reply is known
    return overwrites && !hasSome(this.#lasting, dependencies)
  }
}

function addAll(set: Set<string>, keys: readonly string[]): void {
  for (const key of keys) set.add(key)
}

function hasSome(set: ReadonlySet<string>, keys: readonly string[]): boolean {
  return keys.some((key) => set.has(key))
}
