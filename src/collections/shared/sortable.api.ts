/** How values are sorted, and which of them are wanted. */
export interface SortOptions {
  /**
   * Whether the smallest or the largest comes first.
   *
   * @defaultValue `ASC`
   */
  readonly order?: 'ASC' | 'DESC' | undefined
  /**
   * The keys, or fields, of weights: values are sorted by these instead of themselves. For example
   * `weight:*`, or `data:*->weight`, where `*` stands for a value as it is in Redis. These are names in
   * Redis: a `nameMapper` does not see them. Without `*` nothing is sorted.
   *
   * A cluster refuses other keys, unless it is of a newer version and all of them are in the slot of the
   * object. In a batch it causes a {@link NotInBatchError}.
   *
   * @defaultValue none: values are sorted by themselves
   */
  readonly by?: string | undefined
  /**
   * How many of the sorted values are left out at the start.
   *
   * @defaultValue 0
   */
  readonly offset?: number | undefined
  /**
   * How many values are wanted at most.
   *
   * @defaultValue all
   */
  readonly count?: number | undefined
}

/** What is wanted instead of the sorted values. */
export interface SortGetOptions extends SortOptions {
  /**
   * The keys, or fields, whose values are wanted: see {@link SortOptions.by}; `#` is the value itself. For each value there is one result for each pattern, in
   * their order.
   */
  readonly get: Iterable<string>
}

/** What can be read in order. Redis sorts by numbers, or by texts, that may be other than the values themselves. */
export interface RSortable<V> {
  /**
   * Returns the values, sorted by numbers.
   *
   * Takes O(n + m · log m) for n values of which m are wanted, in which Redis does nothing else.
   *
   * @throws {@link CommandError} if a value, or its weight, is no number
   * @example
   * ```ts
   * const prices = client.getSet<number>('prices')
   * await prices.addAll([30, 4, 200])
   * console.log(await prices.readSort({ order: 'DESC', count: 2 })) // [ 200, 30 ]
   * ```
   */
  readSort(options?: SortOptions): Promise<V[]>

  /** Returns what belongs to the values, sorted as numbers; undefined where there is nothing. */
  readSort<T = V>(options: SortGetOptions): Promise<(T | undefined)[]>

  /**
   * Returns the values, sorted as texts, as the codec makes them, in the order of the server's locale, which
   * mostly is that of their bytes. See `readSort`.
   */
  readSortAlpha(options?: SortOptions): Promise<V[]>

  /** Returns what belongs to the values, sorted as texts; undefined where there is nothing. */
  readSortAlpha<T = V>(options: SortGetOptions): Promise<(T | undefined)[]>

  /**
   * Sets a list to the values, sorted by numbers, and returns its length. What had that name before is gone.
   *
   * @param destination - the name of the list, which is in the same slot of a cluster
   * @throws {@link CrossSlotError} if it is not; nothing is sent then
   * @throws RangeError for the name of this object
   */
  sortTo(destination: string, options?: SortOptions | SortGetOptions): Promise<number>
}
