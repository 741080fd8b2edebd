import type { QueueMoveOptions, RQueue } from '../queue/queue.api.js'

/** From which end of a deque an element is moved, and to which end of another one. */
export type DequeMoveOptions = {
  /** The end from which the element is removed. */
  readonly poll: 'first' | 'last'
} & (
  | {
      /** The name of the other deque, which gets the element as its first. It has to be in the same slot of a cluster. */
      readonly addFirstTo: string
    }
  | {
      /** The name of the other deque, which gets the element as its last. It has to be in the same slot of a cluster. */
      readonly addLastTo: string
    }
)

/**
 * A queue with two ends, which all clients of the same servers share, in Node and in Java. It is the same data as the {@link RQueue} of its name:
 * the first element is the head.
 *
 * @example
 * ```ts
 * const undo = client.getDeque<string>('undo')
 * await undo.addLast('type a', 'type b')
 * console.log(await undo.pollLast()) // type b
 * ```
 */
export interface RDeque<V> extends RQueue<V> {
  /**
   * Adds values in front, one after the other: the last of them is the first element then. Returns the new size.
   *
   * @param values - one to 5 000
   */
  addFirst(...values: V[]): Promise<number>

  /**
   * Adds values behind the last element, in their order. Returns the new size.
   *
   * @param values - one to 5 000
   */
  addLast(...values: V[]): Promise<number>

  /** Adds values as `addFirst` does, if there is any element. Returns the new size; 0 if there is none, and nothing was added. */
  addFirstIfExists(...values: V[]): Promise<number>

  /** Adds values as `addLast` does, if there is any element. Returns the new size; 0 if there is none, and nothing was added. */
  addLastIfExists(...values: V[]): Promise<number>

  /** Adds a value in front. Returns true: only a deque with a capacity can be full. */
  offerFirst(value: V): Promise<boolean>

  /** Adds a value behind the last element. Returns true: only a deque with a capacity can be full. */
  offerLast(value: V): Promise<boolean>

  /** Removes the first element, and returns it; undefined if there is none. */
  pollFirst(): Promise<V | undefined>
  /**
   * Removes the first elements, and returns them in their order.
   *
   * @param count - from 0 to 5 000
   */
  pollFirst(count: number): Promise<V[]>

  /** Removes the last element, and returns it; undefined if there is none. */
  pollLast(): Promise<V | undefined>
  /**
   * Removes the last elements, and returns them, the last one first.
   *
   * @param count - from 0 to 5 000
   */
  pollLast(count: number): Promise<V[]>

  /** Returns the first element, which stays; undefined if there is none. */
  peekFirst(): Promise<V | undefined>

  /** Returns the last element, which stays; undefined if there is none. */
  peekLast(): Promise<V | undefined>

  /**
   * Returns the first element, which stays.
   *
   * @throws {@link NoSuchElementError} if there is none
   */
  getFirst(): Promise<V>

  /**
   * Returns the last element, which stays.
   *
   * @throws {@link NoSuchElementError} if there is none
   */
  getLast(): Promise<V>

  /**
   * Removes the first element, and returns it.
   *
   * @throws {@link NoSuchElementError} if there is none
   */
  removeFirst(): Promise<V>

  /**
   * Removes the last element, and returns it.
   *
   * @throws {@link NoSuchElementError} if there is none
   */
  removeLast(): Promise<V>

  /** Adds a value in front, as onto a stack. */
  push(value: V): Promise<void>

  /**
   * Removes the first element, as from a stack, and returns it.
   *
   * @throws {@link NoSuchElementError} if there is none
   */
  pop(): Promise<V>

  /** Removes the first element that is equal to a value. Returns whether there was one. O(n). */
  removeFirstOccurrence(value: V): Promise<boolean>

  /** Removes the last element that is equal to a value. Returns whether there was one. O(n). */
  removeLastOccurrence(value: V): Promise<boolean>

  /** Moves the deque to another database. See {@link RObject.move}. */
  move(database: number): Promise<boolean>
  /** Moves elements from the head to the tail of another queue, in their order, and returns them. See {@link RQueue}. */
  move(options: QueueMoveOptions): Promise<V[]>
  /**
   * Moves one element from an end of this deque to an end of another one, in one step. Returns it; undefined if there is none.
   *
   * @throws {@link CrossSlotError} for a deque in another slot of the cluster
   * @throws {@link UnsupportedCommandError} before Redis 6.2
   * @example
   * ```ts
   * const waiting = client.getDeque<string>('{jobs}:waiting')
   * await waiting.addLast('mail', 'print')
   * console.log(await waiting.move({ poll: 'last', addFirstTo: '{jobs}:running' })) // print
   * ```
   */
  move(options: DequeMoveOptions): Promise<V | undefined>

  /** Walks through the elements from the last one to the first, and removes none. Pages are read by their indexes from the end. */
  descendingIterator(): AsyncIterable<V>
}
