import type {
  CommandExecutor,
  RunOptions,
  SyncedResult,
  TimedResult,
} from '../../command/command-executor.js'
import { keysOf, wordsOf, type PlainCommand } from '../../command/command.js'
import { demandShort } from '../../command/once-invocation.js'
import type { Call, Operation } from '../../command/operation.js'
import type { Script, ScriptCall } from '../../command/script.js'
import type { Argument } from '../../connection/connection.js'
import { multimapValues } from '../../core/names.js'
import * as expirable from '../../core/redisson-expirable.scripts.js'
import * as object from '../../core/redisson-object.scripts.js'
import { linkedCommand, linkedScript } from './linked.js'

/** Where a multimap names the values of a key. */
export interface Link {
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
  readonly #link: Link

  constructor(executor: CommandExecutor, link: Link) {
    this.#executor = executor
    this.#link = link
  }

  get isBatch(): boolean {
    return this.#executor.isBatch
  }

  get signal(): AbortSignal | undefined {
    return this.#executor.signal
  }

  async send<K extends string, A extends string, R>(
    command: PlainCommand<K, A, R>,
    call: Call<K, A>,
    options?: RunOptions,
  ): Promise<R> {
    if (command.repeat === 'safe') return await this.#executor.send(command, call, this.#reading(options))
    const { name, args } = wordsOf(command, call)
    demandShort(command.name, 1 + args.length, 'for the values of a multimap')
    const words = { keys: { keys: keysOf(command, call) }, args: { words: [name, ...args] } }
    return await this.#executor.run(linkedCommand(command), this.#linked(words), options)
  }

  async run<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: ScriptCall<K, A>,
    options?: RunOptions,
  ): Promise<R> {
    demandPart(script)
    if (script.repeat === 'safe') return await this.#executor.run(script, call, this.#reading(options))
    return await this.#executor.run(linkedScript(script), this.#linked(call), options)
  }

  async runTimed<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: ScriptCall<K, A>,
    options?: RunOptions,
  ): Promise<TimedResult<R>> {
    demandPart(script)
    return await this.#executor.runTimed(linkedScript(script), this.#linked(call), options)
  }

  async runSynced<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: ScriptCall<K, A>,
    replicas: number,
    options?: RunOptions,
  ): Promise<SyncedResult<R>> {
    demandPart(script)
    return await this.#executor.runSynced(linkedScript(script), this.#linked(call), replicas, options)
  }

  /** What is done with the multimap as a whole does not name the values of each key, but what their keys begin with. */
  #reading(options: RunOptions | undefined): RunOptions {
    return { ...options, dependsOn: [multimapValues(this.#link.multimap)] }
  }

  /** The same values by name, and where the multimap names them. */
  #linked(call: { readonly keys: object; readonly args: object }): ScriptCall<string, string> {
    const { multimap, field, hash } = this.#link
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
