import type { LockContext } from '../../core/object-context.js'

/** How often permits pass on inside the process before a release goes to Redis. */
const TURNS = 32

/** For how long they do, in milliseconds. */
const LONGEST_TENURE_MS = 100

/** A release that went to Redis. */
interface Freed {
  readonly channel: string
  /** How many clients have received its message. */
  readonly heard: number
  /** Whether callers of this process wait for permits. */
  readonly isAwaited: boolean
}

/** The turns of this process at a semaphore for which no other process waits. */
interface Tenure {
  /** When it was last known that no other waits, on the monotonic clock. */
  readonly since: number
  turns: number
}

/**
 * Says when permits may pass from one caller of this process to another, without a request.
 *
 * They may as long as no other process listens for them, which the reply to a release says. A process that begins to listen meanwhile
 * waits for no longer than the tenure lasts. Between processes that wait, all permits go to Redis, and to whoever asks first.
 */
export class PermitTurns {
  readonly #context: Pick<LockContext, 'wakeUps' | 'topology'>
  readonly #tenures = new Map<string, Tenure>()

  constructor(context: Pick<LockContext, 'wakeUps' | 'topology'>) {
    this.#context = context
  }

  /** Whether it is this process's turn. */
  has(key: string): boolean {
    const tenure = this.#tenures.get(key)
    if (tenure === undefined) return false
    return tenure.turns < TURNS && performance.now() - tenure.since < LONGEST_TENURE_MS
  }

  /** Notes that permits have passed on. */
  take(key: string): void {
    const tenure = this.#tenures.get(key)
    if (tenure !== undefined) tenure.turns += 1
  }

  /** Notes that permits have gone to Redis. */
  freed(key: string, freed: Freed): void {
    if (freed.isAwaited && this.#isAlone(freed))
      this.#tenures.set(key, { since: performance.now(), turns: 0 })
    else this.#tenures.delete(key)
  }

  /** Where Redis does not say how many have received a message, or this client has not, there may be others. */
  #isAlone({ channel, heard }: Freed): boolean {
    const { topology, wakeUps } = this.#context
    return topology.countsAllListeners && heard === (wakeUps.isListening(channel) ? 1 : 0)
  }
}
