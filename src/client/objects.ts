import type { AdderObjects, LongAdderOptions, RDoubleAdder, RLongAdder } from '../api/counters/adder.js'
import type { RSnowflake, SnowflakeObjects, SnowflakeOptions } from '../api/counters/snowflake.js'
import type { RFencedLock } from '../api/locks/fenced-lock.js'
import type { FencingGuard } from '../api/locks/fencing-guard.js'
import type { RLock } from '../api/locks/lock.js'
import type { AnyLock, RMultiLock } from '../api/locks/multi-lock.js'
import type { LockObjects, LockSettings } from '../api/locks/objects.js'
import type { ReadWriteLockOptions, RReadWriteLock } from '../api/locks/read-write-lock.js'
import type { SpinLockOptions } from '../api/locks/spin-lock.js'
import type { CodecOptions, ObjectOptions, ValueOptions } from '../api/object-options.js'
import type { RFunction } from '../api/services/function.js'
import type { RKeys } from '../api/services/keys.js'
import type { RScript } from '../api/services/script.js'
import type { LeaderElection, LeaderElectionSettings } from '../api/services/leader-election.js'
import type { ServiceObjects } from '../api/services/objects.js'
import type { Once, OnceSettings } from '../api/services/once.js'
import type { RCountDownLatch } from '../api/synchronizers/count-down-latch.js'
import type { SynchronizerObjects } from '../api/synchronizers/objects.js'
import type { RPermitExpirableSemaphore } from '../api/synchronizers/permit-expirable-semaphore.js'
import type { RateLimiterSettings, RRateLimiter } from '../api/synchronizers/rate-limiter.js'
import type { RSemaphore, SemaphoreSettings } from '../api/synchronizers/semaphore.js'
import type { LockContext } from '../core/object-context.js'
import { demandNoMore, refuseSurplus, ANY_NUMBER } from '../core/options.js'
import { Adders } from '../counters/adders.js'
import { SnowflakeCounters } from '../counters/snowflakes.js'
import type { IdBlocks } from '../counters/id-generator/id-blocks.js'
import { multiLock, redLock } from '../locks/multi/composite-lock.js'
import { Locks } from '../locks/locks.js'
import { Services } from '../services/services.js'
import { Synchronizers } from '../synchronizers/synchronizers.js'
import { DataObjects } from './data-objects.js'

/** Hands out all objects by name. What those of one name share is kept by their rooms. */
export abstract class Objects
  extends DataObjects
  implements LockObjects, SynchronizerObjects, ServiceObjects, AdderObjects, SnowflakeObjects
{
  static {
    refuseSurplus(this, {
      getMultiLock: ANY_NUMBER,
      getRedLock: ANY_NUMBER,
    })
  }

  readonly #locks: Locks
  readonly #synchronizers: Synchronizers
  readonly #services: Services
  readonly #adders: Adders
  readonly #snowflakes: SnowflakeCounters

  constructor(context: LockContext, idBlocks: IdBlocks) {
    const ahead = { ...context, executor: context.ahead }
    const locks = new Locks(ahead)
    const synchronizers = new Synchronizers(context, context.owners.clientId)
    super(context, { locks, synchronizers }, idBlocks)
    this.#locks = locks
    this.#synchronizers = synchronizers
    this.#services = new Services(context, locks)
    this.#adders = new Adders(context)
    this.#snowflakes = new SnowflakeCounters(ahead)
  }

  getLock(name: string, settings?: LockSettings): RLock {
    return this.#locks.getLock(name, settings)
  }

  getFairLock(name: string, settings?: LockSettings): RLock {
    return this.#locks.getFairLock(name, settings)
  }

  getReadWriteLock(name: string, options?: ReadWriteLockOptions & LockSettings): RReadWriteLock {
    return this.#locks.getReadWriteLock(name, options)
  }

  getFencedLock(name: string, settings?: LockSettings): RFencedLock {
    return this.#locks.getFencedLock(name, settings)
  }

  getFencingGuard(name: string): FencingGuard {
    return this.#locks.getFencingGuard(name)
  }

  getSpinLock(name: string, options?: SpinLockOptions & LockSettings): RLock {
    return this.#locks.getSpinLock(name, options)
  }

  getNonReentrantLock(name: string, settings?: LockSettings): RLock {
    return this.#locks.getNonReentrantLock(name, settings)
  }

  getNonReentrantFairLock(name: string, settings?: LockSettings): RLock {
    return this.#locks.getNonReentrantFairLock(name, settings)
  }

  getMultiLock(...locks: AnyLock[]): RMultiLock
  getMultiLock(group: string, values: Iterable<string | Uint8Array>): RLock
  getMultiLock(...args: AnyLock[] | [string, Iterable<string | Uint8Array>]): RMultiLock {
    if (!isGroup(args)) return multiLock(args)
    demandNoMore((args as readonly unknown[])[2])
    return this.#locks.getValueLock(...args)
  }

  getRedLock(...locks: AnyLock[]): RMultiLock {
    return redLock(locks)
  }

  getSemaphore(name: string, settings?: SemaphoreSettings): RSemaphore {
    return this.#synchronizers.getSemaphore(name, settings)
  }

  getPermitExpirableSemaphore(name: string, settings?: SemaphoreSettings): RPermitExpirableSemaphore {
    return this.#synchronizers.getPermitExpirableSemaphore(name, settings)
  }

  getCountDownLatch(name: string): RCountDownLatch {
    return this.#synchronizers.getCountDownLatch(name)
  }

  getRateLimiter(name: string, settings?: RateLimiterSettings): RRateLimiter {
    return this.#synchronizers.getRateLimiter(name, settings)
  }

  getLongAdder(name: string, options: LongAdderOptions & { readonly bigint: true }): RLongAdder<bigint>
  getLongAdder(name: string, options?: LongAdderOptions & { readonly bigint?: false }): RLongAdder
  getLongAdder(name: string, options?: LongAdderOptions): RLongAdder | RLongAdder<bigint> {
    return this.#adders.getLongAdder(name, options)
  }

  getDoubleAdder(name: string): RDoubleAdder {
    return this.#adders.getDoubleAdder(name)
  }

  getSnowflake(name: string, options?: SnowflakeOptions): RSnowflake {
    return this.#snowflakes.getSnowflake(name, options)
  }

  getOnce(name: string, settings: OnceSettings): Once {
    return this.#services.getOnce(name, settings)
  }

  getKeys(options?: ObjectOptions): RKeys {
    return this.#services.getKeys(options)
  }

  getScript<V>(options?: ValueOptions<V>): RScript<V> {
    return this.#services.getScript(options)
  }

  getFunction<V>(options?: CodecOptions<V>): RFunction<V> {
    return this.#services.getFunction(options)
  }

  getLeaderElection(name: string, settings?: LeaderElectionSettings): LeaderElection {
    return this.#services.getLeaderElection(name, settings)
  }
}

/** A group has a name and a list. */
function isGroup<T>(args: AnyLock[] | [string, T]): args is [string, T] {
  return typeof args[0] === 'string' || Symbol.iterator in Object(args[1])
}
