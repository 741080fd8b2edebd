import type { CollectionObjects } from '../../collections/collections.api.js'
import type { ValueObjects } from '../../objects/objects.api.js'
import type { QueueObjects } from '../../queues/queues.api.js'
import type { StreamObjects } from '../../streams/streams.api.js'

/** How many replies are kept by {@link RClientSideCaching}, and for how long. */
export interface ClientSideCachingOptions {
  /**
   * How many replies are kept here at most: 0 for any number, -1 for none. Each call of a method with other arguments has a reply of its own.
   *
   * @defaultValue 0
   */
  readonly cacheSize?: number | undefined
  /**
   * Which reply makes room for a new one when as many are kept as may be:
   *
   * - `NONE`: none. The new reply is not kept.
   * - `LRU`: the one that was not used for the longest time.
   * - `LFU`: the one that was used least often.
   *
   * @defaultValue `NONE`
   */
  readonly evictionPolicy?: 'NONE' | 'LRU' | 'LFU' | undefined
  /**
   * For how many milliseconds a reply is kept. The object in Redis stays.
   *
   * @defaultValue 0: until the object changes
   */
  readonly ttlMs?: number | undefined
  /**
   * For how many milliseconds a reply is kept that is not used.
   *
   * @defaultValue 0: until the object changes
   */
  readonly maxIdleMs?: number | undefined
}

/** The getters of {@link RClientSideCaching}. */
export interface ClientSideCachedObjects
  extends
    Pick<ValueObjects, 'getBucket'>,
    Pick<CollectionObjects, 'getGeo' | 'getList' | 'getMap' | 'getScoredSortedSet' | 'getSet'>,
    Pick<QueueObjects, 'getQueue' | 'getDeque' | 'getBlockingQueue' | 'getBlockingDeque'>,
    StreamObjects {}

/**
 * Hands out objects whose reads are kept in this process. Redis reports each change of their keys, by whatever client and command
 * (`CLIENT TRACKING`), and what is kept of the key is dropped then. Needs Redis 6.
 *
 * The objects have the methods and options of those that the client itself hands out. All objects of one `RClientSideCaching` share what is kept, also
 * those of the same name.
 *
 * - Reads of one key are kept, such as `get`, `size`, `contains` and `readAll`. Scans, iterations, random elements, what depends on the time,
 *   and what reads several keys always ask Redis.
 * - The first read of a key takes two round trips and three commands: Redis has to track the key before it is read. Reads that are kept send
 *   nothing. All of them ask the master, whatever `readMode` says.
 * - After a call that changes an object, reads through the same `RClientSideCaching` return that change, or a later one. What is read meanwhile is not
 *   kept.
 * - Changes by others are noticed when the message arrives: until then the old value is returned. So this is no basis for locks,
 *   counters, or a decision that must not be made twice.
 * - While the connection that receives the messages is down, each read asks Redis, and nothing is kept. A connection that has died without being closed
 *   is noticed by `pingConnectionInterval`: until then, old values may be returned.
 * - Any change of a key drops all that is kept of it: for a large map whose entries change, {@link RLocalCachedMap} is better.
 *
 * @example
 * ```ts
 * await using cached = client.getClientSideCaching({ cacheSize: 10_000, evictionPolicy: 'LRU' })
 * const settings = cached.getBucket<{ theme: string }>('settings')
 * await settings.set({ theme: 'dark' })
 * await settings.get() // asks Redis
 * await settings.get() // sends nothing, until any client changes it
 * ```
 */
export interface RClientSideCaching extends ClientSideCachedObjects, AsyncDisposable {
  /**
   * Drops all replies, and ends the tracking of their keys. It may be called again. Objects that were handed out stay usable, and ask
   * Redis. The same happens when the program refers neither to this nor to one of its objects any more.
   */
  destroy(): Promise<void>
}
