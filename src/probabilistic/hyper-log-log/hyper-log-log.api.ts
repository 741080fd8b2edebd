import type { ObjectEvent, ObjectListener, Names, RDumpable, RExpirable } from '../../api/object.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'

/**
 * An estimate of the number of different values, shared by all clients of the same servers, in Node and in
 * Java.
 *
 * It takes at most 12 kB, however many values are added, and does not store them. Its counts have a standard
 * error of 0.81 %. Values are compared by their encoded bytes. `undefined` is no value.
 *
 * Each method takes one round trip and O(1), unless it says something else. A request whose reply is lost is
 * sent again, as adding or merging twice has the same effect as once. But if another client has removed the
 * object in between, it exists again. `add` and `addAll` reject if their result no longer shows which client
 * has made the change. With `exactlyOnce` each call takes effect once.
 *
 * All methods reject with a {@link WrongTypeError} if the name belongs to another kind of object. They reject
 * with a {@link CodecError} if the codec cannot write a value; then nothing was sent.
 *
 * The algorithm is by Flajolet, Fusy, Gandouet and Meunier, "HyperLogLog: the analysis of a near-optimal
 * cardinality estimation algorithm" (2007). Redis uses it with the estimator of Otmar Ertl (2017).
 *
 * @example
 * ```ts
 * const visitors = client.getHyperLogLog<string>('visitors:monday')
 * await visitors.addAll(['ada', 'bob', 'ada'])
 * console.log(await visitors.count()) // 2
 * ```
 */
export interface RHyperLogLog<V> extends RExpirable, RDumpable {
  /**
   * Adds a value. Returns whether the estimate may have changed: false for a value that was added before, and for some that were not.
   *
   * @throws TypeError for `undefined`
   */
  add(value: V): Promise<boolean>

  /**
   * Adds values. Returns whether the estimate may have changed.
   *
   * Takes O(n) for n values, in one request for each 5 000, one after the other. Everything is written by the
   * codec before the first is sent. If the call rejects, the requests before the failed one have taken
   * effect, and its error has `mayHaveRun` if they have changed something.
   *
   * @throws TypeError for what is no iterable, and for `undefined` among the values; nothing is sent then
   */
  addAll(values: Iterable<V>): Promise<boolean>

  /** Returns about how many different values were added; 0 if there were none. */
  count(): Promise<number>

  /**
   * Returns about how many different values were added to this one or to any of the others. Nothing is changed. O(n) for n names.
   *
   * @param names - the names of others, which have to be in the same slot of a cluster
   * @throws {@link CrossSlotError} if one of them is not; nothing is sent then
   * @example
   * ```ts
   * const monday = client.getHyperLogLog<string>('{visitors}:monday')
   * const tuesday = client.getHyperLogLog<string>('{visitors}:tuesday')
   * await monday.addAll(['ada', 'bob'])
   * await tuesday.addAll(['bob', 'eve'])
   * console.log(await monday.countWith([tuesday.name])) // 3
   * ```
   */
  countWith(names: Names): Promise<number>

  /**
   * Adds everything that was added to others. O(n) for n names.
   *
   * @param names - the names of others, which have to be in the same slot of a cluster
   * @throws RangeError for no names, and with {@link ObjectOptions.exactlyOnce} for more than one script takes
   * @throws {@link CrossSlotError} if one of them is in another slot; nothing is sent then
   */
  mergeWith(names: Names): Promise<void>

  /**
   * Listens for the events of {@link RObject.addListener}, and for `changed`, when values were added or others merged, which needs `K$` in
   * `notify-keyspace-events`.
   */
  addListener(
    event: ObjectEvent | 'changed',
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}
