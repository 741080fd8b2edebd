import type { RExpirable } from '../../api/object.js'

/** Which bits an id has. They are kept in Redis by the first object that takes an id, and are the same for all clients. */
export interface SnowflakeOptions {
  /**
   * How many bits the node number has: 2 to this power clients can have ids at the same time. From 1 to 16.
   *
   * @defaultValue 10: 1 024 clients
   */
  readonly nodeBits?: number | undefined
  /**
   * How many bits number the ids of one millisecond: a client has 2 to this power in each. From 1 to 16, and no more than 24 with `nodeBits`.
   *
   * @defaultValue 12: 4 096 ids
   */
  readonly sequenceBits?: number | undefined
  /**
   * From when on the milliseconds of ids are counted, in milliseconds since 1970. They have the bits that are left of 63: 41 usually, which are 69
   * years.
   *
   * @defaultValue 1 704 067 200 000: the beginning of 2024, in UTC
   */
  readonly epochMs?: number | undefined
}

/** How long a call for ids waits. */
export interface NextIdOptions {
  /**
   * For how long it waits for a node number or for the clock, in milliseconds. 0 asks Redis once, and waits for no clock.
   *
   * @defaultValue twice `lockWatchdogTimeout`: for longer than the number of a process that has ended stays taken
   */
  readonly waitMs?: number | undefined
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
}

/** What an id was made of. */
export interface SnowflakeParts {
  /** When it was handed out, by the clock of Redis, as its client knew it. */
  readonly time: Date
  /** The node number of the client that handed it out. */
  readonly node: number
  /** Its place in that millisecond. */
  readonly sequence: number
}

/**
 * Ids with the time of their creation, unique among all clients: 63 bits of milliseconds, node number and
 * sequence, as `bigint`. They sort by time. Redisson has no such object.
 *
 * A client takes a node number with the first id, and then makes ids without further requests. The watchdog
 * renews the number. A number has a window of time by the clock of Redis. Ids have a millisecond of the
 * window, and no two windows of a number overlap, even if different clients had it one after the other. So no
 * id comes twice when a process is killed, restarts, is suspended for longer than its lease, or its clock is
 * set. The same is true when Redis cannot be reached, or restarts.
 *
 * A failover may lose which client has a number. Then two clients may have the same number, until the first
 * of them renews its own, or its lease ends. Their ids still differ: the new master is recognized by its
 * replication id, and every window that it grants begins after those that may be lost. There are three
 * conditions. Its clock is behind the old one by less time than the failover takes. All clients have the same
 * `lockWatchdogTimeout`. Scripts may run `INFO`.
 *
 * Ids can come twice in three cases:
 * - one of these conditions is not met
 * - Redis loses both keys of the snowflake (`FLUSHALL`, eviction of both, a failover that loses the first
 *   number ever taken), until clients notice
 * - two servers act as the master, since both grant numbers
 *
 * All objects of one name and layout share the number of their client. It is released when the client is shut
 * down, or when all objects that have made an id are disposed of.
 *
 * @example
 * ```ts
 * const ids = client.getSnowflake('orders')
 * const id = await ids.nextId()
 * console.log(ids.partsOf(id).time)
 * ```
 */
export interface RSnowflake extends RExpirable, AsyncDisposable {
  /** The node number of this client; undefined while it has none. After a failover another client may have the same for a moment, with other ids. */
  readonly node: number | undefined

  /**
   * Returns an id that no other call returns. The ids of one client rise.
   *
   * It needs a round trip only to take a node number: with the first id, and after a number was lost. That is
   * O(n) for n numbers that were ever held, and sent again if its reply is lost, which takes nothing twice.
   * The call waits if all numbers are taken, if the ids of this millisecond are used up, or if the clock is
   * behind the last id. After a failover or a restart of Redis, a client that takes a number waits as long as
   * the leases that the new server may not know. While Redis cannot be reached, the client makes ids until
   * the lease ends. It cannot be part of a batch.
   *
   * @throws {@link NodeIdLostError} if the client has lost its number and cannot take another
   * @throws {@link SnowflakeTimeoutError} if there was none within `waitMs`
   * @throws {@link SnowflakeLayoutError} if the snowflake was set up with other options
   * @throws {@link SnowflakeTimeError} if the clock of Redis is before the epoch, or after the last millisecond that ids can have
   * @throws {@link WrongTypeError} if the name belongs to something else
   * @example
   * ```ts
   * const id = await client.getSnowflake('orders').nextId({ waitMs: 5_000 })
   * ```
   */
  nextId(options?: NextIdOptions): Promise<bigint>

  /**
   * Returns that many ids, which rise. More than there are in a millisecond come from several.
   *
   * @param count - from 1 to 1 000 000
   * @throws RangeError for another count; otherwise what {@link RSnowflake.nextId} throws. No id is returned then
   * @example
   * ```ts
   * const [first, second] = await client.getSnowflake('orders').nextIds(2)
   * ```
   */
  nextIds(count: number, options?: NextIdOptions): Promise<bigint[]>

  /**
   * Returns what an id was made of, by the options of this object. Asks nothing.
   *
   * @throws TypeError for what is no `bigint`; RangeError for one that has more than 63 bits, or is negative
   */
  partsOf(id: bigint): SnowflakeParts

  /**
   * Removes the options and the holders of numbers from Redis. Returns whether there were any.
   *
   * This client releases its number first. Others notice when they renew their numbers, at most a third of
   * `lockWatchdogTimeout` later, and make ids until then. These stay unique. A second key outlasts the object
   * until the windows of all clients have ended, and the ids of a new snowflake of that name begin after
   * that. Only with other options an earlier id may come again. The same is true when it is renamed or moved,
   * or expires.
   */
  delete(): Promise<boolean>
}

/** The snowflakes that a client hands out. */
export interface SnowflakeObjects {
  /**
   * Ids that sort by time, by the name of their snowflake. Nothing is sent until it is used. What it keeps is shared by all objects of the same
   * name and options.
   *
   * @param name - a non-empty string without lone surrogates
   * @throws TypeError for a name that is none, or an option that is unknown
   * @throws RangeError for bits or an epoch that make no ids
   * @throws {@link CrossSlotError} for a name that a cluster cannot serve
   */
  getSnowflake(name: string, options?: SnowflakeOptions): RSnowflake
}
