import type { Codec, MapCodec } from './codec.js'
import type { ListenOptions, Subscription } from '../topics/shared/subscription.api.js'

/** The events of any object: it was removed by a program, or by Redis because its time was over. */
export type ObjectEvent = 'deleted' | 'expired'

/** Gets the name of the object, as the program gave it. */
export type ObjectListener = (name: string) => unknown

/** Names of objects. A text is none: it would be the names of its letters. */
export type Names = Iterable<string> & object

/** Options of a copy. */
export interface CopyOptions {
  /**
   * Whether an object of any type that has the name already is replaced.
   *
   * @defaultValue false: then nothing is copied
   */
  readonly replace?: boolean | undefined
  /**
   * The number of the database of the copy. A cluster has only one.
   *
   * @defaultValue that of the client
   */
  readonly database?: number | undefined
}

/**
 * Common interface of all objects with a name in Redis.
 *
 * An object may be kept under several keys. Every method is about all of them together: it runs as one script, so that other clients
 * see either nothing of a change or all of it. An object without content is not there, as an empty list.
 *
 * Every method rejects with a {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be
 * reached, and with a {@link ScriptError} if the server refuses the command.
 */
export interface RObject {
  /** The name, as the program gave it. It stays the same after {@link RObject.rename}. */
  readonly name: string

  /** The codec of the values, or of keys and values; undefined where an object has no values of the program. */
  readonly codec: Codec<unknown> | MapCodec<unknown, unknown> | undefined

  /**
   * Removes the object. Returns whether it was there.
   *
   * Takes O(n) for n elements, in which Redis does nothing else: see {@link RObject.unlink}.
   */
  delete(): Promise<boolean>

  /** Removes the object, and has Redis free its memory in the background. Returns whether it was there. O(1). */
  unlink(): Promise<boolean>

  /**
   * Adds a listener that is called with the name of the object after each event. Resolves once Redis has
   * confirmed the subscription. From then on the listener is called for each event, in order and once, until
   * the {@link Subscription} ends.
   *
   * These are events of the key, or of the first key of an object that has several. `deleted` comes for every
   * removal under the name. `expired` comes when Redis removes the key, which may be later than its end.
   * Renaming is not a deletion. While the connection is interrupted, events are missed, and `gap` reports
   * that.
   *
   * Redis sends events if `notify-keyspace-events` has `K` and the flag of the event: `g` for `deleted`, `x`
   * for `expired`. The client asks a node of the cluster for that setting. If the user may not read it, the
   * process warns once, and no error says that no events will come.
   *
   * @param event - the event to listen for
   * @param listener - an error that it throws, or rejects with, is an `error` of the subscription
   * @throws {@link NotificationsDisabledError} if the server does not send the event; its message has the
   * command that enables it
   * @throws RangeError for an event that such an object does not have
   * @throws {@link SubscriptionTimeoutError} if Redis does not confirm it in time
   * @example
   * ```ts no-run
   * const session = client.getBucket('session:7')
   * await using subscription = await session.addListener('expired', (name) => console.log(`${name} is over`))
   * ```
   */
  addListener(event: ObjectEvent, listener: ObjectListener, options?: ListenOptions): Promise<Subscription>

  /** Returns whether the object is there. O(1). */
  isExists(): Promise<boolean>

  /**
   * Marks the object as used now, for servers that evict objects which were not used for long. Returns
   * whether it exists. O(1).
   */
  touch(): Promise<boolean>

  /**
   * Gives the object another name. An object of any type that has that name already is replaced, with the ends of its entries.
   *
   * This handle keeps its name, and so is that of an object that is not there afterwards. The time to live stays. O(1), but for the
   * elements of what is replaced.
   *
   * @throws {@link NoSuchObjectError} if the object is not there
   * @throws {@link CrossSlotError} if the name belongs to another slot of the cluster; names with the same hash tag do not
   * @throws RangeError if keys of this object would be among those of the renamed one
   * @example
   * ```ts
   * await client.getSemaphore('{shop}:next').rename('{shop}:seats')
   * ```
   */
  rename(newName: string): Promise<void>

  /**
   * Gives the object another name, unless an object has that name. Returns whether it did.
   *
   * @throws as {@link RObject.rename} does
   */
  renamenx(newName: string): Promise<boolean>

  /**
   * Copies the object, with its time to live. Returns whether it did: false if it is not there, or the name is taken and not to be
   * {@link CopyOptions.replace | replaced}.
   *
   * Takes O(n) for n elements, in which Redis does nothing else.
   *
   * @param to - the name of the copy
   * @throws {@link CrossSlotError} if that name belongs to another slot of the cluster; names with the same hash tag do not
   * @throws RangeError if keys of this object would be among those of the copy, and for a database that the server has not
   * @example
   * ```ts
   * await client.getSemaphore('{shop}:seats').copy('{shop}:backup', { replace: true })
   * ```
   */
  copy(to: string, options?: CopyOptions): Promise<boolean>

  /**
   * Moves the object to another database of its server. Returns whether it did: false if it is not there, or its name is taken in that
   * database. O(1) for objects of one key, otherwise O(n) for n elements.
   *
   * @param database - its number
   * @throws RangeError for that of the client, and for one that the server has not; a cluster has only one
   */
  move(database: number): Promise<boolean>

  /**
   * Returns how many bytes of memory the object takes at the server, as estimated from a few of its elements;
   * 0 if it is not there.
   */
  sizeInMemory(): Promise<number>
}

/** Additional methods of objects with one key, which can be dumped and restored as a whole. */
export interface RDumpable {
  /**
   * Returns the whole object as bytes, in the form in which this version of Redis stores it; undefined if it
   * is not there. The time to live is no part of it. O(n) for n elements.
   */
  dump(): Promise<Uint8Array | undefined>

  /**
   * Makes the object of what {@link RDumpable.dump} has returned, under any name.
   *
   * @param state - the bytes; a server reads those of its own version and of earlier ones
   * @param ttlMs - milliseconds after which Redis removes the object; never by default
   * @throws {@link ObjectExistsError} if the object is there
   * @throws RangeError if the server cannot read the bytes, or they are those of another kind of object; nothing has changed then
   */
  restore(state: Uint8Array, ttlMs?: number): Promise<void>

  /** The same as {@link RDumpable.restore}, but replaces an object that is there. */
  restoreAndReplace(state: Uint8Array, ttlMs?: number): Promise<void>

  /**
   * For how many milliseconds nothing has read or changed the object, to the second; undefined if it is not there.
   *
   * @throws {@link ScriptError} where the server counts uses instead, by an `lfu` policy in `maxmemory-policy`
   */
  getIdleTime(): Promise<number | undefined>
}

/**
 * An object that can be made to expire: Redis removes it at that moment, with all its keys.
 *
 * A time is a number of milliseconds from now on, by the server's clock, or a `Date`. What has a `Date` that has passed is removed at once.
 */
export interface RExpirable extends RObject {
  /**
   * Sets the time to live. Returns whether the object exists.
   *
   * @param time - milliseconds from now on, more than 0; or the moment
   * @throws RangeError for any other number, and for a `Date` that is none
   * @example
   * ```ts
   * await client.getSemaphore('seats').expire(60_000)
   * await client.getSemaphore('seats').expire(new Date('2030-01-01'))
   * ```
   */
  expire(time: number | Date): Promise<boolean>

  /** The same, if the object expires already. Returns whether the time was set. */
  expireIfSet(time: number | Date): Promise<boolean>

  /** The same, if the object does not expire yet. Returns whether the time was set. */
  expireIfNotSet(time: number | Date): Promise<boolean>

  /** The same, if that is later than it would expire. Returns whether the time was set; it is not where the object never expires. */
  expireIfGreater(time: number | Date): Promise<boolean>

  /** The same, if that is earlier than it would expire, or the object never expires. Returns whether the time was set. */
  expireIfLess(time: number | Date): Promise<boolean>

  /** Removes the time to live. Returns whether there was one. */
  clearExpire(): Promise<boolean>

  /** In how many milliseconds the object expires; -1 for never, and -2 if it is not there. O(1). */
  remainTimeToLive(): Promise<number>

  /** When the object expires; undefined for never, and if it is not there. O(1). */
  getExpireTime(): Promise<Date | undefined>
}
