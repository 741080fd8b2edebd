import type { RObject } from '../../api/object.js'
import type { ValueOptions } from '../../api/object-options.js'

/**
 * How many deliveries may begin in a time, by the server's clock. In any time of T milliseconds, at most `burst + T × limit / perMs` begin.
 *
 * The algorithm is the generic cell rate algorithm (ITU-T I.371).
 */
export interface DeliveryRate {
  /** How many begin in {@link DeliveryRate.perMs}, from 1 to 1 000 000. */
  readonly limit: number
  /** A time in milliseconds, at least 1. */
  readonly perMs: number
  /**
   * How many may begin at the same moment, after a time without deliveries. With 1, they begin at equal distances.
   *
   * @defaultValue the limit
   */
  readonly burst?: number | undefined
}

/**
 * How a queue treats its messages.
 *
 * Redis does not store these options. Each one counts in the process that uses it, so every process has to say the same: let one function make the queue for all of
 * them, for those that only offer messages too.
 */
export interface ReliableQueueOptions<V> extends ValueOptions<V> {
  /**
   * How many messages the queue may have, those in delivery included, dead letters not. What does not fit is a {@link QueueFullError}, or waits: see
   * {@link OfferOptions.waitMs}. In an atomic batch, what is beside an offer that does not fit takes effect.
   *
   * It counts where messages are offered. Where they are taken, it wakes those that wait for room.
   *
   * @defaultValue none
   */
  readonly capacity?: number | undefined
  /**
   * How often a message is delivered at most. When as many deliveries have failed, it becomes a dead letter. A delivery whose process dies counts.
   *
   * It counts where a delivery fails, and where messages are taken after one has ended.
   *
   * @defaultValue 10
   */
  readonly maxDeliveries?: number | undefined
  /**
   * How many messages of one group are worked on at the same time, in all processes. With 1, the messages of a group are worked on one after the other, in
   * their order, even if one of them fails and is delayed. A message that has a place of its group is ready, and comes before those of a higher priority that wait
   * for one.
   *
   * It counts where messages are offered; for those that are delayed, where they are taken; and where messages are settled, redriven or removed.
   *
   * @defaultValue none
   */
  readonly groupConcurrency?: number | undefined
  /**
   * How many deliveries of the queue may begin in a time, in all processes. A delivery counts when it begins, whatever becomes of it.
   *
   * All rates count where messages are taken.
   *
   * @defaultValue none
   */
  readonly rate?: DeliveryRate | undefined
  /**
   * The same for the messages of each group. It needs a {@link ReliableQueueOptions.groupConcurrency}.
   *
   * @defaultValue none
   */
  readonly groupRate?: DeliveryRate | undefined
  /**
   * A name under which the rates are counted. Queues with the same name, and the same rates, share them. In a cluster they have to be in one slot: see
   * {@link CrossSlotError}.
   *
   * @defaultValue none: each queue counts for itself
   */
  readonly sharedRates?: string | undefined
}

/** Which message is the same as another. */
export interface Deduplication {
  /** What both have in common, such as the number of an order. */
  readonly id: string
  /**
   * For how long a message counts as the same, in milliseconds.
   *
   * @defaultValue as long as the first one is in the queue, and no dead letter
   */
  readonly ttlMs?: number | undefined
  /**
   * Which of the two stays. `'replace'` removes the first one if it still waits; if it is being worked on, the new one is added.
   *
   * @defaultValue 'drop': the new one is not added
   */
  readonly mode?: 'drop' | 'replace' | undefined
}

/** How messages are added. */
export interface OfferOptions {
  /**
   * In how many milliseconds the message is delivered at the earliest, by the server's clock.
   *
   * @defaultValue 0
   */
  readonly delayMs?: number | undefined
  /**
   * Messages of a higher priority are delivered first, those of the same in the order in which they were added. From -1 000 000 to 1 000 000.
   *
   * @defaultValue 0
   */
  readonly priority?: number | undefined
  /** The group of the message, such as a customer: see {@link ReliableQueueOptions.groupConcurrency}. */
  readonly group?: string | undefined
  /** Adds the message only once. */
  readonly dedup?: Deduplication | undefined
  /** Texts that come with the message. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** How often the message is delivered at most: precedes {@link ReliableQueueOptions.maxDeliveries}. */
  readonly maxDeliveries?: number | undefined
  /**
   * How long the call waits for room where the queue is full, in milliseconds. `Infinity` for as long as it takes.
   *
   * @defaultValue 0
   */
  readonly waitMs?: number | undefined
  /** Ends the waiting: the call rejects with its reason, and nothing is added after that. */
  readonly signal?: AbortSignal | undefined
}

/** How messages are added that are many: none of them is compared with others. */
export type OfferAllOptions = Omit<OfferOptions, 'dedup'>

/** How messages are delivered. */
export interface DeliveryOptions {
  /**
   * How long a delivery lasts, in milliseconds, unless it is extended. After that the message is delivered again.
   *
   * It begins before Redis sends the message, so it has to be longer than the transfer. A message that comes later is given back, uncounted.
   *
   * @defaultValue none: the watchdog renews the delivery until it is settled, and a delivery of a process that dies ends within
   * {@link CommonOptions.lockWatchdogTimeout}
   */
  readonly visibilityMs?: number | undefined
}

/** How a poll waits. */
export interface QueuePollOptions extends DeliveryOptions {
  /**
   * How long it waits for a message, in milliseconds. `Infinity` for as long as it takes.
   *
   * @defaultValue 0
   */
  readonly waitMs?: number | undefined
  /** Ends the waiting: the call rejects with its reason, and no message is delivered by it. */
  readonly signal?: AbortSignal | undefined
}

/** How an iteration takes messages. */
export interface ConsumeOptions extends DeliveryOptions {
  /**
   * How many deliveries of this iteration may be unsettled at the same time. The next one comes when one of them is settled or lost.
   *
   * @defaultValue 1
   */
  readonly concurrency?: number | undefined
  /** Ends the iteration: it throws the reason. */
  readonly signal?: AbortSignal | undefined
}

/** How a failed delivery ends. */
export interface NackOptions {
  /**
   * In how many milliseconds the message is delivered again at the earliest.
   *
   * @defaultValue 0
   */
  readonly delayMs?: number | undefined
  /** Why it has failed: kept with a dead letter, as text of at most 1 000 characters. */
  readonly error?: unknown
}

/** What a message is, besides its value. */
export interface QueueMessage<V> {
  /** 16 digits. The ids of a queue grow. */
  readonly id: string
  /** @throws {@link CodecError} for bytes that the codec cannot read */
  readonly value: V
  /** The texts that it was offered with; an empty object if there are none. */
  readonly headers: Readonly<Record<string, string>>
  /** See {@link OfferOptions.priority}. */
  readonly priority: number
  /** See {@link OfferOptions.group}; undefined if it has none. */
  readonly group: string | undefined
}

/** A message that waits. */
export interface WaitingMessage<V> extends QueueMessage<V> {
  /** How many of its deliveries have failed. */
  readonly failures: number
}

/** Where a message is: as {@link QueueCounts} counts it. */
export type MessageState = keyof QueueCounts

/** A message, wherever it is. */
export interface FoundMessage<V> extends WaitingMessage<V> {
  /** Where it is. A delivery that has ended counts as in flight until messages are taken again. */
  readonly state: MessageState
}

/** A message that is not delivered any more: too many deliveries have failed, or one was rejected. */
export interface DeadLetter<V> extends WaitingMessage<V> {
  /** When the last delivery has failed, by the server's clock. */
  readonly failedAt: Date
  /** Why. */
  readonly reason: string
}

/**
 * A message that this process has, until it settles it: a hold, like that of a lock. The watchdog renews it, unless it has a time of its own.
 *
 * `await using` gives it back at the end of its block, unless it is settled.
 */
export interface Delivery<V> extends QueueMessage<V>, AsyncDisposable {
  /** Which delivery of the message this is: 1 for the first one, and one more for each that has failed. */
  readonly deliveries: number
  /**
   * Grows with each delivery of the queue. A {@link FencingGuard} keeps late workers away by it, from a key of this one message. Of a key that several messages
   * change, it would refuse workers that are in time.
   */
  readonly fencingToken: number
  /**
   * Aborts before another process can get the message, with a {@link DeliveryLostError}; and with a {@link DeliveryCancelledError} when the message is
   * cancelled.
   */
  readonly signal: AbortSignal
  /** Whether this process still has it, as far as it knows. */
  readonly isHeld: boolean

  /**
   * Removes the message: its work is done. Sent again if its reply is lost. Calls of the same moment are one request.
   *
   * If Redis cannot be reached, it rejects, and may be called again while the delivery lasts.
   *
   * @throws {@link DeliveryLostError} if the delivery was lost, or is settled
   */
  ack(): Promise<void>

  /**
   * Ends the delivery as failed. The message is delivered again, in its old place; or becomes a dead letter, if that was the last delivery.
   *
   * @throws {@link DeliveryLostError} if the delivery was lost, or is settled
   */
  nack(options?: NackOptions): Promise<void>

  /**
   * Makes the message a dead letter at once.
   *
   * @param error - why: kept as text, as with {@link NackOptions.error}
   * @throws {@link DeliveryLostError} if the delivery was lost, or is settled
   */
  reject(error?: unknown): Promise<void>

  /**
   * Gives the message back, as if it had not been delivered.
   *
   * @throws {@link DeliveryLostError} if it is settled. One that was lost comes again in any case
   */
  release(): Promise<void>

  /**
   * Extends the delivery to some time from now, after which it is not renewed. Without a time, the watchdog renews it from now on.
   *
   * @param visibilityMs - milliseconds; a delivery that lasts longer already stays as it is
   * @throws {@link DeliveryLostError} if the delivery was lost, or is settled
   * @throws {@link DeliveryCancelledError} if the message was cancelled
   */
  extend(visibilityMs?: number): Promise<void>
}

/** How a function works on messages. */
export interface ProcessOptions extends DeliveryOptions {
  /**
   * How many messages it works on at the same time.
   *
   * @defaultValue 1
   */
  readonly concurrency?: number | undefined
  /**
   * In how many milliseconds a message is delivered again whose function has thrown. A function is given the number of the delivery, 1 for the first one.
   *
   * @defaultValue 1 000 milliseconds, twice as many after each failure, 60 000 at most
   */
  readonly retryDelayMs?: number | ((deliveries: number) => number) | undefined
  /** Ends it, as {@link QueueWorker.close} does. */
  readonly signal?: AbortSignal | undefined
}

/** A delivery that has failed. */
export interface FailedDelivery<V> {
  /** It is settled already. */
  readonly delivery: Delivery<V>
  /** What the function has thrown. */
  readonly error: unknown
  /** Whether the message is a dead letter now. Otherwise it comes again, unless the function has settled the delivery, or its message was cancelled. */
  readonly isDead: boolean
}

/** What a {@link QueueWorker} reports, by the name of the event. */
export interface QueueWorkerEvents<V> {
  /**
   * The function has thrown or rejected. {@link FailedDelivery.isDead} says what becomes of the message. A delivery that is given back when its worker or
   * client is closed has not failed.
   */
  failed: FailedDelivery<V>
  /**
   * A delivery was lost before it was acknowledged, messages came after their time, a message cannot be read, or none can be taken or settled for now. It goes on. Without a listener
   * they are warnings of the process.
   */
  error: Error
}

/** How a worker is closed. */
export interface WorkerCloseOptions {
  /**
   * How long the functions that run have to end, in milliseconds.
   *
   * @defaultValue as long as they take
   */
  readonly drainMs?: number | undefined
}

/** A function at work on the messages of a queue. It lasts until it is ended, through reconnects and failovers. */
export interface QueueWorker<V> extends AsyncDisposable {
  /**
   * Takes no more messages. Resolves when the function has returned for all that it has, and their deliveries are settled. A second call waits for the
   * same. Never rejects.
   *
   * With `drainMs`, it waits no longer than that. The deliveries that are left are given back then: their signals abort, and the messages are delivered
   * again, uncounted.
   *
   * @example
   * ```ts no-run
   * process.once('SIGTERM', () => void worker.close({ drainMs: 5_000 }).then(() => client.shutdown()))
   * ```
   */
  close(options?: WorkerCloseOptions): Promise<void>
  /** Adds a listener. */
  on<K extends keyof QueueWorkerEvents<V>>(event: K, listener: (event: QueueWorkerEvents<V>[K]) => void): this
  /** Adds a listener for the next event. */
  once<K extends keyof QueueWorkerEvents<V>>(
    event: K,
    listener: (event: QueueWorkerEvents<V>[K]) => void,
  ): this
  /** Ends what {@link QueueWorker.on} or {@link QueueWorker.once} began. */
  off<K extends keyof QueueWorkerEvents<V>>(
    event: K,
    listener: (event: QueueWorkerEvents<V>[K]) => void,
  ): this
}

/** How many messages a queue has, by where they are. */
export interface QueueCounts {
  /** Those that the next poll can get. */
  readonly ready: number
  /** Those that are not due yet. */
  readonly delayed: number
  /** Those that are being worked on. */
  readonly inFlight: number
  /** Those that wait until their group has a place. */
  readonly heldBack: number
  /** Dead letters. */
  readonly dead: number
}

/** How a message is cancelled. */
export interface CancelOptions {
  /**
   * What the signal of its delivery says.
   *
   * @defaultValue 'cancelled'
   */
  readonly reason?: string | undefined
  /**
   * For how long the delivery of a message that is being worked on still lasts at least, in milliseconds. Within that time its worker may acknowledge it.
   * It lasts no shorter than it would have without a renewal.
   *
   * @defaultValue 10 000
   */
  readonly graceMs?: number | undefined
}

/** Which messages are read. */
export interface MessageRange {
  /** @defaultValue 0, the oldest one */
  readonly offset?: number | undefined
  /** @defaultValue 100 */
  readonly count?: number | undefined
}

/**
 * A queue that loses no message: it removes a message only when its work has been acknowledged.
 *
 * A delivery is a hold. The watchdog renews it while this process works on the message. If the process dies, another one gets the message. If the process
 * is slow, its signal aborts before that. Each message is delivered at least once: work that must not happen twice has to recognize what it has done,
 * by the {@link QueueMessage.id} or the number of an order. The {@link Delivery.fencingToken} only keeps late holders of the same message away.
 *
 * Messages may be delayed, have priorities, groups, headers and deduplication. Those that fail too often become dead letters. All moments are those of
 * the server's clock; no process has to run for messages to become due.
 *
 * It is an object of this library, not of Redisson. All of its keys are in one slot. Each call is one request. Without messages, a consumer sends one
 * request a minute. `offer`, `offerAll` and the calls that read or remove can be part of a batch.
 *
 * @example
 * ```ts
 * const emails = client.getReliableQueue<{ to: string }>('emails')
 * await emails.offer({ to: 'ada@example.org' }, { delayMs: 100 })
 * const delivery = await emails.poll({ waitMs: 5_000 })
 * console.log(delivery?.value.to) // ada@example.org
 * await delivery?.ack()
 * ```
 */
export interface RReliableQueue<V> extends RObject {
  /**
   * Adds a message, and returns its id. If it was dropped as a duplicate, returns the id of the first one.
   *
   * If the reply is lost, it rejects with `mayHaveRun`, unless the queue was made with `exactlyOnce`: see also {@link RReliableQueue.offerOnce}.
   *
   * @throws {@link QueueFullError} if there is no room, in the time that it waits
   * @throws TypeError or RangeError for options that do not exist or make no sense
   */
  offer(value: V, options?: OfferOptions): Promise<string>

  /** Like `offer`, and sent again if its reply is lost: the message is added once. */
  offerOnce(value: V, options?: OfferOptions): Promise<string>

  /**
   * Adds messages in their order, all or none, and returns their ids. One request for 1 000 of them; with more, a failure may leave the first ones.
   *
   * @throws {@link QueueFullError} if there is no room for all of a request, in the time that it waits
   * @throws RangeError for more values than the capacity, with one request
   */
  offerAll(values: Iterable<V>, options?: OfferAllOptions): Promise<string[]>

  /**
   * Takes the first message that is ready; undefined if there is none. With `waitMs` it waits for one.
   *
   * @throws {@link CodecError} for a message that the codec cannot read, which becomes a dead letter. The other deliveries are in
   * {@link CodecError.taken}
   */
  poll(options?: QueuePollOptions): Promise<Delivery<V> | undefined>
  /**
   * Takes the first messages that are ready; none if there are none. With `waitMs` it waits for the first one, and not for more.
   *
   * Together they have no more than a megabyte, unless it is a single one. So it may return fewer than are ready.
   *
   * @param count - from 0 to 1 000
   */
  poll(count: number, options?: QueuePollOptions): Promise<Delivery<V>[]>

  /**
   * Takes one message after the other. It lasts through reconnects and failovers, and has no end of its own: `break` ends it, or the signal. A message that
   * cannot be read becomes a dead letter, and the iteration goes on.
   *
   * Every delivery has to be settled. With a concurrency of 1, the next one comes when the last one is.
   *
   * @example
   * ```ts no-run
   * for await (const delivery of orders.consume({ concurrency: 10, signal })) {
   *   void ship(delivery.value, delivery.signal).then(() => delivery.ack(), (error) => delivery.nack({ delayMs: 1_000, error }))
   * }
   * ```
   */
  consume(options?: ConsumeOptions): AsyncIterable<Delivery<V>>

  /**
   * Calls a function with each message, and acknowledges the message when its promise is fulfilled. If it throws, the message is delivered again. A function that
   * does not return the promise of its work has its message acknowledged at once.
   *
   * It lasts until `close()`, the signal or the shutdown of the client. Beware of `await using` at the top level of a module, which ends it when the module has run.
   *
   * @throws {@link ClientClosedError} if the client was shut down
   *
   * @example
   * ```ts no-run
   * const worker = orders.process(({ value, signal }) => ship(value, signal), { concurrency: 10 })
   * worker.on('failed', ({ delivery, error }) => log.warn({ id: delivery.id, error }))
   * worker.on('error', (error) => log.error(error))
   * process.once('SIGTERM', () => client.shutdown({ drainMs: 20_000, release: true }))
   * ```
   */
  process(handler: (delivery: Delivery<V>) => unknown, options?: ProcessOptions): QueueWorker<V>

  /** Returns how many messages there are, dead letters excluded. */
  size(): Promise<number>

  /** Returns how many messages there are, by where they are. */
  counts(): Promise<QueueCounts>

  /**
   * Reads the first messages that are ready, and leaves them there: `list('ready')`. What has become due since the last message was taken is not among them.
   *
   * @param count - from 0 to 1 000, 1 if left out
   */
  peek(count?: number): Promise<WaitingMessage<V>[]>

  /** Returns whether there is no message, dead letters excluded. */
  isEmpty(): Promise<boolean>

  /** Reads a message, wherever it is, and leaves it there; undefined if there is none, because it was acknowledged or removed. */
  get(id: string): Promise<FoundMessage<V> | undefined>

  /**
   * Reads messages by where they are, and leaves them there: those that are ready in the order in which they are delivered, delayed ones by their due
   * time, those in flight by the end of their deliveries, those that are held back by their group, dead ones by their last failure.
   *
   * A message that has become due, or a delivery that has ended, is where it was until messages are taken again.
   *
   * @throws RangeError for a state that does not exist
   */
  list(state: MessageState, range?: MessageRange): Promise<FoundMessage<V>[]>

  /** Removes a message that waits, or a dead letter. Returns whether it was there: one that is being worked on stays. */
  remove(id: string): Promise<boolean>

  /**
   * Cancels a message. If it waits or is a dead letter, it is removed. If it is being worked on, the signal of its delivery aborts, in whatever process it is, and it
   * is not delivered again. Returns whether there was such a message.
   *
   * A worker or iteration is notified immediately; a delivery of `poll()` at its next renewal, and not at all if it has a `visibilityMs`. O(n) for n deliveries.
   */
  cancel(id: string, options?: CancelOptions): Promise<boolean>

  /** Reads dead letters, the oldest first. */
  deadLetters(range?: MessageRange): Promise<DeadLetter<V>[]>

  /**
   * Makes dead letters messages again, as if they had not failed. Returns how many. They keep their ids, and come back even if there is another
   * message with the same deduplication, or no room. One whose group has no place waits for one.
   *
   * @param ids - which of them; all of them if left out. A failure may leave the last ones
   */
  redrive(ids?: Iterable<string>): Promise<number>

  /**
   * Removes all messages that wait, delayed ones included, with one request for 1 000 of them. Those in delivery and dead letters stay. Returns how many.
   *
   * It ends after as many as there are when it is called: those that are added meanwhile may stay.
   */
  clear(): Promise<number>

  /** Removes all dead letters, with one request for 1 000 of them. Returns how many. */
  clearDeadLetters(): Promise<number>
}
