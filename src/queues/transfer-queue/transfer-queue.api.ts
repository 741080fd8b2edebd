import type { PollOptions, TakeOptions } from '../../collections/shared/polling.api.js'
import type { RBlockingQueue } from '../blocking-queue/blocking-queue.api.js'

/** What this queue does not have of a blocking one: several queues at once, and what moves elements between queues. */
type NotHere =
  | 'pollFromAny'
  | 'pollFromAnyWithName'
  | 'pollLastFromAnyWithName'
  | 'pollFirstFromAny'
  | 'pollLastFromAny'
  | 'pollLastAndOfferFirstTo'
  | 'takeLastAndOfferFirstTo'
  | 'move'

/**
 * A queue whose producers can wait until a consumer has taken their element: see `java.util.concurrent.TransferQueue`. All clients of the same servers
 * share it. Its layout is that of this library, so that programs in Java cannot share it.
 *
 * A consumer is a call that takes elements: `take()`, `poll()`, `consume()`, `drainTo()`, `subscribeOnElements()` and `remove()`. Elements are taken in the
 * order in which they were added, whether a producer waits for them or not. `for await (const element of queue)` removes none.
 *
 * An element is **taken** when Redis has removed it for a consumer. A request to take one counts once, and is sent again if its reply is lost: always where
 * it waits, and otherwise with `exactlyOnce`. So each element is handed to one consumer at most. If that consumer dies in this moment, the element is lost,
 * although it counts as taken, as in Java. A {@link RReliableQueue} is for elements that have to survive that.
 *
 * A call that takes may end by its signal before the reply has come. What it has taken is put back at the head, for the next consumer. A transfer of that
 * element may have ended by then.
 *
 * If a producer dies while it waits, its element stays in the queue like any other. `remove()`, `clear()`, `delete()` and what else removes an element end
 * the transfer of it, as in Java. So does a failover in which the server loses the element.
 *
 * What is said of {@link RBlockingQueue} holds here too: how calls wait, which are sent again, and how they reject. Transfers are always sent again, and
 * take effect once. They are not for batches.
 *
 * @example
 * ```ts
 * const orders = client.getTransferQueue<string>('orders')
 * const next = orders.take()
 * await orders.transfer('tea') // resolves when it is taken
 * console.log(await next) // tea
 * ```
 */
export interface RTransferQueue<V> extends Omit<RBlockingQueue<V>, NotHere> {
  /**
   * Adds a value at the tail, and waits until a consumer has taken it. It waits through outages.
   *
   * When its signal aborts, the call ends within a second, and its element is removed. If it is taken in that moment, the call resolves. It rejects if Redis
   * does not reply within half a second; then the element is removed as soon as Redis can be reached, and may have been taken.
   *
   * It sends one request, and another one every five seconds. O(n) for n elements before its own.
   */
  transfer(value: V, options?: TakeOptions): Promise<void>

  /**
   * Adds a value at the tail, and waits until a consumer has taken it. Returns false if none has within that time: then the value is removed again. It is
   * one step, so that the value either was taken or is gone. See `transfer()` for the signal.
   *
   * Without a time, or with 0, it is for a consumer that waits already. If none does, nothing is added. A consumer may give up in that moment, or have
   * died within the last five seconds. If none comes for the value within a second, it is removed again.
   *
   * @param timeoutMs - milliseconds to wait; `Infinity` for as long as it takes
   * @throws {@link ReplyTimeoutError} or another transient error if Redis cannot be reached at the end; with `mayHaveRun`, the value may have been taken
   * @example
   * ```ts
   * const drinks = client.getTransferQueue<string>('drinks')
   * console.log(await drinks.tryTransfer('tea')) // false
   * console.log(await drinks.tryTransfer('tea', 100), await drinks.size()) // false 0
   * ```
   */
  tryTransfer(value: V, timeoutMs?: number, options?: TakeOptions): Promise<boolean>

  /** Returns whether a consumer waits, in any process. See {@link RTransferQueue.getWaitingConsumerCount}. */
  hasWaitingConsumer(): Promise<boolean>

  /**
   * Returns how many consumers wait for elements, in all processes. Each process with such calls renews their number every two seconds. The calls of
   * one that dies count for five seconds at most, by the clock of the server. O(n) for n processes.
   */
  getWaitingConsumerCount(): Promise<number>

  /** Removes the element at the head, and returns it; undefined if there is none. With `waitMs` it waits for one. */
  poll(options?: PollOptions): Promise<V | undefined>
  /**
   * Removes elements from the head, and returns them in their order; none if there are none. With `waitMs` it waits for the first one, and not for more.
   *
   * @param count - from 0 to 5 000: what is removed has to come back by one reply
   */
  poll(count: number, options?: PollOptions): Promise<V[]>

  /** Moves the queue to another database. See {@link RObject.move}. */
  move(database: number): Promise<boolean>
}
