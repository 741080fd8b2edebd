import type { Connection, Key, Reply } from '../../connection/connection.js'
import { NotInBatchError } from '../../errors/batch-errors.js'
import { CrossSlotError } from '../../errors/client-errors.js'
import { BatchEntry } from './batch-entry.js'
import type { BatchPart } from './batch-part.js'
import { notSent } from '../requests/caller-wait.js'
import type { CommandExecutor, RunOptions, SyncedResult, TimedResult } from '../operation/command-executor.js'
import { firstKeyOf } from '../operation/command.js'
import type { Call } from '../operation/operation.js'
import { isTraced, traced } from '../requests/request-channel.js'
import type { Requests } from '../requests/requests.js'
import type { Runnable } from '../operation/script.js'
import type { Send, Transmission } from '../operation/transmission.js'

/** How a batch is made. */
export interface BatchRunOptions extends Pick<RunOptions, 'exactlyOnce' | 'failFast'> {
  /** Whether all of it runs as one step. */
  readonly atomic?: boolean
  /** How many replicas have to confirm it. */
  readonly replicas?: number
  /** How long each reply may take, in milliseconds; undefined for what is usual. */
  readonly timeoutMs?: number | undefined
  /** Whether its caller may stop waiting: see {@link BatchExecutor.giveUp}. */
  readonly mayBeGivenUp?: boolean
}

/** Makes the parts of a batch, and sends them. */
export interface BatchSender {
  /** How long the reply to each copy may take, in milliseconds. */
  readonly attemptMs: number
  /** @param key - the first key of the part, which says where it is sent; undefined for what has no key */
  part(key: Key | undefined): BatchPart
  /** Sends what was collected. Never rejects. Resolves with the error that says why too few replicas have confirmed it, if they have not. */
  send(part: BatchPart): Promise<unknown>
}

/** Stands for the slot of what has no key. */
const ANY_SLOT = -1

/**
 * Collects the operations of a batch, and sends them together: those of one slot in their order, those of different slots side by side.
 *
 * No promise that it has returned ends the process when it rejects unheard: those that the program waits for reject.
 */
export class BatchExecutor implements CommandExecutor {
  readonly isBatch = true
  readonly #connection: Connection
  readonly #requests: Requests
  readonly #sender: BatchSender
  readonly #options: BatchRunOptions
  readonly #parts = new Map<number, BatchPart>()
  #count = 0
  #sealed = false
  /** Whether Redis may have run any of what is settled. */
  #hasRun = false

  constructor(
    connection: Connection,
    requests: Requests,
    sender: BatchSender,
    options: BatchRunOptions = {},
  ) {
    this.#connection = connection
    this.#requests = requests
    this.#sender = sender
    this.#options = options
  }

  /** How many requests it has collected. */
  get count(): number {
    return this.#count
  }

  run<K extends string, A extends string, R>(
    operation: Runnable<K, A, R>,
    call: Call<K, A>,
    options: RunOptions = {},
  ): Promise<R> {
    const all = this.#optionsOf(options)
    const part = this.#partOf(firstKeyOf(operation, call))
    const request = this.#requests.of(deliveryOf(part, all), operation, call, all)
    return this.#add(part, new BatchEntry(request, { operation, call, options: all })) as Promise<R>
  }

  runTimed<R>(): Promise<TimedResult<R>> {
    return Promise.reject(new NotInBatchError('A request that takes something for a time'))
  }

  runSynced<R>(): Promise<SyncedResult<R>> {
    return Promise.reject(new NotInBatchError('A request that waits for replicas'))
  }

  /** Refuses whatever comes from now on. */
  seal(): void {
    this.#sealed = true
  }

  /** @throws {@link CrossSlotError} for an atomic batch that would have to run at several places */
  demandOnePlace(): void {
    if (this.#options.atomic !== true) return
    const [first, second] = [...this.#parts.values()].map(({ key }) => key)
    if (first !== undefined && second !== undefined)
      throw new CrossSlotError(String(second), String(second), String(first))
  }

  /** Sends nothing, and rejects everything that was collected. */
  abandon(reason: unknown): void {
    this.seal()
    for (const { entries } of this.#parts.values()) for (const entry of entries) entry.fail(reason)
    this.#settle()
  }

  /**
   * Sends what was collected. Resolves when every operation has an outcome, with the error that says why too few replicas have confirmed what
   * was written, if they have not. All promises settle at once then, so that no other event comes between them.
   */
  async execute(): Promise<unknown> {
    this.seal()
    const parts = [...this.#parts.values()]
    const unconfirmed = await Promise.all(parts.map((part) => this.#sender.send(part)))
    this.#hasRun = this.#options.mayBeGivenUp === true && this.#entries.some((entry) => entry.mayHaveRun)
    this.#settle()
    return unconfirmed.find((error) => error !== undefined)
  }

  /** Cancels the requests that were not sent yet. Returns whether Redis may have run any of the batch. */
  giveUp(): boolean {
    const entries = this.#entries
    for (const { options } of entries) if (options.sending !== undefined) options.sending.over = true
    return this.#hasRun || entries.some((entry) => entry.mayHaveRun)
  }

  /** Those that are not settled. */
  get #entries(): readonly BatchEntry[] {
    return [...this.#parts.values()].flatMap((part) => part.entries)
  }

  #optionsOf(options: RunOptions): RunOptions {
    const { failFast, mayBeGivenUp } = this.#options
    const own = mayBeGivenUp === true ? { ...options, sending: notSent() } : options
    const all = failFast === true ? { ...own, failFast } : own
    const exactlyOnce = this.#options.exactlyOnce === true || options.exactlyOnce === true
    return exactlyOnce ? { ...all, exactlyOnce, timeoutMs: this.#sender.attemptMs } : all
  }

  #add(part: BatchPart, entry: BatchEntry): Promise<unknown> {
    const { request, promise } = entry
    if (this.#sealed)
      return Promise.reject(new NotInBatchError(`${request.name} after the batch was complete`))
    this.#count += 1
    part.entries.push(entry)
    return isTraced() ? tracedInBatch(request, promise) : promise
  }

  /** Settles all promises, and lets go of the operations: V8 may have made the list of them in its old generation, where it stays for long. */
  #settle(): void {
    for (const { entries } of this.#parts.values()) for (const entry of entries.splice(0)) entry.settle()
  }

  #partOf(key: Key | undefined): BatchPart {
    const slot = key === undefined ? ANY_SLOT : this.#connection.slotOf(key)
    let part = this.#parts.get(slot)
    if (part === undefined) {
      part = this.#sender.part(key)
      this.#parts.set(slot, part)
    }
    return part
  }
}

function deliveryOf(part: BatchPart, { sending }: RunOptions): Send<Reply> {
  return sending === undefined ? part.deliver : (command) => part.deliver({ ...command, sending })
}

function tracedInBatch<R>(request: Transmission<Reply>, promise: Promise<R>): Promise<R> {
  const promised = traced(request, () => promise)
  promised.catch(() => undefined)
  return promised
}
