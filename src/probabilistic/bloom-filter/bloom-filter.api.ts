import type { RExpirable } from '../../api/object.js'

/**
 * A set of bits that says of a value either that it was never added, or that it probably was. All clients of the same servers share it, in Node
 * and in Java.
 *
 * It keeps no values: each one sets a few bits, which others may have set as well. So it takes little memory, some 10 bits for each value at
 * a probability of 1 %, no value can be removed, and values cannot be listed. What was added is always found. What was not is found
 * with that probability, once there are as many values as were expected, and more often with every further value.
 *
 * {@link RBloomFilter.tryInit} has to come first: all methods that read or add values, or read a setting, reject with a
 * {@link FilterNotInitializedError} without it. The settings are read by the same script that looks at the bits. So a filter that was deleted and initialized
 * anew, with whatever settings, is always used with those that it has.
 *
 * Without settings, a string under the name may just as well be a bucket. So all methods leave it alone, and the name counts as taken:
 * `getKeys().delete(name)` removes bits whose settings Redis has evicted.
 *
 * Which bits a value has is decided by its bytes, as the codec makes them, with
 * [HighwayHash](https://github.com/google/highwayhash) as in Redisson.
 *
 * What only reads is sent again if its reply is lost. So is `add`: it rejects with `mayHaveRun` where a second copy finds nothing to
 * add, because the first may have added it. `addAll` is not sent again, as a copy would count less: it rejects with `mayHaveRun`. A filter that was
 * made with `exactlyOnce` sends both again, and each takes effect once.
 *
 * @example
 * ```ts
 * const seen = client.getBloomFilter<string>('seen')
 * await seen.tryInit(1_000_000, 0.01)
 * console.log(await seen.add('10.0.0.1')) // true
 * console.log(await seen.contains('10.0.0.1'), await seen.contains('10.0.0.2')) // true false
 * ```
 */
export interface RBloomFilter<V> extends RExpirable {
  /**
   * Initializes the filter, unless it is initialized. Returns whether it did.
   *
   * For n values with a probability p it has −n · ln p / (ln 2)² bits. Each value sets bits / n · ln 2 of
   * them, rounded. Redis allocates the memory with the first value. Existing bits stay.
   *
   * One round trip, O(1). It is sent again if its reply is lost, and then rejects with `mayHaveRun` if it finds a filter, unless it was made
   * with `exactlyOnce`.
   *
   * @param expectedInsertions - the expected number of values, 1 or more
   * @param falseProbability - how often a value is found that was not added, once there are that many values.
   * Less than 1, and 2⁻¹²⁸ or more, as hashes have 128 bits. A value sets −log₂ of it bits, up to 128: 7 for
   * 1 %, 20 for one in a million
   * @throws RangeError for other numbers, and for a filter that would have no bit, or more than 4 294 967 294 of them, which is 512 MB
   * @throws {@link WrongTypeError} if the name belongs to another kind of object
   * @example
   * ```ts
   * console.log(await client.getBloomFilter('mails').tryInit(100_000, 0.001)) // true
   * ```
   */
  tryInit(expectedInsertions: number, falseProbability: number): Promise<boolean>

  /**
   * Adds a value. Returns whether that set a bit: then the value was not there. If not, it probably was.
   *
   * One round trip, O(k) for k {@link RBloomFilter.getHashIterations | bits of a value}. The first value has Redis
   * take the memory of all bits, which takes it some time for a large filter.
   *
   * @throws TypeError for `undefined`
   * @throws {@link CodecError} if the codec cannot write the value; nothing is sent then
   * @throws {@link FilterNotInitializedError} if the filter was never initialized, or has been deleted
   * @throws {@link WrongTypeError} if the name belongs to another kind of object
   */
  add(value: V): Promise<boolean>

  /**
   * Adds values. Returns how many of them set a bit, and so were not there.
   *
   * One round trip for each 5 000 values, O(n · k) for n of them. Values are sent as hashes of 16 bytes, in
   * requests of 1 000 of which five are sent together. Redis does nothing else during a request: some 10 ms
   * at a probability of 1 %, 0.1 s at the smallest one. Each request is atomic, all of them together are not.
   * If such a call rejects, some of the values may have been added, and its error has `mayHaveRun` then;
   * others were not sent.
   *
   * @throws as {@link RBloomFilter.add} does; TypeError for what is no iterable
   * @example
   * ```ts
   * const mails = client.getBloomFilter<string>('mails')
   * await mails.tryInit(100_000, 0.001)
   * console.log(await mails.addAll(['ada@example.org', 'alan@example.org', 'ada@example.org'])) // 2
   * ```
   */
  addAll(values: Iterable<V>): Promise<number>

  /**
   * Returns whether a value is there: false if it was never added, true if it probably was.
   *
   * One round trip to the master, O(k).
   *
   * @throws as {@link RBloomFilter.add} does
   */
  contains(value: V): Promise<boolean>

  /**
   * Returns of each value whether it is there, in their order.
   *
   * One round trip to the master for each 5 000 values, O(n · k) for n of them, in requests of 1 000 of which five leave together.
   *
   * @throws as {@link RBloomFilter.addAll} does
   */
  containsEach(values: Iterable<V>): Promise<boolean[]>

  /**
   * Returns those of the values that are there, in their order. Those that are left out were never added.
   *
   * It costs the same as {@link RBloomFilter.containsEach}.
   *
   * @throws as {@link RBloomFilter.addAll} does
   * @example
   * ```ts
   * const mails = client.getBloomFilter<string>('mails')
   * await mails.tryInit(100_000, 0.001)
   * await mails.add('ada@example.org')
   * console.log(await mails.exists(['ada@example.org', 'grace@example.org'])) // [ 'ada@example.org' ]
   * ```
   */
  exists(values: Iterable<V>): Promise<V[]>

  /**
   * Returns how many of the values are there.
   *
   * It costs the same as {@link RBloomFilter.containsEach}.
   *
   * @throws as {@link RBloomFilter.addAll} does
   */
  countContained(values: Iterable<V>): Promise<number>

  /**
   * Returns about how many different values were added, estimated from the number of bits that are set: −m / k · ln(1 − set / m) for m bits. It is
   * `Infinity` where all are set.
   *
   * One round trip, O(m): Redis counts the bits, some milliseconds for each 10 MB.
   *
   * @throws {@link FilterNotInitializedError} if the filter was never initialized, or has been deleted
   */
  count(): Promise<number>

  /**
   * Returns how many values the filter was made for. One round trip, O(1). Throws as
   * {@link RBloomFilter.count} does.
   */
  getExpectedInsertions(): Promise<number>

  /**
   * Returns how often a value is found that was not added. One round trip, O(1). Throws as
   * {@link RBloomFilter.count} does.
   */
  getFalseProbability(): Promise<number>

  /**
   * Returns how many bits the filter has. One round trip, O(1). Throws as {@link RBloomFilter.count} does.
   */
  getSize(): Promise<number>

  /**
   * Returns how many bits each value sets. One round trip, O(1). Throws as {@link RBloomFilter.count} does.
   */
  getHashIterations(): Promise<number>
}
