import type { ObjectContext } from '../core/object-context.js'
import type { Attempt } from '../pubsub/wait-until.js'
import { Sleeper } from '../util/sleeper.js'
import type { Pauses } from './backoff.js'
import type { Claim, Won } from './lock-protocol.js'
import { ReentrantProtocol, type Variant } from './reentrant-protocol.js'

/** The wire of a spin lock: that of an `RLock`, except that nobody is told and nobody listens. */
export class SpinProtocol extends ReentrantProtocol {
  readonly #pauses: () => Pauses

  constructor(context: ObjectContext, lock: string, variant: Variant & { readonly pauses: () => Pauses }) {
    super(context, lock, variant)
    this.#pauses = variant.pauses
  }

  override triesFirst(): boolean {
    return true
  }

  override async wait(
    { deadline, signal }: Claim,
    attempt: () => Promise<Attempt<Won>>,
  ): Promise<Won | undefined> {
    const nextPause = this.#pauses()
    const sleeper = new Sleeper()
    while (!deadline.passed) {
      await sleeper.sleep(deadline.within(nextPause()), signal)
      const next = await attempt()
      if (next.done) return next.value
    }
    return undefined
  }

  protected override get publish(): string {
    return ''
  }
}
