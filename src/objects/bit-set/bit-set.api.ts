import type { Names, RDumpable, RExpirable } from '../../api/object.js'
import type { ObjectOptions } from '../../api/object-options.js'

/** How a bit set behaves. */
export interface BitSetOptions extends ObjectOptions {
  /**
   * Whether the numbers in its cells are `bigint`, over the whole of 64 bits. Indexes and counts of bits are `number` always.
   *
   * @defaultValue false: they are `number`, and one beyond 2⁵³ − 1 is an {@link UnsafeIntegerError}
   */
  readonly bigint?: boolean | undefined
}

/**
 * The type of a cell: `i` for a signed integer of 1 to 64 bits, or `u` for an unsigned one of 1 to 63 bits, as in `i8` and `u5`. One that a program computes
 * is declared `as BitFieldType`, and checked when it is used.
 */
export type BitFieldType =
  | `${'i' | 'u'}${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}`
  | `${'i' | 'u'}${1 | 2 | 3 | 4 | 5}${0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}`
  | `${'i' | 'u'}6${0 | 1 | 2 | 3}`
  | 'i64'

/**
 * The handling of a number that its cell cannot hold. It wraps around (`WRAP`), becomes the largest or
 * smallest that the cell can hold (`SAT`), or changes nothing (`FAIL`).
 */
export type BitFieldOverflow = 'WRAP' | 'SAT' | 'FAIL'

/** Reads a cell. */
export interface BitFieldGet {
  /** The type of the cell. */
  readonly get: BitFieldType
  /** The index of its first bit. */
  readonly offset: number
}

/** Sets a cell. The result is what was in it. */
export interface BitFieldSet<N extends number | bigint = number> {
  /** The type of the cell. */
  readonly set: BitFieldType
  /** The index of its first bit. */
  readonly offset: number
  /** Its new value. */
  readonly value: N
  /** @defaultValue `WRAP` */
  readonly overflow?: BitFieldOverflow | undefined
}

/** Adds to a cell. The result is the sum. */
export interface BitFieldIncrement<N extends number | bigint = number> {
  /** The type of the cell. */
  readonly increment: BitFieldType
  /** The index of its first bit. */
  readonly offset: number
  /** The number to add; it may be negative. */
  readonly by: N
  /** @defaultValue `WRAP` */
  readonly overflow?: BitFieldOverflow | undefined
}

/** An operation on a cell: one of the three. */
export type BitFieldOperation<N extends number | bigint = number> =
  | (BitFieldGet & Partial<Record<'set' | 'increment' | 'value' | 'by' | 'overflow', never>>)
  | (BitFieldSet<N> & Partial<Record<'get' | 'increment' | 'by', never>>)
  | (BitFieldIncrement<N> & Partial<Record<'get' | 'set' | 'value', never>>)

/**
 * Bits by their index, from 0 to 4 294 967 295, shared by all clients of the same servers, in Node and in
 * Java.
 *
 * A bit that was never set is 0. In Redis the bits are one string. Its first bit is the highest of its first
 * byte, and it ends with the byte of the highest used index: 512 MB at most. Cells of several bits, anywhere
 * in it, can be used as integers.
 *
 * A method takes one round trip unless it says otherwise. What takes O(n) for n bytes is fast, some milliseconds for each 10 MB, but Redis does
 * nothing else meanwhile.
 *
 * If a reply is lost, reads are sent again. So are calls that have the same effect if they run twice: `set`,
 * `setAll`, `setRange`, `setByteArray`, `and`, `or`, `diff` and `andOr`. They may then overwrite what another
 * client has written in between. If `set` finds that the bit already has its value, it cannot know the value
 * before, and rejects with `mayHaveRun`. All others would count twice and are not sent again: they reject,
 * and the error has `mayHaveRun`. With `exactlyOnce` they are sent again.
 *
 * @example
 * ```ts
 * const visitors = client.getBitSet('visitors:today')
 * console.log(await visitors.set(1_234)) // false: the bit was 0
 * console.log(await visitors.get(1_234), await visitors.cardinality()) // true 1
 * ```
 */
export interface RBitSet<N extends number | bigint = number> extends RExpirable, RDumpable {
  /**
   * Returns whether a bit is 1. O(1).
   *
   * @param index - from 0 to 4 294 967 295
   * @throws RangeError for any other number
   * @throws {@link WrongTypeError} if the name belongs to another kind of object
   */
  get(index: number): Promise<boolean>

  /**
   * Returns for each of the indexes, in their order, whether its bit is 1. O(n) for n indexes, in requests of 1 000 of which five leave together; each of
   * them is one step, all of them together are not.
   *
   * @throws TypeError for what is no iterable; RangeError for an index that is none
   * @example
   * ```ts
   * const flags = client.getBitSet('flags')
   * await flags.setAll([1, 3])
   * console.log(await flags.getEach([0, 1, 2, 3])) // [ false, true, false, true ]
   * ```
   */
  getEach(indexes: Iterable<number>): Promise<boolean[]>

  /**
   * Sets a bit. Returns whether it was 1. O(1), but for the memory that Redis takes up to that index: 512 MB for the highest.
   *
   * @param value - true for 1, which is the default, and false for 0
   * @throws RangeError for an index that is none; TypeError for a value that is neither true nor false
   */
  set(index: number, value?: boolean): Promise<boolean>

  /**
   * Sets several bits. O(n) for n indexes, in requests of 1 000 of which five leave together; each of them is one step, all of them together are not. If
   * the call rejects, some of them may have taken effect, and its error has `mayHaveRun` then; others were not sent.
   *
   * @param value - true for 1, which is the default, and false for 0
   * @throws TypeError for what is no iterable, or a value that is neither true nor false; RangeError for an index that is none
   */
  setAll(indexes: Iterable<number>, value?: boolean): Promise<void>

  /**
   * Sets all bits of a range. O(n) for n bytes, in one step for each 67 108 864 bits (8 MB), one after the
   * other from the end. More bits cannot be part of a batch. Setting bits to 0 does not make the bit set
   * longer.
   *
   * @param fromIndex - the first one
   * @param toIndex - the one after the last, up to 4 294 967 296
   * @param value - true for 1, which is the default, and false for 0
   * @throws RangeError for indexes that are none, or in the wrong order; TypeError for a value that is neither true nor false
   * @throws {@link NotInBatchError} for more bits than one step sets, in a batch
   * @example
   * ```ts
   * const seats = client.getBitSet('seats')
   * await seats.setRange(10, 20)
   * console.log(await seats.cardinality(), await seats.length()) // 10 20
   * ```
   */
  setRange(fromIndex: number, toIndex: number, value?: boolean): Promise<void>

  /** Removes all bits. The same as `delete()`, without a result. */
  clear(): Promise<void>

  /** Returns how many bits are 1. O(n) for n bytes. */
  cardinality(): Promise<number>

  /** Returns the highest index of a bit that is 1, plus one; 0 if there is none. O(n) for n zero bytes at the end. */
  length(): Promise<number>

  /** Returns how many bits Redis keeps, a multiple of 8; 0 if there are none. O(1). */
  size(): Promise<number>

  /**
   * Returns all bits as bytes; an empty array if there are none. The bit with index i is `bytes[i >>> 3] & (0x80 >> (i & 7))`. O(n) for n bytes.
   *
   * @example
   * ```ts
   * const bits = client.getBitSet('bits')
   * await bits.setAll([0, 15])
   * console.log(Buffer.from(await bits.toByteArray()).toString('hex')) // 8001
   * ```
   */
  toByteArray(): Promise<Uint8Array>

  /**
   * Replaces all bits by those of the bytes, in the order of {@link RBitSet.toByteArray}. The time to live ends with that. O(n) for n bytes.
   *
   * @throws TypeError for what is no `Uint8Array`; RangeError for more than 512 MB
   */
  setByteArray(bytes: Uint8Array): Promise<void>

  /**
   * Iterates over the indexes of all bits that are 1, in their order, with a request for each 64 kB. The
   * event loop gets a turn after each 5 000 indexes. The iteration sees changes of bits that it has not read
   * yet. It cannot be part of a batch.
   *
   * @param options - `signal` ends the iteration with its reason
   * @throws {@link NotInBatchError} in a batch
   * @example
   * ```ts
   * const bits = client.getBitSet('bits')
   * await bits.setAll([3, 70_000])
   * for await (const index of bits.indexes()) console.log(index) // 3, then 70000
   * ```
   */
  indexes(options?: { readonly signal?: AbortSignal | undefined }): AsyncIterable<number>

  /** The same as {@link RBitSet.indexes}. */
  [Symbol.asyncIterator](): AsyncIterator<number>

  /** Inverts all bits that Redis keeps: {@link RBitSet.size} of them. Returns how many bytes these are. O(n) for n bytes. The time to live ends with that. */
  not(): Promise<number>

  /**
   * Keeps the bits that are also 1 in all other bit sets. Returns the number of bytes then, which is that of
   * the longest of all.
   *
   * O(n) for the bytes of all, and Redis does nothing else meanwhile, for some 0.2 s if they have 1 GB in
   * all. If that is too long, call it for some of the names, and then for the others. The result is the same,
   * although it is not one step. With more than three others Redis needs memory for one more bit set
   * meanwhile.
   *
   * The time to live ends with that: Redis stores the result as a new string.
   *
   * @param names - of the others, 1 to 5 000
   * @throws {@link CrossSlotError} if one of them belongs to another slot of the cluster; names with the same hash tag do not
   * @throws {@link WrongTypeError} if one of them belongs to another kind of object
   * @throws RangeError for no name, or more than 5 000
   * @example
   * ```ts
   * const [monday, tuesday] = [client.getBitSet('{visits}:monday'), client.getBitSet('{visits}:tuesday')]
   * await monday.setAll([1, 2, 3])
   * await tuesday.setAll([2, 3, 4])
   * await monday.and([tuesday.name])
   * console.log(await monday.cardinality()) // 2
   * ```
   */
  and(names: Names): Promise<number>

  /** Sets the bits that are 1 in any of the other bit sets as well. The same as {@link RBitSet.and} otherwise. */
  or(names: Names): Promise<number>

  /** Keeps the bits that are 1 in an odd number of this bit set and the others. The same as {@link RBitSet.and} otherwise. */
  xor(names: Names): Promise<number>

  /**
   * Keeps the bits that are 1 in none of the other bit sets. The same as {@link RBitSet.and} otherwise; Redis takes memory for one bit set more
   * meanwhile, however many others there are.
   */
  diff(names: Names): Promise<number>

  /**
   * Replaces the bits by those that are 1 in any of the other bit sets, and not in this one. The same as {@link RBitSet.diff} otherwise; several calls for
   * some of the names come to something else.
   */
  diffInverse(names: Names): Promise<number>

  /** Keeps the bits that are 1 in any of the other bit sets as well. The same as {@link RBitSet.diffInverse} otherwise. */
  andOr(names: Names): Promise<number>

  /**
   * Replaces the bits by those that are 1 in exactly one of this bit set and the others. The same as {@link RBitSet.diffInverse} otherwise; it takes four
   * times as long, and memory for three bit sets more.
   */
  setExclusive(names: Names): Promise<number>

  /**
   * Reads, sets and adds to cells, all in one step. Returns for each operation, in their order, what is or was in its cell, or the sum;
   * undefined if the number did not fit and was to `FAIL`. O(n) for n operations. Nothing is sent for none.
   *
   * @param operations - 1 000 at most
   * @throws RangeError for a cell that there cannot be, a number of more than 64 bits, or too many operations; TypeError for what is no operation
   * @throws {@link UnsafeIntegerError} for a result beyond 2⁵³ − 1 as a `number`; the operations have been done then
   * @example
   * ```ts
   * const game = client.getBitSet('game')
   * const [before, score] = await game.bitField([
   *   { set: 'u4', offset: 0, value: 9 },
   *   { increment: 'i16', offset: 4, by: 50, overflow: 'SAT' },
   * ])
   * console.log(before, score) // 0 50
   * ```
   */
  bitField(operations: Iterable<BitFieldOperation<N>>): Promise<(N | undefined)[]>

  /**
   * Returns the signed integer in a cell; 0 where no bit was set. O(1).
   *
   * @param size - how many bits it has, from 1 to 64
   * @param offset - the index of its first bit, which is its sign
   * @throws RangeError for other numbers, and for a cell that ends beyond the last index
   * @throws {@link UnsafeIntegerError} for an integer beyond 2⁵³ − 1 as a `number`
   */
  getSigned(size: number, offset: number): Promise<N>

  /**
   * Sets the signed integer in a cell. Returns the one before. O(1).
   *
   * @throws as {@link RBitSet.getSigned} does; RangeError for a value that the cell cannot hold
   */
  setSigned(size: number, offset: number, value: N): Promise<N>

  /**
   * Adds to the signed integer in a cell. Returns the sum, which wraps around: 127 + 1 is −128 in 8 bits. O(1).
   *
   * @throws as {@link RBitSet.getSigned} does
   */
  incrementAndGetSigned(size: number, offset: number, increment: N): Promise<N>

  /** Returns the unsigned integer in a cell of 1 to 63 bits. Throws as {@link RBitSet.getSigned} does. */
  getUnsigned(size: number, offset: number): Promise<N>

  /** Sets the unsigned integer in a cell of 1 to 63 bits. Returns the one before. Throws as {@link RBitSet.setSigned} does. */
  setUnsigned(size: number, offset: number, value: N): Promise<N>

  /** Adds to the unsigned integer in a cell of 1 to 63 bits. Returns the sum, which wraps around: 255 + 1 is 0 in 8 bits. */
  incrementAndGetUnsigned(size: number, offset: number, increment: N): Promise<N>

  /** {@link RBitSet.getSigned} of 8 bits. */
  getByte(offset: number): Promise<N>
  /** {@link RBitSet.setSigned} of 8 bits. */
  setByte(offset: number, value: N): Promise<N>
  /** {@link RBitSet.incrementAndGetSigned} of 8 bits. */
  incrementAndGetByte(offset: number, increment: N): Promise<N>

  /** {@link RBitSet.getSigned} of 16 bits. */
  getShort(offset: number): Promise<N>
  /** {@link RBitSet.setSigned} of 16 bits. */
  setShort(offset: number, value: N): Promise<N>
  /** {@link RBitSet.incrementAndGetSigned} of 16 bits. */
  incrementAndGetShort(offset: number, increment: N): Promise<N>

  /** {@link RBitSet.getSigned} of 32 bits. */
  getInteger(offset: number): Promise<N>
  /** {@link RBitSet.setSigned} of 32 bits. */
  setInteger(offset: number, value: N): Promise<N>
  /** {@link RBitSet.incrementAndGetSigned} of 32 bits. */
  incrementAndGetInteger(offset: number, increment: N): Promise<N>

  /** {@link RBitSet.getSigned} of 64 bits. */
  getLong(offset: number): Promise<N>
  /** {@link RBitSet.setSigned} of 64 bits. */
  setLong(offset: number, value: N): Promise<N>
  /** {@link RBitSet.incrementAndGetSigned} of 64 bits. */
  incrementAndGetLong(offset: number, increment: N): Promise<N>
}
