/** The time to live of values that are set. */
export interface SetOptions {
  /**
   * When the values expire: milliseconds from now on, more than 0; or a moment.
   *
   * @defaultValue never
   */
  readonly expire?: number | Date | undefined
  /**
   * Whether their times to live stay. It excludes `expire`.
   *
   * @defaultValue false
   */
  readonly keepTTL?: boolean | undefined
}

/**
 * Values of several buckets at once.
 *
 * In a cluster the names may belong to several slots. Each slot then gets its own request, at the same time:
 * "in one step" then applies to the names of one slot. If a call rejects, it may have taken effect for other
 * slots, and its error has `mayHaveRun` then.
 *
 * @example
 * ```ts
 * const buckets = client.getBuckets<number>()
 * await buckets.set({ 'price:1': 10, 'price:2': 20 })
 * console.log(await buckets.get('price:1', 'price:2', 'price:3')) // Map(2) { 'price:1' => 10, 'price:2' => 20 }
 * ```
 */
export interface RBuckets<V> {
  /**
   * Returns the values of these names. Those that have none, or belong to another kind of object, are left
   * out.
   *
   * One request for each 5 000 names of a slot.
   *
   * @throws {@link CodecError} if the codec cannot read a value; it names the bucket
   */
  get(...names: string[]): Promise<Map<string, V>>

  /**
   * Sets values by name, those of one slot in one step. Replaces keys of any type with these names, and their times to live.
   *
   * @param values - names and values: a `Map`, any other iterable of pairs, or a plain object
   * @throws TypeError for anything else, such as an object of a class, and for a value that is `undefined`; nothing is sent then
   */
  set(values: Iterable<readonly [string, V]> | Readonly<Record<string, V>>): Promise<void>

  /**
   * Sets values by name, those of one slot in one step, if none of the names of that slot has a value. Returns whether all of them were
   * set. A request whose reply is lost is not sent again, unless the buckets were made with `exactlyOnce`.
   *
   * @throws as {@link RBuckets.set} does
   */
  trySet(values: Iterable<readonly [string, V]> | Readonly<Record<string, V>>): Promise<boolean>

  /**
   * Sets values by name as {@link RBuckets.trySet} does, with a time to live. Returns whether all of them were set.
   *
   * @example
   * ```ts
   * const locks = client.getBuckets<string>()
   * if (!(await locks.setIfAllKeysAbsent({ '{seat}:1': 'Ada', '{seat}:2': 'Ada' }, { expire: 60_000 }))) console.log('taken')
   * ```
   */
  setIfAllKeysAbsent(
    values: Iterable<readonly [string, V]> | Readonly<Record<string, V>>,
    options?: SetOptions,
  ): Promise<boolean>

  /**
   * Sets values by name, those of one slot in one step, if each of the names of that slot has a value. Returns whether all of them were
   * set.
   *
   * @throws as {@link RBuckets.set} does
   */
  setIfAllKeysExist(
    values: Iterable<readonly [string, V]> | Readonly<Record<string, V>>,
    options?: SetOptions,
  ): Promise<boolean>
}
