import type {
  CommandExecutor,
  RunOptions,
  SyncedResult,
  TimedResult,
} from '../../command/operation/command-executor.js'
import { keysOf, wordsOf } from '../../command/operation/command.js'
import { demandShort } from '../../command/once/once-invocation.js'
import type { Call, Operation } from '../../command/operation/operation.js'
import { isScript, type Runnable, type Script } from '../../command/operation/script.js'
import type { Argument } from '../../connection/connection.js'
import { multimapValues } from '../../core/context/names.js'
import * as expirable from '../../core/redisson-expirable.scripts.js'
import * as object from '../../core/redisson-object.scripts.js'
import type { Link, Linking } from './linked.js'

/** Where a multimap names the values of a key. */
export interface NamedBy {
  readonly multimap: string
  readonly field: Argument
  readonly hash: string
}

/** What only the multimap as a whole has, or is given: a name, a database and a time to live. */
const OF_THE_WHOLE: ReadonlySet<unknown> = new Set([
  object.rename,
  object.move,
  object.restore,
  expirable.expire,
  expirable.persist,
])

/**
 * Asks Redis about the values of one key of a multimap: whatever may change them is one step with what the multimap has to be told of it.
 *
 * So a set or a list that is given this one is a part of the multimap, without knowing.
 */
export class ValuesExecutor implements CommandExecutor {
  readonly #executor: CommandExecutor
  readonly #namedBy: NamedBy
  readonly #linking: Linking

  constructor(executor: CommandExecutor, namedBy: NamedBy, linking: Linking) {
    this.#executor = executor
    this.#namedBy = namedBy
    this.#linking = linking
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
    demandPart(operation)
    const { changing, reading } = this.#linking
    if (operation.repeat !== 'safe') return await this.#runLinked(changing, operation, call, options)
    const asRead = this.#reading(options)
    if (reading === undefined || operation.keys.length === 0)
      return await this.#executor.run(operation, call, asRead)
    return await this.#runLinked(reading, operation, call, { ...asRead, from: 'master' })
  }

  async runTimed<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: Call<K, A>,
    options?: RunOptions,
  ): Promise<TimedResult<R>> {
    demandPart(script)
    return await this.#executor.runTimed(this.#linking.changing(script), this.#linked(call), options)
  }

  async runSynced<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: Call<K, A>,
    replicas: number,
    options?: RunOptions,
  ): Promise<SyncedResult<R>> {
    demandPart(script)
    const linked = this.#linking.changing(script)
    return await this.#executor.runSynced(linked, this.#linked(call), replicas, options)
  }

  #runLinked<K extends string, A extends string, R>(
    link: Link,
    operation: Runnable<K, A, R>,
    call: Call<K, A>,
    options: RunOptions | undefined,
  ): Promise<R> {
    const linked = link(operation)
    if (isScript(operation)) return this.#executor.run(linked, this.#linked(call), options)
    const { name, args } = wordsOf(operation, call)
    demandShort(operation.name, 1 + args.length, 'for the values of a multimap')
    const words = { keys: { keys: keysOf(operation, call) }, args: { words: [name, ...args] } }
    return this.#executor.run(linked, this.#linked(words), options)
  }

  /** What is done with the multimap as a whole does not name the values of each key, but what their keys begin with. */
  #reading(options: RunOptions | undefined): RunOptions {
    return { ...options, dependsOn: [multimapValues(this.#namedBy.multimap)] }
  }

  /** The same values by name, and where the multimap names them. */
  #linked(call: { readonly keys: object; readonly args: object }): Call<string, string> {
    const { multimap, field, hash } = this.#namedBy
    return { ...call, keys: { ...call.keys, multimap }, args: { ...call.args, field, hash } }
  }
}

/** @throws TypeError for what would separate the values from their multimap */
function demandPart(script: Operation<string, string, unknown>): void {
  if (!OF_THE_WHOLE.has(script)) return
  throw new TypeError(
    `Expected the multimap, got the values of one key: these have no name, database or time to live of their own (${script.name})`,
  )
}
