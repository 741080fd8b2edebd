import type { ObjectEvent, ObjectListener, RDumpable, RExpirable } from '../../api/object.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'
import type { RSortable } from '../shared/sortable.api.js'

/** Options of an iteration over a list. */
export interface ListWalkOptions {
  /**
   * How many elements one request reads, from 1 to 5 000.
   *
   * @defaultValue 1 000
   */
  readonly count?: number | undefined
  /**
   * The handling of an element that the codec cannot read: the iteration ends with a {@link CodecError}, or skips it.
   *
   * @defaultValue `throw`
   */
  readonly onInvalid?: 'throw' | 'skip' | undefined
  /** Ends the iteration, which throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/** Options of an iteration over a list that several processes share. */
export interface ListIteratorOptions extends ListWalkOptions {
  /**
   * How many elements one request reads, from 1 to 5 000.
   *
   * @defaultValue 100
   */
  readonly count?: number | undefined
  /**
   * The name under which Redis keeps how far they are, which has to be in the same slot of a cluster as the list.
   *
   * @defaultValue the one that Redisson makes of the name of the list
   */
  readonly iteratorName?: string | undefined
}

/**
 * A list that all clients of the same servers share, in Node and in Java: values in an order. A value may
 * occur more than once.
 *
 * Elements are compared by their encoded bytes. `undefined` is no element: it means that there is none. A
 * list without elements does not exist. The first element has the index 0. Unless a method says otherwise, an
 * index below zero counts from the end, as in Redis: the last element has the index -1.
 *
 * Each method takes one round trip. It takes O(1) at either end of the list, and O(n) for n elements in
 * between, unless it says otherwise. Redis does nothing else meanwhile: some ten milliseconds to scan a
 * million elements.
 *
 * Methods that only read are sent again if their reply is lost. All others are not, because a copy would add
 * an element twice, or remove another one: the call rejects, and its error has `mayHaveRun`. With
 * `exactlyOnce` all of them are sent again, and each takes effect once. `clear` and the methods of all
 * objects are always sent again.
 *
 * Methods with more than 5 000 values send one request for each 5 000, one after the other. Each request is
 * atomic, but all of them together are not. The codec writes all values before the first request is sent. If
 * the call rejects, the requests before the failed one have taken effect, and its error has `mayHaveRun` if
 * they have changed something.
 *
 * All methods reject with a {@link WrongTypeError} if the name belongs to another kind of object. They reject
 * with a {@link CodecError} if the codec cannot write a value (then nothing was sent) or read one.
 * {@link CodecError.taken} and {@link CodecError.unreadable} return what such a call has removed.
 *
 * @example
 * ```ts
 * const steps = client.getList<string>('steps')
 * await steps.addAll(['wake', 'work'])
 * await steps.add(1, 'eat')
 * for await (const step of steps) console.log(step) // wake, eat, work
 * ```
 */
export interface RList<V> extends RExpirable, RDumpable, RSortable<V>, AsyncIterable<V> {
  /**
   * Adds a value at the end. Returns true, as in Java.
   *
   * @throws TypeError for `undefined`
   */
  add(value: V): Promise<boolean>

  /**
   * Inserts a value, which gets that index; those behind it move on. At the index 0 it comes first, and at {@link RList.size} last.
   *
   * With two arguments the first is always the index, also in a list of numbers: `addAll()` adds several values.
   *
   * @param index - 0 or more
   * @throws RangeError for any other number
   * @throws {@link IndexOutOfBoundsError} beyond the end
   * @example
   * ```ts
   * const queue = client.getList<string>('waiting')
   * await queue.addAll(['Ada', 'Grace'])
   * await queue.add(0, 'Alan')
   * console.log(await queue.readAll()) // [ 'Alan', 'Ada', 'Grace' ]
   * ```
   */
  add(index: number, value: V): Promise<void>

  /** Adds values at the end, in their order. Returns whether there were any. */
  addAll(values: Iterable<V>): Promise<boolean>

  /**
   * Inserts values in their order, of which the first gets that index. Returns whether there were any.
   *
   * Takes O(n) for the n elements of the shorter side of the list, which a script moves: half a second for 500 000 of them. Of more than 5 000 values, the last ones are
   * inserted first. What other clients insert or remove meanwhile further in front comes between them.
   *
   * @param index - 0 or more
   * @throws RangeError for any other number
   * @throws {@link IndexOutOfBoundsError} beyond the end
   */
  addAll(index: number, values: Iterable<V>): Promise<boolean>

  /**
   * Inserts a value behind the first element that is equal to another one. Returns the new size; -1 if there is no such element, and nothing
   * was inserted.
   */
  addAfter(elementToFind: V, element: V): Promise<number>

  /** Inserts a value in front of the first element that is equal to another one. See {@link RList.addAfter}. */
  addBefore(elementToFind: V, element: V): Promise<number>

  /**
   * Returns the element at an index; undefined beyond the ends, as in Java. {@link RList.getAll} returns
   * several.
   *
   * @throws RangeError for what is no whole number
   */
  get(index: number): Promise<V | undefined>

  /**
   * Returns the elements at these indexes, in their order; undefined for each that is beyond the ends. It is
   * Java's `get(int...)`.
   *
   * One request for each 5 000 indexes, all of them at once.
   *
   * @example
   * ```ts
   * const letters = client.getList<string>('letters')
   * await letters.addAll(['a', 'b', 'c'])
   * console.log(await letters.getAll([-1, 0, 7])) // [ 'c', 'a', undefined ]
   * ```
   */
  getAll(indexes: Iterable<number>): Promise<(V | undefined)[]>

  /**
   * Sets the element at an index, and returns the one before.
   *
   * @throws RangeError for what is no whole number
   * @throws {@link IndexOutOfBoundsError} if there is no such element; nothing was set
   */
  set(index: number, element: V): Promise<V>

  /** Sets the element at an index. Quicker than {@link RList.set}, since no element comes back. */
  fastSet(index: number, element: V): Promise<void>

  /**
   * Removes elements that are equal to a value, up to that number of them. Returns whether there was any.
   *
   * A number is a value here, and never an index: {@link RList.removeAt} removes that.
   *
   * @param count - 1 by default; from the front if it is above zero, and from the back if it is below. {@link RList.removeAll} removes all
   * @throws RangeError for 0, and for what is no whole number
   * @example
   * ```ts
   * const grades = client.getList<number>('grades')
   * await grades.addAll([1, 2, 1, 3, 1])
   * await grades.remove(1)
   * await grades.remove(1, -1)
   * console.log(await grades.readAll()) // [ 2, 1, 3 ]
   * ```
   */
  remove(value: V, count?: number): Promise<boolean>

  /**
   * Removes the element at an index, and returns it; undefined if there is none.
   *
   * It is Java's `remove(int)`, which has a name of its own here, as in Kotlin: JavaScript could not tell an index from a value of a list of
   * numbers.
   *
   * @throws RangeError for what is no whole number
   */
  removeAt(index: number): Promise<V | undefined>

  /** Removes the element at an index. Returns whether there was one. Quicker than {@link RList.removeAt}, since no element comes back. */
  fastRemove(index: number): Promise<boolean>

  /**
   * Removes all elements that are equal to one of these values. Returns whether there were any.
   *
   * Takes O(n + m) for n elements and m values: a script looks at every element, for half a second where they are a million.
   */
  removeAll(values: Iterable<V>): Promise<boolean>

  /**
   * Removes all elements that are equal to none of these values, and so all if there are no values. Returns whether there were any.
   *
   * Takes O(n + m), as {@link RList.removeAll} does. For more than 5 000 values the list is read here, and then the others are removed by
   * {@link RList.removeAll}: what other clients add meanwhile stays.
   */
  retainAll(values: Iterable<V>): Promise<boolean>

  /**
   * Returns whether there is an element that is equal to a value. O(n).
   *
   * @throws {@link UnsupportedCommandError} before Redis 6.0.6, as {@link RList.indexOf} and {@link RList.lastIndexOf} do
   */
  contains(value: V): Promise<boolean>

  /**
   * Returns whether there is an element for each of these values; for none, it is true.
   *
   * Takes O(n + m) for n elements and m values, as {@link RList.removeAll} does, with one request for each 5 000 values, all of them at once.
   */
  containsAll(values: Iterable<V>): Promise<boolean>

  /** Returns the index of the first element that is equal to a value; -1 if there is none. O(n). */
  indexOf(value: V): Promise<number>

  /** Returns the index of the last element that is equal to a value; -1 if there is none. O(n). */
  lastIndexOf(value: V): Promise<number>

  /** Returns how many elements there are. */
  size(): Promise<number>

  /** Returns whether there are no elements. */
  isEmpty(): Promise<boolean>

  /** Removes all elements, as {@link RObject.delete} does. */
  clear(): Promise<void>

  /** All elements, by one request and as of one moment. {@link RList.values} needs less memory. O(n). */
  readAll(): Promise<V[]>

  /**
   * Returns the elements between two indexes, which are included; with one index, those from the first
   * element on. What is beyond the ends is not there, and is no error.
   *
   * @throws RangeError for what is no whole number
   * @example
   * ```ts
   * const lines = client.getList<string>('lines')
   * await lines.addAll(['one', 'two', 'three'])
   * console.log(await lines.range(1)) // [ 'one', 'two' ]
   * console.log(await lines.range(-2, -1)) // [ 'two', 'three' ]
   * ```
   */
  range(...indexes: [toIndex: number] | [fromIndex: number, toIndex: number]): Promise<V[]>

  /**
   * Removes all elements but those between two indexes, which are included. O(n) for n elements that are removed.
   *
   * @throws RangeError for what is no whole number
   * @example
   * ```ts
   * const lines = client.getList<string>('lines')
   * await lines.add('four')
   * await lines.trim(-1_000, -1) // keeps the last thousand
   * ```
   */
  trim(fromIndex: number, toIndex: number): Promise<void>

  /**
   * Walks through the elements, as `for await (const element of list)` does, with a request for `count` of them at a time. `break` ends it.
   *
   * Pages are read by their indexes. Elements that keep their index come once. While other clients insert or remove elements before it,
   * the later ones move: one may come twice or be missed. Elements that are added at the end come too.
   *
   * @throws RangeError for a `count` outside of 1 to 5 000
   * @example
   * ```ts
   * for await (const line of client.getList<string>('lines').values({ count: 100 })) console.log(line)
   * ```
   */
  values(options?: ListWalkOptions): AsyncIterable<V>

  /**
   * Shares one iteration over the elements with all others that call it, in Node and in Java. Each page of
   * elements, in their order, goes to one of them. Redis stores the index of the next page. An element that
   * is added or removed before that index shifts the later ones: one of them may come twice or not at all.
   * For the rest see {@link RSet.distributedIterator}.
   *
   * @throws {@link CrossSlotError} for an `iteratorName` in another slot
   * @example
   * ```ts
   * const lines = client.getList<string>('lines')
   * for await (const line of lines.distributedIterator({ count: 50 })) console.log(line)
   * ```
   */
  distributedIterator(options?: ListIteratorOptions): AsyncIterable<V>

  /**
   * Listens for the events of {@link RObject.addListener}, and for those of lists, which need `Kl` in `notify-keyspace-events`: `added` (values were
   * added at an end), `inserted` (a value was inserted beside another), `set`, `removed` (elements were removed) and `trimmed`.
   *
   * Redis does not say which elements, and one call may be several events: `removeAt` in between is also `set`, and so is `add(index, value)`. `addAll(index, values)` in
   * between is `trimmed` and `added`, and so is the removal of very many different values at once, beside being `removed`. A list whose last
   * element is removed is also `deleted`.
   */
  addListener(
    event: ObjectEvent | 'added' | 'inserted' | 'set' | 'removed' | 'trimmed',
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}
