import type { Key, Reply } from '../../connection/connection.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import type { RunOptions } from '../operation/command-executor.js'
import { keysOf } from '../operation/command.js'
import type { Call, Operation } from '../operation/operation.js'
import type { Transmission } from '../operation/transmission.js'

/** What is done, and at which keys. */
export interface BatchEntryDeps {
  readonly operation: Operation<string, string, unknown>
  readonly call: { readonly keys: object }
  readonly options: RunOptions
}

/** One operation of a batch. Its promise settles with all others of the batch, when the last of them has an outcome. */
export class BatchEntry {
  readonly request: Transmission<Reply>
  readonly operation: BatchEntryDeps['operation']
  readonly options: RunOptions
  readonly #call: BatchEntryDeps['call']
  readonly #settling = Promise.withResolvers<unknown>()
  #state: 'open' | 'succeeded' | 'failed' = 'open'
  #outcome: unknown

  constructor(request: Transmission<Reply>, { operation, call, options }: BatchEntryDeps) {
    this.request = request
    this.operation = operation
    this.#call = call
    this.options = options
  }

  /** The keys that it is about, in a form that can be compared. */
  get keys(): readonly string[] {
    const { keys } = this.#call as Pick<Call<string, string>, 'keys'>
    return keysOf(this.operation, { keys }).map(comparable)
  }

  /** These keys, and those that its result depends on besides. */
  get dependencies(): readonly string[] {
    return [...this.keys, ...(this.options.dependsOn ?? []).map(comparable)]
  }

  /** Whether the reply to a copy was lost, so that it may have run. */
  get isLost(): boolean {
    return this.request.loss !== undefined
  }

  /** Whether Redis may have run it, as far as is known by now, if it has a {@link RunOptions.sending}. */
  get mayHaveRun(): boolean {
    if (this.isLost || this.options.sending?.sent === true) return true
    return isRedissonError(this.#outcome) && this.#outcome.mayHaveRun
  }

  /** Whether the server knows the reply to an earlier copy. */
  get isKept(): boolean {
    return this.request.isKept
  }

  get changes(): boolean {
    return this.operation.repeat !== 'safe'
  }

  /** Whether it makes its change again when it is sent again. */
  get isIdempotent(): boolean {
    return this.operation.repeat === 'idempotent' && !this.isKept
  }

  /** Whether neither its change nor its result depends on what was there before. */
  get overwrites(): boolean {
    return this.isIdempotent && this.operation.overwrites === true
  }

  get promise(): Promise<unknown> {
    return this.#settling.promise
  }

  succeed(result: unknown): void {
    this.#end('succeeded', result)
  }

  fail(error: unknown): void {
    this.#end('failed', error)
  }

  /** Settles the promise. A rejection is heard even if the program does not: a handler of each promise from the start would be one more. */
  settle(): void {
    const { promise, resolve, reject } = this.#settling
    if (this.#state === 'succeeded') {
      resolve(this.#outcome)
      return
    }
    promise.catch(() => undefined)
    reject(this.#outcome)
  }

  /** The first outcome counts. */
  #end(state: 'succeeded' | 'failed', outcome: unknown): void {
    if (this.#state !== 'open') return
    this.#state = state
    this.#outcome = outcome
  }
}

function comparable(key: Key): string {
  return Buffer.from(key as string).toString('latin1')
}
