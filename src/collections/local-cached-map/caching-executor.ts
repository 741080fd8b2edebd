import type {
  CommandExecutor,
  RunOptions,
  SyncedResult,
  TimedResult,
} from '../../command/operation/command-executor.js'
import type { Call } from '../../command/operation/operation.js'
import type { Runnable, Script } from '../../command/operation/script.js'
import type { Handler, Handlers } from './handlers.js'

/**
 * Asks Redis for a map that is cached locally: what reads an entry looks there first, and what changes entries notifies all local caches in the same step.
 * The map itself does not depend on it.
 */
export class CachingExecutor implements CommandExecutor {
  readonly isBatch = false
  readonly signal: AbortSignal | undefined
  readonly #executor: CommandExecutor
  readonly #reads: ReadonlyMap<unknown, Handler>
  readonly #changes: ReadonlyMap<unknown, Handler>

  constructor(executor: CommandExecutor, { reads = [], changes }: { reads?: Handlers; changes: Handlers }) {
    this.#executor = executor
    this.signal = executor.signal
    this.#reads = new Map(reads)
    this.#changes = new Map(changes)
  }

  run<K extends string, A extends string, R>(
    operation: Runnable<K, A, R>,
    call: Call<K, A>,
    options: RunOptions = {},
  ): Promise<R> {
    const handle = this.#handlerOf(operation, options)
    if (handle === undefined) return this.#executor.run(operation, call, options)
    return handle(call, options) as Promise<R>
  }

  runTimed<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: Call<K, A>,
    options?: RunOptions,
  ): Promise<TimedResult<R>> {
    return this.#executor.runTimed(script, call, options)
  }

  runSynced<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: Call<K, A>,
    replicas: number,
    options?: RunOptions,
  ): Promise<SyncedResult<R>> {
    return this.#executor.runSynced(script, call, replicas, options)
  }

  /** What a change depends on is read from the master, and so from Redis. */
  #handlerOf(operation: unknown, { from }: RunOptions): Handler | undefined {
    return this.#changes.get(operation) ?? (from === 'anyNode' ? this.#reads.get(operation) : undefined)
  }
}
