/** What a {@link Subscription} reports, by the name of the event. */
export interface SubscriptionEvents {
  /**
   * The connection was lost and is restored: messages may have been missed. It comes once for each interruption, before the first
   * message that follows.
   */
  gap: undefined
  /**
   * Redis refuses the subscription, which is over with this; a message could not be read; or the function that takes messages has thrown
   * or rejected. Without a listener the first two are warnings of the process, and the last is an uncaught exception.
   */
  error: Error
}

/**
 * A listener that Redis has confirmed. It lasts until it is ended, through reconnects, failovers and moved slots.
 *
 * @example
 * ```ts no-run
 * await using subscription = await topic.addListener((message) => console.log(message))
 * subscription.on('gap', () => reload())
 * ```
 */
export interface Subscription extends AsyncDisposable {
  /** Ends it. The listener is not called any more. A second call has no effect. Never rejects. */
  unsubscribe(): Promise<void>
  /** Adds a listener for messages that may have been missed (`gap`), or for errors. */
  on<K extends keyof SubscriptionEvents>(event: K, listener: (event: SubscriptionEvents[K]) => void): this
  /** Ends what {@link Subscription.on} began. */
  off<K extends keyof SubscriptionEvents>(event: K, listener: (event: SubscriptionEvents[K]) => void): this
}

/** Options of a listener. */
export interface ListenOptions {
  /** Ends the subscription when it aborts. Adding the listener rejects with its reason if that is not done yet. */
  readonly signal?: AbortSignal | undefined
}

/** Options of an iteration over messages. */
export interface MessagesOptions {
  /** Ends the iteration when it aborts: it throws the reason. */
  readonly signal?: AbortSignal | undefined
  /**
   * How many messages may wait for the iteration.
   *
   * @defaultValue 1000
   */
  readonly buffer?: number | undefined
  /**
   * What happens to a message for which there is no room. `error`: the iteration throws a
   * {@link MessageOverflowError} after the waiting messages. `dropOldest` drops the oldest message,
   * `dropNewest` the new one.
   *
   * @defaultValue 'error'
   */
  readonly overflow?: 'error' | 'dropOldest' | 'dropNewest' | undefined
  /**
   * Called between the messages before and after an interruption, in which some may have been missed. What it throws is an uncaught
   * exception, and the iteration continues.
   */
  readonly onGap?: (() => void) | undefined
}
