import { randomBytes } from 'node:crypto'
import type {
  PermitHold,
  PermitHoldOptions,
  PermitOptions,
  RPermitExpirableSemaphore,
  TryPermitHoldOptions,
  TryPermitOptions,
  WithPermitHoldOptions,
} from '../api/synchronizers/permit-expirable-semaphore.js'
import type { CommandExecutor } from '../command/command-executor.js'
import { requestLifeMs } from '../config/request-life.js'
import {
  demandFunction,
  demandOptions,
  leaseOf,
  patienceOf,
  wholeNumber,
  type Patience,
} from '../core/arguments.js'
import { permitTimeouts, requestKey, semaphoreChannel } from '../core/names.js'
import type { ObjectContext } from '../core/object-context.js'
import { demandStillWanted } from '../core/still-wanted.js'
import { PermitLostError, PermitNotHeldError, PermitTimeoutError } from '../errors/synchronizer-errors.js'
import type { Attempt } from '../pubsub/wait-until.js'
import { Lease, safeUntil, type RenewalKind } from '../renewal/lease.js'
import { shown } from '../util/shown.js'
import {
  acquire,
  addPermits,
  count,
  leaseTime,
  release,
  relet,
  remove,
  setPermits,
  trySetPermits,
  undo,
} from './permit-expirable-semaphore.scripts.js'
import { PermitHandle } from './permit-handle.js'
import type { PermitLines } from './permit-lines.js'
import { RECHECK_MS } from './recheck.js'
import type { SemaphoreFacts } from './semaphore.js'
import type { Takings } from './takings.js'

/** What a semaphore whose permits can expire is made of. */
export interface PermitSemaphoreFacts extends SemaphoreFacts {
  readonly renewal: RenewalKind
}

interface PermitsRequest extends Patience {
  readonly permits: number
  /** Milliseconds; undefined where nobody says. */
  readonly leaseMs: number | undefined
}

/** Permits that were taken. */
interface Taken {
  readonly ids: [string, ...string[]]
  /** When the request was sent that took them, on the monotonic clock. */
  readonly sentAt: number
  /** How many are free now. */
  readonly left: number
  /** How long to wait for others, unless there is news. */
  readonly patienceMs: number
}

/** Redis can do nothing else while it lends them. */
const MOST_AT_ONCE = 100_000

/** Redis says so of a permit that is not lent. */
const NOT_LENT = -2

/** A counter in Redis, and beside it every permit that is lent, with its end. */
export class RedissonPermitExpirableSemaphore implements RPermitExpirableSemaphore {
  readonly name: string
  readonly #context: ObjectContext
  readonly #key: string
  readonly #lines: PermitLines
  readonly #takings: Takings
  readonly #renewal: RenewalKind

  constructor({ context, name, key, lines, takings, renewal }: PermitSemaphoreFacts) {
    this.name = name
    this.#context = context
    this.#key = key
    this.#lines = lines
    this.#takings = takings
    this.#renewal = renewal
  }

  async acquire(options: number | PermitOptions = {}): Promise<string> {
    const request = patient(1, typeof options === 'number' ? { leaseMs: options } : options)
    const { ids } = this.#demand(await this.#obtain(request, request.leaseMs), request)
    return ids[0]
  }

  async acquireMany(permits: number, options: PermitOptions = {}): Promise<string[]> {
    const request = patient(permits, options)
    const { ids } = this.#demand(await this.#obtain(request, request.leaseMs), request)
    return ids
  }

  async tryAcquire(options: number | TryPermitOptions = 0, leaseMs = 0): Promise<string | null> {
    const given = typeof options === 'number' ? { waitMs: options, leaseMs } : options
    const request = hasty(1, given)
    return (await this.#obtain(request, request.leaseMs))?.ids[0] ?? null
  }

  async tryAcquireMany(permits: number, options: TryPermitOptions = {}): Promise<string[] | null> {
    const request = hasty(permits, options)
    return (await this.#obtain(request, request.leaseMs))?.ids ?? null
  }

  async acquirePermit(options: PermitHoldOptions = {}): Promise<PermitHold> {
    const request = patient(1, options)
    return this.#demand(await this.#hold(request), request)
  }

  async tryAcquirePermit(options: TryPermitHoldOptions = {}): Promise<PermitHold | null> {
    return (await this.#hold(hasty(1, options))) ?? null
  }

  async release(ids: string | readonly string[]): Promise<void> {
    if (await this.tryRelease(ids)) return
    throw new PermitNotHeldError(this.name, typeof ids === 'string' ? [ids] : ids)
  }

  async tryRelease(ids: string | readonly string[]): Promise<boolean> {
    const args = { ids: bytesOf(checkedIds(ids)), publish: this.#publish }
    return (await this.#executor.run(release, { keys: this.#keys(), args }, { remember: true })) === 1
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
    const args = { permits: wholeNumber('permits', permits, 0), publish: this.#publish }
    return (await this.#executor.run(trySetPermits, { keys: this.#keys(), args }, { remember: true })) === 1
  }

  async setPermits(permits: number): Promise<void> {
    const args = { permits: wholeNumber('permits', permits, 0), publish: this.#publish }
    await this.#executor.run(setPermits, { keys: this.#keys(), args })
  }

  async addPermits(permits: number): Promise<void> {
    const args = { permits: wholeNumber('permits', permits), publish: this.#publish }
    await this.#executor.run(addPermits, { keys: this.#keys(), args }, { remember: true })
  }

  async updateLeaseTime(id: string, leaseMs: number): Promise<boolean> {
    const lease = leaseOf({ leaseMs })
    if (lease === undefined) {
      throw new RangeError(`Expected \`leaseMs\` to be more than 0 milliseconds, got ${shown(leaseMs)}`)
    }
    const args = { id: bytesOf(checkedIds(id)), leaseMs: lease, publish: this.#publish }
    return (await this.#executor.run(relet, { keys: this.#keys(), args })) === 1
  }

  async getLeaseTime(id: string): Promise<number> {
    const args = { id: bytesOf(checkedIds(id)), publish: this.#publish }
    const leftMs = await this.#executor.run(leaseTime, { keys: this.#keys(), args })
    if (leftMs === NOT_LENT) throw new PermitNotHeldError(this.name, [id])
    return leftMs
  }

  async delete(): Promise<boolean> {
    return (await this.#executor.run(remove, { keys: this.#keys(), args: {} }, { remember: true })) === 1
  }

  async withPermit<T>(
    fn: (hold: PermitHold) => T | PromiseLike<T>,
    options: WithPermitHoldOptions = {},
  ): Promise<T> {
    demandFunction(fn)
    const request = patient(1, options)
    const hold = this.#demand(await this.#hold(request), request)
    let result: T
    try {
      result = await fn(hold)
    } catch (error) {
      await hold[Symbol.asyncDispose]().catch(() => undefined) // the function's own error says more
      throw error
    }
    if (!hold.isGivenBack) await this.#end(hold)
    return result
  }

  async #end(hold: PermitHandle): Promise<void> {
    try {
      await hold.release()
    } catch (error) {
      throw hold.lost ?? error
    }
  }

  #demand<T>(got: T | undefined, request: PermitsRequest): T {
    if (got !== undefined) return got
    throw new PermitTimeoutError(this.name, request)
  }

  /** Takes one permit, and looks after it from then on. */
  async #hold(request: PermitsRequest): Promise<PermitHandle | undefined> {
    const leaseMs = request.leaseMs ?? this.#context.config.lockWatchdogTimeoutMs
    const taken = await this.#obtain(request, leaseMs)
    if (taken === undefined) return undefined
    const { renewal, servers } = this.#context
    const [id] = taken.ids
    const facts = { kind: this.#renewal, name: this.#key, owner: id, slot: servers.slotOf(this.#key) }
    const hold = new PermitHandle({
      semaphore: this.name,
      id,
      leaseOf: (holder) => new Lease(facts, holder),
      giveBack: async (lease) => {
        renewal.drop(lease)
        return await this.tryRelease(id)
      },
    })
    hold.lease.renewed = request.leaseMs === undefined
    hold.lease.confirm(taken.sentAt, leaseMs)
    renewal.keep(hold.lease)
    return hold
  }

  async #obtain(request: PermitsRequest, leaseMs: number | undefined): Promise<Taken | undefined> {
    request.signal?.throwIfAborted()
    const taken = await this.#lines.obtain(this.#key, {
      ...request,
      attempt: () => this.#attempt(request, leaseMs),
      retryNextInMs: ({ left, patienceMs }) => (left > 0 ? undefined : patienceMs),
    })
    if (taken !== undefined && leaseMs !== undefined) await this.#demandTime(taken, leaseMs)
    return taken
  }

  async #attempt({ permits, deadline, signal }: PermitsRequest, leaseMs = 0): Promise<Attempt<Taken>> {
    demandStillWanted(this.#context, signal)
    const { executor, config } = this.#context
    const keys = this.#keys()
    const ids: Taken['ids'] = [newId(), ...Array.from({ length: permits - 1 }, newId)]
    const args = { ids: bytesOf(ids), leaseMs, publish: this.#publish }
    const sentAt = performance.now()
    const [taken, left, nextExpiryMs] = await this.#takings.take({
      answer: executor.run(acquire, { keys, args }, { deadline }),
      signal,
      giveBack: async ([late]) => late === 1 && (await this.tryRelease(ids)),
      undo: () => executor.run(undo, { keys, args: { ...args, undoneMs: requestLifeMs(config) } }),
    })
    const patienceMs = nextExpiryMs < 0 ? RECHECK_MS : Math.min(nextExpiryMs, RECHECK_MS)
    if (taken !== 1) return { done: false, retryInMs: patienceMs }
    return { done: true, value: { ids, sentAt, left, patienceMs } }
  }

  /** Nobody is handed a permit whose lease was over before the answer arrived. */
  async #demandTime({ ids, sentAt }: Taken, leaseMs: number): Promise<void> {
    if (performance.now() < safeUntil(sentAt, leaseMs)) return
    await Promise.all(ids.map((id) => this.tryRelease(id).catch(() => false))) // they have ended as it is
    throw new PermitLostError({ semaphore: this.name, id: ids[0], reason: 'expired' })
  }

  #count(): Promise<readonly [number, number, number]> {
    return this.#executor.run(count, { keys: this.#keys(), args: { publish: this.#publish } })
  }

  #keys() {
    return {
      semaphore: this.#key,
      timeouts: permitTimeouts(this.#key),
      channel: semaphoreChannel(this.#key),
      request: requestKey(this.#key, this.#context.requestIds.next()),
    }
  }

  get #executor(): CommandExecutor {
    return this.#context.executor
  }

  get #publish(): string {
    return this.#context.servers.publishCommand
  }
}

function patient(permits: number, options: TryPermitOptions): PermitsRequest {
  return requestOf(permits, options, Infinity)
}

function hasty(permits: number, options: TryPermitOptions): PermitsRequest {
  return requestOf(permits, options, 0)
}

function requestOf(permits: number, options: TryPermitOptions, defaultWaitMs: number): PermitsRequest {
  demandOptions(options, 'a number of milliseconds')
  return {
    ...patienceOf(options, defaultWaitMs),
    permits: someAtOnce(permits),
    leaseMs: leaseOf(options),
  }
}

function someAtOnce(permits: number): number {
  if (wholeNumber('permits', permits, 1) <= MOST_AT_ONCE) return permits
  throw new RangeError(`Expected \`permits\` to be at most ${String(MOST_AT_ONCE)}, got ${String(permits)}`)
}

/** A permit that nobody has had before, as the program sees it: 16 bytes in hexadecimal digits. */
function newId(): string {
  return randomBytes(16).toString('hex')
}

function checkedIds(ids: string | readonly string[]): readonly string[] {
  const list: unknown = typeof ids === 'string' ? [ids] : ids
  if (!Array.isArray(list) || list.length === 0) {
    throw new TypeError(`Expected the id of a permit, or a list of some, got ${shown(ids)}`)
  }
  for (const id of list as unknown[]) {
    if (typeof id !== 'string' || !/^[0-9a-f]{32}$/i.test(id)) {
      throw new TypeError(`Expected the id of a permit to be 32 hexadecimal digits, got ${shown(id)}`)
    }
  }
  return [...new Set((list as string[]).map((id) => id.toLowerCase()))]
}

/** Ids as they are in Redis, one after the other. */
function bytesOf(ids: readonly string[]): Buffer {
  return Buffer.from(ids.join(''), 'hex')
}
