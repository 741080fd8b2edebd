import type { RSemaphore, SemaphoreOptions, TrySemaphoreOptions, WithPermitOptions } from './semaphore.api.js'
import type { CommandExecutor } from '../../command/operation/command-executor.js'
import { demandFunction, lifeTime, releaseWaitOf, wholeNumber } from '../../core/arguments/arguments.js'
import { refusalOf } from '../../core/context/late-release.js'
import { semaphoreChannel } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import { known, refuseSurplus } from '../../core/arguments/options.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKind, WakeUp } from '../../core/redisson-object.js'
import { demandStillWanted } from '../../core/context/still-wanted.js'
import { PermitTimeoutError } from '../../errors/synchronizer-errors.js'
import { outcomeWithin } from '../../util/time/outcome-within.js'
import { showOnly } from '../../util/show-only.js'
import { endlessLease } from '../../renewal/lease.js'
import { permitsRequest, releasedPermits, type PermitsRequest } from '../../core/arguments/permits-request.js'
import type { JointReleases } from './joint-releases.js'
import { SemaphoreRequests, type SemaphoreQueues } from './semaphore-requests.js'
import { available, drain, trySetPermits } from './semaphore.scripts.js'
import type { Compensations } from '../../waiting/compensations.js'

/** What a semaphore is made of. */
export interface SemaphoreDeps<L> {
  readonly context: LockContext
  readonly name: string
  /** The waiters of this process. */
  readonly queues: L
  readonly compensations: Compensations
  /** How many permits an acquisition sets where the semaphore is not there. */
  readonly initial: number | undefined
}

/** What a semaphore whose permits have no owner is made of. */
export interface PlainSemaphoreDeps extends SemaphoreDeps<SemaphoreQueues> {
  readonly joint: Joint
}

/** Releases of this client that leave together. Those of both kinds differ in what follows a failure. */
export interface Joint {
  /** Those that the program makes itself. */
  readonly releases: JointReleases
  /** Those at the end of `withPermit()`. */
  readonly returns: JointReleases
}

const shortForm = 'a number of permits'

const ACQUIRE = {
  call: known<SemaphoreOptions>(
    { permits: true, signal: true },
    { shortForm, elsewhere: { waitMs: 'tryAcquire() and withPermit()' } },
  ),
  least: 0,
  defaultWaitMs: Infinity,
}

const TRY_ACQUIRE = {
  call: known<TrySemaphoreOptions>({ permits: true, waitMs: true, signal: true }, { shortForm }),
  least: 0,
  defaultWaitMs: 0,
}

const WITH_PERMIT = {
  call: known<WithPermitOptions>({ permits: true, waitMs: true, signal: true, releaseWaitMs: true }),
  least: 0,
  defaultWaitMs: Infinity,
}

/** A counter in Redis that never falls below zero by an acquisition. */
export class RedissonSemaphore extends RedissonExpirable implements RSemaphore {
  static {
    showOnly(this, 'RSemaphore', ({ name }) => ({ name }))
    refuseSurplus(this, {
      drainPermits: 'it takes all the permits that are free',
    })
  }

  readonly #context: LockContext
  readonly #queues: SemaphoreQueues
  readonly #joint: Joint
  readonly #requests: SemaphoreRequests

  constructor({ context, name, queues, compensations, initial, joint }: PlainSemaphoreDeps) {
    super(context, name)
    this.#context = context
    this.#queues = queues
    this.#joint = joint
    const { key } = this
    const executor = () => this.executor
    this.#requests = new SemaphoreRequests({ context, name, key, queues, compensations, initial, executor })
  }

  async acquire(options?: number | SemaphoreOptions): Promise<void> {
    await this.#demand(permitsRequest(options, undefined, ACQUIRE))
  }

  async tryAcquire(options?: number | TrySemaphoreOptions, waitMs?: number): Promise<boolean> {
    return await this.#requests.acquire(permitsRequest(options, waitMs, TRY_ACQUIRE))
  }

  async release(permits?: number): Promise<void> {
    const released = releasedPermits(permits)
    if (released === 0) return
    await this.#release(this.#joint.releases, released, (all) => this.#requests.releaseAll(all))
  }

  async releaseIfExists(permits?: number): Promise<boolean> {
    const released = releasedPermits(permits)
    return released > 0 && (await this.#requests.release(released, { ifExists: 1 }))
  }

  async trySetPermits(permits: number, ttlMs?: number): Promise<boolean> {
    const args = {
      permits: wholeNumber('permits', permits, 0),
      ttlMs: ttlMs === undefined ? 0 : lifeTime(ttlMs),
    }
    const call = { keys: this.#requests.newKeys(), args }
    return (await this.executor.run(trySetPermits, call, { remember: true })) === 1
  }

  async addPermits(permits: number): Promise<void> {
    await this.#requests.release(wholeNumber('permits', permits), { ifExists: 0 })
  }

  async drainPermits(): Promise<number> {
    demandStillWanted(this.#context, undefined)
    return await this.executor.run(drain, { keys: this.#requests.newKeys(), args: {} }, { remember: true })
  }

  async availablePermits(): Promise<number> {
    return await this.executor.run(available, { keys: { semaphore: this.key }, args: {} })
  }

  async withPermit<T>(fn: () => T | PromiseLike<T>, options?: WithPermitOptions): Promise<T> {
    demandFunction(fn)
    const request = permitsRequest(options, undefined, WITH_PERMIT)
    const waitMs = releaseWaitOf(options)
    await this.#demand(request)
    const giveBack = this.#untilReleased(request.permits)
    let result: T
    try {
      result = await fn()
    } catch (error) {
      await this.#end(giveBack(), waitMs).catch(() => undefined) // the function's own error says more
      throw error
    }
    await this.#end(giveBack(), waitMs)
    return result
  }

  /** Requests take effect in the order in which they were made, and so those that are held back leave first. */
  protected override get executor(): CommandExecutor {
    this.#joint.releases.send(this.key)
    this.#joint.returns.send(this.key)
    return super.executor
  }

  protected override get kind(): ObjectKind {
    return 'number'
  }

  protected override wakeUpOf(key: string): WakeUp {
    return { channel: semaphoreChannel(key), message: '' }
  }

  /** Registers taken permits for the shutdown. Returns a function that releases them, once. */
  #untilReleased(permits: number): () => Promise<void> {
    const { renewal } = this.#context
    let releasing: Promise<void> | undefined
    const giveBack = () => {
      renewal.untrack(lease)
      releasing ??= this.#release(this.#joint.returns, permits, (all) => this.#requests.return(all))
      return releasing
    }
    const lease = endlessLease({ onLeaseLost: () => undefined, giveBack })
    renewal.track(lease)
    return giveBack
  }

  /** Waits for a release at the end of a function, and no longer than that. It goes on in the background. */
  async #end(releasing: Promise<void>, waitMs = this.#context.config.releaseWaitMs): Promise<void> {
    const { name, key } = this
    const refusal = refusalOf(
      this.#context,
      { kind: 'permit', key, name },
      await outcomeWithin(releasing, waitMs),
    )
    if (refusal !== undefined) throw refusal
  }

  /** Puts permits back: to callers of this process that wait for them, or together with those of others. */
  async #release(
    joint: JointReleases,
    permits: number,
    send: (permits: number) => Promise<unknown>,
  ): Promise<void> {
    if (permits === 0 || this.#requests.passOn(permits)) return
    const isHeldBack = this.#queues.isWaitedFor(this.key) && !this.#context.closing.aborted
    const { ifExists } = this.#requests
    await (isHeldBack ? joint.join(this.key, { permits, ifExists, send }) : send(permits))
  }

  async #demand(request: PermitsRequest): Promise<void> {
    if (!(await this.#requests.acquire(request))) throw new PermitTimeoutError(this.name, request)
  }
}
