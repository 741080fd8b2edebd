import type { RExpirable } from '../../api/object.js'
import type { ObjectOptions } from '../../api/object-options.js'

/** How a generator of ids behaves. */
export interface IdGeneratorOptions extends ObjectOptions {
  /**
   * Whether its ids are `bigint`, over the whole of 64 bits.
   *
   * @defaultValue false: they are `number`, and one beyond 2⁵³ − 1 is an {@link UnsafeIntegerError}
   */
  readonly bigint?: boolean | undefined
}

/**
 * Whole numbers, each given out once among all clients of the same servers, in Node and in Java.
 *
 * A client takes a block of ids by one request, and returns them one by one without further requests. Its ids
 * rise, unless the generator was deleted meanwhile. The ids of all clients together do not rise, and have
 * gaps: the rest of a block is never used when a process ends. To avoid blocks, set their size to 1, which
 * costs one request for each id.
 *
 * Ids are unique as long as Redis keeps the generator. They start again when it is deleted, expires or is
 * evicted. They also start again if the server loses its last write, for example by a failover to a replica
 * that did not receive it. A client notices that only with its next block, unless it has deleted the
 * generator itself; until then it uses up its block.
 *
 * @example
 * ```ts
 * const orders = client.getIdGenerator('orders')
 * console.log(await orders.nextId()) // 1
 * console.log(await orders.nextId()) // 2
 * ```
 */
export interface RIdGenerator<N extends number | bigint = number> extends RExpirable {
  /**
   * Sets the first id and the size of all blocks, unless they are set. Returns whether it did. Without it, ids begin with 1, and a block has
   * 5 000.
   *
   * One round trip, O(1). It is sent again if its reply is lost, and then rejects with `mayHaveRun` if it finds a generator, unless it
   * was made with `exactlyOnce`.
   *
   * @param value - the first id; it may be negative
   * @param allocationSize - how many ids a client takes at a time, 1 or more; few for short gaps, many for few requests
   * @throws RangeError for what is no whole number, or has more than 64 bits; TypeError for what is no `bigint` where that is expected
   * @throws {@link WrongTypeError} if the name belongs to anything but an integer
   * @example
   * ```ts
   * await client.getIdGenerator('invoices').tryInit(1_000, 100)
   * ```
   */
  tryInit(value: N, allocationSize: N): Promise<boolean>

  /**
   * Returns an id that no other call returns.
   *
   * Most calls need no round trip. If a block has four ids or more, a client asks for the next block when a
   * quarter of the block is left; otherwise when none is left. Then calls wait, in their order, for one
   * request that takes as many blocks as all of them need. If it fails, the calls that waited when it was
   * made reject. A request whose reply is lost is sent again, and takes another block. The first block is
   * never used, unless the generator has the option `exactlyOnce`. It cannot be part of a batch.
   *
   * @throws {@link UnsafeIntegerError} for an id beyond 2⁵³ − 1 as a `number`; the id is used up then
   * @throws {@link CounterOverflowError} if the next block would end beyond 64 bits
   * @throws {@link WrongTypeError} if the name belongs to anything but an integer, or another program has set
   * a block size that is not a positive whole number
   * @example
   * ```ts
   * const ids = client.getIdGenerator('orders')
   * const many = await Promise.all(Array.from({ length: 100 }, () => ids.nextId()))
   * ```
   */
  nextId(): Promise<N>
}
