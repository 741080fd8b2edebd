import { setTimeout as sleep } from 'node:timers/promises'
import type { FencedHold, RFencedLock } from '../../locks/fenced/fenced-lock.api.js'
import type { Leadership } from './leader-election.api.js'
import { lazyLossSignal } from '../../core/holds/lazy-loss-signal.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import { mayPass } from '../../errors/transient.js'
import { followAborts } from '../../util/abort/follow-aborts.js'
import { factOf, isError } from '../../util/thrown/thrown.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { timerDelay } from '../../util/time/timers.js'

/** For how long a candidate gives way to others, in milliseconds: longer than the message takes that the leadership is free. */
const REST_MS = 200

/** What a candidate is made of. */
interface CandidateOptions {
  /** What the leader holds. */
  readonly lock: RFencedLock
  /** For how long the leader holds it, in milliseconds; undefined where the watchdog renews it. */
  readonly leaseMs: number | undefined
  readonly requeue: boolean
  readonly fn: (leadership: Leadership) => unknown
  /** Aborts when it shall compete no more. */
  readonly end: AbortSignal
}

/** One client that competes for the leadership of an election. */
export class Candidate {
  readonly #facts: CandidateOptions
  #hold: FencedHold | undefined

  constructor(facts: CandidateOptions) {
    this.#facts = facts
  }

  get isLeader(): boolean {
    return this.#hold?.isHeld ?? false
  }

  /** Competes until its end, or for one leadership. */
  async compete(): Promise<void> {
    const { end, requeue } = this.#facts
    while (!end.aborted) {
      const hold = await this.#elected()
      if (hold !== undefined) {
        await this.#lead(hold)
        if (!requeue) return
      }
      await sleep(REST_MS, undefined, { signal: end }).catch(() => undefined)
    }
  }

  /** Waits until it is elected; undefined where that ended too early. */
  async #elected(): Promise<FencedHold | undefined> {
    const { lock, leaseMs, end } = this.#facts
    try {
      return await lock.acquire({ signal: end, ...(leaseMs !== undefined && { leaseMs }) })
    } catch (error) {
      if (end.aborted || passes(error)) return undefined
      throw error
    }
  }

  async #lead(hold: FencedHold): Promise<void> {
    const controller = new AbortController()
    const stopFollowing = followAborts(controller, [hold.signal, this.#facts.end])
    const stopExtending = this.#keepExtending(hold)
    const signal = lazyLossSignal(controller, () => hold.signal.aborted)
    this.#hold = hold
    try {
      if (!signal.aborted) await this.#facts.fn({ signal, token: hold.fencingToken })
    } catch (error) {
      if (!isAbortOf(signal, error)) throw error
    } finally {
      this.#hold = undefined
      stopExtending()
      stopFollowing()
      await hold[Symbol.asyncDispose]().catch(() => undefined) // if its key is something else by now, the leadership is over
    }
  }

  /** Renews a lease of the candidate's own, which the watchdog only watches. What fails is tried again until the lease has ended. */
  #keepExtending(hold: FencedHold): () => void {
    const { leaseMs } = this.#facts
    if (leaseMs === undefined) return () => undefined
    let extending = false
    const extend = async () => {
      if (extending) return
      extending = true
      await hold.extend(leaseMs).catch(() => undefined)
      extending = false
    }
    const timer = withoutAsyncContext(() => setInterval(() => void extend(), timerDelay(leaseMs / 3)).unref())
    return () => {
      clearInterval(timer)
    }
  }
}

/** Whether a candidate that tries again may succeed. */
function passes(error: unknown): boolean {
  return (
    mayPass(error) ||
    isRedissonError(error, 'SUBSCRIPTION_TIMEOUT') ||
    isRedissonError(error, 'NOT_REPLICATED') ||
    isRedissonError(error, 'LOCK_LOST')
  )
}

/** Whether a function ended with an error because its signal has aborted. */
function isAbortOf(signal: AbortSignal, error: unknown): boolean {
  if (!signal.aborted) return false
  return error === signal.reason || (isError(error) && factOf(error, 'name') === 'AbortError')
}
