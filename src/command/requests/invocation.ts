import type { Command, Key } from '../../connection/connection.js'
import { CommandError, type ReplyErrorOptions } from '../../errors/reply-errors.js'
import { keysOf, wordsOf, type PlainCommand } from '../operation/command.js'
import type { Call } from '../operation/operation.js'
import { errorOfCode, mayFailInAnyWords } from '../operation/refused-script.js'
import { Transmission, type Send } from '../operation/transmission.js'

/** One request to run a plain command. */
export class Invocation<K extends string, A extends string, T> extends Transmission<T> {
  readonly #command: PlainCommand<K, A, unknown>
  readonly #call: Call<K, A>

  constructor(deliver: Send<T>, command: PlainCommand<K, A, unknown>, call: Call<K, A>) {
    super(deliver)
    this.#command = command
    this.#call = call
  }

  override get kind(): 'command' | 'script' {
    return 'command'
  }

  override get isRepeatable(): boolean {
    return this.#command.repeat !== 'counting'
  }

  override get requestKey(): string {
    return ''
  }

  override get name(): string {
    return this.#command.name
  }

  protected override get object(): string | undefined {
    return this.keys[0]?.toString()
  }

  protected override get isAboutSeveral(): boolean {
    return this.keys.length > 1
  }

  protected override get keys(): readonly Key[] {
    return keysOf(this.#command, this.#call)
  }

  protected override copy(): Command {
    const command = wordsOf(this.#command, this.#call)
    return mayFailInAnyWords(this.#command) ? { ...command, inOrder: true } : command
  }

  protected override judged(error: unknown): unknown {
    return mayFailInAnyWords(this.#command) ? errorOfCode(error, this.name) : error
  }

  protected override failure(_: CommandError, options: ReplyErrorOptions): CommandError {
    return new CommandError(this.name, options)
  }
}
