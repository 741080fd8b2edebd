import { refusalOf } from '../../../core/context/late-release.js'
import type { LockContext } from '../../../core/context/object-context.js'
import type { LockLostError } from '../../../errors/lock-errors.js'
import { isRedissonError } from '../../../errors/redisson-error.js'
import { afterReading } from '../../../util/time/after-reading.js'
import { outcomeWithin } from '../../../util/time/outcome-within.js'
import type { Acquisition, LockEngine } from './lock-engine.js'

/**
 * Releases what was held until the end of a function or a block. Waits for that no longer than the caller wants, and then it goes on in the
 * background.
 *
 * What counts is whether the lock was held at the end. A lease that ends later, while the release is under way, takes nothing back of what
 * was done. Redis may still say that the lock was lost before.
 *
 * @returns the loss, if it was lost before
 * @throws {@link WrongTypeError} if the name belongs to something else by now, or {@link MultiUnlockError} if that of a member does
 */
export async function endHold(
  context: LockContext,
  engine: Pick<LockEngine, 'isBehind' | 'kind' | 'keys' | 'name' | 'release'>,
  { hold, entry }: Acquisition,
  waitMs = context.config.releaseWaitMs,
): Promise<LockLostError | undefined> {
  if (engine.isBehind) await afterReading()
  const before = hold.loss()
  const release = await outcomeWithin(engine.release(hold, entry), waitMs)
  const loss = before ?? lossByReply(hold.loss())
  if (loss !== undefined) return loss
  const { kind, keys: key, name } = engine
  const refusal = refusalOf(context, { kind, key, name, owner: hold.thread.owner }, release)
  // Without a loss, its lease has ended since, or another call has released it.
  if (refusal !== undefined && !isRedissonError(refusal, 'NOT_HELD')) throw refusal
  return undefined
}

/** The loss, if Redis has said it. Any other has come after the end. */
function lossByReply(lost: LockLostError | undefined): LockLostError | undefined {
  return lost?.reason === 'not-held' ? lost : undefined
}
