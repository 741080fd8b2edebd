import type { PollOptions, TakeOptions } from '../shared/polling.api.js'
import type { ObjectEvent, ObjectListener, Names, RDumpable, RExpirable } from '../../api/object.js'
import type { ListenOptions, Subscription } from '../../topics/shared/subscription.api.js'
import type { DistributedIteratorOptions } from '../set/set.api.js'
import type { RSortable } from '../shared/sortable.api.js'

/** Values with their scores. Where values are texts, they may be an object, too. */
export type ScoredEntries<V> =
  Iterable<readonly [value: V, score: number]> | (V extends string ? Readonly<Record<V, number>> : never)

/**
 * A range of scores. Bounds are named, so that a call says which of them belongs to the range.
 *
 * @example
 * ```ts
 * const seniors: ScoreRange = { min: 65 }
 * const teens: ScoreRange = { min: 13, max: 20, maxInclusive: false }
 * ```
 */
export interface ScoreRange {
  /**
   * The lowest score.
   *
   * @defaultValue -Infinity
   */
  readonly min?: number | undefined
  /**
   * Whether the lowest score belongs to the range.
   *
   * @defaultValue true
   */
  readonly minInclusive?: boolean | undefined
  /**
   * The highest score.
   *
   * @defaultValue Infinity
   */
  readonly max?: number | undefined
  /**
   * Whether the highest score belongs to the range.
   *
   * @defaultValue true
   */
  readonly maxInclusive?: boolean | undefined
}

/** A range of scores, and which of its values are meant. */
export interface ScoreRangePage extends ScoreRange {
  /**
   * How many values at the beginning of the range are left out. Redis scans them: O(offset).
   *
   * @defaultValue 0
   */
  readonly offset?: number | undefined
  /**
   * How many values there are at most.
   *
   * @defaultValue as many as there are
   */
  readonly count?: number | undefined
}

/** Where a value stands. */
export interface RankedEntry {
  /** The number of values in front of it. */
  readonly rank: number
  /** The score of the value. */
  readonly score: number
}

/** Options of an iteration over a sorted set. */
export interface ScoredSetScanOptions {
  /**
   * A glob-style pattern that the values have to match as they are in Redis: `*` is any text, `?` any byte, `[ab]` one of these, and `\`
   * takes the meaning away from what follows it. A text is written as JSON by default, with quotes.
   *
   * @defaultValue all values
   */
  readonly pattern?: string | undefined
  /**
   * About how many values Redis looks at for each request, from 1 to 5 000.
   *
   * @defaultValue 1 000
   */
  readonly count?: number | undefined
  /**
   * The handling of a value that the codec cannot read: the iteration ends with a {@link CodecError}, or skips it.
   *
   * @defaultValue `throw`
   */
  readonly onInvalid?: 'throw' | 'skip' | undefined
  /** Ends the iteration, which throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/** Names of sorted sets: each of them with weight 1, or, in a `Map`, with a weight by which its scores are multiplied. */
export type SetNames = Names | ReadonlyMap<string, number>

/** How several sorted sets become one. */
export interface AggregateOptions {
  /**
   * The combination of the scores of a value that is in several sets.
   *
   * @defaultValue `SUM`
   */
  readonly aggregate?: 'SUM' | 'MIN' | 'MAX' | undefined
}

/** How values of several sorted sets are counted. */
export interface CountIntersectionOptions {
  /**
   * Where the counting ends.
   *
   * @defaultValue none: all are counted
   */
  readonly limit?: number | undefined
}

/**
 * Values in the order of their scores, each of them once, shared by all clients of the same servers, in Node
 * and in Java. Use it as a leaderboard, a priority queue or an index by time. Values with the same score are
 * in the order of their bytes.
 *
 * Values are compared by their encoded bytes. `undefined` is no value: it means that there is none. A set
 * without values does not exist. A score is a double, and is read back as exactly the same number (−0 as 0).
 * `Infinity` and `-Infinity` are scores in Node, but not in Java; `NaN` causes a `TypeError`. Entries are
 * pairs of a value and its score. The order of Redis is from the lowest score on: that is where `first` is,
 * and rank 0.
 *
 * Each method takes one round trip and O(log n), unless it says something else. Methods that only read are
 * sent again if their reply is lost. So are `add`, `addIfExists`, `addIfGreater`, `addIfLess`,
 * `addAndGet…Rank`, `addAllAndGetRevRank` up to 5 000 entries, `remove`, `removeAll` and `retainAll`. These
 * have the same effect if they run twice. They may then overwrite what another client has written in between.
 * A call rejects if its result no longer shows which client has made the change. All others, including
 * `addIfAbsent` and calls that return how many values they changed, are not sent again: the call rejects, and
 * its error has `mayHaveRun`. With `exactlyOnce` all of them are sent again, and each takes effect once. For
 * calls that wait for a value, that is always so.
 *
 * All methods reject with a {@link WrongTypeError} if the name belongs to another kind of object. They reject
 * with a {@link CodecError} if the codec cannot write a value (then nothing was sent) or read one.
 * {@link CodecError.taken} and {@link CodecError.unreadable} return what such a call has removed.
 *
 * @example
 * ```ts
 * const scores = client.getScoredSortedSet<string>('scores')
 * await scores.addAll({ Ada: 36, Alan: 41, Grace: 85 })
 * console.log(await scores.addScore('Ada', 10)) // 46
 * console.log(await scores.valueRangeReversed(0, 1)) // [ 'Grace', 'Ada' ]
 * console.log(await scores.revRank('Alan')) // 2
 * ```
 */
export interface RScoredSortedSet<V> extends RExpirable, RDumpable, RSortable<V>, AsyncIterable<V> {
  /**
   * Gives the value this score, and adds it where it is not there. Returns whether it is new.
   *
   * If its reply is lost, a copy adds the value again that another client has taken meanwhile. To add jobs that others poll, make the set with
   * `exactlyOnce`.
   *
   * @throws TypeError for a score that is no number, and for `undefined` as value
   */
  add(score: number, value: V): Promise<boolean>

  /** Adds the value if it is not there; the score of one that is there stays. Returns whether it was added. It is not sent again. */
  addIfAbsent(score: number, value: V): Promise<boolean>

  /** Gives the value this score if it is there. Returns whether its score has changed. */
  addIfExists(score: number, value: V): Promise<boolean>

  /** Gives the value this score if it is higher than the one that it has, or if it is not there. Returns whether anything has changed. */
  addIfGreater(score: number, value: V): Promise<boolean>

  /** Gives the value this score if it is lower than the one that it has, or if it is not there. Returns whether anything has changed. */
  addIfLess(score: number, value: V): Promise<boolean>

  /**
   * Gives these values their scores. Returns how many are new. Of a value that comes twice, the last score counts.
   *
   * One request for each 5 000 entries, one after the other. Each request is atomic, but all of them together
   * are not. The codec writes all values before the first request is sent. If the call rejects, the requests
   * before the failed one have taken effect, and its error has `mayHaveRun` if they have changed something.
   *
   * @param entries - a `Map`, any other iterable of pairs, or a plain object if values are texts
   * @throws TypeError for anything else, for a score that is no number, and for `undefined` as value; nothing is sent then
   */
  addAll(entries: ScoredEntries<V>): Promise<number>

  /** Adds those that are not there. Returns how many. See {@link RScoredSortedSet.addAll}. */
  addAllIfAbsent(entries: ScoredEntries<V>): Promise<number>

  /** Gives those that are there their scores. Returns how many scores have changed. See {@link RScoredSortedSet.addAll}. */
  addAllIfExist(entries: ScoredEntries<V>): Promise<number>

  /** Like {@link RScoredSortedSet.addIfGreater}, for many. Returns how many were added or changed. See {@link RScoredSortedSet.addAll}. */
  addAllIfGreater(entries: ScoredEntries<V>): Promise<number>

  /** Like {@link RScoredSortedSet.addIfLess}, for many. Returns how many were added or changed. See {@link RScoredSortedSet.addAll}. */
  addAllIfLess(entries: ScoredEntries<V>): Promise<number>

  /** Gives the value this score, and returns its rank then: the number of values in front of it. */
  addAndGetRank(score: number, value: V): Promise<number>

  /** Gives the value this score, and returns its rank from behind then: the number of values after it. */
  addAndGetRevRank(score: number, value: V): Promise<number>

  /**
   * Gives these values their scores, and returns their ranks from behind, in the order of the entries.
   *
   * One request up to 5 000 entries. More are added by {@link RScoredSortedSet.addAll} first, and then looked up.
   */
  addAllAndGetRevRank(entries: ScoredEntries<V>): Promise<number[]>

  /**
   * Adds to the score of a value, and returns the sum. A value that is not there begins at 0. A sum of `Infinity` and `-Infinity` is a
   * {@link CommandError}.
   *
   * @throws TypeError for what is no number
   */
  addScore(value: V, delta: number): Promise<number>

  /** Adds to the score of a value, and returns its rank then. See {@link RScoredSortedSet.addScore}. */
  addScoreAndGetRank(value: V, delta: number): Promise<number>

  /** Adds to the score of a value, and returns its rank from behind then. */
  addScoreAndGetRevRank(value: V, delta: number): Promise<number>

  /** Gives the score of one value to another, and removes the first. A score that the other one has is replaced. Returns whether the first was there. */
  replace(value: V, replacement: V): Promise<boolean>

  /** Returns the score of the value; undefined if it is not there. O(1). */
  getScore(value: V): Promise<number | undefined>

  /**
   * Returns the scores of these values, in their order; undefined for one that is not there. O(1) for each,
   * one request for each 5 000.
   */
  getScores(values: Iterable<V>): Promise<(number | undefined)[]>

  /** Returns the number of values in front of this one; undefined if it is not there. */
  rank(value: V): Promise<number | undefined>

  /** Returns the number of values after this one; undefined if it is not there. */
  revRank(value: V): Promise<number | undefined>

  /** Returns the result of {@link RScoredSortedSet.revRank}, for these values in their order. One request for each 5 000. */
  revRanks(values: Iterable<V>): Promise<(number | undefined)[]>

  /** Returns the rank of the value and its score; undefined if it is not there. */
  rankEntry(value: V): Promise<RankedEntry | undefined>

  /** Returns the rank of the value from behind and its score; undefined if it is not there. */
  revRankEntry(value: V): Promise<RankedEntry | undefined>

  /** Returns whether the value is there. O(1). */
  contains(value: V): Promise<boolean>

  /**
   * Returns whether all of these values are there; true for none. O(1) for each, one request for each 5 000.
   */
  containsAll(values: Iterable<V>): Promise<boolean>

  /** Removes the value. Returns whether it was there. */
  remove(value: V): Promise<boolean>

  /** Removes these values. Returns whether any of them was there. One request for each 5 000, as for {@link RScoredSortedSet.addAll}. */
  removeAll(values: Iterable<V>): Promise<boolean>

  /**
   * Removes all values but these. Returns whether there were any others.
   *
   * One step for up to 5 000 values in the set and as many that stay. Otherwise it iterates over the set and removes page by page: values that others add meanwhile may be
   * removed or not. Without any values to keep it is `delete()`.
   */
  retainAll(values: Iterable<V>): Promise<boolean>

  /**
   * Removes the values from one rank to another, both included. Returns how many there were. O(log n + what is removed). A negative rank counts
   * from behind: −1 is the last.
   *
   * @example
   * ```ts
   * const recent = client.getScoredSortedSet<string>('recent')
   * await recent.add(Date.now(), 'page')
   * await recent.removeRangeByRank(0, -101) // the newest hundred stay
   * ```
   */
  removeRangeByRank(startIndex: number, endIndex: number): Promise<number>

  /** Removes the values whose scores are in a range. Returns how many there were. O(log n + what is removed). */
  removeRangeByScore(range: ScoreRange): Promise<number>

  /**
   * Removes the value with the lowest score, and returns it; undefined if there is none.
   *
   * With `waitMs` it waits for one. It uses no blocking command: a change of the key wakes the waiter. So it
   * blocks no connection, and no value is lost or removed twice when a connection breaks.
   *
   * Waiting calls of one process at the same set are served in their order, one after the other. A thousand
   * of them send a few requests for each value. Among processes there is no order.
   *
   * @example
   * ```ts
   * const tasks = client.getScoredSortedSet<string>('tasks')
   * await tasks.add(1, 'urgent')
   * console.log(await tasks.pollFirst({ waitMs: 1_000 })) // urgent
   * ```
   */
  pollFirst(options?: PollOptions): Promise<V | undefined>

  /**
   * Removes the values with the lowest scores, and returns them, in the order of the set; none if there are none. With `waitMs` it waits for the first one, and not for more.
   *
   * @param count - from 0 to 5 000: what is removed has to come back by one reply
   */
  pollFirst(count: number, options?: PollOptions): Promise<V[]>

  /** Like `pollFirst`, with the score. */
  pollFirstEntry(options?: PollOptions): Promise<[value: V, score: number] | undefined>

  /** Like `pollFirst` with a count, with the scores. */
  pollFirstEntries(count: number, options?: PollOptions): Promise<[value: V, score: number][]>

  /** Removes the value with the highest score, and returns it; undefined if there is none. See `pollFirst`. */
  pollLast(options?: PollOptions): Promise<V | undefined>

  /** Removes the values with the highest scores, and returns them, in the order of the set. See `pollFirst`. */
  pollLast(count: number, options?: PollOptions): Promise<V[]>

  /** Like `pollLast`, with the score. */
  pollLastEntry(options?: PollOptions): Promise<[value: V, score: number] | undefined>

  /** Like `pollLast` with a count, with the scores. */
  pollLastEntries(count: number, options?: PollOptions): Promise<[value: V, score: number][]>

  /**
   * Removes the value with the lowest score of the first set that has one: of this set, or else of others, in their order. Returns it; undefined if all
   * sets are empty. With `waitMs` it waits until one of them has a value. See `pollFirst`. O(n) for n sets.
   *
   * @throws {@link CrossSlotError} if a name belongs to another slot of the cluster; nothing is sent then
   * @throws {@link WrongTypeError} if a name belongs to another kind of object, and no set before it has a value
   * @example
   * ```ts
   * const urgent = client.getScoredSortedSet<string>('{tasks}:urgent')
   * const others = client.getScoredSortedSet<string>('{tasks}:others')
   * await others.add(1, 'water the plants')
   * console.log(await urgent.pollFirstFromAny([others.name])) // water the plants
   * ```
   */
  pollFirstFromAny(names: Names, options?: PollOptions): Promise<V | undefined>

  /**
   * Removes the values with the lowest scores of the first set that has any, and returns them, in the order of that set. All of them are of one set.
   *
   * @param count - from 0 to 5 000, as for `pollFirst`
   */
  pollFirstFromAny(names: Names, count: number, options?: PollOptions): Promise<V[]>

  /** Like `pollFirstFromAny` with a count, with the scores, under the name of the set; an empty map if all sets are empty. */
  pollFirstEntriesFromAny(
    names: Names,
    count: number,
    options?: PollOptions,
  ): Promise<Map<string, [value: V, score: number][]>>

  /** Removes the value with the highest score of the first set that has one. See `pollFirstFromAny`. */
  pollLastFromAny(names: Names, options?: PollOptions): Promise<V | undefined>

  /** Removes the values with the highest scores of the first set that has any, and returns them, in the order of that set. See `pollFirstFromAny`. */
  pollLastFromAny(names: Names, count: number, options?: PollOptions): Promise<V[]>

  /** Like `pollLastFromAny` with a count, with the scores, under the name of the set; an empty map if all sets are empty. */
  pollLastEntriesFromAny(
    names: Names,
    count: number,
    options?: PollOptions,
  ): Promise<Map<string, [value: V, score: number][]>>

  /**
   * Removes the value with the lowest score, and returns it, as soon as there is one. See `pollFirst`.
   *
   * @example
   * ```ts
   * const tasks = client.getScoredSortedSet<string>('tasks')
   * const task = tasks.takeFirst({ signal: AbortSignal.timeout(5_000) })
   * await tasks.add(1, 'urgent')
   * console.log(await task) // urgent
   * ```
   */
  takeFirst(options?: TakeOptions): Promise<V>

  /** Removes the value with the highest score, and returns it, as soon as there is one. See {@link RScoredSortedSet.takeFirst}. */
  takeLast(options?: TakeOptions): Promise<V>

  /** Returns the value with the lowest score; undefined if there is none. */
  first(): Promise<V | undefined>

  /** Returns the value with the lowest score, and its score. */
  firstEntry(): Promise<[value: V, score: number] | undefined>

  /** Returns the lowest score; undefined if there are no values. */
  firstScore(): Promise<number | undefined>

  /** Returns the value with the highest score; undefined if there is none. */
  last(): Promise<V | undefined>

  /** Returns the value with the highest score, and its score. */
  lastEntry(): Promise<[value: V, score: number] | undefined>

  /** Returns the highest score; undefined if there are no values. */
  lastScore(): Promise<number | undefined>

  /** Any value; undefined if there is none. */
  random(): Promise<V | undefined>

  /**
   * Any values, each of them once. O(count).
   *
   * @param count - 0 or more
   */
  random(count: number): Promise<V[]>

  /** Returns the result of `random`, with the scores. */
  randomEntries(count: number): Promise<[value: V, score: number][]>

  /**
   * Returns the values from one rank to another, both included, in the order of the set. O(log n + what is
   * returned), one request however many there are. A negative rank counts from behind: −1 is the last.
   *
   * @throws RangeError for what is no whole number
   */
  valueRange(startIndex: number, endIndex: number): Promise<V[]>

  /**
   * Returns the values whose scores are in a range, in the order of the set.
   *
   * @example
   * ```ts
   * const ages = client.getScoredSortedSet<string>('ages')
   * await ages.addAll({ Ada: 36, Alan: 41, Grace: 85 })
   * console.log(await ages.valueRange({ min: 36, minInclusive: false, count: 10 })) // [ 'Alan', 'Grace' ]
   * ```
   */
  valueRange(range: ScoreRangePage): Promise<V[]>

  /** Returns the values from one rank from behind to another, the highest score first. See `valueRange`. */
  valueRangeReversed(startIndex: number, endIndex: number): Promise<V[]>

  /** Returns the values whose scores are in a range, the highest score first; an offset counts from there. */
  valueRangeReversed(range: ScoreRangePage): Promise<V[]>

  /** Returns the result of `valueRange`, with the scores. */
  entryRange(startIndex: number, endIndex: number): Promise<[value: V, score: number][]>

  /** Returns the result of `valueRange`, with the scores. */
  entryRange(range: ScoreRangePage): Promise<[value: V, score: number][]>

  /** Returns the result of `valueRangeReversed`, with the scores. */
  entryRangeReversed(startIndex: number, endIndex: number): Promise<[value: V, score: number][]>

  /** Returns the result of `valueRangeReversed`, with the scores. */
  entryRangeReversed(range: ScoreRangePage): Promise<[value: V, score: number][]>

  /**
   * Stores what `entryRange` returns under another name, and replaces what is there. Returns how many values there are.
   *
   * @throws {@link CrossSlotError} if the name belongs to another slot of the cluster; nothing is sent then
   */
  rangeTo(name: string, startIndex: number, endIndex: number): Promise<number>

  /** Stores the values whose scores are in a range, with their scores, under another name. */
  rangeTo(name: string, range: ScoreRangePage): Promise<number>

  /** Stores what `entryRangeReversed` returns under another name. See `rangeTo`. */
  revRangeTo(name: string, startIndex: number, endIndex: number): Promise<number>

  /** Stores the values whose scores are in a range, with their scores, under another name: those that an offset and a count take from the highest on. */
  revRangeTo(name: string, range: ScoreRangePage): Promise<number>

  /** Returns how many values have a score in a range. */
  count(range: ScoreRange): Promise<number>

  /** Returns how many values there are. O(1). */
  size(): Promise<number>

  /** Returns whether there are no values. O(1). */
  isEmpty(): Promise<boolean>

  /** Removes all values. O(n) */
  clear(): Promise<void>

  /**
   * Replaces this set by the union of others: this set is among them only where it is named. Returns how many values it has. O(n log n) for all values of
   * all sets, in one step.
   *
   * @param names - names, or a `Map` of them with the weights of their scores
   * @throws {@link CrossSlotError} if one of them belongs to another slot of the cluster; nothing is sent then
   * @throws RangeError for no names, and with {@link ObjectOptions.exactlyOnce} for more than one script takes
   * @example
   * ```ts
   * const week = client.getScoredSortedSet<string>('{visits}:week')
   * await client.getScoredSortedSet<string>('{visits}:monday').add(3, '/home')
   * console.log(await week.union(new Map([['{visits}:week', 0.5], ['{visits}:monday', 1]]))) // 1
   * ```
   */
  union(names: SetNames, options?: AggregateOptions): Promise<number>

  /**
   * Returns the values of this set, with weight 1, and of others. See {@link RScoredSortedSet.union}: nothing
   * is stored.
   */
  readUnion(names: SetNames, options?: AggregateOptions): Promise<V[]>

  /** Returns the result of {@link RScoredSortedSet.readUnion}, with the scores. */
  readUnionEntries(names: SetNames, options?: AggregateOptions): Promise<[value: V, score: number][]>

  /** Replaces this set by the intersection of others. See {@link RScoredSortedSet.union}. */
  intersection(names: SetNames, options?: AggregateOptions): Promise<number>

  /** Returns the values that are in this set, with weight 1, and in all others. Nothing is stored. */
  readIntersection(names: SetNames, options?: AggregateOptions): Promise<V[]>

  /** Returns the result of {@link RScoredSortedSet.readIntersection}, with the scores. */
  readIntersectionEntries(names: SetNames, options?: AggregateOptions): Promise<[value: V, score: number][]>

  /**
   * Returns how many values are in this set and in all others.
   *
   * @throws {@link UnsupportedCommandError} before Redis 7
   */
  countIntersection(names: Names, options?: CountIntersectionOptions): Promise<number>

  /** Replaces this set by the values of the first of others that are in none of the rest, with their scores there. See {@link RScoredSortedSet.union}. */
  diff(names: Names): Promise<number>

  /** Returns the values of this set that are in none of the others. Nothing is stored. */
  readDiff(names: Names): Promise<V[]>

  /** Returns the result of {@link RScoredSortedSet.readDiff}, with the scores. */
  readDiffEntries(names: Names): Promise<[value: V, score: number][]>

  /**
   * All values, in the order of the set.
   *
   * Up to 5 000 are read by one request and as of one moment. More are read by requests of about 1 000 each,
   * and sorted here. Values that other clients add, move or remove meanwhile may be included or not.
   * {@link RScoredSortedSet.values} needs less memory.
   */
  readAll(): Promise<V[]>

  /** All values with their scores, in the order of the set. See {@link RScoredSortedSet.readAll}. */
  readAllEntries(): Promise<[value: V, score: number][]>

  /**
   * Walks through the values, as `for await (const value of set)` does, with a request for about `count` of them at a time. They come in no order: `valueRange` has one. `break` ends
   * it.
   *
   * What is there for all of that time comes, and what is not there at any time does not. While the set grows or shrinks, a value may come
   * twice. A failover or a moved slot in between may have values left out.
   *
   * @throws RangeError for a `count` outside of 1 to 5 000
   * @example
   * ```ts
   * for await (const id of client.getScoredSortedSet<string>('scores').values({ pattern: '"admin:*' })) console.log(id)
   * ```
   */
  values(options?: ScoredSetScanOptions): AsyncIterable<V>

  /** Walks through the values with their scores. See {@link RScoredSortedSet.values}. */
  entries(options?: ScoredSetScanOptions): AsyncIterable<[value: V, score: number]>

  /**
   * Shares one iteration over the values with all others that call it, in Node and in Java: each page of
   * values goes to one of them. They come in no order.
   *
   * Redis stores the position for an hour after the last page. When all pages are delivered, the iteration is
   * over for all of them. An iteration that begins within that hour returns nothing, unless it has another
   * `iteratorName`, or the key of that name is deleted. That key stays when the set is renamed or deleted.
   *
   * A page is taken by one request, which takes effect once even if its reply is lost. See
   * {@link RSet.distributedIterator}, also for the pages of a process that ends. For changes of the set
   * meanwhile, see {@link RScoredSortedSet.values}.
   *
   * @throws {@link CrossSlotError} for an `iteratorName` in another slot
   * @example
   * ```ts
   * const due = client.getScoredSortedSet<string>('due')
   * for await (const id of due.distributedIterator({ count: 50 })) console.log(id)
   * ```
   */
  distributedIterator(options?: DistributedIteratorOptions): AsyncIterable<V>

  /**
   * Listens for the events of {@link RObject.addListener}, and for these, which need `Kz` in
   * `notify-keyspace-events`:
   * - `added`: scores of values were set
   * - `incremented`: by `addScore`
   * - `removed`: values were removed or polled
   * - `stored`: this set was made by `union`, `intersection`, `diff` or `rangeTo`, or by a search of an
   *   {@link RGeo}
   *
   * Redis does not say which values, and sends one event for all changes of one request. When the last value
   * is removed, `deleted` comes too.
   */
  addListener(
    event: ObjectEvent | 'added' | 'incremented' | 'removed' | 'stored',
    listener: ObjectListener,
    options?: ListenOptions,
  ): Promise<Subscription>
}
