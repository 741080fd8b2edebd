import type {
  RSemaphore,
  SemaphoreOptions,
  TrySemaphoreOptions,
  WithPermitOptions,
} from '../api/synchronizers/semaphore.js'
import { requestLifeMs } from '../config/request-life.js'
import {
  demandFunction,
  demandOptions,
  milliseconds,
  patienceOf,
  wholeNumber,
  type Patience,
} from '../core/arguments.js'
import { requestKey, semaphoreChannel } from '../core/names.js'
import type { ObjectContext } from '../core/object-context.js'
import { demandStillWanted } from '../core/still-wanted.js'
import { PermitTimeoutError } from '../errors/synchronizer-errors.js'
import type { Attempt } from '../pubsub/wait-until.js'
import type { PermitLines } from './permit-lines.js'
import { RECHECK_MS } from './recheck.js'
import { acquire, available, drain, release, remove, trySetPermits, undo } from './semaphore.scripts.js'
import { UNDO_WITHIN_MS, type Takings } from './takings.js'

/** What a semaphore is made of. */
export interface SemaphoreFacts {
  readonly context: ObjectContext
  readonly name: string
  readonly key: string
  /** Those in this process who wait. */
  readonly lines: PermitLines
  readonly takings: Takings
}

interface PermitsRequest extends Patience {
  readonly permits: number
}

/** A counter in Redis that never falls below zero by an acquisition. */
export class RedissonSemaphore implements RSemaphore {
  readonly name: string
  readonly #context: ObjectContext
  readonly #key: string
  readonly #channel: string
  readonly #lines: PermitLines
  readonly #takings: Takings

  constructor({ context, name, key, lines, takings }: SemaphoreFacts) {
    this.name = name
    this.#context = context
    this.#key = key
    this.#channel = semaphoreChannel(key)
    this.#lines = lines
    this.#takings = takings
  }

  async acquire(options: number | SemaphoreOptions = {}): Promise<void> {
    const request = requestOf(typeof options === 'number' ? { permits: options } : options, Infinity)
    await this.#demand(request)
  }

  async tryAcquire(options: number | TrySemaphoreOptions = 1, waitMs = 0): Promise<boolean> {
    return await this.#obtain(
      requestOf(typeof options === 'number' ? { permits: options, waitMs } : options, 0),
    )
  }

  async release(permits = 1): Promise<void> {
    if (wholeNumber('permits', permits, 0) > 0) await this.#release(permits, { ifExists: 0 })
  }

  async releaseIfExists(permits = 1): Promise<boolean> {
    return wholeNumber('permits', permits, 0) > 0 && (await this.#release(permits, { ifExists: 1 }))
  }

  async trySetPermits(permits: number, ttlMs?: number): Promise<boolean> {
    const args = {
      permits: wholeNumber('permits', permits, 0),
      ttlMs: ttlMs === undefined ? 0 : lifeTime(ttlMs),
      publish: this.#publish,
    }
    const { executor } = this.#context
    return (await executor.run(trySetPermits, { keys: this.#keys(), args }, { remember: true })) === 1
  }

  async addPermits(permits: number): Promise<void> {
    await this.#release(wholeNumber('permits', permits), { ifExists: 0 })
  }

  drainPermits(): Promise<number> {
    return this.#context.executor.run(drain, { keys: this.#keys(), args: {} }, { remember: true })
  }

  availablePermits(): Promise<number> {
    return this.#context.executor.run(available, { keys: { semaphore: this.#key }, args: {} })
  }

  async delete(): Promise<boolean> {
    const { executor } = this.#context
    return (await executor.run(remove, { keys: this.#keys(), args: {} }, { remember: true })) === 1
  }

  async withPermit<T>(fn: () => T | PromiseLike<T>, options: WithPermitOptions = {}): Promise<T> {
    demandFunction(fn)
    const request = requestOf(options, Infinity)
    await this.#demand(request)
    let result: T
    try {
      result = await fn()
    } catch (error) {
      await this.release(request.permits).catch(() => undefined) // the function's own error says more
      throw error
    }
    await this.release(request.permits)
    return result
  }

  async #demand(request: PermitsRequest): Promise<void> {
    if (!(await this.#obtain(request))) throw new PermitTimeoutError(this.name, request)
  }

  async #obtain(request: PermitsRequest): Promise<boolean> {
    request.signal?.throwIfAborted()
    if (request.permits === 0) return true
    const obtained = await this.#lines.obtain(this.#key, {
      ...request,
      attempt: () => this.#attempt(request),
      retryNextInMs: (left) => (left > 0 ? undefined : RECHECK_MS),
    })
    return obtained !== undefined
  }

  /** Tries once; when that succeeds, the value is how many permits are left. */
  async #attempt({ permits, deadline, signal }: PermitsRequest): Promise<Attempt<number>> {
    demandStillWanted(this.#context, signal)
    const keys = this.#keys()
    const { executor, config } = this.#context
    const undoneMs = requestLifeMs(config)
    const args = { permits, undoableMs: UNDO_WITHIN_MS + undoneMs }
    const [taken, left] = await this.#takings.take({
      answer: executor.run(acquire, { keys, args }, { deadline, remember: true }),
      signal,
      giveBack: async ([late]) => late === 1 && (await this.#release(permits, { ifExists: 1 })),
      undo: () => executor.run(undo, { keys, args: { permits, publish: this.#publish, undoneMs } }),
    })
    return taken === 1 ? { done: true, value: left } : { done: false, retryInMs: RECHECK_MS }
  }

  async #release(permits: number, { ifExists }: { readonly ifExists: 0 | 1 }): Promise<boolean> {
    const call = { keys: this.#keys(), args: { permits, ifExists, publish: this.#publish } }
    return (await this.#context.executor.run(release, call, { remember: true })) === 1
  }

  #keys() {
    const request = requestKey(this.#key, this.#context.requestIds.next())
    return { semaphore: this.#key, channel: this.#channel, request }
  }

  get #publish(): string {
    return this.#context.servers.publishCommand
  }
}

function requestOf(options: TrySemaphoreOptions, defaultWaitMs: number): PermitsRequest {
  demandOptions(options, 'a number of permits')
  return {
    ...patienceOf(options, defaultWaitMs),
    permits: wholeNumber('permits', options.permits ?? 1, 0),
  }
}

function lifeTime(ttlMs: number): number {
  const life = Math.ceil(milliseconds('ttlMs', ttlMs))
  if (life > 0 && life <= Number.MAX_SAFE_INTEGER) return life
  throw new RangeError(`Expected \`ttlMs\` to be more than 0 milliseconds, got ${String(ttlMs)}`)
}
