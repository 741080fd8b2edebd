import {
  FROM_MASTER,
  type CommandExecutor,
  type RunOptions,
  type SyncedResult,
  type TimedResult,
} from '../../command/operation/command-executor.js'
import { keysOf } from '../../command/operation/command.js'
import type { Call, Operation } from '../../command/operation/operation.js'
import { unread } from '../../command/operation/replies.js'
import type { Runnable, Script } from '../../command/operation/script.js'
import type { Reply } from '../../connection/connection.js'
import { leftMs } from './client-side-caching.commands.js'
import { keptReadOf } from './kept-reads.js'
import { copyOf, type ReplyCache } from './reply-cache.js'

/** The operations whose replies are left as they are, by those that read them. */
const unreads = new WeakMap<object, Runnable<string, string, Reply>>()

/** Asks Redis for objects whose reads are kept. The objects do not depend on it. */
export class TrackingExecutor implements CommandExecutor {
  readonly isBatch = false
  readonly #executor: CommandExecutor
  readonly #cache: ReplyCache

  constructor(executor: CommandExecutor, cache: ReplyCache) {
    this.#executor = executor
    this.#cache = cache
  }

  async run<K extends string, A extends string, R>(
    operation: Runnable<K, A, R>,
    call: Call<K, A>,
    options: RunOptions = {},
  ): Promise<R> {
    const executor = this.#executor
    if (operation.repeat !== 'safe')
      return await this.#change(operation, call, () => executor.run(operation, call, options))
    const read = keptReadOf(operation, call, options)
    if (read === undefined) return await executor.run(operation, call, options)
    const found = this.#cache.find(read)
    if (found !== undefined) return operation.reply(copyOf(found.reply))
    const how = { ...options, ...FROM_MASTER } // a replica may have what a message has said to be over
    const reply = await this.#cache.read(read, {
      reply: () => executor.run(unreadOf(operation), call, how),
      leftMs: () => executor.run(leftMs, { keys: { key: read.key }, args: {} }, how),
    })
    return operation.reply(reply)
  }

  runTimed<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: Call<K, A>,
    options?: RunOptions,
  ): Promise<TimedResult<R>> {
    return this.#change(script, call, () => this.#executor.runTimed(script, call, options))
  }

  runSynced<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: Call<K, A>,
    replicas: number,
    options?: RunOptions,
  ): Promise<SyncedResult<R>> {
    return this.#change(script, call, () => this.#executor.runSynced(script, call, replicas, options))
  }

  #change<K extends string, T>(
    operation: Operation<K, string, unknown>,
    call: Pick<Call<K, string>, 'keys'>,
    run: () => Promise<T>,
  ): Promise<T> {
    return this.#cache.change(keysOf(operation, call).map(String), run)
  }
}

function unreadOf<K extends string, A extends string>(
  operation: Runnable<K, A, unknown>,
): Runnable<K, A, Reply> {
  const known = unreads.get(operation)
  if (known !== undefined) return known as unknown as Runnable<K, A, Reply>
  const made: Runnable<K, A, Reply> = Object.freeze({ ...operation, reply: unread })
  unreads.set(operation, made)
  return made
}
