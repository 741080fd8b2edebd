import type { RunOptions } from '../../command/operation/command-executor.js'
import { requestLifeMs } from '../../config/request-life.js'
import { permitTimeouts, idempotencyKey, semaphoreChannel } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import { demandStillWanted } from '../../core/context/still-wanted.js'
import { countAttempt, followed, traced } from '../../core/holds/traced-acquisition.js'
import { PermitLostError } from '../../errors/synchronizer-errors.js'
import { safeUntil } from '../../renewal/lease.js'
import { UNDO_WITHIN_MS, type Compensations } from '../../waiting/compensations.js'
import { RECHECK_MS } from '../../waiting/recheck.js'
import type { SemaphoreDeps } from '../semaphore/semaphore.js'
import type { Until } from '../../waiting/settled-in-time.js'
import type { PermitSource, Served } from '../shared/permit-queue.js'
import type { Claim } from '../shared/permit-waiters.js'
import type { PermitQueues } from '../shared/permit-queues.js'
import { warnOfNone, warnOfOthers } from '../shared/permit-warnings.js'
import { acquire, release, undo } from './permit-expirable-semaphore.scripts.js'
import { bytesOf, newIds, type Ids } from './permit-ids.js'
import type { PermitsRequest } from './permits-request.js'

/** The queue entries: requests for permits, which have their ids already. */
interface PermitsClaim extends Claim {
  readonly ids: Ids
  /** Milliseconds; 0 for a lease without an end. */
  readonly leaseMs: number
}

/** The queues of this process for permits, by semaphore. */
export type PermitExpirableQueues = PermitQueues<PermitsClaim, Taken>

/** Permits that were taken. */
export interface Taken {
  readonly ids: Ids
  /** When the request was sent that took them, on the monotonic clock. */
  readonly sentAt: number
}

/** How many permits one request takes at most for the queue, unless one waiter wants more: each has an id. */
const MOST_IN_LINE = 1000

/** Acquires permits of one semaphore, and releases them. What happens to them in between is left to others. */
export class PermitRequests {
  readonly #context: LockContext
  readonly #name: string
  readonly #key: string
  readonly #queues: PermitExpirableQueues
  readonly #compensations: Compensations
  readonly #initial: number | undefined
  readonly #source: PermitSource<PermitsClaim, Taken>

  constructor(
    { context, name, queues, compensations, initial }: SemaphoreDeps<PermitExpirableQueues>,
    key: string,
  ) {
    this.#context = context
    this.#name = name
    this.#key = key
    this.#queues = queues
    this.#compensations = compensations
    this.#initial = initial
    this.#source = {
      channel: semaphoreChannel(key),
      mostPermits: MOST_IN_LINE,
      ask: (...args) => this.#ask(...args),
      compensate: (got) => {
        compensations.compensate(() => this.#compensate(got))
      },
    }
  }

  /** The keys of one request. */
  newKeys() {
    return {
      semaphore: this.#key,
      timeouts: permitTimeouts(this.#key),
      channel: semaphoreChannel(this.#key),
      request: idempotencyKey(this.#key, this.#context.requestIds.next()),
    }
  }

  /** Acquires permits for some time, or without an end; undefined where there were too few in time. */
  acquire(asked: PermitsRequest, leaseMs: number | undefined): Promise<Taken | undefined> {
    const request = traced(asked, 'permit', this.#key)
    return followed(request, this.#obtain(request, leaseMs))
  }

  /** Releases permits, all or none; returns whether all were lent. */
  async release(ids: readonly string[], insistence: Pick<RunOptions, 'insistMs'> = {}): Promise<boolean> {
    const call = { keys: this.newKeys(), args: { ids: bytesOf(ids) } }
    return (await this.#context.executor.run(release, call, { remember: true, ...insistence })) === 1
  }

  /** Releases a watched permit. When Redis cannot be reached, this rejects, and goes on trying. */
  async releaseHeld(id: string, insistMs: number): Promise<boolean> {
    try {
      return await this.release([id])
    } catch (error) {
      this.#compensations.compensate(() => this.release([id], { insistMs })) // an id is released once, by any request
      throw error
    }
  }

  async #obtain(request: PermitsRequest, leaseMs: number | undefined): Promise<Taken | undefined> {
    for (;;) {
      const ids = newIds(request.permits)
      const claim = { ...request, initial: this.#initial, ids, leaseMs: leaseMs ?? 0 }
      const taken = await this.#queues.obtain(this.#key, claim, this.#source)
      if (taken === undefined || leaseMs === undefined) return taken
      if (performance.now() < safeUntil(taken.sentAt, leaseMs)) return taken
      this.#releaseExpired(taken, request)
    }
  }

  /** Asks once for all of them. */
  async #ask(
    claims: readonly PermitsClaim[],
    initial: number | undefined,
    until: Until,
  ): Promise<Served<Taken>> {
    demandStillWanted(this.#context, until.signal)
    countAttempt(claims)
    const { executor, config, closing } = this.#context
    const keys = this.newKeys()
    const common = { ids: bytesOf(claims.flatMap(({ ids }) => ids)) }
    const args = {
      ...common,
      claims: claims.map(({ permits }) => permits).join(' '),
      leases: claims.map(({ leaseMs }) => leaseMs).join(' '),
      initial: initial ?? '',
    }
    const { result, sentAt } = await this.#compensations.acquireOrCompensate({
      answer: executor.runTimed(acquire, { keys, args }, { replyBy: until.deadline, endOfWaiting: closing }),
      signal: until.signal,
      giveBack: ({ result: [late] }) => this.#compensate(claims.slice(0, late)),
      undo: () => executor.run(undo, { keys, args: { ...common, undoneMs: requestLifeMs(config) } }),
    })
    const [served, left, nextExpiryMs, lent, there] = result
    if (there === 0 && claims.some(({ waitMs }) => waitMs > 0)) warnOfNone(this.#name)
    if (there === 1) this.#compare(left + lent)
    const retryInMs = nextExpiryMs < 0 ? RECHECK_MS : Math.min(nextExpiryMs, RECHECK_MS)
    const got = claims.slice(0, served).map(({ ids }) => ({ ids, sentAt }))
    return { got, retryInMs, there: there === 1 }
  }

  /** Each on its own: the leases of some may have ended. */
  async #compensate(got: readonly Pick<Taken, 'ids'>[]): Promise<void> {
    await Promise.allSettled(got.map(({ ids }) => this.release(ids, { insistMs: UNDO_WITHIN_MS })))
  }

  #compare(all: number): void {
    const initial = this.#initial
    if (initial !== undefined && all !== initial) warnOfOthers(this.#name, initial, `${all} permits`)
  }

  /**
   * No call returns a permit whose lease was over before the reply arrived. A caller with the watchdog may try again; a lease of one's own
   * may just be too short.
   */
  #releaseExpired({ ids }: Taken, { leaseMs, deadline }: PermitsRequest): void {
    this.#compensations.compensate(() => Promise.allSettled(ids.map((id) => this.release([id])))) // they have ended as it is
    if (leaseMs === undefined && !deadline.passed) return
    throw new PermitLostError({ semaphore: this.#name, id: ids[0], reason: 'expired', leaseMs })
  }
}
