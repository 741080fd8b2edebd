import type {
  PermitHold,
  PermitHoldOptions,
  PermitOptions,
  RPermitExpirableSemaphore,
  TryPermitHoldOptions,
  TryPermitOptions,
  WithPermitHoldOptions,
} from './permit-expirable-semaphore.api.js'
import { demandFunction, keyOf, newLease, wholeNumber } from '../../core/arguments/arguments.js'
import { permitTimeouts, semaphoreChannel } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import { RedissonExpirable } from '../../core/redisson-expirable.js'
import type { ObjectKeys, ObjectKind, WakeUp } from '../../core/redisson-object.js'
import { PermitNotHeldError, PermitTimeoutError } from '../../errors/synchronizer-errors.js'
import type { RenewalKind } from '../../renewal/lease.js'
import { showOnly } from '../../util/show-only.js'
import type { SemaphoreDeps } from '../semaphore/semaphore.js'
import {
  addPermits,
  count,
  leaseTime,
  relet,
  setPermits,
  trySetPermits,
} from './permit-expirable-semaphore.scripts.js'
import type { HeldPermits } from './permit-handle.js'
import { PermitHolds } from './permit-holds.js'
import { bytesOf, checkedId, checkedIds } from './permit-ids.js'
import { PermitRequests, type PermitExpirableQueues } from './permit-requests.js'
import {
  acquireManyRequest,
  acquireRequest,
  tryAcquireManyRequest,
  tryAcquireRequest,
  withPermitRequest,
  type PermitsRequest,
} from './permits-request.js'

/** What a semaphore whose permits can expire is made of. */
export interface PermitSemaphoreDeps extends SemaphoreDeps<PermitExpirableQueues> {
  readonly renewal: RenewalKind
  readonly held: HeldPermits
}

const SEVERAL_IDS = 'several ids go into a list'

/** Redis says so of a permit that is not lent. */
const NOT_LENT = -2

/** A counter in Redis, and beside it every permit that is lent, with its end. */
export class RedissonPermitExpirableSemaphore extends RedissonExpirable implements RPermitExpirableSemaphore {
  static {
    showOnly(this, 'RPermitExpirableSemaphore', ({ name }) => ({ name }))
    refuseSurplus(this, {
      release: SEVERAL_IDS,
      tryRelease: SEVERAL_IDS,
      trySetPermits: 'the permits stay until they are deleted',
      getLeaseTime: 'it is about one permit',
      rename: 'it gets one new name',
      renamenx: 'it gets one new name',
    })
  }

  readonly #context: LockContext
  readonly #requests: PermitRequests
  readonly #holds: PermitHolds

  constructor({ renewal, held, ...deps }: PermitSemaphoreDeps) {
    const { context, name } = deps
    super(context, name)
    const { key } = this
    const requests = new PermitRequests(deps, key)
    this.#context = context
    this.#requests = requests
    this.#holds = new PermitHolds({ context, name, key, renewal, held, requests })
  }

  async acquire(options?: number | PermitOptions): Promise<string> {
    const request = acquireRequest(this.name, options)
    const { ids } = this.#demand(await this.#requests.acquire(request, request.leaseMs), request)
    return ids[0]
  }

  async acquireMany(permits: number, options?: PermitOptions): Promise<string[]> {
    const request = acquireManyRequest(this.name, permits, options)
    const { ids } = this.#demand(await this.#requests.acquire(request, request.leaseMs), request)
    return [...ids]
  }

  async tryAcquire(options?: number | TryPermitOptions, leaseMs?: number): Promise<string | undefined> {
    const request = tryAcquireRequest(this.name, options, leaseMs)
    return (await this.#requests.acquire(request, request.leaseMs))?.ids[0]
  }

  async tryAcquireMany(permits: number, options?: TryPermitOptions): Promise<string[] | undefined> {
    const request = tryAcquireManyRequest(this.name, permits, options)
    const taken = await this.#requests.acquire(request, request.leaseMs)
    return taken && [...taken.ids]
  }

  async acquirePermit(options?: PermitHoldOptions): Promise<PermitHold> {
    const request = this.#watched(acquireManyRequest(this.name, 1, options))
    return this.#demand(await this.#holds.acquire(request), request).handle()
  }

  async tryAcquirePermit(options?: TryPermitHoldOptions): Promise<PermitHold | undefined> {
    const request = this.#watched(tryAcquireManyRequest(this.name, 1, options))
    return (await this.#holds.acquire(request))?.handle()
  }

  async release(ids: string | readonly string[]): Promise<void> {
    if (await this.tryRelease(ids)) return
    throw new PermitNotHeldError(this.name, typeof ids === 'string' ? [ids] : ids)
  }

  async tryRelease(ids: string | readonly string[]): Promise<boolean> {
    const given = checkedIds(ids)
    const released = await this.#requests.release(given)
    if (released) for (const id of given) this.#holds.of(id)?.lease.lose('not-held')
    return released
  }

  async availablePermits(): Promise<number> {
    const [available] = await this.#count()
    return available
  }

  async acquiredPermits(): Promise<number> {
    const [, lent] = await this.#count()
    return lent
  }

  async getPermits(): Promise<number> {
    const [available, lent, exists] = await this.#count()
    return exists === 1 ? available + lent : 0
  }

  async trySetPermits(permits: number): Promise<boolean> {
    const args = { permits: wholeNumber('permits', permits, 0) }
    return (
      (await this.executor.run(
        trySetPermits,
        { keys: this.#requests.newKeys(), args },
        { remember: true },
      )) === 1
    )
  }

  async setPermits(permits: number): Promise<void> {
    const args = { permits: wholeNumber('permits', permits, 0) }
    await this.executor.run(setPermits, { keys: this.#requests.newKeys(), args }, { remember: true })
  }

  async addPermits(permits: number): Promise<void> {
    const args = { permits: wholeNumber('permits', permits) }
    await this.executor.run(addPermits, { keys: this.#requests.newKeys(), args }, { remember: true })
  }

  async updateLeaseTime(id: string, leaseMs: number): Promise<boolean> {
    const lease = newLease(leaseMs, this.name)
    const args = { id: bytesOf([checkedId(id)]), leaseMs: lease }
    const call = { keys: this.#requests.newKeys(), args }
    const ask = async () => (await this.executor.run(relet, call, { remember: true })) === 1
    return await (this.#holds.of(id)?.relet(lease, ask) ?? ask())
  }

  async getLeaseTime(id: string): Promise<number> {
    const args = { id: bytesOf([checkedId(id)]) }
    const leftMs = await this.executor.run(leaseTime, { keys: this.#requests.newKeys(), args })
    if (leftMs === NOT_LENT) throw new PermitNotHeldError(this.name, [id])
    return leftMs
  }

  override async delete(): Promise<boolean> {
    return await this.#holds.losing(() => super.delete())
  }

  override async unlink(): Promise<boolean> {
    return await this.#holds.losing(() => super.unlink())
  }

  override async rename(newName: string): Promise<void> {
    await this.#holds.losing(
      () => super.rename(newName),
      () => keyOf(this.#context, newName) !== this.key, // otherwise it has its name already
    )
  }

  override async renamenx(newName: string): Promise<boolean> {
    return await this.#holds.losing(
      () => super.renamenx(newName),
      (isRenamed) => isRenamed,
    )
  }

  override async move(database: number): Promise<boolean> {
    return await this.#holds.losing(
      () => super.move(database),
      (isMoved) => isMoved,
    )
  }

  async withPermit<T>(
    fn: (hold: PermitHold) => T | PromiseLike<T>,
    options?: WithPermitHoldOptions,
  ): Promise<T> {
    demandFunction(fn)
    const request = this.#watched(withPermitRequest(this.name, options))
    const permit = this.#demand(await this.#holds.acquire(request), request)
    const { releaseWaitMs } = request
    let result: T
    try {
      result = await fn(permit.handle())
    } catch (error) {
      await permit.end(releaseWaitMs).catch(() => undefined) // the function's own error says more
      throw error
    }
    const lost = await permit.end(releaseWaitMs)
    if (lost !== undefined) throw lost
    return result
  }

  protected override keysOf(key: string): ObjectKeys {
    return [key, permitTimeouts(key)]
  }

  protected override get kind(): ObjectKind {
    return 'number'
  }

  protected override wakeUpOf(key: string): WakeUp {
    return { channel: semaphoreChannel(key), message: '' }
  }

  /** Where forgotten holds are reported, records the caller. It has to be called in the synchronous part of the call. */
  #watched(request: PermitsRequest): PermitsRequest {
    const { holdWatch } = this.#context
    return holdWatch === undefined ? request : { ...request, watched: holdWatch.expect() }
  }

  #demand<T>(got: T | undefined, request: PermitsRequest): T {
    if (got !== undefined) return got
    throw new PermitTimeoutError(this.name, request)
  }

  #count(): Promise<readonly [number, number, number]> {
    return this.executor.run(count, { keys: this.#requests.newKeys(), args: {} })
  }
}
