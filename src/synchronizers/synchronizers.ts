import type { RCountDownLatch } from './count-down-latch/count-down-latch.api.js'
import type { GcraRateLimiterSettings, RGcraRateLimiter } from './gcra-rate-limiter/gcra-rate-limiter.api.js'
import type { RPermitExpirableSemaphore } from './permit-expirable-semaphore/permit-expirable-semaphore.api.js'
import type { RateLimiterSettings, RRateLimiter } from './rate-limiter/rate-limiter.api.js'
import type { RSemaphore, SemaphoreSettings } from './semaphore/semaphore.api.js'
import { wholeNumber } from '../core/arguments/arguments.js'
import { demandOptions, known } from '../core/arguments/options.js'
import type { LockContext } from '../core/context/object-context.js'
import type { RenewalKind } from '../renewal/lease.js'
import { RedissonCountDownLatch } from './count-down-latch/count-down-latch.js'
import { LatchWatchers } from './count-down-latch/latch-watchers.js'
import { RedissonGcraRateLimiter } from './gcra-rate-limiter/gcra-rate-limiter.js'
import { RedissonPermitExpirableSemaphore } from './permit-expirable-semaphore/permit-expirable-semaphore.js'
import { permitRenewal } from './permit-expirable-semaphore/permit-expirable-semaphore.renewal.js'
import type { HeldPermits } from './permit-expirable-semaphore/permit-handle.js'
import type { PermitExpirableQueues } from './permit-expirable-semaphore/permit-requests.js'
import { PermitQueues } from './shared/permit-queues.js'
import { RateQueues } from './rate-limiter/rate-queues.js'
import { RedissonRateLimiter } from './rate-limiter/rate-limiter.js'
import { JointReleases } from './semaphore/joint-releases.js'
import type { SemaphoreQueues } from './semaphore/semaphore-requests.js'
import { RedissonSemaphore, type Joint, type SemaphoreDeps } from './semaphore/semaphore.js'
import { Compensations } from '../waiting/compensations.js'
import { isPlain } from '../util/is-plain.js'

const PERMITS = known<SemaphoreSettings>({ permits: true })

/** Makes the synchronizers of a client. What those of one name share is kept here. */
export class Synchronizers {
  readonly #context: LockContext
  /** For permits, which are held like locks. */
  readonly #ahead: LockContext
  readonly #clientId: string
  readonly #compensations: Compensations
  /** Both kinds of semaphore use one channel, but no caller waits for one of them at the other. */
  readonly #queues: { readonly plain: SemaphoreQueues; readonly expirable: PermitExpirableQueues }
  readonly #joint: Joint = { releases: new JointReleases(), returns: new JointReleases() }
  readonly #permitRenewal: RenewalKind
  readonly #held: HeldPermits = new Map()
  readonly #watchers: LatchWatchers
  readonly #rateQueues: RateQueues

  constructor(context: LockContext) {
    this.#context = context
    this.#ahead = { ...context, executor: context.ahead }
    this.#clientId = context.owners.clientId
    this.#compensations = new Compensations(context)
    this.#queues = { plain: new PermitQueues(this.#ahead), expirable: new PermitQueues(this.#ahead) }
    this.#permitRenewal = permitRenewal(context.ahead)
    this.#watchers = new LatchWatchers(context)
    this.#rateQueues = new RateQueues(context)
  }

  getSemaphore(name: string, settings: SemaphoreSettings = {}): RSemaphore {
    return new RedissonSemaphore({ ...this.#facts(name, settings, this.#queues.plain), joint: this.#joint })
  }

  getPermitExpirableSemaphore(name: string, settings: SemaphoreSettings = {}): RPermitExpirableSemaphore {
    const facts = this.#facts(name, settings, this.#queues.expirable)
    return new RedissonPermitExpirableSemaphore({ ...facts, renewal: this.#permitRenewal, held: this.#held })
  }

  getCountDownLatch(name: string): RCountDownLatch {
    return new RedissonCountDownLatch({ context: this.#context, name, watchers: this.#watchers })
  }

  getRateLimiter(name: string, settings: GcraRateLimiterSettings): RGcraRateLimiter
  getRateLimiter(name: string, settings?: RateLimiterSettings): RRateLimiter
  getRateLimiter(
    name: string,
    settings: RateLimiterSettings | GcraRateLimiterSettings = {},
  ): RRateLimiter | RGcraRateLimiter {
    const common = { context: this.#context, name, compensations: this.#compensations }
    if (isPlain(settings) && 'algorithm' in settings)
      return new RedissonGcraRateLimiter({ ...common, settings })
    return new RedissonRateLimiter({
      ...common,
      clientId: this.#clientId,
      queues: this.#rateQueues,
      settings,
    })
  }

  #facts<L>(name: string, settings: SemaphoreSettings, queues: L): SemaphoreDeps<L> {
    demandOptions(settings, PERMITS)
    const { permits } = settings
    const initial = permits === undefined ? undefined : wholeNumber('permits', permits, 1)
    return { context: this.#ahead, name, queues, compensations: this.#compensations, initial }
  }
}
