import type { Argument, Command } from '../connection/connection.js'
import { CommandError, ScriptError, WrongTypeError } from '../errors/reply-errors.js'
import { argumentsOf, type Script, type ScriptCall } from './script.js'

/** Sends a command; answers what it is answered. */
export type Send<T> = (command: Command) => Promise<T>

/** One request to run a script, of which more than one copy may be sent. */
export class Evaluation<K extends string, A extends string, T> {
  readonly #send: Send<T>
  readonly #script: Script<K, A, unknown>
  readonly #call: ScriptCall<K, A>
  #copies = 0

  constructor(send: Send<T>, script: Script<K, A, unknown>, call: ScriptCall<K, A>) {
    this.#send = send
    this.#script = script
    this.#call = call
  }

  /** How many copies were sent. */
  get copies(): number {
    return this.#copies
  }

  /** Sends a copy by the hash of the script. What it rejects with is for {@link Evaluation.sendInFull}. */
  sendByHash(rememberMs: number): Promise<T> {
    this.#copies += 1
    return this.#send({ name: 'evalsha', args: this.#arguments(this.#script.sha, rememberMs) })
  }

  /** Sends the same copy with the whole script, if the server did not know it; otherwise explains the error. */
  async sendInFull(error: unknown, rememberMs: number): Promise<T> {
    if (!says(error, 'NOSCRIPT')) throw this.#explain(error)
    try {
      return await this.#send({ name: 'eval', args: this.#arguments(this.#script.source, rememberMs) })
    } catch (failure) {
      throw this.#explain(failure)
    }
  }

  /** Sends a copy, by the hash or in full. */
  async send(rememberMs: number): Promise<T> {
    try {
      return await this.sendByHash(rememberMs)
    } catch (error) {
      return await this.sendInFull(error, rememberMs)
    }
  }

  #arguments(code: string, rememberMs: number): Argument[] {
    const values = argumentsOf(code, this.#script, this.#call)
    if (this.#script.counts) values.push(rememberMs)
    return values
  }

  #explain(error: unknown): unknown {
    if (!(error instanceof CommandError) || !error.command.startsWith('eval')) return error // that of WAIT is its own
    const { cause } = error as { cause: Error }
    const { name } = this.#script
    if (!says(error, 'WRONGTYPE')) return new ScriptError(name, { cause })
    const [, keys, object] = this.#arguments(name, 0)
    return new WrongTypeError(keys === 0 ? name : String(object), { cause })
  }
}

function says(error: unknown, prefix: string): boolean {
  return (
    error instanceof CommandError && error.cause instanceof Error && error.cause.message.startsWith(prefix)
  )
}
