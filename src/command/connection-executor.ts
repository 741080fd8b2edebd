import pRetry from 'p-retry'
import type { Config } from '../config/config.js'
import type { Connection, Reply, SyncedReply } from '../connection/connection.js'
import { AbortError } from '../errors/client-errors.js'
import { OvertakenError } from '../errors/overtaken.js'
import { demandAllowedRequest } from '../util/refused-calls.js'
import { Deadline } from '../util/time/deadline.js'
import { BatchDelivery } from './batch/batch-delivery.js'
import { BatchExecutor, type BatchRunOptions } from './batch/batch-executor.js'
import { asWaitedFor, whileWaitedFor } from './requests/caller-wait.js'
import type { CommandExecutor, RunOptions, SyncedResult } from './operation/command-executor.js'
import { firstKeyOf, type PlainCommand } from './operation/command.js'
import { withdraw } from './operation/command.scripts.js'
import { DedupCleanup } from './once/dedup-cleanup.js'
import { inTheEnd } from './requests/in-the-end.js'
import { OpenRequests } from './requests/open-requests.js'
import { keptMs } from './once/once-evaluation.js'
import type { Call, Operation } from './operation/operation.js'
import { isTraced, traced } from './requests/request-channel.js'
import { RequestRules } from './requests/request-rules.js'
import { Requests } from './requests/requests.js'
import type { Runnable, Script } from './operation/script.js'
import type { Send, Transmission } from './operation/transmission.js'

/** Sends commands and scripts, and repeats what was lost. */
export class ConnectionExecutor implements CommandExecutor {
  readonly isBatch = false
  readonly #connection: Connection
  readonly #send: Send<Reply>
  readonly #config: Config
  readonly #requests: Requests
  readonly #cleanup: DedupCleanup
  readonly #open: OpenRequests
  readonly #rules: RequestRules
  readonly #client: AbortSignal | undefined

  /**
   * @param client - the signal of the client, to which its objects belong
   * @param behind - the executor whose data this one sends past, and with which it has all else in common
   */
  constructor(connection: Connection, config: Config, client?: AbortSignal, behind?: ConnectionExecutor) {
    this.#connection = connection
    this.#config = config
    this.#client = client
    if (behind !== undefined) {
      this.#send = connection.sendAhead.bind(connection)
      this.#requests = behind.#requests
      this.#cleanup = behind.#cleanup
      this.#open = behind.#open
      this.#rules = behind.#rules
      return
    }
    this.#send = connection.send.bind(connection)
    this.#open = new OpenRequests()
    this.#requests = new Requests(connection, config)
    this.#cleanup = new DedupCleanup(
      (key) => connection.slotOf(key),
      (keys) => connection.send({ name: 'unlink', args: keys }),
    )
    this.#rules = new RequestRules(config, this.#requests, this.#cleanup, this.#open.closing)
  }

  run<K extends string, A extends string, R>(
    operation: Runnable<K, A, R>,
    call: Call<K, A>,
    how: RunOptions = {},
  ): Promise<R> {
    const options = this.#asAsked(operation.name, how)
    const send = this.#routeOf(operation, call, options)
    const request = this.#requests.of(deliveryBy(send, options), operation, call, options)
    return this.#traced(request, operation.reply, options, operation.unchanged)
  }

  /** Sends a plain command to one master of the connection. */
  sendTo<A extends string, R>(
    master: string,
    command: PlainCommand<never, A, R>,
    call: Call<never, A>,
    how: RunOptions = {},
  ): Promise<R> {
    const options = this.#asAsked(command.name, how)
    const send: Send<Reply> = (each) => this.#connection.sendTo(master, each)
    const request = this.#requests.of(deliveryBy(send, options), command, call, options)
    return this.#traced(request, command.reply, options, command.unchanged)
  }

  runTimed<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: Call<K, A>,
    how: RunOptions = {},
  ): Promise<SyncedResult<R>> {
    const options = this.#asAsked(script.name, how)
    const request = this.#requests.of(deliveryBy(this.#send, options), script, call, options)
    const timed = (reply: Reply) => ({
      result: script.reply(reply),
      replicas: 0,
      sentAt: request.mayHaveRunSince,
    })
    return this.#traced(request, timed, options)
  }

  runSynced<K extends string, A extends string, R>(
    script: Script<K, A, R>,
    call: Call<K, A>,
    replicas: number,
    how: RunOptions = {},
  ): Promise<SyncedResult<R>> {
    if (replicas === 0) return this.runTimed(script, call, how)
    const options = this.#asAsked(script.name, how)
    const sendSynced: Send<SyncedReply> = (command) => this.#connection.sendSynced(command, replicas)
    const request = this.#requests.of(deliveryBy(sendSynced, options), script, call, options)
    const confirmed = (synced: SyncedReply) => ({
      result: script.reply(synced.reply),
      replicas: synced.replicas,
      sentAt: request.mayHaveRunSince,
    })
    return this.#traced(request, confirmed, options)
  }

  /** Returns an executor whose requests to masters do not wait behind data that is large for the link: see {@link Connection.sendAhead}. */
  ahead(): CommandExecutor {
    return new ConnectionExecutor(this.#connection, this.#config, this.#client, this)
  }

  /** Returns an executor that collects what it is given, and sends it together. */
  batch(how: BatchRunOptions = {}): BatchExecutor {
    const options = { failFast: this.#config.failFast, ...how }
    const deps = { connection: this.#connection, config: this.#config, rules: this.#rules, open: this.#open }
    const delivery = new BatchDelivery(deps, options)
    return new BatchExecutor(this.#connection, this.#requests, delivery, options)
  }

  /** Resolves when no request is under way, and what follows at once from the last replies has begun; or when the time is over. */
  idle(deadline: Deadline): Promise<void> {
    return this.#open.idle(deadline)
  }

  /** The same, but for as long as large requests or replies move after that time, up to another deadline. */
  async idleOrStill(deadline: Deadline, latest: Deadline): Promise<void> {
    let present = deadline
    while (!this.#open.isIdle && !latest.passed) {
      await this.#open.idle(present)
      const leftMs = this.#connection.hopeUntil - performance.now()
      if (leftMs <= 0) return
      present = Deadline.after(latest.within(leftMs))
    }
  }

  /** Rejects new requests, and waits until the pending ones have their replies, or the time is over. Nothing is repeated any more. */
  async close(deadline: Deadline): Promise<void> {
    this.#open.close()
    await this.idle(deadline)
    if (this.#open.isIdle) await this.#cleanup.flush() // otherwise Redis is silent, and the keys expire by themselves
  }

  /** What is done in the background, such as renewals and releases, goes on while Redis cannot be reached. */
  #asAsked(request: string, options: RunOptions): RunOptions {
    if (this.#client !== undefined) demandAllowedRequest(this.#client)
    if (options.signal?.aborted === true) throw new AbortError(request, { cause: options.signal.reason })
    const waited = asWaitedFor(options)
    const isBackground = options.insistMs !== undefined || options.deadline !== undefined
    const { failFast = this.#config.failFast && !isBackground } = waited
    return failFast ? { ...waited, failFast } : waited
  }

  /** Everything goes to the master, except what only reads, where both its caller and the settings allow another node. */
  #routeOf<K extends string>(
    operation: Operation<K, string, unknown>,
    call: Pick<Call<K, string>, 'keys'>,
    { from }: RunOptions,
  ): Send<Reply> {
    if (from !== 'anyNode' || operation.repeat !== 'safe' || this.#config.readMode === 'MASTER')
      return this.#send
    const key = firstKeyOf(operation, call)
    return key === undefined ? this.#send : (command) => this.#connection.read(command, key)
  }

  #traced<T, R>(
    request: Transmission<T>,
    resultOf: (answer: T) => R,
    options: RunOptions,
    unchanged?: false,
  ): Promise<R> {
    if (isTraced()) return traced(request, () => this.#waitedFor(request, resultOf, options, unchanged))
    return this.#waitedFor(request, resultOf, options, unchanged)
  }

  #waitedFor<T, R>(
    request: Transmission<T>,
    resultOf: (answer: T) => R,
    options: RunOptions,
    unchanged?: false,
  ): Promise<R> {
    return whileWaitedFor(this.#run(request, resultOf, options, unchanged), request, options)
  }

  /**
   * @param unchanged - see {@link Operation.unchanged}
   */
  async #run<T, R>(
    request: Transmission<T>,
    resultOf: (answer: T) => R,
    options: RunOptions,
    unchanged?: false,
  ): Promise<R> {
    this.#open.begin()
    try {
      let answer: T
      try {
        // As nearly always; everything else is left to another promise.
        answer = await request.begin(options.remember === true ? this.#rules.lifeMs(options) : 0)
      } catch (error) {
        answer = await this.#recover(request, error, options)
      }
      return this.#rules.resultOf(request, resultOf(answer), options, unchanged) // a reply that cannot be read is none
    } finally {
      this.#open.end()
    }
  }

  /** Gets a reply although the first copy got an error; an error in the end says what was asked, and how often. */
  async #recover<T>(request: Transmission<T>, failure: unknown, options: RunOptions): Promise<T> {
    try {
      return await this.#sendAgain(request, failure, options)
    } catch (reason) {
      this.#rules.ended(request, reason, options)
      if (options.withdrawable === true && request.isKept && request.loss !== undefined)
        await this.#withdraw(request, options)
      throw inTheEnd(reason, request)
    }
  }

  /**
   * Where Redis cannot be reached for that either, a copy may still run. Where this process was suspended for long, one may have run, and what was
   * kept of it is gone.
   */
  async #withdraw<T>(request: Transmission<T>, options: RunOptions): Promise<void> {
    const { lostSince = -Infinity } = request
    const lastMs = keptMs(this.#rules.lifeMs(options))
    try {
      const call = { keys: { once: request.requestKey }, args: { keptMs: lastMs } }
      const hasNotRun = await this.run(withdraw, call)
      if (hasNotRun && performance.now() < lostSince + lastMs) request.withdrawn()
    } catch {
      // The error of the request says that it may have run.
    }
  }

  async #sendAgain<T>(request: Transmission<T>, failure: unknown, options: RunOptions): Promise<T> {
    try {
      return await request.complete(failure, options.remember === true ? this.#rules.lifeMs(options) : 0)
    } catch (error) {
      const isOvertaken = error instanceof OvertakenError
      if (
        (this.#config.retryAttempts === 0 && options.insistMs === undefined && !isOvertaken) ||
        !this.#rules.mayRepeat(request, error, options)
      )
        throw error
      if (!isOvertaken) await this.#rules.pause(0, options)
      if (!this.#rules.mayRepeat(request, error, options)) throw error
      return await this.#repeat(request, isOvertaken ? 1 : 0, options)
    }
  }

  /** @param more - how many attempts do not count */
  async #repeat<T>(request: Transmission<T>, more: number, options: RunOptions): Promise<T> {
    const mayFollow = (attempt: number, error: unknown) =>
      (options.insistMs !== undefined || this.#rules.isOneLeft(attempt - more, request, error)) &&
      this.#rules.mayRepeat(request, error, options)
    let isOneLeft = false
    return await pRetry(
      () => request.send(this.#rules.lifeMs(options), this.#rules.forgottenAt(request, options)),
      {
        retries: Infinity,
        maxRetryTime: options.insistMs ?? Infinity,
        minTimeout: 0, // the pause is ours
        shouldRetry: ({ error }) => isOneLeft && this.#rules.mayRepeat(request, error, options),
        onFailedAttempt: async ({ error, attemptNumber }) => {
          isOneLeft = mayFollow(attemptNumber, error)
          if (isOneLeft) await this.#rules.pause(attemptNumber, options)
        },
      },
    )
  }
}

/** Sends, but not from that moment on, nor after the end of waiting. What is divisible comes back at once while its keys are at two nodes. */
function deliveryBy<T>(send: Send<T>, options: RunOptions): Send<T> {
  const { until, endOfWaiting, divisible, sending, failFast } = options
  if (
    until === undefined &&
    endOfWaiting === undefined &&
    divisible !== true &&
    sending === undefined &&
    failFast === undefined
  )
    return send
  return (command) =>
    send({
      name: command.name,
      args: command.args,
      until: earlier(command.until, until),
      endOfWaiting,
      sending,
      failFast,
      timeoutMs: command.timeoutMs,
      isRepeatable: command.isRepeatable,
      overtakable: command.overtakable,
      inOrder: divisible ?? command.inOrder,
    })
}

function earlier(one = Infinity, other = Infinity): number | undefined {
  return one === Infinity && other === Infinity ? undefined : Math.min(one, other)
}
