import { tracingChannel } from 'node:diagnostics_channel'
import type { Cluster, Redis } from 'ioredis'
import { ClientClosedError } from '../../errors/client-errors.js'
import { ConnectionLostError, ReplyTimeoutError } from '../../errors/connection-errors.js'
import { NotSentError } from '../../errors/not-sent.js'
import { OvertakenError } from '../../errors/overtaken.js'
import { isRedissonError, RedissonError } from '../../errors/redisson-error.js'
import { onAbort } from '../../util/abort/abort-listeners.js'
import { afterRunning } from '../../util/time/after-running.js'
import { outcomeOf } from '../../util/outcome-of.js'
import { AT_ONCE_MS, isBehindLargeReply } from './congestion.js'
import type { Argument, Command, Outcome, Reply, Sending } from '../connection.js'
import { CLOSED } from '../login/failure.js'
import type { Failures } from '../login/failures.js'
import { isReply, saysReplica, translateError, translateReply } from '../login/ioredis-errors.js'
import { destinationOf, placeOf } from '../node/node-link.js'
import { OverdueWaiters, type OverdueWaiter } from './overdue-waiters.js'
import { Request } from './request.js'
import { isQueued, QUEUED } from './shared-guard.js'
import { onSocketTimeout } from '../node/socket-timeout.js'

/** Commands that wait for their replies until the same moment. */
interface Waiter extends OverdueWaiter {
  readonly redis: Cluster | Redis
  /** When their time is over, on the monotonic clock. It is extended while their connection makes progress. */
  overdueAt: number
  /** Whether their time was extended. */
  isPatient: boolean
  /** Undefined once all of them have settled. */
  requests: readonly Request[] | undefined
}

/** Holds the node that several commands go to, once ioredis has chosen it for the first. Then ioredis follows no redirection. */
interface OneNode {
  readonly slot: number
  redis: Redis | undefined
}

interface SendAllOptions {
  readonly timeoutMs?: number | undefined
  /** For a cluster; undefined if each command may go to another node. */
  readonly node?: OneNode | undefined
}

/** The channel on which ioredis reports commands to subscribers, for as long as the promise of each is pending. */
const ioredisChannel = tracingChannel('ioredis:command')

/**
 * The commands that have no reply yet.
 *
 * ioredis leaves some of them pending for ever: those in the queue of a cluster that has no slots yet, or of a connection that is closed
 * while it reconnects. Here each command settles: with its reply, when its time is over, or on close.
 */
export class PendingCommands {
  readonly #timeoutMs: number
  readonly #failures: Failures
  readonly #shared: boolean
  readonly #waiters = new OverdueWaiters<Waiter>((waiter) => {
    this.#judge(waiter)
  })
  /** Waiters that are overdue, but whose connections make progress. */
  readonly #patient = new OverdueWaiters<Waiter>((waiter) => {
    this.#judge(waiter)
  })
  /** Stops the timer that looks for requests which large replies keep waiting. Undefined while there can be none. */
  #stopLooking: (() => void) | undefined
  #closed = false
  /** The pending commands of other timeouts, as far as they may still be in use. */
  readonly #others = new Map<number, PendingCommands>()

  /**
   * @param timeoutMs - how long each command may wait while its connection makes no progress
   * @param failures - knows why there is no connection, if there is none
   * @param shared - whether the connections belong to the program, which alone may drop them
   */
  constructor(timeoutMs: number, failures: Failures, shared = false) {
    this.#timeoutMs = timeoutMs
    this.#shared = shared
    this.#failures = failures
  }

  /** Sends a command. The promise rejects only with errors of ours. */
  send(
    redis: Cluster | Redis,
    command: Command,
    overdueAt = performance.now() + (command.timeoutMs ?? this.#timeoutMs),
    node?: OneNode,
  ): Promise<Reply> {
    const { name, args, endOfWaiting, timeoutMs = this.#timeoutMs, inOrder = false, sending } = command
    if (this.#closed || endOfWaiting?.aborted === true) return Promise.reject(new ClientClosedError())
    if (timeoutMs !== this.#timeoutMs) return this.#within(timeoutMs).send(redis, command, overdueAt, node)
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const onSettled = (outcome: Outcome): void => {
      this.#forget(waiter)
      if (outcome instanceof RedissonError) {
        if (isRedissonError(outcome, 'SERVER_NOT_READY')) request.refuse(outcome)
        reject(outcome)
      } else resolve(outcome)
    }
    const request = new Request(name, args as Argument[], onSettled, command, overdueAt - timeoutMs)
    if (sending !== undefined) this.#inform(sending, redis, request)
    const waiter = this.#waitFor([request], redis, overdueAt)
    request.promise = promise
    this.#submit(redis, request, inOrder, node)
    if (request.overtakable) this.#overtakeLater()
    if (endOfWaiting !== undefined && !request.sent) endUnsent(request, promise, endOfWaiting)
    return promise
  }

  /** Sends commands in order. Resolves with the outcome of each, when all have settled. */
  sendAll(
    redis: Cluster | Redis,
    commands: readonly Command[],
    { timeoutMs = this.#timeoutMs, node }: SendAllOptions = {},
  ): Promise<readonly Outcome[]> {
    if (timeoutMs !== this.#timeoutMs && !this.#closed)
      return this.#within(timeoutMs).sendAll(redis, commands, { timeoutMs, node })
    if (this.#closed || commands.length === 0 || ioredisChannel.hasSubscribers)
      return this.#sendEach(redis, commands, node)
    const { promise, resolve } = Promise.withResolvers<readonly Outcome[]>()
    const outcomes = new Array<Outcome>(commands.length)
    let open = commands.length
    const since = performance.now()
    const requests = commands.map((command, index) => {
      const onSettled = (outcome: Outcome): void => {
        outcomes[index] = outcome
        open -= 1
        if (open > 0) return
        this.#forget(waiter)
        resolve(outcomes)
      }
      return new Request(command.name, command.args as Argument[], onSettled, command, since)
    })
    const waiter = this.#waitFor(requests, redis, since + timeoutMs)
    for (const request of requests) this.#submit(redis, request, true, node)
    return promise
  }

  /**
   * Sends commands in order that make sense only together: either all of them are cancelled, or none.
   *
   * @param timeoutMs - how long their replies may take; undefined for the default
   */
  sendTogether(
    redis: Redis,
    commands: readonly Command[],
    timeoutMs = this.#timeoutMs,
  ): readonly Promise<Reply>[] {
    const overdueAt = performance.now() + timeoutMs
    return commands.map((command) => this.send(redis, { ...command, timeoutMs }, overdueAt))
  }

  /**
   * Settles what was sent over a connection that has ended. If ioredis must not send it again, it may keep it for ever:
   * see `autoResendUnfulfilledCommands`.
   */
  settleCut(): void {
    for (const { redis, requests = [] } of [...this.#waiters, ...this.#patient])
      for (const request of requests)
        if (request.isCut) request.settle(this.#explain(new Error(CLOSED), redis, request))
    for (const other of this.#others.values()) other.settleCut()
  }

  /** Until when a reply may still come, on the monotonic clock, if no pause of its connection is longer than the timeout. */
  get hopeUntil(): number {
    let until = -Infinity
    for (const { requests = [] } of [...this.#waiters, ...this.#patient])
      for (const request of requests)
        if (!request.isSettled) until = Math.max(until, request.hopeUntil(this.#timeoutMs))
    return Math.max(until, ...Array.from(this.#others.values(), (other) => other.hopeUntil))
  }

  /** Sends nothing more, and rejects all pending commands. */
  close(): void {
    this.#closed = true
    this.#stopLooking?.()
    for (const { requests = [] } of [...this.#waiters.clear(), ...this.#patient.clear()])
      for (const request of requests)
        request.settle(new ClientClosedError(undefined, { mayHaveRun: request.sent }))
    for (const other of this.#others.values()) other.close()
  }

  /** The same as {@link PendingCommands.sendAll}, with a promise for each command. */
  #sendEach(
    redis: Cluster | Redis,
    commands: readonly Command[],
    node: OneNode | undefined,
  ): Promise<readonly Outcome[]> {
    const overdueAt = performance.now() + this.#timeoutMs
    return Promise.all(
      commands.map((command) =>
        outcomeOf<Reply, RedissonError>(this.send(redis, { ...command, inOrder: true }, overdueAt, node)),
      ),
    )
  }

  #waitFor(requests: readonly Request[], redis: Cluster | Redis, overdueAt: number): Waiter {
    const waiter: Waiter = {
      redis,
      overdueAt,
      isPatient: false,
      requests,
      previous: undefined,
      next: undefined,
    }
    this.#waiters.add(waiter)
    return waiter
  }

  /** @param inOrder - whether it settles if a cluster is not ready for it, instead of being sent again to any node */
  #submit(redis: Cluster | Redis, request: Request, inOrder: boolean, node?: OneNode): void {
    const answer = (reply: Reply): void => {
      request.replied()
      if (this.#shared && isQueued(reply)) fail(new ConnectionLostError(QUEUED))
      else if (request.cameTooLate) fail(new NotSentError('It could not be sent to Redis in time'))
      else request.settle(request.transformReply(reply as Buffer))
    }
    const fail = (error: Error): void => {
      if (isReply(error)) request.replied()
      if (!this.#shared && saysReplica(error)) request.leaveConnection()
      request.settle(this.#explain(error, redis, request))
    }
    if (request.failFast && this.#failIfDown(redis, request)) return
    // Functions that are written where they are assigned would outlive the command: V8 makes them in its old generation.
    request.resolve = answer
    request.reject = fail
    void redis.sendCommand(request, undefined, node)
    if (redis.isCluster) noteRefusals(redis, request, inOrder ? fail : undefined)
  }

  /** Settles unsent requests that do not wait for a server that cannot be reached. */
  failWaiting(): void {
    for (const { redis, requests = [] } of this.#waiters)
      for (const request of requests)
        if (request.failFast && !request.isSettled && !request.sent) this.#failIfDown(redis, request)
    for (const other of this.#others.values()) other.failWaiting()
  }

  /** Settles a request if the last attempt to connect to its server has failed. */
  #failIfDown(redis: Cluster | Redis, request: Request): boolean {
    const outage = this.#failures.outage(redis, destinationOf(redis, request))
    if (outage === undefined) return false
    request.giveUp()
    request.settle(outage)
    return true
  }

  /** Gives up requests that a copy is to overtake. One timer serves all of them, for as long as there are some. */
  #overtakeLater(): void {
    this.#stopLooking ??= afterRunning(AT_ONCE_MS, () => {
      this.#stopLooking = undefined
      let isOneLeft = false
      for (const { redis, requests = [] } of [...this.#waiters, ...this.#patient])
        for (const request of requests) {
          if (!request.overtakable || request.isSettled) continue
          if (isBehindLargeReply(request))
            request.settle(new OvertakenError(placeOf(redis, request), AT_ONCE_MS))
          else isOneLeft = true
        }
      if (isOneLeft) this.#overtakeLater()
    })
  }

  /** Tells callers that wait for a request where its last copy goes. */
  #inform(sending: Sending, redis: Cluster | Redis, request: Request): void {
    sending.place = placeOf(redis, request)
    const unreachable = () => this.#unreachable(redis, request)
    sending.unreachable = unreachable // V8 would make a function that is written here in its old generation, with all that it refers to
  }

  /** Returns the pending commands of another timeout. They are kept apart, because here the first one is overdue first. */
  #within(timeoutMs: number): PendingCommands {
    for (const [known, other] of this.#others)
      if (known !== timeoutMs && other.#isEmpty) this.#others.delete(known)
    let other = this.#others.get(timeoutMs)
    if (other === undefined) {
      other = new PendingCommands(timeoutMs, this.#failures, this.#shared)
      this.#others.set(timeoutMs, other)
    }
    return other
  }

  get #isEmpty(): boolean {
    return this.#waiters.isEmpty && this.#patient.isEmpty
  }

  /** Gives up overdue commands, except those whose connections make progress: what is ahead of them may be large. */
  #judge(waiter: Waiter): void {
    const { redis, requests = [] } = waiter
    const now = performance.now()
    let next = Infinity
    for (const request of requests) {
      if (request.isSettled) continue
      const until = request.hopeUntil(this.#timeoutMs)
      if (until > now) next = Math.min(next, until)
      else this.#giveUpOne(request, redis)
    }
    if (next === Infinity) {
      this.#forget(waiter)
      return
    }
    waiter.overdueAt = next
    waiter.isPatient = true
    this.#patient.add(waiter)
  }

  /**
   * Settles a command before its silent connection is dropped. So the error says that there was no reply, and not that the connection was lost.
   */
  #giveUpOne(request: Request, redis: Cluster | Redis): void {
    request.giveUp()
    const { sent } = request
    const late = new ReplyTimeoutError(placeOf(redis, request), this.#timeoutMs, { mayHaveRun: sent })
    request.settle(sent ? late : (this.#unreachable(redis, request) ?? request.refusal ?? late))
    if (!this.#shared) request.dropConnection(onSocketTimeout(this.#timeoutMs))
  }

  /** Converts an error. What could not be sent has not run, whatever error ioredis has for it. */
  #explain(error: Error, redis: Cluster | Redis, command: Request): RedissonError {
    const unreachable = command.sent || isReply(error) ? undefined : this.#unreachable(redis, command)
    if (unreachable !== undefined) return unreachable
    const address = placeOf(redis, command)
    return translateError(error, command.name, { address, failures: this.#failures, sent: command.sent })
  }

  #unreachable(redis: Cluster | Redis, command: Request): RedissonError | undefined {
    return this.#failures.unreachable(destinationOf(redis, command))
  }

  /**
   * Removes a waiter from its list, and its references to its requests.
   *
   * V8 may have moved the waiter to its old generation by now. All that it refers to would be moved there as well, and stay until the whole
   * heap is collected: most of a request.
   */
  #forget(waiter: Waiter): void {
    if (waiter.isPatient) this.#patient.delete(waiter)
    else this.#waiters.delete(waiter)
    waiter.requests = undefined
  }
}

/** Settles a request that waits for a connection when its reply is no longer awaited. */
function endUnsent(request: Request, promise: Promise<Reply>, endOfWaiting: AbortSignal): void {
  const stopListening = onAbort(endOfWaiting, () => {
    if (request.sent) return
    request.giveUp()
    request.settle(new ClientClosedError())
  })
  promise.then(stopListening, stopListening)
}

/**
 * The error codes after which ioredis sends a command again to any node of a cluster, whatever was sent since. A slot that has moved is
 * followed in order.
 */
const NOT_READY = /^(?:TRYAGAIN|CLUSTERDOWN) /

/** The error codes of a node that has not run a command, because another one serves its key. */
const REDIRECTED = /^(?:MOVED|ASK) /

/**
 * Tells a request when a node of a cluster has not run it. ioredis then sends it again, unless there is no connection to its destination,
 * or the caller stops waiting before.
 *
 * @param fail - rejects a request that must not be sent again to a cluster that is not ready
 */
function noteRefusals(redis: Cluster | Redis, request: Request, fail?: (error: Error) => void): void {
  const follow = request.reject
  const reject = (error: Error): void => {
    const words = isReply(error) ? error.message : ''
    if (REDIRECTED.test(words)) request.redirected()
    if (!NOT_READY.test(words)) follow(error)
    else if (fail !== undefined) fail(error)
    else {
      request.refuse(translateReply(error, request.name, placeOf(redis, request)))
      follow(error)
    }
  }
  request.reject = reject // V8 would make a function that is written here in its old generation
}
