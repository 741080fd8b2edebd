import type { Argument } from '../../connection/connection.js'
import { Evaluation, type Servers } from '../operation/evaluation.js'
import keepLua from '../lua/keep.lua'
import onceLua from '../lua/once.lua'
import type { Call } from '../operation/operation.js'
import { shaOf, type Code, type Script } from '../operation/script.js'
import type { Send } from '../operation/transmission.js'

/** For how long a reply is kept at least, in milliseconds. */
const KEPT_MS = 60_000

/** What makes a request one that has its effect once. */
export interface Once {
  /** The key under which the reply is kept, in the slot of the request's own keys. */
  readonly key: string
  /** For how long copies may still be under way, in milliseconds. */
  readonly lifeMs: number
}

/** For how long a reply is kept of which copies may be under way for some time, in milliseconds. */
export function keptMs(lifeMs: number): number {
  return Math.max(lifeMs, KEPT_MS)
}

/** What stands before the error of a request that has begun: see `keep.lua`. */
const BEGUN = /^FAILED /

/** The codes of scripts that keep their replies, by what they were before. */
const codes = new WeakMap<Code, Code>()

/** One request to run a script that remembers its reply for its copies, for any script. */
export class OnceEvaluation<K extends string, A extends string, T> extends Evaluation<K, A, T> {
  readonly #script: Script<K, A, unknown>
  readonly #key: string
  readonly #keptMs: number

  constructor(
    deliver: Send<T>,
    servers: Servers,
    script: Script<K, A, unknown>,
    call: Call<K, A>,
    { key, lifeMs }: Once,
  ) {
    super(deliver, servers, script, call)
    this.#script = script
    this.#key = key
    this.#keptMs = keptMs(lifeMs)
  }

  override get isRepeatable(): boolean {
    return true
  }

  override get isKept(): boolean {
    return true
  }

  override get requestKey(): string {
    return this.#key
  }

  protected override get object(): string | undefined {
    const object = super.object
    return object === this.#key ? undefined : object
  }

  protected override get code(): Code {
    let once = codes.get(this.#script)
    if (once === undefined) {
      once = onceOf(this.#script)
      codes.set(this.#script, once)
    }
    return once
  }

  /** All errors of the script itself say that it has begun, whatever its words are. */
  protected override judged(error: unknown): unknown {
    return error
  }

  protected override said(cause: Error): Error {
    return BEGUN.test(cause.message) ? withMessage(cause, cause.message.replace(BEGUN, '')) : cause
  }

  protected override arguments(code: string): Argument[] {
    const values = super.arguments(code, 0)
    const keys = values[1] as number
    values.splice(2 + keys, 0, this.#key)
    values[1] = keys + 1
    values.push(this.#keptMs)
    return values
  }
}

/** The code of a script that keeps its replies. The script comes first, so that it has its own lines, and finds no local names of ours. */
export function onceOf({
  source,
  ofProgram = false,
}: Pick<Script<string, string, unknown>, 'source' | 'ofProgram'>): Code {
  const begin = `local request = function(...) ${source}\nend\nlocal isOfProgram = ${String(ofProgram)}`
  const once = `${begin}\n${onceLua}\n${keepLua}`
  return { source: once, sha: shaOf(once) }
}

/** The same error of a server, with another message. */
function withMessage({ name }: Error, message: string): Error {
  const error = new Error(message)
  error.name = name
  return error
}
