import type { Names } from '../../api/object.js'
import type { PollOptions, TakeOptions } from '../../collections/shared/polling.api.js'
import type { ListenOptions } from '../../topics/shared/subscription.api.js'
import type {
  BlockingQueueMoveOptions,
  ElementSubscription,
  RBlockingQueue,
} from '../blocking-queue/blocking-queue.api.js'
import type { DequeMoveOptions, RDeque } from '../deque/deque.api.js'

/** From which end of a deque an element is moved, to which end of another one, and how long a call waits for it. */
export type BlockingDequeMoveOptions = DequeMoveOptions & PollOptions

/**
 * A queue with two ends whose callers wait for elements. It is the same data as the {@link RQueue} of its name. It waits as an {@link RBlockingQueue} does.
 *
 * @example
 * ```ts
 * const jobs = client.getBlockingDeque<string>('jobs')
 * const last = jobs.takeLast({ signal: AbortSignal.timeout(5_000) })
 * await jobs.putFirst('mail')
 * console.log(await last) // mail
 * ```
 */
export interface RBlockingDeque<V> extends RBlockingQueue<V>, RDeque<V> {
  /** Adds a value in front. It does not wait: only a deque with a capacity can be full. */
  putFirst(value: V): Promise<void>

  /** Adds a value behind the last element. It does not wait: only a deque with a capacity can be full. */
  putLast(value: V): Promise<void>

  /** Removes the first element, and returns it, as soon as there is one. */
  takeFirst(options?: TakeOptions): Promise<V>

  /** Removes the last element, and returns it, as soon as there is one. */
  takeLast(options?: TakeOptions): Promise<V>

  /** Removes the element at the head, and returns it; undefined if there is none. See `RBlockingQueue.poll`. */
  poll(options?: PollOptions): Promise<V | undefined>
  /** Removes elements from the head. See `RBlockingQueue.poll`. */
  poll(count: number, options?: PollOptions): Promise<V[]>

  /** Removes the first element, and returns it; undefined if there is none. With `waitMs` it waits for one. */
  pollFirst(options?: PollOptions): Promise<V | undefined>
  /**
   * Removes the first elements, and returns them in their order. With `waitMs` it waits for the first one, and not for more.
   *
   * @param count - from 0 to 5 000
   */
  pollFirst(count: number, options?: PollOptions): Promise<V[]>

  /** Removes the last element, and returns it; undefined if there is none. With `waitMs` it waits for one. */
  pollLast(options?: PollOptions): Promise<V | undefined>
  /**
   * Removes the last elements, and returns them, the last one first. With `waitMs` it waits for the first one, and not for more.
   *
   * @param count - from 0 to 5 000
   */
  pollLast(count: number, options?: PollOptions): Promise<V[]>

  /** The same as `pollFromAny`. */
  pollFirstFromAny(names: Names, options?: PollOptions): Promise<V | undefined>
  /** Removes elements from the head of the first deque that has any. See {@link RBlockingQueue.pollFirstFromAny}. */
  pollFirstFromAny(names: Names, count: number, options?: PollOptions): Promise<Map<string, V[]>>

  /** Removes the last element of the first deque that has one. See {@link RBlockingQueue.pollFromAny}. */
  pollLastFromAny(names: Names, options?: PollOptions): Promise<V | undefined>
  /** Removes elements from the tail of the first deque that has any. See {@link RBlockingQueue.pollLastFromAny}. */
  pollLastFromAny(names: Names, count: number, options?: PollOptions): Promise<Map<string, V[]>>

  pollLastAndOfferFirstTo(name: string, options?: PollOptions): Promise<V | undefined>

  move(database: number): Promise<boolean>
  move(options: BlockingQueueMoveOptions): Promise<V[]>
  /**
   * Moves one element from an end of this deque to an end of another one, in one step. Returns it; undefined if there is none. With `waitMs` it waits
   * for one. See `RDeque.move`.
   *
   * @throws {@link CrossSlotError} for a deque in another slot of the cluster
   * @throws {@link UnsupportedCommandError} before Redis 6.2
   */
  move(options: BlockingDequeMoveOptions): Promise<V | undefined>

  /** Takes one element after the other from the front for a function. See {@link RBlockingQueue.subscribeOnElements}. */
  subscribeOnFirstElements(listener: (value: V) => unknown, options?: ListenOptions): ElementSubscription

  /** Takes one element after the other from the end for a function. See {@link RBlockingQueue.subscribeOnElements}. */
  subscribeOnLastElements(listener: (value: V) => unknown, options?: ListenOptions): ElementSubscription
}
