import type { Argument, Command, Connection, Key } from '../../connection/connection.js'
import type { RedissonError } from '../../errors/redisson-error.js'
import { ScriptError, type CommandError, type ReplyErrorOptions } from '../../errors/reply-errors.js'
import { keysOf } from './command.js'
import { errorOfCode, isRefusedScript, mayFailInAnyWords } from './refused-script.js'
import { argumentsOf, commandsIn, REQUEST, UNKNOWN_SOURCE, type Code, type Script } from './script.js'
import type { Call } from './operation.js'
import { says, Transmission, type Send } from './transmission.js'

/** What is known of the servers, and when. */
export type Servers = Pick<Connection, 'opening' | 'publishCommand'>

/** One request to run a script: by its hash, and in full where the server does not know it. */
export class Evaluation<K extends string, A extends string, T> extends Transmission<T> {
  readonly #servers: Servers
  readonly #script: Script<K, A, unknown>
  readonly #call: Call<K, A>

  constructor(deliver: Send<T>, servers: Servers, script: Script<K, A, unknown>, call: Call<K, A>) {
    super(deliver)
    this.#servers = servers
    this.#script = script
    this.#call = call
  }

  override get kind(): 'command' | 'script' {
    return 'script'
  }

  override get sha(): string {
    return this.code.sha
  }

  override get isRepeatable(): boolean {
    return this.#script.repeat !== 'counting' || this.#script.remembers
  }

  override get requestKey(): string {
    const keys: Readonly<Record<string, Key | readonly Key[] | undefined>> = this.#call.keys
    return (keys[REQUEST] ?? '').toString()
  }

  override get name(): string {
    return this.#script.name
  }

  protected get code(): Code {
    return this.#script
  }

  protected override get object(): string | undefined {
    return this.keys[0]?.toString()
  }

  protected override get keys(): readonly Key[] {
    const [, count, ...values] = this.arguments('', 0)
    return values.slice(0, count as number) as Key[]
  }

  protected override get commands(): readonly string[] {
    return commandsIn(this.code.source)
  }

  /** A list after other keys has those that one object needs besides. */
  protected override get isAboutSeveral(): boolean {
    return this.#script.keyParameters[0]?.takes === 'list' && keysOf(this.#script, this.#call).length > 1
  }

  /** The command to publish by has to be known. */
  protected override get opening(): Promise<void> | undefined {
    return this.#servers.opening()
  }

  protected override copy(rememberMs: number): Command {
    return this.#command('evalsha', this.code.sha, rememberMs)
  }

  protected override copyInFull(rememberMs: number): Command {
    return this.#command('eval', this.code.source, rememberMs)
  }

  override asksForAll(error: unknown): boolean {
    return this.code.source !== UNKNOWN_SOURCE && says(error, 'NOSCRIPT No matching script')
  }

  protected override failure(
    { command, cause }: CommandError,
    options: ReplyErrorOptions,
  ): RedissonError | undefined {
    if (!command.startsWith('eval')) return undefined // that of WAIT is its own
    return new ScriptError(this.name, { mayHaveRun: !isRefusedScript(cause), ...options })
  }

  protected override judged(error: unknown): unknown {
    return mayFailInAnyWords(this.#script) ? errorOfCode(error, 'eval') : error
  }

  /** ioredis would obey some words of a cluster, and send the script again. */
  #command(name: string, code: string, rememberMs: number): Command {
    return {
      name: this.#script.readOnly === true ? `${name}_ro` : name,
      args: this.arguments(code, rememberMs),
      inOrder: mayFailInAnyWords(this.#script),
      isRepeatable: this.attempts <= 1 && this.isRepeatable,
    }
  }

  /** What is sent of it. */
  protected arguments(code: string, rememberMs: number): Argument[] {
    const sent = { publish: this.#servers.publishCommand, attempt: this.attempts }
    const values = argumentsOf(code, this.#script, this.#call, sent)
    if (this.#script.remembers) values.push(rememberMs)
    return values
  }
}
