import type { RedissonOptions } from '../../../src/api/redisson-options.js'
import { defineCommand } from '../../../src/command/operation/command.js'
import { ConnectionExecutor } from '../../../src/command/connection-executor.js'
import { nullable, text } from '../../../src/command/operation/replies.js'
import type { Config } from '../../../src/config/config.js'
import { resolveConfig } from '../../../src/config/resolve-config.js'
import type { Connection } from '../../../src/connection/connection.js'
import { createConnection } from '../../../src/connection/create-connection.js'
import { Subscriptions } from '../../../src/pubsub/subscriptions.js'
import { WakeUps } from '../../../src/pubsub/wake-ups.js'
import { Deadline } from '../../../src/util/time/deadline.js'
import { Emitter } from '../../../src/util/emitter.js'
import { waitUntil } from '../../../src/waiting/wait-until.js'

const lpop = defineCommand('LPOP', { keys: ['key'], args: [], reply: nullable(text), repeat: 'counting' })

/** Longer than any test: an element that comes is not found by looking again. */
const NEVER_MS = 600_000

/** Takes elements of lists as a blocking queue does: a change of the key wakes, and a request that runs once pops. */
export class Taking implements AsyncDisposable {
  readonly connection: Connection
  readonly #config: Config
  readonly #executor: ConnectionExecutor
  readonly #wakeUps: WakeUps

  constructor(connection: Connection, config: Config) {
    this.connection = connection
    this.#config = config
    this.#executor = new ConnectionExecutor(connection, config)
    this.#wakeUps = new WakeUps(new Subscriptions(connection.keyChanges), config)
  }

  static async at(options: RedissonOptions): Promise<Taking> {
    const config = resolveConfig(options)
    return new Taking(await createConnection(config, new Emitter()), config)
  }

  /** Takes the first element as soon as there is one; undefined if there is none in time. */
  async take(
    key: string,
    { waitMs, signal }: { readonly waitMs?: number; readonly signal?: AbortSignal } = {},
  ): Promise<string | undefined> {
    const waiter = this.#wakeUps.join(key, () => Infinity)
    try {
      return await waitUntil(waiter, {
        attempt: async () => {
          const element = await this.#executor.run(lpop, { keys: { key }, args: {} }, { exactlyOnce: true })
          return element === undefined ? { done: false, retryInMs: NEVER_MS } : { done: true, value: element }
        },
        deadline: waitMs === undefined ? Deadline.never : Deadline.after(waitMs),
        signal,
        subscriptionTimeoutMs: this.#config.subscriptionTimeoutMs,
      })
    } finally {
      waiter.leave()
    }
  }

  /** Whether Redis tells of the next change of a key. */
  isWaiting(key: string): boolean {
    return this.#wakeUps.isListening(key)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#wakeUps.close()
    await this.#executor.close(Deadline.after(1000))
    await this.connection.close()
  }
}
