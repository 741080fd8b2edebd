import type { TimedResult } from '../../command/operation/command-executor.js'
import { requestLifeMs } from '../../config/request-life.js'
import { onceMark, idempotencyKey } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import type { Abandoned } from '../../waiting/compensation.js'
import { demandStillWanted, endOfWaiting } from '../../core/context/still-wanted.js'
import { MarkLostError } from '../../errors/service-errors.js'
import { isUnconfirmed } from '../../errors/transient.js'
import { PendingCleanups } from '../../locks/shared/engine/pending-cleanups.js'
import { endlessLease, Lease, safeUntil, type LeaseHolder, type RenewalKind } from '../../renewal/lease.js'
import { Deadline } from '../../util/time/deadline.js'
import { raceAbort } from '../../util/abort/race-abort.js'
import { Mark, type Ending } from './mark.js'
import { markRenewal } from './once.renewal.js'
import { mark, settle, unmark } from './once.scripts.js'

/** What shall be marked. */
export interface MarkRequest {
  /** The name, as the program gave it. */
  readonly once: string
  /** What the name is in Redis. */
  readonly key: string
  readonly fire: string | undefined
  readonly ttlMs: number
  /** Whether an error of the function removes the mark. */
  readonly onError: boolean
  /** Whether the end of the process does. */
  readonly onCrash: boolean
  readonly signal: AbortSignal | undefined
}

/** A mark that is to be set, or was: its keys, and how long it lasts by itself. */
interface Plan extends MarkRequest {
  readonly keys: { readonly mark: string; readonly request: string }
  /** What distinguishes the mark from those of other runs. */
  readonly token: string
  readonly lifeMs: number
}

/** The marks of a client. */
export class Marks {
  readonly #context: LockContext
  readonly #renewal: RenewalKind
  /** Marks of which Redis may not know yet that they are given up. A run that waits for that does not take its own mark for another's. */
  readonly #cleanups = new PendingCleanups()

  constructor(context: LockContext) {
    this.#context = { ...context, executor: context.ahead }
    this.#renewal = markRenewal(context.ahead)
    context.onClose((deadline) => this.#cleanups.untilAllClean(deadline))
  }

  /** The signal of the client. */
  get client(): AbortSignal {
    return this.#context.closing
  }

  /**
   * Sets the mark for a run; undefined if there is one.
   *
   * Where the reply comes only when the mark may have ended, another run may have begun, and so Redis is asked anew.
   */
  async set(request: MarkRequest): Promise<Mark | undefined> {
    for (let attempt = 0; ; attempt += 1) {
      const plan = this.#planOf(request)
      await this.#settled(plan)
      demandStillWanted(this.#context, plan.signal)
      const { result, sentAt } = await this.#ask(plan)
      const [marked, endsAt] = result
      if (marked !== 1) return undefined
      if (performance.now() < safeUntil(sentAt, plan.lifeMs)) return this.#markOf(plan, sentAt, endsAt)
      await this.#remove(plan).answer
      if (attempt === this.#context.config.retryAttempts) throw tooLate(plan)
    }
  }

  #planOf(request: MarkRequest): Plan {
    const { requestIds, config } = this.#context
    const token = requestIds.next()
    return {
      ...request,
      keys: { mark: onceMark(request.key, request.fire ?? ''), request: idempotencyKey(request.key, token) },
      token,
      lifeMs: request.onCrash ? config.lockWatchdogTimeoutMs : request.ttlMs,
    }
  }

  async #settled({ keys, signal }: Plan): Promise<void> {
    if (this.#cleanups.isEmpty) return
    const patience = { deadline: Deadline.never, signal: endOfWaiting(this.#context, signal) }
    await this.#cleanups.untilClean(keys.mark, '', patience)
  }

  /** Asks for the mark. When the caller gives up first, or no reply comes, the mark is removed meanwhile. */
  async #ask(plan: Plan): Promise<TimedResult<readonly [marked: number, endsAt: number]>> {
    const { executor, config, closing } = this.#context
    const { keys, token, lifeMs, ttlMs, signal } = plan
    const args = { token, lifeMs, ttlMs }
    const answer = executor.runTimed(mark, { keys, args }, { endOfWaiting: closing })
    try {
      const answered = await raceAbort(answer, signal)
      demandStillWanted(this.#context, signal)
      return answered
    } catch (error) {
      void this.#settling(plan, {
        answer,
        giveBack: async ({ result: [marked] }) => marked === 1 && (await this.#remove(plan).over),
        undo: () => this.#unmark(plan, requestLifeMs(config)),
        undoWithinMs: lifeMs,
      })
      throw error
    }
  }

  #markOf(plan: Plan, sentAt: number, endsAt: number): Mark {
    const { once, fire, onError, onCrash } = plan
    return new Mark({
      once,
      fire,
      leaseOf: (holder) => (onCrash ? this.#renewedLease(plan, sentAt, holder) : endlessLease(holder)),
      mark: { kind: this.#renewal.name, name: plan.keys.mark },
      context: this.#context,
      ends: {
        keep: () => (onCrash ? this.#keep(plan, endsAt) : NOTHING_TO_DO),
        remove: () => this.#remove(plan),
        onError: onError ? 'remove' : 'keep',
        onRelease: onCrash ? 'remove' : 'keep',
      },
    })
  }

  #renewedLease({ keys, token, lifeMs }: Plan, sentAt: number, holder: LeaseHolder): Lease {
    const slot = this.#context.topology.slotOf(keys.mark)
    const lease = new Lease({ kind: this.#renewal, name: keys.mark, owner: token, slot }, holder)
    lease.renewed = true
    lease.confirm(sentAt, lifeMs)
    return lease
  }

  /** Extends the mark to the rest of its time. The reply is whether it was still the run's own. */
  #keep(plan: Plan, endsAt: number): Ending<boolean> {
    const { executor, requestIds } = this.#context
    const request = idempotencyKey(plan.key, requestIds.next())
    const call = { keys: { mark: plan.keys.mark, request }, args: { token: plan.token, endsAt } }
    const repeatableMs = Math.max(plan.ttlMs, plan.lifeMs) // until the mark has ended by itself
    const options = { remember: true, repeatableMs }
    return this.#insistently(
      plan,
      repeatableMs,
      async () => (await executor.run(settle, call, options)) === 1,
    )
  }

  #remove(plan: Plan): Ending<boolean> {
    return this.#insistently(plan, plan.lifeMs, async () => (await this.#unmark(plan, 0)) === 1)
  }

  #unmark({ keys, token }: Plan, undoneMs: number): Promise<number> {
    return this.#context.executor.run(unmark, { keys, args: { token, undoneMs } })
  }

  /** Sends a request that may be repeated. When Redis cannot be reached, it goes on trying, for that number of milliseconds. */
  #insistently<T>(plan: Plan, undoWithinMs: number, request: () => Promise<T>): Ending<T> {
    const answer = request()
    const giveBack = () => NOTHING_TO_DO.over
    return {
      answer,
      over: this.#settling(plan, { answer, giveBack, undo: request, isOpen: isUnconfirmed, undoWithinMs }),
    }
  }

  #settling<T>({ keys }: Plan, abandoned: Omit<Abandoned<T>, 'awaited'>): Promise<void> {
    return this.#cleanups.takeBack(keys.mark, '', { ...abandoned, awaited: this.#context.closing })
  }
}

/** Of a mark that lasts by itself. */
const NOTHING_TO_DO: Ending<boolean> = { answer: Promise.resolve(true), over: Promise.resolve() }

function tooLate({ once, fire, lifeMs }: Plan): MarkLostError {
  return new MarkLostError({ once, fire, reason: 'expired', lifeMs })
}
