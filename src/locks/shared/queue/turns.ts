import type { LockContext } from '../../../core/context/object-context.js'
import { withoutAsyncContext } from '../../../util/time/without-async-context.js'

/** A process may keep a lock for at least this number of turns, while others wait for it as well. */
const TURNS = 32

/** A process keeps a lock for no longer than this, in milliseconds, before the others have a chance. */
const LONGEST_TENURE_MS = 100

/** How long a process then leaves a free lock to each of the others, in milliseconds. */
const YIELD_MS = 2

/** How long it leaves the lock to all of them together at first, in milliseconds: they may have lost interest. */
const LONGEST_FIRST_YIELD_MS = 6

/** How long it leaves the lock to others at most, in milliseconds, when shorter times were not enough for any of them. */
const LONGEST_YIELD_MS = 64

/** The same where others may be waiting for something else, or may not be there. */
const LONGEST_UNSURE_YIELD_MS = 8

/** A message that arrives within this time belongs to the release after which the lock is left to others, in milliseconds. */
const SAME_MESSAGE_MS = 1

/** A tenure is forgotten when no message of the lock has arrived for this long, in milliseconds. */
const FORGOTTEN_AFTER_MS = 60_000

/** A lock that was freed for all processes. */
interface Freed {
  readonly lock: string
  readonly channel: string
  /** How many clients have received its message. */
  readonly heard: number
  /** When it was acquired, on the monotonic clock; undefined where this client cannot know. */
  readonly heldSince: number | undefined
  /** Whether it has waiters in this process. */
  readonly isAwaited: boolean
  /** Whether its receivers may be waiting for something else. */
  readonly sharesChannel?: boolean
}

/** What became of a request for a lock, as far as turns are concerned. */
export type Outcome =
  | 'taken'
  | 'held here'
  /** Another client has the lock; undefined where it may be one of several. */
  | { readonly heldBy: string | undefined }

/** A process's turns at one lock, since another process had it. */
interface Tenure {
  /** When it began, on the monotonic clock. */
  since: number
  turns: number
  /** How many other processes waited when it freed the lock last. */
  others: number
  /** How many of them go first. */
  othersFirst: number
  /** Which of them have been seen to have it since. */
  seen: Set<string>
  /** Since when the lock is left to them, on the monotonic clock. */
  yieldSince: number
  /** Until when; undefined if that begins with the next look. */
  yieldUntil: number | undefined
  /** When the last message said that the lock is free. */
  heardAt: number
  /** How often in a row the lock was left to others without success: one of them at least did not take it. */
  untaken: number
  /** Whether it is certain that others wait for this very lock. */
  isContended: boolean
  touchedAt: number
}

const NEW_TENURE = {
  turns: 0,
  others: 0,
  othersFirst: 0,
  yieldSince: 0,
  yieldUntil: undefined,
  heardAt: 0,
  untaken: 0,
  isContended: false,
}

/**
 * Counts the turns that this process takes at locks for which other processes wait, and says when it is their turn.
 *
 * A tenure begins with the possession of the lock, and ends when another process is seen to have it. It does not matter whether
 * the turns come by handing the lock over inside the process or by asking for it again, nor whether a queue of waiters comes and
 * goes meanwhile. When a tenure is over, the process frees the lock and does not ask for a moment, and so again when it becomes free
 * next, until as many others have had it as waited. If none of them was quick enough, the moments are twice as long the next time, and
 * from then on each of the others has to be seen, so that a distant process gets its turn as well, whatever the near ones do.
 *
 * This is lock cohorting (Dice, Marathe, Shavit: "Lock Cohorting", PPoPP 2012) with processes in the place of NUMA nodes.
 */
export class Turns {
  readonly #context: Pick<LockContext, 'wakeUps' | 'topology'>
  readonly #tenures = new Map<string, Tenure>()
  #timer: NodeJS.Timeout | undefined

  constructor(context: Pick<LockContext, 'wakeUps' | 'topology'>) {
    this.#context = context
  }

  /**
   * Takes a turn for handing a lock over inside the process. Returns false when it is the turn of others.
   *
   * @param heldSince - when the holder got the lock, on the monotonic clock
   * @param waiting - how many wait for it in this process
   */
  passOn(lock: string, heldSince: number, waiting: number): boolean {
    const tenure = this.#at(lock, heldSince)
    if (isOver(tenure, waiting)) return false
    tenure.turns += 1
    return true
  }

  /**
   * Notes that the lock is about to be freed. If the tenure is over, it is left to others from now on: a message may notify waiters of
   * this process before the reply says that others wait.
   */
  freeing(lock: string): void {
    const tenure = this.#tenures.get(lock)
    if (tenure !== undefined && tenure.others > 0 && isOver(tenure, 0)) leaveTo(tenure.others, tenure)
  }

  /** Notes that the lock is free. If others wait for it and the tenure is over, it is left to them for a moment. */
  freed(freed: Freed): void {
    const { lock, heldSince = -Infinity, sharesChannel = false } = freed
    const elsewhere = this.#heardElsewhere(freed)
    const others = this.#othersWaiting(freed, elsewhere)
    if (others === 0) {
      this.#tenures.delete(lock)
      return
    }
    const tenure = this.#at(lock, heldSince)
    tenure.others = others
    if (!isOver(tenure, 0)) {
      tenure.turns += 1
      return
    }
    tenure.isContended = !sharesChannel && elsewhere > 0
    leaveTo(others, tenure)
  }

  /** For how long to leave the lock to others, in milliseconds. */
  yieldMs(lock: string): number {
    const tenure = this.#tenures.get(lock)
    if (tenure === undefined || tenure.othersFirst === 0) return 0
    const until = tenure.yieldUntil ?? leave(tenure)
    return Math.max(0, until - performance.now())
  }

  /** Notes that a waiter was notified that the lock is free. */
  heard(lock: string): void {
    const tenure = this.#tenures.get(lock)
    if (tenure !== undefined) tenure.heardAt = performance.now()
  }

  /**
   * Notes that this process has asked for the lock. A refusal ends the tenure only if another process has the lock: a waiter also
   * looks while a holder of its own process has it, and that is the same tenure.
   */
  asked(lock: string, outcome: Outcome): void {
    const tenure = this.#tenures.get(lock)
    if (tenure === undefined || outcome === 'held here') return
    if (outcome !== 'taken') this.#heldElsewhere(lock, tenure, outcome.heldBy)
    else if (tenure.othersFirst > 0) takeAgain(tenure)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#tenures.clear()
  }

  /** Once one of the others was too far away, all of them have to be seen. Before, a refusal stands for one that was served. */
  #heldElsewhere(lock: string, tenure: Tenure, client: string | undefined): void {
    tenure.yieldUntil = undefined
    if (client === undefined) tenure.untaken = 0
    else if (tenure.untaken > 0 && tenure.othersFirst > 0) {
      if (tenure.seen.has(client)) return
      tenure.seen.add(client)
    }
    tenure.othersFirst -= 1
    if (tenure.othersFirst <= 0) this.#tenures.delete(lock)
  }

  #heardElsewhere({ channel, heard }: Freed): number {
    return Math.max(0, heard - (this.#context.wakeUps.isListening(channel) ? 1 : 0))
  }

  /** Where Redis does not say how many have received it, a process that waits itself counts on one more. */
  #othersWaiting({ isAwaited }: Freed, elsewhere: number): number {
    return this.#context.topology.countsAllListeners || !isAwaited ? elsewhere : Math.max(elsewhere, 1)
  }

  #at(lock: string, heldSince: number): Tenure {
    const touchedAt = performance.now()
    let tenure = this.#tenures.get(lock)
    if (tenure === undefined) {
      tenure = { ...NEW_TENURE, seen: new Set(), since: heldSince, touchedAt }
      this.#tenures.set(lock, tenure)
      this.#timer ??= this.#forgetLater()
    }
    tenure.touchedAt = touchedAt
    return tenure
  }

  #forgetLater(): NodeJS.Timeout {
    return withoutAsyncContext(() =>
      setTimeout(() => {
        this.#forget()
      }, FORGOTTEN_AFTER_MS).unref(),
    )
  }

  #forget(): void {
    const before = performance.now() - FORGOTTEN_AFTER_MS
    for (const [lock, { touchedAt }] of this.#tenures) if (touchedAt < before) this.#tenures.delete(lock)
    this.#timer = this.#tenures.size > 0 ? this.#forgetLater() : undefined
  }
}

/** Leaves the lock to this number of others. */
function leaveTo(others: number, tenure: Tenure): void {
  tenure.othersFirst = others
  tenure.seen.clear()
  leave(tenure)
}

/** Leaves the lock to others for a moment from now on, and returns the end of that. */
function leave(tenure: Tenure): number {
  tenure.yieldSince = performance.now()
  tenure.yieldUntil = tenure.yieldSince + yieldMsOf(tenure)
  return tenure.yieldUntil
}

/** A tenure begins anew with a lock that was left to others. */
function takeAgain(tenure: Tenure): void {
  if (wasInVain(tenure)) tenure.untaken += 1
  tenure.turns = 0
  tenure.since = performance.now()
  tenure.othersFirst = 0
  tenure.seen.clear()
  tenure.yieldUntil = undefined
}

/** Whether none of the others has taken the lock in the moment that was left to them; of several, one may have and given it back. */
function wasInVain({ others, heardAt, yieldSince }: Tenure): boolean {
  return others <= 1 || heardAt - yieldSince < SAME_MESSAGE_MS
}

function isOver({ turns, since }: Tenure, waiting: number): boolean {
  return turns >= Math.max(TURNS, waiting) || performance.now() - since >= LONGEST_TENURE_MS
}

function yieldMsOf({ othersFirst, untaken, isContended }: Tenure): number {
  const firstMs = Math.min(othersFirst * YIELD_MS, LONGEST_FIRST_YIELD_MS)
  return Math.min(firstMs * 2 ** untaken, isContended ? LONGEST_YIELD_MS : LONGEST_UNSURE_YIELD_MS)
}
