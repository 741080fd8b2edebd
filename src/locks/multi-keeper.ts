import { LockTimeoutError } from '../errors/lock-errors.js'
import { isRedissonError } from '../errors/redisson-error.js'
import type { Thread } from '../ownership/thread.js'
import { orAborted } from '../util/or-aborted.js'
import type { Member } from './group-hold.js'
import { AS_MEMBER, giveBack, GroupKeeper, reletAll, type GroupFacts } from './group-keeper.js'
import type { LockRequest } from './lock-request.js'

/**
 * Takes all locks of a group, one after the other in the order in which it was given them, which is that of their places.
 *
 * As everybody takes them in that order, nobody waits for somebody who waits for him. Until the last one is taken the
 * watchdog renews the others, whatever the lease; then all of them get it, from the same moment on.
 */
export class MultiKeeper extends GroupKeeper {
  constructor(facts: GroupFacts) {
    super(facts, facts.members.length)
  }

  protected async collect(thread: Thread, request: LockRequest): Promise<Member[]> {
    const taken: Member[] = []
    try {
      for (const keeper of this.members) {
        const member = await keeper.take(thread, { ...request, leaseMs: undefined }, AS_MEMBER)
        taken.push({ ...member, keeper })
      }
      if (request.leaseMs !== undefined) await orAborted(reletAll(taken, request.leaseMs), request.signal)
      demandAll(taken)
      return taken
    } catch (error) {
      const givenBack = Promise.allSettled(taken.map(giveBack))
      if (request.signal?.aborted !== true) await givenBack
      throw isRedissonError(error, 'LOCK_TIMEOUT') ? new LockTimeoutError(this.name, request.waitMs) : error
    }
  }

  /** Every member is needed. */
  protected patienceMs(): number {
    return Infinity
  }
}

/** Nobody is handed a group of which something was lost while the rest was taken. */
function demandAll(taken: readonly Member[]): void {
  for (const { hold } of taken) if (hold.lost !== undefined) throw hold.lost
}
