import type { RCountDownLatch } from '../api/synchronizers/count-down-latch.js'
import type { RPermitExpirableSemaphore } from '../api/synchronizers/permit-expirable-semaphore.js'
import type { RRateLimiter } from '../api/synchronizers/rate-limiter.js'
import type { RSemaphore } from '../api/synchronizers/semaphore.js'
import { keyOf } from '../core/arguments.js'
import type { ObjectContext } from '../core/object-context.js'
import type { RenewalKind } from '../renewal/lease.js'
import { RedissonCountDownLatch } from './count-down-latch.js'
import { LatchGates } from './latch-gates.js'
import { RedissonPermitExpirableSemaphore } from './permit-expirable-semaphore.js'
import { permitRenewal } from './permit-expirable-semaphore.renewal.js'
import { PermitLines } from './permit-lines.js'
import { RateLines } from './rate-lines.js'
import { RedissonRateLimiter } from './rate-limiter.js'
import { RedissonSemaphore, type SemaphoreFacts } from './semaphore.js'
import { Takings } from './takings.js'

/** Makes the synchronizers of a client. What those of one name share, whoever asked for them, is kept here. */
export class Synchronizers {
  readonly #context: ObjectContext
  readonly #clientId: string
  readonly #takings: Takings
  /** Both kinds of semaphore speak at one channel, and yet nobody waits for one of them at the other. */
  readonly #lines: Readonly<Record<'plain' | 'expirable', PermitLines>>
  readonly #permitRenewal: RenewalKind
  readonly #gates: LatchGates
  readonly #rateLines = new RateLines()

  constructor(context: ObjectContext, clientId: string) {
    this.#context = context
    this.#clientId = clientId
    this.#takings = new Takings(context.config.timeoutMs)
    this.#lines = { plain: new PermitLines(context), expirable: new PermitLines(context) }
    this.#permitRenewal = permitRenewal(context.executor)
    this.#gates = new LatchGates(context)
  }

  getSemaphore(name: string): RSemaphore {
    return new RedissonSemaphore(this.#facts(name, this.#lines.plain))
  }

  getPermitExpirableSemaphore(name: string): RPermitExpirableSemaphore {
    const facts = this.#facts(name, this.#lines.expirable)
    return new RedissonPermitExpirableSemaphore({ ...facts, renewal: this.#permitRenewal })
  }

  getCountDownLatch(name: string): RCountDownLatch {
    const key = keyOf(this.#context, name)
    return new RedissonCountDownLatch({ context: this.#context, name, key, gates: this.#gates })
  }

  getRateLimiter(name: string): RRateLimiter {
    return new RedissonRateLimiter({
      context: this.#context,
      name,
      key: keyOf(this.#context, name),
      clientId: this.#clientId,
      lines: this.#rateLines,
      takings: this.#takings,
    })
  }

  /** Sends home whoever waits, and gives back what reached nobody. */
  async close(): Promise<void> {
    this.#rateLines.close()
    await this.#takings.close()
  }

  #facts(name: string, lines: PermitLines): SemaphoreFacts {
    const key = keyOf(this.#context, name)
    return { context: this.#context, name, key, lines, takings: this.#takings }
  }
}
