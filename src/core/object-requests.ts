import type { CommandExecutor, RunOptions } from '../command/operation/command-executor.js'
import type { Call, Named, SentName, ValueNames } from '../command/operation/operation.js'
import type { Runnable } from '../command/operation/script.js'
import type { Argument, Key } from '../connection/connection.js'

type Args<A extends string> = Named<Exclude<A, SentName>, Argument>

/** What an operation is given besides the object's own key; what it does not take may be left out. */
export type Given<A extends string, Others extends string> =
  | readonly [args: Args<A>, others: Named<Others, Key>, options?: RunOptions | undefined]
  | ([ValueNames<Others>] extends [never] ? readonly [args: Args<A>] : never)
  | ([ValueNames<A | Others>] extends [never] ? readonly [] : never)

/** Sends the requests about one object. */
export class ObjectRequests {
  readonly key: string
  readonly #executorOf: () => CommandExecutor
  readonly #options: RunOptions

  /**
   * @param executorOf - asked before each request, so that an object can send first what it holds back
   * @param options - how all of them are made: where an operation that only reads may go, and whether one that changes something takes effect once
   */
  constructor(executorOf: () => CommandExecutor, key: string, options: RunOptions) {
    this.key = key
    this.#executorOf = executorOf
    this.#options = options
  }

  /** Whether nothing is answered before everything was asked. */
  get isBatch(): boolean {
    return this.#executorOf().isBatch
  }

  /** Ends all of them, if there is one. */
  get signal(): AbortSignal | undefined {
    return this.#executorOf().signal
  }

  /** Those about another key, made in the same way. */
  at(key: string): ObjectRequests {
    return new ObjectRequests(this.#executorOf, key, this.#options)
  }

  /**
   * Runs an operation at the object: its first key is that of the object.
   *
   * @param given - its arguments and its other keys by name; then how this one is made, where that differs
   */
  ask<K extends string, A extends string, R, Own extends K>(
    operation: Runnable<K, A, R, Own>,
    ...[args, others, options]: Given<A, Exclude<K, Own>>
  ): Promise<R> {
    const keys = { ...others, [operation.ownKey ?? '']: this.key } as Named<K, Key>
    return this.run(operation, { keys, args: (args ?? {}) as Args<A> }, options)
  }

  /** Runs an operation whose keys are all given. */
  run<K extends string, A extends string, R>(
    operation: Runnable<K, A, R>,
    call: Call<K, A>,
    options?: RunOptions,
  ): Promise<R> {
    const how = options === undefined ? this.#options : { ...this.#options, ...options }
    return this.#executorOf().run(operation, call, how)
  }
}
