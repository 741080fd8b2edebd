import type { Deadline } from '../util/deadline.js'
import type { Script, ScriptCall } from './script.js'

/** How one call is to be made. */
export interface RunOptions {
  /** After this moment an unanswered call is not repeated any more. */
  readonly deadline?: Deadline
  /**
   * Whether a script that counts shall remember its answer even when it is sent for the first time, because nothing else
   * would tell whether it has run.
   */
  readonly remember?: boolean
  /** Whether what it remembers is meant for late copies of another request, and so has to outlive its own answer. */
  readonly keep?: boolean
}

/** A result, and how many replicas had confirmed it. */
export interface SyncedResult<R> {
  readonly result: R
  readonly replicas: number
}

/** Asks Redis. Objects know nothing more of it than this. */
export interface CommandExecutor {
  /**
   * Runs a script.
   *
   * When the connection breaks or no answer comes, it is sent again, a few times. So it may have run even when this
   * rejects with a {@link ConnectionLostError} or a {@link ReplyTimeoutError}; it never counts twice.
   */
  run<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: ScriptCall<K, A>,
    options?: RunOptions,
  ): Promise<R>

  /** Runs a script like {@link CommandExecutor.run}, then waits for so many replicas, up to the configured time. */
  runSynced<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: ScriptCall<K, A>,
    replicas: number,
    options?: RunOptions,
  ): Promise<SyncedResult<R>>
}
