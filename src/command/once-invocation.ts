import { CommandError, type ReplyErrorOptions } from '../errors/reply-errors.js'
import { keysOf, wordsOf, type PlainCommand } from './command.js'
import { runCommand } from './command.scripts.js'
import type { Servers } from './evaluation.js'
import { OnceEvaluation, type Once } from './once-evaluation.js'
import type { Call } from './operation.js'
import type { Send } from './transmission.js'

/** One request to run a plain command that remembers its reply for its copies. */
export class OnceInvocation<K extends string, A extends string, T> extends OnceEvaluation<
  '...keys',
  '...words',
  T
> {
  readonly #name: string

  constructor(
    deliver: Send<T>,
    servers: Servers,
    command: PlainCommand<K, A, unknown>,
    call: Call<K, A>,
    once: Once,
  ) {
    const { name, args } = wordsOf(command, call)
    const keys = keysOf(command, call)
    super(deliver, servers, runCommand, { keys: { keys }, args: { words: [name, ...args] } }, once)
    this.#name = command.name
  }

  override get kind(): 'command' | 'script' {
    return 'command'
  }

  override get name(): string {
    return this.#name
  }

  protected override failure(error: CommandError, options: ReplyErrorOptions): CommandError | undefined {
    return super.failure(error, options) && new CommandError(this.#name, options)
  }
}
