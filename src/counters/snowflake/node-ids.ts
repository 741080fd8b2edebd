import { setTimeout as sleep } from 'node:timers/promises'
import type { SnowflakeWait } from '../../errors/snowflake-errors.js'
import { NodeIdLostError, SnowflakeTimeoutError } from '../../errors/snowflake-errors.js'
import { sameOutage } from '../../core/outage.js'
import type { Patience } from '../../core/arguments.js'
import { onAbort } from '../../util/abort-listeners.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import type { LockLossReason } from '../../errors/lock-errors.js'
import type { NodeNumber, TakenNumber } from './node-number.js'
import type { NodeRequests } from './node-requests.js'
import { ServerClock } from './server-clock.js'

/** A number that is given back is noticed after this number of milliseconds. */
const RECHECK_MS = 1000

/** A call that waits for ids. */
interface IdRequest {
  readonly count: number
  readonly patience: Patience
  readonly ids: bigint[]
  readonly answer: PromiseWithResolvers<bigint[]>
}

/** What there is to wait for, and how long at most before it is looked at again. */
interface Pause {
  readonly waitedFor: SnowflakeWait
  readonly ms: number
}

/** What these ids are made with. */
interface NodeIdsDeps {
  /** The name of the snowflake, as the program gave it. */
  readonly name: string
  readonly requests: NodeRequests
  readonly numberOf: (
    taken: TakenNumber,
    clock: ServerClock,
    onLost: (reason: LockLossReason) => void,
  ) => NodeNumber
  /** Watches a number, which is lost at once if the client is closed. */
  readonly track: (number: NodeNumber) => void
  /** Does not watch it any more. */
  readonly untrack: (number: NodeNumber) => void
  readonly closing: AbortSignal
}

/** The ids of one snowflake in this client: its node number, and the calls that wait, which are served in their order. */
export class NodeIds {
  readonly #deps: NodeIdsDeps
  readonly #waiting = new Set<IdRequest>()
  readonly #wakeUp = new AutoResetEvent()
  #number: NodeNumber | undefined
  /** The number that was lost, until there is another. */
  #lost: Pick<NodeIdLostError, 'object' | 'node' | 'reason'> | undefined
  /** How far the ids of this client are; undefined before the first. */
  #clock: ServerClock | undefined
  /** The millisecond of the last id, of whatever number. */
  #usedMs = 0
  #isServing = false
  #serving = Promise.resolve()
  /** Numbers that are given back: the next one is taken after them, so that ids rise. */
  #releasing = Promise.resolve()
  /** Whether a number that is taken for the calls that wait is to be given back after them. */
  #isReleased = false

  constructor(deps: NodeIdsDeps) {
    this.#deps = deps
  }

  /** Resolves when no call waits, and nothing is left to be given back. */
  async settled(): Promise<void> {
    await this.#serving
    await this.#releasing
  }

  get node(): number | undefined {
    return this.#held?.node
  }

  /** Returns ids in a row of time, at once if there are as many. */
  next(count: number, patience: Patience): bigint[] | Promise<bigint[]> {
    const ids = this.#waiting.size === 0 ? (this.#held?.take(count) ?? []) : []
    return ids.length === count ? ids : this.#join({ count, patience, ids, answer: Promise.withResolvers() })
  }

  /** Gives the number back when the millisecond of its last id is over, so that the next holder need not wait. A later call takes one again. */
  release(): Promise<void> {
    this.#isReleased = this.#isServing
    const number = this.#number
    this.#number = undefined
    if (number !== undefined) this.#end(number)
    this.#releasing = this.#releasing.then(() => this.#giveBack(number))
    return this.#releasing
  }

  /** None of its ids is handed out from now on, also not by a call that has just taken it. */
  #end(number: NodeNumber): void {
    number.end()
    this.#deps.untrack(number)
    this.#usedMs = Math.max(this.#usedMs, number.usedMs)
  }

  async #giveBack(number: NodeNumber | undefined): Promise<void> {
    while (number !== undefined && number.now === number.usedMs) await sleep(1)
    await this.#deps.requests.release(number)
  }

  get #held(): NodeNumber | undefined {
    return this.#number?.isHeld === true ? this.#number : undefined
  }

  #join(request: IdRequest): Promise<bigint[]> {
    const { answer, patience } = request
    const { signal } = patience
    this.#waiting.add(request)
    const leave = () => {
      this.#waiting.delete(request)
      answer.reject(signal?.reason)
      this.#wakeUp.set()
    }
    if (signal?.aborted === true) leave()
    const stopListening = signal && onAbort(signal, leave)
    if (!this.#isServing) this.#serving = this.#serve()
    return stopListening === undefined ? answer.promise : answer.promise.finally(stopListening)
  }

  /** Serves calls until none waits. Those that wait when a request fails get its error; later ones are served by another request. */
  async #serve(): Promise<void> {
    this.#isServing = true
    while (this.#waiting.size > 0) {
      const served = [...this.#waiting]
      try {
        const pause = await this.#serveNow()
        if (pause !== undefined) await this.#rest(pause)
      } catch (error) {
        for (const request of served) this.#reject(request, error)
      }
    }
    this.#isServing = false
    if (this.#isReleased) void this.release()
  }

  /** Returns for what those wait that are left. */
  async #serveNow(): Promise<Pause | undefined> {
    const number = this.#held ?? (await this.#take())
    if (typeof number === 'object' && 'waitedFor' in number) return number
    for (const request of this.#waiting) {
      request.ids.push(...number.take(request.count - request.ids.length))
      if (request.ids.length < request.count)
        return number.isHeld ? { waitedFor: 'clock', ms: number.pauseMs } : { waitedFor: 'number', ms: 0 }
      this.#waiting.delete(request)
      request.answer.resolve(request.ids)
    }
    return undefined
  }

  async #take(): Promise<NodeNumber | Pause> {
    const { requests, numberOf, track } = this.#deps
    await this.#releasing
    const taken = await requests.acquire(this.#usedMs)
    if ('freeInMs' in taken)
      return { waitedFor: 'number', ms: Math.min(Math.max(taken.freeInMs, 1), RECHECK_MS) }
    const number = numberOf(taken, this.#clockAt(taken), (reason) => {
      this.#lose(number, reason)
    })
    this.#number = number
    this.#lost = undefined
    track(number)
    return number
  }

  #clockAt({ serverMs }: TakenNumber): ServerClock {
    const at = performance.now()
    this.#clock ??= new ServerClock(serverMs, at)
    this.#clock.learn(serverMs, at)
    return this.#clock
  }

  #lose(number: NodeNumber, reason: LockLossReason): void {
    if (this.#number !== number) return
    this.#wakeUp.set()
    if (reason === 'closed') return // it is given back when the client closes
    this.#end(number)
    this.#number = undefined
    const why = reason === 'forced' ? 'not-held' : reason
    this.#lost = { object: this.#deps.name, node: number.node, reason: why }
  }

  /** Rejects those that can wait no longer, and lets time go by for the others. */
  async #rest({ waitedFor, ms }: Pause): Promise<void> {
    let restMs = ms
    for (const request of this.#waiting) {
      const { waitMs, deadline } = request.patience
      if (deadline.passed)
        this.#reject(request, new SnowflakeTimeoutError({ object: this.#deps.name, waitedFor, waitMs }))
      else restMs = deadline.within(restMs)
    }
    if (this.#waiting.size === 0) return
    await this.#wakeUp.wait(restMs, waitedFor === 'number' ? this.#deps.closing : undefined)
  }

  #reject(request: IdRequest, error: unknown): void {
    if (!this.#waiting.delete(request)) return
    request.answer.reject(this.#explained(error instanceof Error ? sameOutage(error) : error))
  }

  /** What it means that no number could be taken. */
  #explained(error: unknown): unknown {
    const isOfRequest = error instanceof Error && !(error instanceof SnowflakeTimeoutError)
    return this.#lost === undefined || !isOfRequest || this.#deps.closing.aborted
      ? error
      : new NodeIdLostError(this.#lost, { cause: error })
  }
}
