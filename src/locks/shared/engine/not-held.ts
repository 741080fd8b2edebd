import { leaseEnded } from '../../../errors/lease-ended.js'
import { LockNotHeldError, type LockHolder, type LockLostError } from '../../../errors/lock-errors.js'
import { isRedissonError } from '../../../errors/redisson-error.js'
import type { Hold } from '../hold/hold.js'
import type { LockEngine } from './lock-engine.js'
import type { LockState } from './lock-state.js'

/** What to say to a caller that ends a hold for the second time. */
export const RELEASED_ALREADY = 'It was released already.'

interface Refused {
  readonly owner: string | undefined
  readonly clientId: string
  readonly hint: string
  readonly cause?: Error | undefined
}

/**
 * Makes the error for a caller that does not hold a lock. It names the holder, if Redis can be asked.
 *
 * @throws {@link WrongTypeError} if the lock cannot be held, because its name belongs to something else
 */
export async function notHeldError(
  engine: Pick<LockEngine, 'name' | 'inspect'>,
  { cause, ...facts }: Refused,
): Promise<LockNotHeldError> {
  const holder = await holderOf(engine, cause)
  return new LockNotHeldError({ lock: engine.name, ...facts, holder }, cause && { cause })
}

/** See {@link LockEngine.notHeld}. */
export function notHeld(
  { context, name, driver }: LockState,
  owner: string | undefined,
  hint: string,
  cause?: Error,
): Promise<LockNotHeldError> {
  const { clientId } = context.owners
  return notHeldError({ name, inspect: () => driver.inspect('') }, { owner, clientId, hint, cause })
}

/** The error for a caller that ends a hold which is not there any more. */
export function notThere(lock: LockState, hold: Hold): Promise<LockNotHeldError> {
  const loss = hold.loss()
  return notHeld(lock, hold.thread.owner, whyNotThere(loss), loss)
}

/** The same without asking Redis for the holder, which could not be reached just now. */
export function notThereUnasked({ context, name: lock }: LockState, hold: Hold): LockNotHeldError {
  const { clientId } = context.owners
  const { owner } = hold.thread
  const loss = hold.loss()
  const hint = whyNotThere(loss)
  return new LockNotHeldError({ lock, owner, clientId, hint, holder: 'unknown' }, loss && { cause: loss })
}

/** What became of a hold, as a sentence. */
export function lossInWords({ leaseMs }: LockLostError): string {
  if (leaseMs === undefined) return 'It was lost.'
  const words = leaseEnded(leaseMs)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

function whyNotThere(loss: LockLostError | undefined): string {
  return loss === undefined ? RELEASED_ALREADY : lossInWords(loss)
}

async function holderOf(
  engine: Pick<LockEngine, 'inspect'>,
  cause: Error | undefined,
): Promise<LockHolder | 'unknown' | undefined> {
  try {
    const { leftMs, holder } = await engine.inspect()
    return holder === undefined ? undefined : { owner: holder, remainingMs: leftMs }
  } catch (error) {
    if (cause === undefined && isRedissonError(error, 'WRONG_TYPE')) throw error
    return 'unknown' // the caller learns what matters without it
  }
}
