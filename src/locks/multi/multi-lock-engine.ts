import { afterEffect } from '../../errors/after-effect.js'
import { LockTimeoutError } from '../../errors/lock-errors.js'
import type { Thread } from '../../ownership/thread.js'
import { isOverdue } from '../../core/holds/outage.js'
import { isTransient } from '../../errors/transient.js'
import { settledInTime } from '../../waiting/settled-in-time.js'
import { settledValues } from '../../util/settled-values.js'
import { releaseMember, type Member } from './composite-hold.js'
import {
  AS_MEMBER,
  CompositeLockEngine,
  reletting,
  type Collected,
  type CompositeDeps,
  type EndingRequest,
} from './composite-lock-engine.js'
import type { LockEngine } from '../shared/engine/lock-engine.js'
import { tryingOnce, type LockRequest } from '../shared/engine/lock-request.js'

/**
 * Takes all locks of a group, one after the other in the order in which it was given them, which is that of their places.
 *
 * As every process takes them in that order, none waits for another that waits for it. Those without a place, which come
 * last, are tried once: if one of them is not free, everything is released before it is tried anew, so that nothing is
 * waited for out of the order while something is held. The same goes for further values of one group, whose sets have no order
 * among each other. Until the last one is taken the watchdog renews the others, whatever
 * the lease; then all of them get it, from the same moment on.
 */
export class MultiLockEngine extends CompositeLockEngine {
  readonly kind = 'multi-lock'
  readonly #triedOnce: ReadonlySet<LockEngine>

  constructor(deps: CompositeDeps) {
    super(deps, deps.members.length)
    this.#triedOnce = new Set(deps.members.filter(isOutOfOrder))
  }

  protected async collect(thread: Thread, request: EndingRequest): Promise<Collected> {
    const isOver = () => request.deadline.passed
    let refusal: LockTimeoutError | undefined
    for (;;) {
      try {
        return { members: await this.#takeAll(thread, request), late: [] }
      } catch (error) {
        if (error instanceof LockTimeoutError) refusal = error
        else if (refusal === undefined || !isOverdue(error, request)) throw error
      }
      if (!isOver()) await this.pause(request)
      if (isOver()) throw this.timeout(request, refusal) // there is no time for a reply
    }
  }

  /** Every member is needed. */
  protected patienceMs(): number {
    return Infinity
  }

  protected get releasePatienceMs(): number {
    return Infinity
  }

  /** What is asked of one member. */
  #requestFor(engine: LockEngine, request: LockRequest): LockRequest {
    const renewed = { ...request, leaseMs: undefined }
    if (!this.#triedOnce.has(engine)) return renewed
    const once = tryingOnce(renewed)
    return request.waitMs === 0 ? once : { ...once, replyBy: request.deadline }
  }

  async #takeAll(thread: Thread, request: EndingRequest): Promise<Member[]> {
    const taken: Member[] = []
    try {
      for (const engine of this.members) {
        const member = await engine.acquire(thread, this.#requestFor(engine, request), AS_MEMBER)
        taken.push({ ...member, engine })
      }
      if (request.leaseMs !== undefined) await this.#relet(taken, request.leaseMs, request)
      demandAll(taken)
      return taken
    } catch (error) {
      const released = Promise.allSettled(taken.map(releaseMember))
      // Where Redis has not replied to the caller, it need not reply to this either.
      if (!request.signal.aborted && !isTransient(error)) await this.#inTime(released, request)
      const isOurs = isTransient(error) && !Object.is(error, request.signal.reason) // a reason is of the program
      throw taken.length > 0 && isOurs ? afterEffect(error) : error
    }
  }

  /** Gives every member its lease, if all confirm it in time. */
  async #relet(taken: readonly Member[], leaseMs: number, request: EndingRequest): Promise<void> {
    const relet = reletAll(taken, leaseMs)
    if (!(await this.#inTime(relet, request))) throw this.unanswered(request)
    await relet
  }

  #inTime(settling: Promise<unknown>, request: EndingRequest): Promise<boolean> {
    const deadline = this.settlingDeadline(request)
    return settledInTime(settling, { deadline, signal: request.signal })
  }
}

/** Whether a member has no place among those before it, so that it must not be waited for while they are held. */
function isOutOfOrder({ redisOrderKey }: LockEngine, index: number, members: readonly LockEngine[]): boolean {
  return (
    redisOrderKey === undefined ||
    members.findIndex((member) => member.redisOrderKey === redisOrderKey) < index
  )
}

/** Gives every member its lease. Rejects if one of them cannot be given it, when all have been asked. */
async function reletAll(members: readonly Member[], leaseMs: number): Promise<void> {
  await settledValues(members.map(reletting(leaseMs)))
}

/** No call returns a group of which something was lost while the rest was taken. */
function demandAll(taken: readonly Member[]): void {
  for (const { hold } of taken) {
    const loss = hold.loss()
    if (loss !== undefined) throw loss
  }
}
