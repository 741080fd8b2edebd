import {
  demandTurns,
  type CommandExecutor,
  type RunOptions,
  type SyncedResult,
  type TimedResult,
} from '../../command/operation/command-executor.js'
import { demandShort } from '../../command/once/once-invocation.js'
import { keysOf, wordsOf } from '../../command/operation/command.js'
import type { Call } from '../../command/operation/operation.js'
import { isScript, type Runnable, type Script } from '../../command/operation/script.js'
import { hasReturned } from '../../errors/lasting-failure.js'
import { expiringCommand, expiringScript } from './expiring.js'

/** What scripts say where more keys may have ended than they remove. */
const MORE = 'KEYSENDED'

/** Whether the values of a key are a set or a list. */
export type KindOfValues = 'set' | 'list'

/** The keys of a multimap whose keys end. */
export interface EndingKeys {
  readonly kind: KindOfValues
  readonly multimap: string
  /** What the keys of values begin with. */
  readonly prefix: string
  /** When each key ends. */
  readonly ends: string
}

/**
 * Asks Redis about a multimap whose keys end: whatever is done is one step with the removal of keys that have ended. So the multimap, and the
 * values of each of its keys, have nothing that has ended, without knowing.
 *
 * As it may remove something, all is asked of the master.
 */
export class ExpiringExecutor implements CommandExecutor {
  readonly #executor: CommandExecutor
  readonly #keys: EndingKeys
  readonly #beginCleaning: (used: object) => void
  #isCleaned = false

  /** @param beginCleaning - is called with the first use: the multimap is to be cleaned for as long as what it is given is referred to */
  constructor(executor: CommandExecutor, keys: EndingKeys, beginCleaning: (used: object) => void) {
    this.#executor = executor
    this.#keys = keys
    this.#beginCleaning = beginCleaning
  }

  get isBatch(): boolean {
    return this.#executor.isBatch
  }

  get signal(): AbortSignal | undefined {
    return this.#executor.signal
  }

  async run<K extends string, A extends string, R>(
    operation: Runnable<K, A, R>,
    call: Call<K, A>,
    options?: RunOptions,
  ): Promise<R> {
    if (operation.keys.length === 0) return await this.#executor.run(operation, call, options) // about the server
    this.#use()
    for (;;) {
      try {
        return await this.#run(operation, call, { ...options, from: 'master' })
      } catch (error) {
        if (!hasReturned(error, MORE)) throw error
        demandTurns(this, 'What is about a multimap many of whose keys have ended')
      }
    }
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

  #use(): void {
    if (!this.#isCleaned) this.#beginCleaning(this)
    this.#isCleaned = true
  }

  #run<K extends string, A extends string, R>(
    operation: Runnable<K, A, R>,
    call: Call<K, A>,
    options: RunOptions,
  ): Promise<R> {
    if (isScript(operation))
      return this.#executor.run(expiringScript(operation), this.#expiring(call), options)
    const { name, args } = wordsOf(operation, call)
    demandShort(operation.name, 1 + args.length, 'for a multimap whose keys end')
    const words = { keys: { keys: keysOf(operation, call) }, args: { words: [name, ...args] } }
    return this.#executor.run(expiringCommand(operation), this.#expiring(words), options)
  }

  /** The same call with the keys of the multimap. */
  #expiring(call: { readonly keys: object; readonly args: object }): Call<string, string> {
    const { multimap, prefix, ends } = this.#keys
    const added = { endsOfKeys: ends, prefixOfValues: prefix, wholeMultimap: multimap }
    return { ...call, keys: { ...call.keys, ...added }, args: { ...call.args } }
  }
}
