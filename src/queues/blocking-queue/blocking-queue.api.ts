import type { Names } from '../../api/object.js'
import type { PollOptions, TakeOptions } from '../../collections/shared/polling.api.js'
import type { ListenOptions } from '../../topics/shared/subscription.api.js'
import type { QueueMoveOptions, RQueue } from '../queue/queue.api.js'

/** How many elements are moved to another queue, where, and how long a call waits for them. */
export interface BlockingQueueMoveOptions extends QueueMoveOptions, PollOptions {}

/**
 * A listener that takes one element after the other. It lasts until it is ended, through reconnects, failovers and moved slots.
 *
 * @example
 * ```ts no-run
 * await using subscription = queue.subscribeOnElements((order) => ship(order))
 * subscription.on('error', (error) => log.error(error))
 * ```
 */
export interface ElementSubscription extends AsyncDisposable {
  /**
   * Ends it. The listener is not called any more. Resolves when nothing is being removed any more; an element that was is put back. It does not wait for
   * the listener. A second call has no effect. Never rejects.
   */
  unsubscribe(): Promise<void>
  /**
   * Adds a listener for errors: the function that takes elements has thrown or rejected, an element cannot be read, or none can be taken for now. The
   * subscription goes on. Without a listener the first is an uncaught exception, and the others are warnings of the process.
   */
  on(event: 'error', listener: (error: Error) => void): this
  /** Ends what {@link ElementSubscription.on} began. */
  off(event: 'error', listener: (error: Error) => void): this
}

/**
 * A queue whose callers wait for elements. It is the same data as the {@link RQueue} of its name.
 *
 * Any number of callers wait over the same two connections, and no command of Redis blocks. The waiters of a process are served in the order of their
 * calls if they wait for as many elements at the same end of the same queues. What removes an element takes effect once, and is sent again if its reply
 * is lost. So a broken connection or a failover loses no element, as far as the server keeps its data.
 *
 * The waiting survives an outage. A call rejects with `mayHaveRun` if Redis cannot be reached for so long that it is not known whether an element
 * was removed. While there is no connection, a call that begins rejects like any other.
 *
 * A call that ends by its signal or its time removes nothing after that. If it has removed an element at that moment, it returns the element. If Redis
 * does not reply within half a second, the call ends, and what it removes is put back.
 *
 * `for await (const element of queue)` walks through the elements, and removes none, as for an {@link RQueue}. {@link RBlockingQueue.consume} takes them.
 *
 * A call that begins to wait also looks whether a {@link RDelayedQueue} has elements for its queue, and has them moved when they are due. That is one
 * `EXISTS` for each queue and client, and one every five seconds.
 *
 * Calls that wait are not for batches: they reject with a {@link NotInBatchError}.
 *
 * @example
 * ```ts
 * const orders = client.getBlockingQueue<string>('orders')
 * const next = orders.take({ signal: AbortSignal.timeout(5_000) })
 * await orders.put('tea')
 * console.log(await next) // tea
 * ```
 */
export interface RBlockingQueue<V> extends RQueue<V> {
  /** Adds a value at the tail. It does not wait: only a queue with a capacity can be full. */
  put(value: V): Promise<void>

  /** Removes the element at the head, and returns it, as soon as there is one. */
  take(options?: TakeOptions): Promise<V>

  /** Removes the element at the head, and returns it; undefined if there is none. With `waitMs` it waits for one. */
  poll(options?: PollOptions): Promise<V | undefined>
  /**
   * Removes elements from the head, and returns them in their order; none if there are none. With `waitMs` it waits for the first one, and not for more.
   *
   * @param count - from 0 to 5 000: what is removed has to come back by one reply
   */
  poll(count: number, options?: PollOptions): Promise<V[]>

  /**
   * Removes the element at the head of the first queue that has one: of this queue, or else of others, in their order. Returns it; undefined if all are
   * empty. With `waitMs` it waits until one of them has an element. O(n) for n queues.
   *
   * In a cluster the queues may be in different slots. Then their sizes are read first, so that the call takes two round trips or more.
   *
   * A call that waits sends a few requests for each queue when it begins, and two more every five seconds.
   *
   * @param names - of up to 5 000 other queues
   * @throws `RangeError` for more names
   * @throws {@link WrongTypeError} if a name belongs to another kind of object
   * @example
   * ```ts
   * const urgent = client.getBlockingQueue<string>('urgent')
   * const others = client.getBlockingQueue<string>('others')
   * await others.put('water the plants')
   * console.log(await urgent.pollFromAny([others.name], { waitMs: 1_000 })) // water the plants
   * ```
   */
  pollFromAny(names: Names, options?: PollOptions): Promise<V | undefined>

  /** Like `pollFromAny`, with the name of the queue. */
  pollFromAnyWithName(names: Names, options?: PollOptions): Promise<[name: string, value: V] | undefined>

  /** Like `pollFromAnyWithName`, from the tail. */
  pollLastFromAnyWithName(names: Names, options?: PollOptions): Promise<[name: string, value: V] | undefined>

  /**
   * Removes elements from the head of the first queue that has any, and returns them in their order, under the name of the queue; an empty map if all
   * queues are empty. See `pollFromAny`.
   *
   * @param count - from 0 to 5 000
   */
  pollFirstFromAny(names: Names, count: number, options?: PollOptions): Promise<Map<string, V[]>>

  /** Like `pollFirstFromAny`, from the tail: the last element comes first. */
  pollLastFromAny(names: Names, count: number, options?: PollOptions): Promise<Map<string, V[]>>

  /**
   * Removes the element at the tail, and adds it at the head of another queue. Returns it; undefined if there is none. With `waitMs` it waits for one.
   *
   * @param name - of the other queue
   * @throws {@link CrossSlotError} for a queue in another slot of the cluster
   */
  pollLastAndOfferFirstTo(name: string, options?: PollOptions): Promise<V | undefined>

  /** The same as soon as there is an element. */
  takeLastAndOfferFirstTo(name: string, options?: TakeOptions): Promise<V>

  /** Moves the queue to another database. See {@link RObject.move}. */
  move(database: number): Promise<boolean>
  /**
   * Moves elements from the head to the tail of another queue, in their order, and returns them. See `RQueue.move`. With `waitMs` it waits for
   * the first one; with `exactly`, for as many as `count`.
   */
  move(options: BlockingQueueMoveOptions): Promise<V[]>

  /**
   * Removes the elements from the head, and returns them in their order; none if there are none. It does not wait. O(n) for n elements.
   *
   * In Java it adds them to a collection, and removes all of them. Here one call removes 5 000 at most, so that none is lost between two requests: drain a
   * longer queue until nothing comes back.
   *
   * @param max - from 0 to 5 000, which is the default
   * @example
   * ```ts
   * const letters = client.getBlockingQueue<string>('letters')
   * await letters.addAll(['a', 'b', 'c'])
   * console.log(await letters.drainTo(2), await letters.drainTo()) // [ 'a', 'b' ] [ 'c' ]
   * ```
   */
  drainTo(max?: number): Promise<V[]>

  /**
   * Takes one element after the other, and calls a function with each of them. The next one is taken when the function has returned, and its promise
   * is fulfilled. After an error it goes on a second later.
   *
   * @throws TypeError for what is no function
   */
  subscribeOnElements(listener: (value: V) => unknown, options?: ListenOptions): ElementSubscription

  /**
   * Takes one element after the other, each when the iteration asks for it. It has no end of its own: `break` ends it, or the signal, whose reason it
   * throws.
   *
   * @example
   * ```ts
   * const tasks = client.getBlockingQueue<string>('tasks')
   * await tasks.addAll(['wash', 'iron'])
   * for await (const task of tasks.consume()) {
   *   console.log(task)
   *   if (task === 'iron') break
   * }
   * ```
   */
  consume(options?: TakeOptions): AsyncIterable<V>
}
