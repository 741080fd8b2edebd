import type { Key, Sending } from '../../connection/connection.js'
import { NotInBatchError } from '../../errors/batch-errors.js'
import type { Deadline } from '../../util/time/deadline.js'
import type { Call } from './operation.js'
import type { Runnable, Script } from './script.js'

/** How one call is to be made. */
export interface RunOptions {
  /**
   * Whether a request that is not safe to repeat carries an idempotency key, so that it has its effect once and is sent again like any
   * other. A request that remembers its reply itself has a key of its own.
   */
  readonly exactlyOnce?: boolean | undefined
  /**
   * Whether a request with an idempotency key is withdrawn when it fails and may have run, so that a copy which the network keeps back has no
   * effect when it arrives. It fails when that is done, or has failed as well. Its error has `mayHaveRun` unless it is known that none has run, and none will.
   */
  readonly withdrawable?: boolean
  /** After this moment an unanswered call of the background, such as a renewal, is not repeated any more. */
  readonly deadline?: Deadline | undefined
  /**
   * Whether a script that counts shall remember its reply even when it is sent for the first time, because nothing else
   * would show whether it has run.
   */
  readonly remember?: boolean
  /** Whether what it remembers is meant for late copies of another request, and so has to outlive its own reply. */
  readonly keep?: boolean
  /**
   * For how long it is sent again in any case, in milliseconds, where the usual attempts are too few: what it releases would
   * be lost otherwise. What it remembers lasts for as long.
   */
  readonly insistMs?: number
  /** From this moment on, on the monotonic clock, no copy is sent: what it would release may belong to another owner by then. */
  readonly until?: number
  /**
   * How long its caller waits. The call settles by then, up to one turn of the event loop later: what was not sent by then is not sent. Where that has
   * passed already, its caller waits for nothing: it is tried once, and rejects at once while Redis cannot be reached.
   */
  readonly replyBy?: Deadline | undefined
  /** Ends the waiting of its caller: the call rejects with an {@link AbortError}, and what was not sent by then is not sent. */
  readonly signal?: AbortSignal | undefined
  /** Whether it rejects at once while Redis cannot be reached; undefined for what the settings say. */
  readonly failFast?: boolean | undefined
  /** What its caller and its copies know of each other, where the caller may stop waiting. Made by the executor, if not given. */
  readonly sending?: Sending | undefined
  /** Aborts when no caller waits any more for what it would take: what waits to be sent, for the first time or again, rejects at once. */
  readonly endOfWaiting?: AbortSignal
  /** For how long its caller may make the same request again, in milliseconds: its reply is remembered until then. */
  readonly repeatableMs?: number
  /** How long the reply to each copy may take, in milliseconds, where that is more than usual. */
  readonly timeoutMs?: number | undefined
  /**
   * Where a request goes that is safe to repeat, if its settings let it: `anyNode` if a replica may return it, which may still have what a
   * write has replaced. Only for what nothing is written by. In a batch it goes to the master.
   *
   * @defaultValue 'master'
   */
  readonly from?: 'master' | 'anyNode'
  /** Further keys that its result depends on, where whatever changes them may not name those that it reads. */
  readonly dependsOn?: readonly Key[]
  /** Whether another copy would be of use, as far as is known before it is sent; always, where not said. */
  readonly isOfUse?: () => boolean
  /**
   * Whether its caller does the same key by key where that is needed, so that it is not repeated while its slot is moving. Never for one key. Where it
   * carries an idempotency key and a copy may have run, it is repeated: key by key it could take effect twice.
   */
  readonly divisible?: boolean
}

/** A read of what no replica may have yet. */
export const FROM_MASTER: RunOptions = Object.freeze({ from: 'master' })

/** A read that a replica may reply to. */
export const FROM_ANY_NODE: RunOptions = Object.freeze({ from: 'anyNode' })

/** A result, and from when on it may have been true. */
export interface TimedResult<R> {
  readonly result: R
  /**
   * When the first copy of the request was sent that may have run, on the monotonic clock. A copy that Redis refused has not. Where it
   * had to wait for the connection, that time counts as well.
   */
  readonly sentAt: number
}

/** The same, and how many replicas had confirmed it. */
export interface SyncedResult<R> extends TimedResult<R> {
  readonly replicas: number
}

/**
 * Asks Redis. Objects know nothing more of it than this.
 *
 * When the connection breaks or no reply comes, a request is sent again a few times, if its {@link Repeat} allows that or it carries an
 * idempotency key. Where it was never sent, or Redis was not ready, any request is. So what this rejects with has
 * {@link RedissonError.mayHaveRun}: it may have run, and never counts twice.
 */
export interface CommandExecutor {
  /** Whether nothing is answered before everything was asked. */
  readonly isBatch: boolean
  /** Ends all its requests; undefined where each call says that for itself. */
  readonly signal?: AbortSignal | undefined

  /** Runs a plain command, or a script. */
  run<K extends string, A extends string, R>(
    operation: Runnable<K, A, R>,
    call: Call<K, A>,
    options?: RunOptions,
  ): Promise<R>

  /** Runs a script like {@link CommandExecutor.run}, and notes from when on what it takes may have been taken. */
  runTimed<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: Call<K, A>,
    options?: RunOptions,
  ): Promise<TimedResult<R>>

  /** Runs a script like {@link CommandExecutor.run}, then waits for that many replicas, up to the configured time. */
  runSynced<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: Call<K, A>,
    replicas: number,
    options?: RunOptions,
  ): Promise<SyncedResult<R>>
}

/**
 * Demands that a request may follow from the answer to another one.
 *
 * @param what - what takes several requests in turn
 * @throws {@link NotInBatchError} where nothing is answered before everything was asked
 */
export function demandTurns({ isBatch }: Pick<CommandExecutor, 'isBatch'>, what: string): void {
  if (isBatch) throw new NotInBatchError(what)
}

/**
 * Demands that a request serves no other call than the one that has made it.
 *
 * @param what - what is shared with other calls, or goes on after its own
 * @throws TypeError where a signal ends the requests of a call
 */
export function demandNoSignal({ signal }: Pick<CommandExecutor, 'signal'>, what: string): void {
  if (signal !== undefined)
    throw new TypeError(`Expected an object of the client itself for ${what}, got one of withSignal()`)
}
