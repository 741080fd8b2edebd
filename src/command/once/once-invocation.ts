import { CommandError, type ReplyErrorOptions } from '../../errors/reply-errors.js'
import { keysOf, wordsBeforeList, wordsOf, type PlainCommand } from '../operation/command.js'
import { runCommand, runCommandInParts } from '../operation/command.scripts.js'
import type { Servers } from '../operation/evaluation.js'
import { OnceEvaluation, type Once } from './once-evaluation.js'
import type { Call } from '../operation/operation.js'
import type { Send } from '../operation/transmission.js'

/** Lua hands no more values than these to a function. */
const MOST_WORDS = 7_999

/** One request to run a plain command that remembers its reply for its copies. */
export class OnceInvocation<K extends string, A extends string, T> extends OnceEvaluation<
  '...keys',
  '...words',
  T
> {
  readonly #name: string

  /** @throws RangeError for a command that is too long for a script, and cannot be run in parts */
  constructor(
    deliver: Send<T>,
    servers: Servers,
    command: PlainCommand<K, A, unknown>,
    call: Call<K, A>,
    once: Once,
  ) {
    const { name, args } = wordsOf(command, call)
    const words = [name, ...args]
    const isLong = words.length > MOST_WORDS
    if (isLong) {
      if (command.addsUp !== true) throw tooLong(command.name, words.length, 'with `exactlyOnce`')
      words.push(wordsBeforeList(command, call))
    }
    const script = isLong ? runCommandInParts : runCommand
    super(deliver, servers, script, { keys: { keys: keysOf(command, call) }, args: { words } }, once)
    this.#name = command.name
  }

  override get kind(): 'command' | 'script' {
    return 'command'
  }

  override get name(): string {
    return this.#name
  }

  protected override get commands(): readonly string[] {
    return [this.#name, ...super.commands]
  }

  protected override failure(error: CommandError, options: ReplyErrorOptions): CommandError | undefined {
    return super.failure(error, options) && new CommandError(this.#name, options)
  }
}

/**
 * The error of a command that is too long for a script, and cannot be run in parts.
 *
 * @param where - why a script has to run it
 */
function tooLong(name: string, words: number, where: string): RangeError {
  return new RangeError(`Expected ${name} to have at most ${MOST_WORDS} words ${where}, got ${words}`)
}

/** @throws RangeError for a command that is too long for a script */
export function demandShort(name: string, words: number, where: string): void {
  if (words > MOST_WORDS) throw tooLong(name, words, where)
}
