import type { CommandExecutor, RunOptions, SyncedResult, TimedResult } from './operation/command-executor.js'
import type { Call } from './operation/operation.js'
import type { Runnable, Script } from './operation/script.js'

/** Asks Redis for calls that a signal ends: see {@link RunOptions.signal}. A request with a signal of its own is not ended by this one. */
export class SignalledExecutor implements CommandExecutor {
  readonly isBatch = false
  readonly signal: AbortSignal
  readonly #executor: CommandExecutor

  constructor(executor: CommandExecutor, signal: AbortSignal) {
    this.#executor = executor
    this.signal = signal
  }

  run<K extends string, A extends string, R>(
    operation: Runnable<K, A, R>,
    call: Call<K, A>,
    options?: RunOptions,
  ): Promise<R> {
    return this.#executor.run(operation, call, this.#ended(options))
  }

  runTimed<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: Call<K, A>,
    options?: RunOptions,
  ): Promise<TimedResult<R>> {
    return this.#executor.runTimed(script, call, this.#ended(options))
  }

  runSynced<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: Call<K, A>,
    replicas: number,
    options?: RunOptions,
  ): Promise<SyncedResult<R>> {
    return this.#executor.runSynced(script, call, replicas, this.#ended(options))
  }

  #ended(options: RunOptions | undefined): RunOptions {
    return { ...options, signal: options?.signal ?? this.signal }
  }
}
