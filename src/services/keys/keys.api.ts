import type { CopyOptions } from '../../api/object.js'

/** What is at a key: the words of `TYPE`. Modules have words of their own. */
export type KeyType = 'string' | 'hash' | 'list' | 'set' | 'zset' | 'stream' | (string & Record<never, never>)

/** Options of an iteration over names. */
export interface KeysScanOptions {
  /**
   * A glob-style pattern that the names have to match: `*` is any text, `?` any byte, `[ab]` one of these, and `\` takes the meaning away
   * from what follows it. The `nameMapper` of the client is applied to it, and what that puts before or after it matches itself alone. A
   * `nameMapper` that changes the pattern, so that it cannot be said which names match, is a `TypeError`.
   *
   * @defaultValue all names
   */
  readonly pattern?: string | undefined
  /**
   * The type that the keys have to have.
   *
   * @defaultValue any
   */
  readonly type?: KeyType | undefined
  /**
   * About how many keys Redis looks at for each request, from 1 to 5 000.
   *
   * @defaultValue 1 000
   */
  readonly count?: number | undefined
  /**
   * How many names there are at most.
   *
   * @defaultValue no limit
   */
  readonly limit?: number | undefined
  /**
   * The handling of a key that is not text in UTF-8: the iteration ends with a {@link CodecError}, or skips it.
   *
   * @defaultValue `throw`
   */
  readonly onInvalid?: 'throw' | 'skip' | undefined
  /** Ends the iteration, which throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The keys of all masters, whatever objects they belong to.
 *
 * A name here is a key: an object of several keys has several, and {@link RObject.delete} of the object itself removes them together. Waiters
 * for a lock or a synchronizer that is removed here are not notified.
 *
 * Names may belong to several slots of a cluster. Each slot then gets a request of its own, at the same time. If a call rejects, it may have
 * taken effect for other slots.
 *
 * @example
 * ```ts
 * const keys = client.getKeys()
 * for await (const name of keys.getKeys({ pattern: 'session:*', type: 'string' })) console.log(name)
 * await keys.unlinkByPattern('session:*')
 * ```
 */
export interface RKeys extends AsyncIterable<string> {
  /**
   * Iterates over the names of all masters, one page after the other. The next page is requested when the
   * loop needs it. O(n) for all keys of the servers, in requests that take O({@link KeysScanOptions.count |
   * count}) each. The pattern and the type make the replies smaller, but not the iteration shorter.
   *
   * Keys that store the replies to requests in progress, `redisson__once:…`, are omitted: they belong to no
   * object.
   *
   * A key that exists during the whole iteration comes at least once. A key that is created or removed
   * meanwhile may come or not. A key may come twice while Redis resizes its table, and after the connection
   * to a master was lost or a master was replaced. Then the iteration over that master starts again. While a
   * cluster moves slots from one master to another, keys of these slots may be missed.
   *
   * @throws `TypeError` for an option that is unknown or wrong, `RangeError` for a number that is too small or too large
   * @example
   * ```ts
   * for await (const name of client.getKeys().getKeys({ pattern: 'cart:*', limit: 100 })) console.log(name)
   * ```
   */
  getKeys(options?: KeysScanOptions): AsyncIterable<string>

  /**
   * Returns how many keys all masters have in the database of the client, those included that have expired
   * and are still there. O(1), one request for each master. It rejects if one of them cannot be reached, also
   * in a cluster that serves the rest.
   */
  count(): Promise<number>

  /**
   * Returns how many of these names have a key; a name that is given twice counts twice. One request for each
   * 5 000 names of a slot.
   */
  countExists(...names: string[]): Promise<number>

  /**
   * Some name of a random master that has any, undefined if there is none. Masters are drawn with the same chance, whatever number of keys they
   * have.
   *
   * One round trip, O(1), without a `nameMapper`. With one, only names that it can have made are returned, as by {@link RKeys.getKeys}: Redis draws
   * among the keys of all programs, up to ten times at each master. If they all belong to others, the first name of an iteration is returned, in O(n)
   * for all keys.
   *
   * @throws {@link CodecError} for a key that is no text in UTF-8
   * @throws `TypeError` for a `nameMapper` that changes patterns, and cannot be used for iterations
   */
  randomKey(): Promise<string | undefined>

  /** Returns the type of the key of a name; undefined if there is none. O(1). */
  getType(name: string): Promise<KeyType | undefined>

  /**
   * Returns the hash slot of a name, from 0 to 16 383; always 0 where there are no slots. Nothing is sent.
   */
  getSlot(name: string): Promise<number>

  /**
   * Removes the keys of these names, of any type. Returns how many there were. See {@link RKeys.unlink}, which blocks Redis for less time.
   *
   * One request for each 5 000 names of a slot, all of them together. If the call rejects, its error has `mayHaveRun` if any of them has removed a key.
   */
  delete(...names: string[]): Promise<number>

  /** The same, and Redis frees the memory in the background. O(1) for each name. */
  unlink(...names: string[]): Promise<number>

  /**
   * Removes all keys that match a pattern, of any type, also those that are no text. Returns how many. It iterates as {@link RKeys.getKeys} does, and
   * removes each page before it asks for the next one.
   *
   * Keys that appear meanwhile may stay.
   *
   * What is put into a pattern has to be escaped where it may have special characters: `text.replace(/[\\*?[\]^-]/g, '\\$&')`.
   *
   * @param pattern - see {@link KeysScanOptions.pattern}
   * @throws TypeError for a pattern that is no text, or empty, or that the `nameMapper` changes; `'*'` is all keys
   */
  deleteByPattern(pattern: string): Promise<number>

  /** The same, and Redis frees the memory in the background. */
  unlinkByPattern(pattern: string): Promise<number>

  /** Marks the keys of these names as used now. Returns how many exist. */
  touch(...names: string[]): Promise<number>

  /**
   * Gives a key another name, and replaces what has that name.
   *
   * @throws {@link NoSuchObjectError} if there is no such key
   * @throws {@link CrossSlotError} if the names belong to different slots of a cluster
   */
  rename(name: string, newName: string): Promise<void>

  /** The same if the new name is free. Returns whether it was. */
  renamenx(name: string, newName: string): Promise<boolean>

  /**
   * Copies a key. Returns whether it was copied: there is one, and the new name is free or `replace` is set.
   *
   * @throws {@link CrossSlotError} if the names belong to different slots of a cluster
   */
  copy(name: string, to: string, options?: CopyOptions): Promise<boolean>

  /** Moves a key to another database of the server. Returns whether it was moved. A cluster has only one, and refuses with a RangeError. */
  move(name: string, database: number): Promise<boolean>

  /**
   * Sets the time to live of a key: a number of milliseconds, or a moment. Returns whether the key exists.
   */
  expire(name: string, time: number | Date): Promise<boolean>

  /** Removes the time to live of a key. Returns whether there was one. */
  clearExpire(name: string): Promise<boolean>

  /** In how many milliseconds a key expires; -1 if it does not, -2 if there is none. */
  remainTimeToLive(name: string): Promise<number>

  /**
   * Removes all keys of the client's database at all masters: those of this client, and those of all others. O(n), in which each master does
   * nothing else: if that takes longer than `timeout` the call rejects, but the keys are removed. See {@link RKeys.flushdbParallel}.
   */
  flushdb(): Promise<void>

  /** The same, and Redis frees the memory in the background. */
  flushdbParallel(): Promise<void>

  /** Removes all keys of all databases at all masters, as {@link RKeys.flushdb} does. */
  flushall(): Promise<void>

  /** The same, and Redis frees the memory in the background. */
  flushallParallel(): Promise<void>

  /**
   * Swaps two databases of the server, for all of its clients.
   *
   * Never sent twice: if the reply is lost it rejects, and its error has `mayHaveRun`. A cluster has only one database, and refuses with a RangeError.
   */
  swapdb(first: number, second: number): Promise<void>
}
