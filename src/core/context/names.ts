/**
 * Companion keys and channels of an object, as Redisson names them.
 *
 * The object's name becomes the hash tag, so that everything about it lives in one slot; a name that has a brace is taken
 * to bring its own.
 */
export function prefixed(prefix: string, name: string): string {
  return name.includes('{') ? `${prefix}:${name}` : `${prefix}:{${name}}`
}

/** The same for keys that Redisson makes by adding to the name, not by putting something before it. */
function suffixed(name: string, suffix: string): string {
  return name.includes('{') ? `${name}:${suffix}` : `{${name}}:${suffix}`
}

/**
 * Whether a cluster has all keys and channels of an object in one slot: its name has no brace, or the first one opens a
 * hash tag.
 */
export function isInOneSlot(name: string): boolean {
  const open = name.indexOf('{')
  return open === -1 ? !name.includes('}') : name.indexOf('}', open) > open + 1
}

/** The channel on which a lock says that it is free. */
export function lockChannel(name: string): string {
  return prefixed('redisson_lock__channel', name)
}

/** The owners who wait for a fair lock, in their order. */
export function lockQueue(name: string): string {
  return prefixed('redisson_lock_queue', name)
}

/** Until when each of them stays in the queue. */
export function lockTimeouts(name: string): string {
  return prefixed('redisson_lock_timeout', name)
}

/** Until when those of this library count as alive. */
export function lockHeartbeats(name: string): string {
  return prefixed('redisson_lock_heartbeat', name)
}

/** The channel of a read-write lock. */
export function readWriteChannel(name: string): string {
  return prefixed('redisson_rwlock', name)
}

/**
 * What the keys of a read-write lock's readers begin with.
 *
 * Never the name itself: a script that is given both has two keys for every cluster, which does not run it then while their slot is
 * moving. With one key it would run where markers are that have not arrived yet.
 */
export function readerMarkers(name: string): string {
  return name.includes('{') ? `${name}:` : `{${name}}:`
}

/** The key that proves one hold of a reader, the first of which has the number 1. */
export function readerMarker(name: string, reader: string, number: number): string {
  return `${readerMarkers(name)}${reader}:rwlock_timeout:${String(number)}`
}

/** The writers who wait for a read-write lock that prefers them. */
export function waitingWriters(name: string): string {
  return prefixed('redisson_rwlock_writers', name)
}

/** The counter from which a lock takes its fencing tokens. */
export function lockToken(name: string): string {
  return prefixed('redisson_lock_token', name)
}

/** The largest fencing token that the guard of a key has seen. */
export function fencingTokens(name: string): string {
  return prefixed('ioredisson_fencing_token', name)
}

/** Where a script that counts keeps its reply to one request. Redisson keeps its unlock latch there. */
export function idempotencyKey(name: string, requestId: string): string {
  return `${prefixed('redisson_unlock_latch', name)}:${requestId}`
}

/**
 * The mark of a run; the empty fire is none.
 *
 * No fire that a mark names has a colon, so that the marks of no two names meet, but those of a name and of the same in braces.
 */
export function onceMark(name: string, fire: string): string {
  return `${prefixed('redisson_once', name)}:${fire}`
}

/** What the leader of an election holds: a fenced lock. */
export function leaderLock(name: string): string {
  return prefixed('ioredisson_leader', name)
}

/** The channel of a semaphore of either kind. */
export function semaphoreChannel(name: string): string {
  return prefixed('redisson_sc', name)
}

/** Until when each permit of a semaphore is lent. */
export function permitTimeouts(name: string): string {
  return suffixed(name, 'timeout')
}

/**
 * The channel of a latch: Redisson's, wherever it can be used.
 *
 * Redisson puts braces around the name even if that brings a hash tag of its own, and so the channel may belong to another
 * node than the latch. In a cluster a script cannot reach it then, and such names have no latch in Redisson.
 */
export function latchChannel(name: string, slotOf: (key: string) => number): string {
  const channel = `redisson_countdownlatch__channel__{${name}}`
  return slotOf(channel) === slotOf(name) ? channel : `redisson_countdownlatch__channel__${name}`
}

/** Until when each subscriber of a reliable topic counts as alive. */
export function subscriberTimeouts(topic: string): string {
  return suffixed(topic, 'timeout')
}

/** The permits that a rate limiter has left: for all clients, or for one. */
export function rateValue(name: string, clientId?: string): string {
  return suffixed(name, clientId === undefined ? 'value' : `value:${clientId}`)
}

/** What a rate limiter has granted lately: to all clients, or to one. */
export function rateGrants(name: string, clientId?: string): string {
  return suffixed(name, clientId === undefined ? 'permits' : `permits:${clientId}`)
}

/** How many ids a block of an id generator has. */
export function idAllocation(name: string): string {
  return suffixed(name, 'allocation')
}

/** Up to which millisecond each node number of a snowflake may have ids. */
export function snowflakeBounds(name: string): string {
  return suffixed(name, 'bounds')
}

/** The settings of a Bloom filter. */
export function filterConfig(name: string): string {
  return suffixed(name, 'config')
}

/** Where bits are while bit sets are combined: there only while a script runs. */
export function combinedBits(name: string, which: 'partial' | 'union' | 'twice' | 'both'): string {
  return prefixed(`ioredisson_bits_${which}`, name)
}

/** The channel at which the clients of an adder are asked for their sums. */
export function adderTopic(name: string): string {
  return suffixed(name, 'adder-topic')
}

/** Where the replies to one such request are added and counted, and where they are announced. */
export function adderKeys(name: string, id: string) {
  const semaphore = suffixed(name, `${id}:semaphore`)
  return { counter: suffixed(name, `${id}:counter`), semaphore, channel: semaphoreChannel(semaphore) }
}

/** What a lock or synchronizer of an entry is, as its name ends. */
export type EntryObjectKind =
  'lock' | 'fairlock' | 'rw_lock' | 'semaphore' | 'permitexpirablesemaphore' | 'countdownlatch'

/**
 * The name of the lock or synchronizer of an entry.
 *
 * It is made of the name of the map in Redis and mapped once more as any name is, since Redisson does so.
 */
export function entryObject(map: string, keyHash: string, kind: EntryObjectKind): string {
  return suffixed(map, `${keyHash}:${kind}`)
}

/**
 * What is to be written behind of a map: the last state of each field, those that wait for it, those that are being written, and the tokens of
 * who writes them.
 */
export function writeBehindKeys(map: string): {
  readonly states: string
  readonly due: string
  readonly claimed: string
  readonly tokens: string
} {
  return {
    states: suffixed(map, 'write-behind'),
    due: suffixed(map, 'write-behind-due'),
    claimed: suffixed(map, 'write-behind-claimed'),
    tokens: suffixed(map, 'write-behind-tokens'),
  }
}

/** Where a number of a map is added to: there only while a script runs. */
export function sumScratch(map: string): string {
  return prefixed('ioredisson_sum', map)
}

/**
 * The key that has the values of a key of a multimap, as a set or a list.
 *
 * @param hash - that of the key's bytes; empty for what all of these keys begin with
 */
export function multimapValues(multimap: string, hash = ''): string {
  return suffixed(multimap, hash)
}

/** When the keys of a multimap end. */
export function multimapEnds(multimap: string, kind: 'set' | 'list'): string {
  return suffixed(multimap, `redisson_${kind}_multimap_ttl`)
}

/**
 * How far those are that walk through a set together: Redisson's key, wherever it can be used.
 *
 * Redisson puts braces around the name even if that brings a hash tag of its own: see {@link latchChannel}.
 */
export function setCursor(set: string, slotOf: (key: string) => number): string {
  return cursorOf('__redisson_set_cursor', set, slotOf)
}

/** The same for a scored sorted set. */
export function scoredSetCursor(set: string, slotOf: (key: string) => number): string {
  return cursorOf('__redisson_scored_sorted_set_cursor', set, slotOf)
}

/** The same for a sorted set. */
export function sortedSetCursor(set: string, slotOf: (key: string) => number): string {
  return cursorOf('__redisson_sorted_set_cursor', set, slotOf)
}

/** The same for a list. */
export function listCursor(list: string, slotOf: (key: string) => number): string {
  return cursorOf('__redisson_list_cursor', list, slotOf)
}

function cursorOf(prefix: string, set: string, slotOf: (key: string) => number): string {
  const cursor = `${prefix}_{${set}}`
  return slotOf(cursor) === slotOf(set) ? cursor : `${prefix}_${set}`
}

/** How many elements a ring buffer has at most. */
export function ringBufferCapacity(buffer: string): string {
  return prefixed('redisson_rb', buffer)
}

/** How many more elements a bounded blocking queue has room for. */
export function boundedQueuePlaces(queue: string): string {
  return prefixed('redisson_bqs', queue)
}

/** The lock under which Redisson changes a sorted set. It is mapped once more, as that of an entry is. */
export function sortedSetLock(set: string): string {
  return prefixed('redisson_sortedset_lock', set)
}

/** The order that a client in Java gave a sorted set: the name of a class, and an instance of it. */
export function sortedSetComparators(set: string): readonly [name: string, instance: string] {
  return [
    prefixed('redisson_sortedset_comparator', set),
    prefixed('redisson_sortedset_comparator_instance', set),
  ]
}

/** The same of a priority queue: the name of a class. */
export function priorityQueueComparator(queue: string): string {
  return suffixed(queue, 'redisson_sortedset_comparator')
}

/** What a reliable queue has beside its messages: see `reliable-queue/lua/shared/keys.lua`. */
export function reliableQueueKeys(queue: string) {
  return {
    ready: suffixed(queue, 'ready'),
    delayed: suffixed(queue, 'delayed'),
    leases: suffixed(queue, 'leases'),
    dead: suffixed(queue, 'dead'),
    grouped: suffixed(queue, 'grouped'),
    facts: suffixed(queue, 'facts'),
    dedups: suffixed(queue, 'dedups'),
  }
}

/** Where the rates of a reliable queue are counted. */
export function reliableQueueRates(queue: string): string {
  return suffixed(queue, 'rates')
}

/** The channels of a reliable queue: messages are ready, there is room for more, deliveries are cancelled. */
export function reliableQueueChannels(queue: string) {
  return {
    messages: prefixed('ioredisson_queue', queue),
    space: prefixed('ioredisson_queue_space', queue),
    cancels: prefixed('ioredisson_queue_cancels', queue),
  }
}

/**
 * What a work limiter has: places that are taken, the levels of its rate and when they were reset, queues that wait, and when each of them counts as
 * gone; then the channel at which these are called.
 */
export function workLimiterKeys(limiter: string) {
  return {
    places: prefixed('ioredisson_work', limiter),
    rate: prefixed('ioredisson_work_rate', limiter),
    resets: prefixed('ioredisson_work_resets', limiter),
    waiting: prefixed('ioredisson_work_waiting', limiter),
    ends: prefixed('ioredisson_work_ends', limiter),
    channel: prefixed('ioredisson_work_calls', limiter),
  }
}

/** How many consumers of each process wait for elements of a transfer queue. */
export function transferConsumers(queue: string): string {
  return suffixed(queue, 'consumers')
}

/** The channel at which producers that wait for the hand-off of their elements are told of it. */
export function transferChannel(queue: string): string {
  return prefixed('ioredisson_transfer', queue)
}

/**
 * What a map cache has beside its entries: when they end, until when each has to be used, when or how often it was used, and the options.
 */
export function mapCacheKeys(cache: string) {
  return {
    ttl: prefixed('redisson__timeout__set', cache),
    idle: prefixed('redisson__idle__set', cache),
    access: prefixed('redisson__map_cache__last_access__set', cache),
    options: suffixed(cache, 'redisson_options'),
  }
}

/** What the keys of leases begin with, under which values of a map cache are loaded. */
export function mapCacheLeases(cache: string): string {
  return `${prefixed('redisson__map__lease', cache)}:`
}

/** By which keys beside a name the entries of an object end, of whatever kind it is: clients remove what these keys say. */
export function keysOfEnds(name: string): readonly string[] {
  const { ttl, idle, access, options } = mapCacheKeys(name)
  return [ttl, idle, access, options, multimapEnds(name, 'set'), multimapEnds(name, 'list')]
}

/** A key at which nothing ever is. */
export function nothing(name: string): string {
  return prefixed('ioredisson_nothing', name)
}

/** The mark of a client that cleans a map cache or a set cache. */
export function cleaningLatch(cache: string): string {
  return prefixed('redisson__execute_task_once_latch', cache)
}

/** The channel of the events of values that have ended in a set cache; `lua/shared/sweep.lua` makes the same. */
export function setCacheChannel(cache: string): string {
  return prefixed('redisson_set_cache_expired', cache)
}

/** The channel of an event of the entries of a map cache. */
export function mapCacheChannel(cache: string, event: string): string {
  return prefixed(`redisson_map_cache_${event}`, cache)
}

/** The channel that notifies the local caches of a map of its changes. */
export function localCacheTopic(map: string): string {
  return suffixed(map, 'topic')
}

/** Which entries of a map were changed lately, for local caches that have missed messages. */
export function localCacheLog(map: string): string {
  return prefixed('redisson__cache_updates_log', map)
}

/** The semaphore at which clients confirm that they have cleared their local caches. */
export function localCacheConfirmations(map: string, id: string): string {
  return `${map}:clear:${id}`
}

/** The channel at which a client confirms that it caches no entries of a transaction of Redisson for Java. */
export function localCacheAcknowledgements(map: string, requestId: string): string {
  return suffixed(map, `${requestId}:topic`)
}
