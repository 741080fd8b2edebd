import type { LocalCachedMapCacheObjects } from '../collections/local-cached-map-cache/local-cached-map-cache.api.js'
import type { LocalCachedMapObjects } from '../collections/local-cached-map/local-cached-map.api.js'
import type { AdderObjects } from '../counters/adder/adder.api.js'
import type { SnowflakeObjects } from '../counters/snowflake/snowflake.api.js'
import type { AnyLock, RMultiLock } from '../locks/multi/multi-lock.api.js'
import type { RLock } from '../locks/shared/lock.api.js'
import type { CacheObjects } from '../caches/caches.api.js'
import type { LockObjects } from '../locks/locks.api.js'
import type { ServiceObjects } from '../services/services.api.js'
import type { SignalledObjects } from '../api/signalled-objects.js'
import type { SynchronizerObjects } from '../synchronizers/synchronizers.api.js'
import * as localCachedMapCache from '../collections/local-cached-map-cache/local-cached-map-cache.object.js'
import * as localCachedMap from '../collections/local-cached-map/local-cached-map.object.js'
import { EntryRooms } from '../collections/shared/entry-objects.js'
import { handingOut, type Factories, type FactoryContext } from '../core/context/factories.js'
import type { LockContext } from '../core/context/object-context.js'
import { ANY_NUMBER, demandNoMore, refuseSurplus } from '../core/arguments/options.js'
import * as cache from '../caches/cache/cache.object.js'
import * as clientSideCaching from '../caches/client-side-caching/client-side-caching.object.js'
import * as adder from '../counters/adder/adder.object.js'
import * as snowflake from '../counters/snowflake/snowflake.object.js'
import { multiLock, redLock } from '../locks/multi/composite-lock.js'
import * as leaderElection from '../services/leader-election/leader-election.object.js'
import * as once from '../services/once/once.object.js'
import * as workLimiter from '../synchronizers/work-limiter/work-limiter.object.js'
import { DATA, REQUESTS, withSignal } from './data-objects.js'

type ClientObjects = SignalledObjects &
  AdderObjects &
  LocalCachedMapObjects &
  LocalCachedMapCacheObjects &
  SnowflakeObjects &
  SynchronizerObjects &
  CacheObjects &
  ServiceObjects &
  Omit<LockObjects, 'getMultiLock' | 'getRedLock'>

type Given = FactoryContext<LockContext>

const locksOf = ({ shared }: Given) => shared.get(EntryRooms).locks
const synchronizersOf = ({ shared }: Given) => shared.get(EntryRooms).synchronizers

const OBJECTS: Factories<ClientObjects, LockContext> = {
  ...DATA,
  ...adder,
  ...localCachedMap,
  ...localCachedMapCache,
  ...snowflake,
  ...cache,
  ...clientSideCaching,
  ...once,
  ...leaderElection,
  ...workLimiter,
  ...REQUESTS,
  getLock: (given, name, settings) => locksOf(given).getLock(name, settings),
  getFairLock: (given, name, settings) => locksOf(given).getFairLock(name, settings),
  getReadWriteLock: (given, name, options) => locksOf(given).getReadWriteLock(name, options),
  getFencedLock: (given, name, settings) => locksOf(given).getFencedLock(name, settings),
  getFencingGuard: (given, name) => locksOf(given).getFencingGuard(name),
  getSpinLock: (given, name, options) => locksOf(given).getSpinLock(name, options),
  getNonReentrantLock: (given, name, settings) => locksOf(given).getNonReentrantLock(name, settings),
  getNonReentrantFairLock: (given, name, settings) => locksOf(given).getNonReentrantFairLock(name, settings),
  getSemaphore: (given, name, settings) => synchronizersOf(given).getSemaphore(name, settings),
  getPermitExpirableSemaphore: (given, name, settings) =>
    synchronizersOf(given).getPermitExpirableSemaphore(name, settings),
  getCountDownLatch: (given, name) => synchronizersOf(given).getCountDownLatch(name),
  getRateLimiter: (given, name, settings) => synchronizersOf(given).getRateLimiter(name, settings),
}

/** Hands out all objects by name. What those of one name share is kept by their rooms. */
export abstract class Objects extends handingOut<ClientObjects, LockContext>(OBJECTS) implements LockObjects {
  static {
    refuseSurplus(this, { getMultiLock: ANY_NUMBER, getRedLock: ANY_NUMBER })
  }

  readonly #given: Given

  constructor(given: Given) {
    super(given)
    this.#given = given
  }

  withSignal(signal: AbortSignal): SignalledObjects {
    return withSignal(this.#given, signal)
  }

  getMultiLock(...locks: AnyLock[]): RMultiLock
  getMultiLock(group: string, values: Iterable<string | Uint8Array>): RLock
  getMultiLock(...args: AnyLock[] | [string, Iterable<string | Uint8Array>]): RMultiLock {
    if (!isGroup(args)) return multiLock(args)
    demandNoMore((args as readonly unknown[])[2])
    return locksOf(this.#given).getValueLock(...args)
  }

  getRedLock(...locks: AnyLock[]): RMultiLock {
    return redLock(locks)
  }
}

/** A group has a name and a list. */
function isGroup<T>(args: AnyLock[] | [string, T]): args is [string, T] {
  return typeof args[0] === 'string' || Symbol.iterator in Object(args[1])
}
