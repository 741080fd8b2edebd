import type {
  CommandExecutor,
  RunOptions,
  SyncedResult,
  TimedResult,
} from '../../command/operation/command-executor.js'
import type { Call } from '../../command/operation/operation.js'
import type { Runnable, Script } from '../../command/operation/script.js'
import { CachedChanges } from './cached-changes.js'
import { CachedReads } from './cached-reads.js'
import type { Handler } from './handlers.js'
import type { LocalCache } from './local-cache.js'

/**
 * Asks Redis for a map that is cached locally: what reads an entry looks there first, and what changes entries tells all local caches in the same step.
 * The map knows nothing of it.
 */
export class CachingExecutor implements CommandExecutor {
  readonly isBatch = false
  readonly signal: AbortSignal | undefined
  readonly #executor: CommandExecutor
  readonly #handlers: ReadonlyMap<unknown, Handler>

  constructor(executor: CommandExecutor, cache: LocalCache, map: string, isLogged: boolean) {
    this.#executor = executor
    this.signal = executor.signal
    const reads = new CachedReads(executor, cache)
    const changes = new CachedChanges(executor, cache, map, isLogged)
    this.#handlers = new Map([...reads.handlers, ...changes.handlers])
  }

  run<K extends string, A extends string, R>(
    operation: Runnable<K, A, R>,
    call: Call<K, A>,
    options: RunOptions = {},
  ): Promise<R> {
    const handle = this.#handlers.get(operation)
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
}
