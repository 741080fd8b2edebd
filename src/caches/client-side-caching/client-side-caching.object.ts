import type { CacheObjects } from '../caches.api.js'
import type { ClientSideCachedObjects, RClientSideCaching } from './client-side-caching.api.js'
import { getGeo } from '../../collections/geo/geo.object.js'
import { getList } from '../../collections/list/list.object.js'
import { getMap } from '../../collections/map/map.object.js'
import { getScoredSortedSet } from '../../collections/scored-sorted-set/scored-sorted-set.object.js'
import { getSet } from '../../collections/set/set.object.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import {
  handingOut,
  type Factories,
  type Factory,
  type FactoryContext,
} from '../../core/context/factories.js'
import type { LockContext } from '../../core/context/object-context.js'
import { getBucket } from '../../objects/bucket/bucket.object.js'
import { getBlockingDeque } from '../../queues/blocking-deque/blocking-deque.object.js'
import { getBlockingQueue } from '../../queues/blocking-queue/blocking-queue.object.js'
import { getDeque } from '../../queues/deque/deque.object.js'
import { getQueue } from '../../queues/queue/queue.object.js'
import { getStream } from '../../streams/stream/stream.object.js'
import { CLIENTS } from '../../util/refused-calls.js'
import { showOnly } from '../../util/show-only.js'
import { limitsOf } from './client-side-caching-options.js'
import { openReplyCache } from './open-reply-cache.js'
import type { ReplyCache } from './reply-cache.js'

const OBJECTS: Factories<ClientSideCachedObjects> = {
  getBucket,
  getList,
  getSet,
  getMap,
  getScoredSortedSet,
  getGeo,
  getQueue,
  getDeque,
  getBlockingQueue,
  getBlockingDeque,
  getStream,
}

/** How a client makes one. */
export const getClientSideCaching: Factory<CacheObjects['getClientSideCaching'], LockContext> = (
  { context, shared },
  options,
) => {
  const { cache, executor } = openReplyCache(context, limitsOf(options))
  return new RedissonClientSideCaching({ context: { ...context, executor }, shared }, cache)
}

/** Hands out objects whose executor keeps replies. What objects of a name share, they share with those of the client. */
class RedissonClientSideCaching extends handingOut(OBJECTS) implements RClientSideCaching {
  static {
    showOnly(this, 'RClientSideCaching', () => ({}))
    refuseSurplus(this)
  }

  readonly #cache: ReplyCache
  readonly #closing: AbortSignal

  constructor(given: FactoryContext, cache: ReplyCache) {
    super(given)
    this.#cache = cache
    this.#closing = given.context.closing
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#closing]
  }

  async destroy(): Promise<void> {
    this.#cache.destroy()
    await Promise.resolve()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.destroy()
  }
}
