import type { ObjectOptions, ValueOptions } from '../api/object-options.js'
import type { SortedValue } from '../collections/sorted-set/sorted-set.api.js'
import type { RBlockingDeque } from './blocking-deque/blocking-deque.api.js'
import type { RBlockingQueue } from './blocking-queue/blocking-queue.api.js'
import type { RBoundedBlockingQueue } from './bounded-blocking-queue/bounded-blocking-queue.api.js'
import type { DelayDestination, RDelayedQueue } from './delayed-queue/delayed-queue.api.js'
import type { RDeque } from './deque/deque.api.js'
import type { RPriorityBlockingDeque } from './priority-blocking-deque/priority-blocking-deque.api.js'
import type { RPriorityBlockingQueue } from './priority-blocking-queue/priority-blocking-queue.api.js'
import type { RPriorityDeque } from './priority-deque/priority-deque.api.js'
import type { RPriorityQueue } from './priority-queue/priority-queue.api.js'
import type { RQueue } from './queue/queue.api.js'
import type { ReliableQueueOptions, RReliableQueue } from './reliable-queue/reliable-queue.api.js'
import type { RRingBuffer } from './ring-buffer/ring-buffer.api.js'
import type { RTransferQueue } from './transfer-queue/transfer-queue.api.js'

export type * from './blocking-deque/blocking-deque.api.js'
export type * from './blocking-queue/blocking-queue.api.js'
export type * from './bounded-blocking-queue/bounded-blocking-queue.api.js'
export type * from './delayed-queue/delayed-queue.api.js'
export type * from './deque/deque.api.js'
export type * from './priority-blocking-deque/priority-blocking-deque.api.js'
export type * from './priority-blocking-queue/priority-blocking-queue.api.js'
export type * from './priority-deque/priority-deque.api.js'
export type * from './priority-queue/priority-queue.api.js'
export type * from './queue/queue.api.js'
export type * from './reliable-queue/reliable-queue.api.js'
export type * from './ring-buffer/ring-buffer.api.js'
export type * from './transfer-queue/transfer-queue.api.js'

/** The queues that a client hands out. */
export interface QueueObjects {
  /**
   * A queue by its name. Nothing is sent until it is used, and nothing is kept of the queue here.
   *
   * @param name - a non-empty string without lone surrogates
   * @throws TypeError for a name that is none, or an option that is unknown or wrong
   * @throws {@link CrossSlotError} for a name that a cluster cannot serve
   */
  getQueue<V = unknown>(name: string, options?: ValueOptions<V>): RQueue<V>

  /** A queue with two ends, by its name. Nothing is sent until it is used. See `getQueue()`. */
  getDeque<V = unknown>(name: string, options?: ValueOptions<V>): RDeque<V>

  /** A queue whose callers wait for elements, by its name. Nothing is sent until it is used. See `getQueue()`. */
  getBlockingQueue<V = unknown>(name: string, options?: ValueOptions<V>): RBlockingQueue<V>

  /** A queue with two ends whose callers wait for elements, by its name. Nothing is sent until it is used. See `getQueue()`. */
  getBlockingDeque<V = unknown>(name: string, options?: ValueOptions<V>): RBlockingDeque<V>

  /** A blocking queue with a capacity, by its name. Nothing is sent until it is used. See `getQueue()`. */
  getBoundedBlockingQueue<V = unknown>(name: string, options?: ValueOptions<V>): RBoundedBlockingQueue<V>

  /** A queue that keeps the newest elements, by its name. Nothing is sent until it is used. See `getQueue()`. */
  getRingBuffer<V = unknown>(name: string, options?: ValueOptions<V>): RRingBuffer<V>

  /** A queue of texts or numbers whose head is the lowest one, by its name, for data that is shared with Java. Nothing is sent until it is used. */
  getPriorityQueue<V extends SortedValue = string>(name: string, options?: ValueOptions<V>): RPriorityQueue<V>

  /** A priority queue of which both ends are used, by its name. Nothing is sent until it is used. See `getPriorityQueue()`. */
  getPriorityDeque<V extends SortedValue = string>(name: string, options?: ValueOptions<V>): RPriorityDeque<V>

  /** A priority queue whose callers wait for elements, by its name. Nothing is sent until it is used. See `getPriorityQueue()`. */
  getPriorityBlockingQueue<V extends SortedValue = string>(
    name: string,
    options?: ValueOptions<V>,
  ): RPriorityBlockingQueue<V>

  /** A priority queue of which both ends are used, and whose callers wait for elements, by its name. See `getPriorityQueue()`. */
  getPriorityBlockingDeque<V extends SortedValue = string>(
    name: string,
    options?: ValueOptions<V>,
  ): RPriorityBlockingDeque<V>

  /** A queue that removes a message only when its work has been acknowledged, by its name. Nothing is sent until it is used. */
  getReliableQueue<V = unknown>(name: string, options?: ReliableQueueOptions<V>): RReliableQueue<V>

  /** A queue whose producers can wait until their element is taken, by its name. Nothing is sent until it is used. See `getQueue()`. */
  getTransferQueue<V = unknown>(name: string, options?: ValueOptions<V>): RTransferQueue<V>

  /**
   * Elements that a queue gets later. From now on, this client moves what is due to it: see {@link RDelayedQueue}.
   *
   * @param destination - a queue or deque of a client; the elements have its codec
   * @param options - what `exactlyOnce` says is about all methods but `offer`, which always takes effect once
   * @throws TypeError for what is no queue, or an option that is unknown or wrong
   */
  getDelayedQueue<V>(destination: DelayDestination<V>, options?: ObjectOptions): RDelayedQueue<V>
}
