import { Deadline } from '../../../util/time/deadline.js'
import type { Hold } from '../hold/hold.js'
import { lose } from './holds.js'
import type { Acquisition } from './lock-engine.js'
import type { LockState } from './lock-state.js'
import { notThere } from './not-held.js'

/** See {@link LockEngine.setLease}. */
export async function setLease(
  lock: LockState,
  { hold, entry }: Acquisition,
  leaseMs: number,
): Promise<void> {
  const { context, driver } = lock
  await hold.inTurn(async () => {
    hold.endRenewal(entry) // first: a renewal that is sent after this request, or sent again, would have the last word
    await context.renewal.quiet(hold.lease)
    const sentAt = performance.now()
    const owner = driver.fieldOf(hold.thread.owner)
    const isThere = hold.loss() !== undefined || (await driver.setLease(owner, leaseMs))
    if (hold.count === 1) hold.beginLease(sentAt, leaseMs)
    else hold.lease.confirm(sentAt, leaseMs)
    if (!isThere) lose(lock, hold, 'not-held') // a copy of the request may have found the new lease over
    demandHeld(hold)
    context.renewal.track(hold.lease)
  })
}

/** See {@link LockEngine.extend}. */
export async function extend(
  lock: LockState,
  { hold, entry }: Acquisition,
  leaseMs: number | undefined,
): Promise<void> {
  const { config, renewal } = lock.context
  await hold.inTurn(async () => {
    if (!hold.has(entry)) throw await notThere(lock, hold)
    if (hold.loss() === undefined) await prolong(hold, leaseMs ?? config.lockWatchdogTimeoutMs)
    demandHeld(hold)
    if (leaseMs === undefined) hold.beginRenewal(entry)
    renewal.track(hold.lease)
  })
}

/**
 * Renews a lease once, for as long as is asked for.
 *
 * Redis may have done so for a hold that ends here meanwhile, or whose reply was lost. No call would release that before its time.
 */
async function prolong(hold: Hold, leaseMs: number): Promise<void> {
  const { lease } = hold
  const sentAt = performance.now()
  hold.outlasting += 1
  const [held] = await lease.kind.renew([lease], leaseMs, Deadline.never)
  if (held === true) lease.confirm(sentAt, leaseMs)
  else lease.lose('not-held')
  if (hold.loss() === undefined) hold.outlasting -= 1
}

/** @throws {@link LockLostError} if the hold was lost */
function demandHeld(hold: Hold): void {
  const loss = hold.loss()
  if (loss !== undefined) throw loss
}
