import type { Config } from '../../config/config.js'
import { requestLifeMs } from '../../config/request-life.js'
import type { Connection } from '../../connection/connection.js'
import type { RunOptions } from '../operation/command-executor.js'
import { keysOf, type PlainCommand } from '../operation/command.js'
import { Evaluation } from '../operation/evaluation.js'
import { Invocation } from './invocation.js'
import { OnceEvaluation, type Once } from '../once/once-evaluation.js'
import { OnceInvocation } from '../once/once-invocation.js'
import { OnceKeys } from '../once/once-keys.js'
import type { Call, Operation } from '../operation/operation.js'
import { isScript, type Runnable, type Script } from '../operation/script.js'
import type { Send, Transmission } from '../operation/transmission.js'

/** Makes requests of operations, with an idempotency key where that was asked for. */
export class Requests {
  readonly #connection: Connection
  readonly #config: Config
  readonly #onceKeys: OnceKeys

  constructor(connection: Connection, config: Config) {
    this.#connection = connection
    this.#config = config
    this.#onceKeys = new OnceKeys((key) => connection.slotOf(key))
  }

  of<K extends string, A extends string, T>(
    deliver: Send<T>,
    operation: Runnable<K, A, unknown>,
    call: Call<K, A>,
    options: RunOptions,
  ): Transmission<T> {
    return isScript(operation)
      ? this.#ofScript(deliver, operation, call, options)
      : this.#ofCommand(deliver, operation, call, options)
  }

  /** Longer than any copy of a request may still be under way, or still be sent, in milliseconds. */
  lifeMs(options: RunOptions): number {
    const { insistMs = 0, repeatableMs = 0 } = options
    return requestLifeMs(this.#config, this.attemptMs(options)) + insistMs + repeatableMs
  }

  /** For how long a copy of a request may be under way, in milliseconds. */
  attemptMs({ timeoutMs = 0 }: RunOptions): number {
    return Math.max(timeoutMs, this.#config.timeoutMs)
  }

  #ofCommand<K extends string, A extends string, T>(
    deliver: Send<T>,
    command: PlainCommand<K, A, unknown>,
    call: Call<K, A>,
    options: RunOptions,
  ): Transmission<T> {
    if (!carriesKey(command, options)) return new Invocation(deliver, command, call)
    return new OnceInvocation(deliver, this.#connection, command, call, this.#once(command, call, options))
  }

  #ofScript<K extends string, A extends string, T>(
    deliver: Send<T>,
    script: Script<K, A, unknown>,
    call: Call<K, A>,
    options: RunOptions,
  ): Transmission<T> {
    if (script.remembers || !carriesKey(script, options))
      return new Evaluation(deliver, this.#connection, script, call)
    return new OnceEvaluation(deliver, this.#connection, script, call, this.#once(script, call, options))
  }

  #once<K extends string>(
    operation: Operation<K, string, unknown>,
    call: Pick<Call<K, string>, 'keys'>,
    options: RunOptions,
  ): Once {
    return { key: this.#onceKeys.next(keysOf(operation, call)[0]), lifeMs: this.lifeMs(options) }
  }
}

function carriesKey({ repeat }: Operation<string, string, unknown>, { exactlyOnce }: RunOptions): boolean {
  return exactlyOnce === true && repeat !== 'safe'
}
