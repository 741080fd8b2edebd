import type { Config } from '../../config/config.js'
import { syncedTimeoutMs } from '../../config/synced-timeout.js'
import type { Apart, Command, Connection, Key, Outcome, Reply } from '../../connection/connection.js'
import { NotReplicatedError } from '../../errors/lock-errors.js'
import { isRedissonError, type RedissonError } from '../../errors/redisson-error.js'
import { isTransient } from '../../errors/transient.js'
import { outcomeOf } from '../../util/outcome-of.js'
import type { BatchRunOptions, BatchSender } from './batch-executor.js'
import { overtakenOf, type Unanswered } from './batch-order.js'
import { ApartPart, AtomicPart, SharedPart, type BatchPart, type EachPart } from './batch-part.js'
import { BatchRepeats, fail } from './batch-repeats.js'
import type { BatchEntry } from './batch-entry.js'
import { inTheEnd } from '../requests/in-the-end.js'
import type { OpenRequests } from '../requests/open-requests.js'
import type { RequestRules } from '../requests/request-rules.js'

/** What the parts of a batch are sent by. */
export interface DeliveryDeps {
  readonly connection: Connection
  readonly config: Config
  readonly rules: RequestRules
  readonly open: OpenRequests
}

/** Sends the parts of a batch, and then those operations again that may be repeated. */
export class BatchDelivery implements BatchSender {
  readonly #connection: Connection
  readonly #config: Config
  readonly #rules: RequestRules
  readonly #repeats: BatchRepeats
  readonly #open: OpenRequests
  readonly #options: BatchRunOptions

  constructor({ connection, config, rules, open }: DeliveryDeps, options: BatchRunOptions) {
    this.#connection = connection
    this.#config = config
    this.#rules = rules
    this.#repeats = new BatchRepeats(config, rules)
    this.#open = open
    this.#options = options
  }

  get attemptMs(): number {
    const { atomic = false, replicas = 0, timeoutMs } = this.#options
    return timeoutMs ?? (atomic || replicas > 0 ? syncedTimeoutMs(this.#config) : this.#config.timeoutMs)
  }

  part(key: Key | undefined): BatchPart {
    const { atomic = false, replicas = 0, timeoutMs } = this.#options
    if (atomic) return new AtomicPart(key)
    if (replicas > 0) return new ApartPart(key, replicas, timeoutMs)
    return new SharedPart(key, this.#connection, timeoutMs)
  }

  async send(part: BatchPart): Promise<unknown> {
    const { entries } = part
    try {
      this.#open.begin()
      try {
        await this.#connection.opening()
        return await (part instanceof AtomicPart ? this.#sendAsOne(part) : this.#sendEach(part))
      } finally {
        this.#open.end()
      }
    } catch (error) {
      for (const entry of entries) entry.fail(inTheEnd(error, entry.request)) // those that have an outcome keep it
      return undefined
    }
  }

  /**
   * What is sent again goes one by one, in order: ioredis asks any node of a cluster while it has lost the right one, so that the first of
   * two writes could come after the second.
   */
  async #sendEach(part: EachPart): Promise<unknown> {
    const apart = part instanceof ApartPart ? part : undefined
    const confirmed = new Confirmations(() => apart, this.#options, this.#config)
    await apart?.find(this.#connection)
    let left = await this.#sendTogether(part, confirmed)
    for (let attempt = 1; left.length > 0; attempt += 1) {
      await this.#rules.pause(attempt - 1)
      await apart?.find(this.#connection)
      left = await this.#sendOneByOne(left, attempt, confirmed)
    }
    return await confirmed.failure()
  }

  /** Returns what is to be sent again. */
  async #sendTogether(part: EachPart, confirmed: Confirmations): Promise<readonly Unanswered[]> {
    const { entries } = part
    const copies = this.#copiesOf(entries)
    const { sent, confirm } = confirmed.of(() => part.sendAll(copies))
    const unanswered = this.#takeAll(entries, await sent)
    if (unanswered.length < entries.length) confirm()
    if (unanswered.length === 0) return []
    const overtaken = overtakenOf(entries, unanswered)
    return unanswered.filter((each) => {
      const may = !overtaken.has(each.entry) && this.#repeats.mayFollow(each)
      if (!may) fail(each)
      return may
    })
  }

  /**
   * Returns what is to be sent again: the first that has failed, and all that come after it.
   *
   * Where one gets no reply, those after it are not sent, so that all of them together take no longer than it. Scripts go in full. Where
   * the server does not know one, as a new master, replicas would be asked for what has not run yet.
   */
  async #sendOneByOne(
    left: readonly Unanswered[],
    attempt: number,
    confirmed: Confirmations,
  ): Promise<readonly Unanswered[]> {
    for (const [index, before] of left.entries()) {
      const { entry } = before
      if (this.#repeats.isForgotten(entry)) {
        fail(before)
        continue
      }
      const { sent, confirm } = confirmed.of(() =>
        entry.request.beginInFull(this.#rememberMs(entry), this.#repeats.forgottenAt(entry)),
      )
      const [now] = this.#takeAll([entry], [await outcomeOf<Reply, RedissonError>(sent)])
      if (now === undefined) {
        confirm()
        continue
      }
      const later = left.slice(index + 1)
      const mayRepeat = this.#rules.isOneLeft(attempt, entry.request, now.error)
      if (mayRepeat && this.#repeats.mayRepeat(now)) return [now, ...later]
      fail(now)
      if (!isSilence(now.error)) continue
      if (mayRepeat) return later
      for (const each of later) fail(each)
      return []
    }
    return []
  }

  /** Sends all of them as one step, again and again while nothing has run, or all of them may be repeated. */
  async #sendAsOne(part: AtomicPart): Promise<unknown> {
    const { entries } = part
    let apart: Apart | undefined
    const confirmed = new Confirmations(() => apart, this.#options, this.#config)
    for (let attempt = 0; ; attempt += 1) {
      if (attempt > 0) await this.#rules.pause(attempt - 1)
      const copies = this.#copiesOf(entries)
      let outcomes: readonly (Outcome | Error)[]
      try {
        const found = await this.#connection.apart(part.key, this.#options.replicas ?? 0)
        apart = found
        await found.demandAtomic()
        this.#repeats.demandRemembered(entries)
        const { sent, confirm } = confirmed.of(() => found.sendAtomic(copies, this.#options.timeoutMs))
        outcomes = await sent
        confirm()
      } catch (error) {
        const [first] = entries
        const isOneLeft = first !== undefined && this.#rules.isOneLeft(attempt, first.request, error)
        if (isOneLeft && this.#repeats.maySendAgain(entries, error)) continue
        outcomes = entries.map(() => error as Error)
      }
      await Promise.all(entries.map((entry, index) => this.#settle(entry, outcomes[index] ?? null)))
      return await confirmed.failure()
    }
  }

  /** The first of a script goes in full, so that nothing that follows overtakes it, unless it is refused before the server has read it. */
  #copiesOf(entries: readonly BatchEntry[]): readonly Command[] {
    const known = new Set<string>()
    const { failFast } = this.#options
    return entries.map((entry) => {
      const { sha } = entry.request
      const isKnown = sha === undefined || known.has(sha)
      if (sha !== undefined) known.add(sha)
      const copy = this.#copyOf(entry, isKnown)
      const { sending } = entry.options
      return failFast === true || sending !== undefined ? { ...copy, failFast, sending } : copy
    })
  }

  #copyOf(entry: BatchEntry, isKnown: boolean): Command {
    const rememberMs = this.#rememberMs(entry)
    return isKnown ? entry.request.nextCopy(rememberMs) : entry.request.nextCopyInFull(rememberMs)
  }

  #rememberMs({ request, options }: BatchEntry): number {
    return options.remember === true || request.attempts > 0 ? this.#rules.lifeMs(options) : 0
  }

  /** Takes the replies to all operations that were answered. Returns the others, in their order. */
  #takeAll(entries: readonly BatchEntry[], outcomes: readonly Outcome[]): readonly Unanswered[] {
    const unanswered: Unanswered[] = []
    for (let index = 0; index < entries.length; index += 1) {
      const [entry, outcome] = [entries[index] as BatchEntry, outcomes[index] ?? null]
      if (!(outcome instanceof Error)) this.#take(entry, outcome)
      else if (entry.request.asksForAll(outcome)) unanswered.push({ entry, error: outcome })
      else {
        const each = { entry, error: entry.request.explain(outcome) }
        if (isTransient(each.error)) unanswered.push(each)
        else {
          this.#rules.ended(entry.request, each.error, entry.options)
          fail(each)
        }
      }
    }
    return unanswered
  }

  /** Reads the reply to an operation. */
  #take(entry: BatchEntry, reply: Reply): void {
    const { request, options, operation } = entry
    try {
      entry.succeed(this.#rules.resultOf(request, operation.reply(reply), options, operation.unchanged))
    } catch (error) {
      entry.fail(inTheEnd(error, request))
    }
  }

  /** Ends an operation of a transaction by what came of it. */
  async #settle(entry: BatchEntry, outcome: Outcome | Error): Promise<void> {
    const { request, options } = entry
    try {
      const reply =
        outcome instanceof Error ? await request.complete(outcome, this.#rules.lifeMs(options)) : outcome
      this.#take(entry, reply)
    } catch (error) {
      entry.fail(inTheEnd(error, request))
    }
  }
}

/** Whether the server has said nothing, so that it may say nothing to what follows. */
function isSilence(error: unknown): boolean {
  return isRedissonError(error, 'CONNECTION_LOST') || isRedissonError(error, 'REPLY_TIMEOUT')
}

/** What replicas say to what was sent. */
class Confirmations {
  readonly #apart: () => Pick<Apart, 'confirmed'> | undefined
  readonly #expected: number
  readonly #timeoutMs: number
  readonly #needed: Promise<unknown>[] = []

  /** @param apart - what is sent over, where replicas are asked; undefined where nothing has to be confirmed */
  constructor(
    apart: () => Pick<Apart, 'confirmed'> | undefined,
    { replicas = 0 }: BatchRunOptions,
    { slavesSyncTimeoutMs }: Config,
  ) {
    this.#apart = apart
    this.#expected = replicas
    this.#timeoutMs = slavesSyncTimeoutMs
  }

  /** Sends something, and has it confirmed. `confirm` is called if that matters, as something has run. */
  of<T>(send: () => Promise<T>): { readonly sent: Promise<T>; readonly confirm: () => void } {
    const apart = this.#apart()
    if (apart === undefined || this.#expected === 0) return { sent: send(), confirm: () => undefined }
    const { sent, replicas } = apart.confirmed(send)
    const shortfall = this.#shortfall(replicas)
    return {
      sent,
      confirm: () => {
        this.#needed.push(shortfall)
      },
    }
  }

  /** Why it is not confirmed; undefined if it is. */
  async failure(): Promise<unknown> {
    const failures = await Promise.all(this.#needed)
    return failures.find((failure) => failure !== undefined)
  }

  /** The error that says that too few have confirmed it, or why they could not be asked; undefined if enough have. */
  async #shortfall(asked: Promise<number>): Promise<unknown> {
    const [expected, timeoutMs] = [this.#expected, this.#timeoutMs]
    try {
      const replicas = await asked
      return replicas >= expected ? undefined : new NotReplicatedError({ replicas, expected, timeoutMs })
    } catch (error) {
      return error
    }
  }
}
