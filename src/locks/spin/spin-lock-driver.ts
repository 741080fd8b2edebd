import type { LockContext } from '../../core/context/object-context.js'
import type { LockKey } from '../shared/hold/lock-names.js'
import { endOfWaiting } from '../../core/context/still-wanted.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import type { Pauses } from './backoff.js'
import type { AcquireRequest, AcquireResult, Attempting } from '../shared/engine/lock-driver.js'
import { ReentrantLockDriver, type Variant } from '../reentrant/reentrant-lock-driver.js'

/** The wire of a spin lock: that of an `RLock`, without messages. */
export class SpinLockDriver extends ReentrantLockDriver {
  readonly #pauses: () => Pauses

  constructor(context: LockContext, key: LockKey, variant: Variant & { readonly pauses: () => Pauses }) {
    super(context, key, variant)
    this.#pauses = variant.pauses
  }

  override triesFirst(): boolean {
    return true
  }

  override async wait(
    { deadline, signal }: AcquireRequest,
    attempt: Attempting,
  ): Promise<AcquireResult | undefined> {
    const nextPause = this.#pauses()
    const sleeper = new AutoResetEvent()
    const end = endOfWaiting(this.context, signal)
    while (!deadline.passed) {
      await sleeper.wait(deadline.within(nextPause()), end)
      if (deadline.passedJustNow) return undefined // there is no time for a reply
      const next = await attempt()
      if (next.done) return next.value
    }
    return undefined
  }

  protected override get silent(): boolean {
    return true
  }
}
