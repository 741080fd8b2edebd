import type { Command, Key } from '../../connection/connection.js'
import type { RequestFacts } from '../../errors/connection-errors.js'
import { neededFor, type Needs } from '../../errors/missing-right.js'
import type { RedissonError } from '../../errors/redisson-error.js'
import { CommandError, WrongTypeError, type ReplyErrorOptions } from '../../errors/reply-errors.js'
import { mayHaveBeenSent } from '../../errors/transient.js'

/** Sends a command; returns its reply. */
export type Send<T> = (command: Command) => Promise<T>

/** One request, of which more than one copy may be sent. */
export abstract class Transmission<T> {
  readonly #deliver: Send<T>
  #copies = 0
  /** When the first and the last copy were sent, on the monotonic clock. */
  #startedAt = Infinity
  #sentAt = -Infinity
  #loss: RedissonError | undefined
  #lostSince: number | undefined

  constructor(deliver: Send<T>) {
    this.#deliver = deliver
  }

  /** How many copies were sent. */
  get attempts(): number {
    return this.#copies
  }

  /** The error of the last copy that was sent and whose reply was lost, so that it may have run. */
  get loss(): RedissonError | undefined {
    return this.#loss
  }

  /** When the first copy was sent whose reply was lost, on the monotonic clock; undefined if none was. */
  get lostSince(): number | undefined {
    return this.#lostSince
  }

  /** When the first copy was sent that may have run, on the monotonic clock, now that the last one has its reply. */
  get mayHaveRunSince(): number {
    return this.#lostSince ?? this.#sentAt
  }

  /** What is known of the request so far. */
  get facts(): RequestFacts {
    const { name, object } = this
    return {
      request: object === undefined ? name : `${name} of ${object}`,
      attempts: this.#copies,
      elapsedMs: Math.max(0, performance.now() - this.#startedAt),
      mayHaveRun: this.#loss !== undefined,
    }
  }

  /** Whether it sends a plain command or runs a script. */
  abstract get kind(): 'command' | 'script'

  /** What is asked, such as `lock/acquire`. */
  abstract get name(): string

  /** The hash of its script; undefined where it runs none. */
  get sha(): string | undefined {
    return undefined
  }

  /** Whether another copy may follow one that may have run. */
  abstract get isRepeatable(): boolean

  /** The key under which it is remembered that it has run; empty where there is none. */
  abstract get requestKey(): string

  /** Whether it is remembered from the first copy on, without being asked for. */
  get isKept(): boolean {
    return false
  }

  /** What that is about, which the first key names; undefined where there is none. */
  protected abstract get object(): string | undefined

  /** Whether it is about the names of several objects. */
  protected abstract get isAboutSeveral(): boolean

  /** All keys that are sent. */
  protected abstract get keys(): readonly Key[]

  /** The commands that its script runs, as far as its text shows them; none of a plain command, whose name is known. */
  protected get commands(): readonly string[] {
    return []
  }

  /**
   * Sends a copy. What it rejects with is for {@link Transmission.complete}.
   *
   * @param until - from when on it is not sent any more, on the monotonic clock
   */
  begin(rememberMs: number, until = Infinity): Promise<T> {
    this.#count()
    const { opening } = this
    return opening === undefined
      ? this.#deliver(before(until, this.copy(rememberMs)))
      : opening.then(() => this.#deliver(before(until, this.copy(rememberMs))))
  }

  /** Sends a copy in the form that every server knows. */
  beginInFull(rememberMs: number, until = Infinity): Promise<T> {
    return this.#deliver(before(until, this.nextCopyInFull(rememberMs)))
  }

  /** A copy that is sent at once, together with others. What comes of it is for {@link Transmission.complete}. */
  nextCopy(rememberMs: number): Command {
    this.#count()
    return this.copy(rememberMs)
  }

  /** The same in the form that every server knows. */
  nextCopyInFull(rememberMs: number): Command {
    this.#count()
    return this.copyInFull(rememberMs)
  }

  /** Sends the same copy in another form, if it has one that the server wants; otherwise explains the error. */
  async complete(error: unknown, rememberMs: number, until = Infinity): Promise<T> {
    if (!this.asksForAll(error)) throw this.explain(error)
    try {
      return await this.#deliver(before(until, this.copyInFull(rememberMs)))
    } catch (failure) {
      throw this.explain(failure)
    }
  }

  /** What the program gets to know of an error, unless the request is sent once more. Takes note of a loss. */
  explain(failure: unknown): unknown {
    const error = this.judged(failure)
    if (mayHaveBeenSent(error)) {
      this.#loss = error
      this.#lostSince ??= this.#sentAt
    }
    if (!(error instanceof CommandError)) return error
    const cause = this.said(error.cause)
    const needs = neededFor(cause, this.#needs)
    const mayHaveRun = this.#loss !== undefined || error.mayHaveRun
    const options = mayHaveRun ? { cause, needs, mayHaveRun } : { cause, needs }
    const explained = this.failure(error, options)
    if (explained === undefined) return error
    return cause.message.startsWith('WRONGTYPE')
      ? new WrongTypeError(this.object ?? this.name, { ...options, isOneOfSeveral: this.isAboutSeveral })
      : explained
  }

  /** Takes note that none of its copies has run, and none will. */
  withdrawn(): void {
    this.#loss = undefined
  }

  /** Sends a copy, in whichever form. */
  async send(rememberMs: number, until = Infinity): Promise<T> {
    try {
      return await this.begin(rememberMs, until)
    } catch (error) {
      return await this.complete(error, rememberMs, until)
    }
  }

  /** What has to be waited for before a copy can be made; undefined where there is nothing. */
  protected get opening(): Promise<void> | undefined {
    return undefined
  }

  /** A copy, as it is sent. */
  protected abstract copy(rememberMs: number): Command

  /** The same in a form that every server knows, which may be longer. */
  protected copyInFull(rememberMs: number): Command {
    return this.copy(rememberMs)
  }

  /** Whether an error says that the server does not know the shorter form. */
  asksForAll(_: unknown): boolean {
    return false
  }

  /** The error of a copy: the same one, unless its words mean something else for this request. */
  protected judged(error: unknown): unknown {
    return error
  }

  /** What the server said, without what a script of ours has put before it. */
  protected said(cause: Error): Error {
    return cause
  }

  /** What the server says of the operation itself; undefined where the error is another's. */
  protected abstract failure(error: CommandError, options: ReplyErrorOptions): RedissonError | undefined

  get #needs(): Needs {
    return { keys: this.keys.map(String), commands: this.commands }
  }

  #count(): void {
    this.#sentAt = performance.now()
    if (this.#copies === 0) this.#startedAt = this.#sentAt
    this.#copies += 1
  }
}

/** Makes a command that is not sent after a moment. */
function before(until: number, command: Command): Command {
  return until === Infinity ? command : { ...command, until }
}

/** Whether the server's words begin with this one. */
export function says(error: unknown, prefix: string): boolean {
  return error instanceof CommandError && error.cause.message.startsWith(prefix)
}
