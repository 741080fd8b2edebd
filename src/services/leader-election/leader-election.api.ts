/** How leaders of a name are elected. */
export interface LeaderElectionSettings {
  /**
   * For how long a leader that dies keeps the leadership, in milliseconds. It is renewed three times within that time.
   *
   * @defaultValue what the watchdog renews by, 30 seconds unless `lockWatchdogTimeout` says otherwise
   */
  readonly leaseMs?: number | undefined
}

/** How a candidate competes. */
export interface CandidateOptions {
  /** Ends the leadership and the competing, as the ordinary end: the call resolves once the function has ended. */
  readonly signal?: AbortSignal | undefined
  /**
   * Whether to compete again after a leadership, whether it was given up or lost.
   *
   * @defaultValue true
   */
  readonly requeue?: boolean | undefined
}

/** One leadership: what the function is given. */
export interface Leadership {
  /**
   * Aborts when the leadership ends before the function. If it was lost, the reason is a
   * {@link LockLostError}, and it aborts before another process can lead. It also aborts with the reason of
   * the caller's signal, and with a {@link ClientClosedError} as soon as a shutdown begins.
   */
  readonly signal: AbortSignal
  /** The fencing token: larger than that of every leadership before. See {@link RFencedLock}. */
  readonly token: number
}

/** Elects one leader among all processes. */
export interface LeaderElection {
  /** The name, as the program gave it. */
  readonly name: string

  /** Whether this client leads: its function runs, and its lease has not ended by its own clock. Nothing is sent. */
  readonly isLeader: boolean

  /**
   * Returns the leader: the id of a client, a colon, and a number of that leadership; undefined if there is
   * no leader.
   *
   * It is the word of Redis at one moment. A process that takes itself for the leader asks {@link LeaderElection.isLeader}.
   *
   * @throws {@link ConnectionLostError}, {@link ReplyTimeoutError} or {@link ServerNotReadyError} if Redis cannot be reached
   */
  getLeader(): Promise<string | undefined>

  /**
   * Takes part in the election, and runs a function while this client leads.
   *
   * When the function returns, the leadership is given up. With {@link CandidateOptions.requeue | requeue}
   * the client competes again a moment later, so that other candidates come first. When the leadership is
   * lost, the signal aborts, and the function must end before this client competes again: there are never two
   * of them.
   *
   * A candidate that cannot reach Redis keeps trying. Connection errors, a refused login, an unconfirmed
   * subscription and too few replicas do not end the call. Every other error does, such as the
   * {@link CommandError} of a permission that its user lacks.
   *
   * If the function throws, the leadership is given up and the call ends. It does not end if the function
   * throws because its signal has aborted: the reason of that, or an `AbortError`.
   *
   * Resolves when the caller's signal aborts, when a shutdown of the client begins, or without `requeue` after one leadership; in any case
   * once the function has ended.
   *
   * @throws what the function throws
   * @throws {@link ElectionRunningError} if this client competes already, by any object of the same name
   * @throws {@link WrongTypeError} if the key of the election belongs to something else
   * @throws {@link ClientClosedError} if the client has been shut down before the call
   * @throws TypeError for options that do not exist or make no sense
   * @example
   * ```ts
   * const stop = new AbortController()
   * const election = client.getLeaderElection('scheduler')
   * await election.run(
   *   async ({ signal, token }) => {
   *     while (!signal.aborted) await scheduleNext(token, signal)
   *   },
   *   { signal: stop.signal },
   * )
   * ```
   */
  run(fn: (leadership: Leadership) => unknown, options?: CandidateOptions): Promise<void>
}
