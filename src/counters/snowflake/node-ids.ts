import type { SnowflakeWait } from './snowflake.errors.js'
import { SnowflakeTimeoutError } from './snowflake.errors.js'
import { sameOutage } from '../../core/holds/outage.js'
import type { Patience } from '../../core/arguments/arguments.js'
import { onAbort } from '../../util/abort/abort-listeners.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import { HeldNumber, type HeldNumberDeps } from './held-number.js'
import type { NodeNumber } from './node-number.js'

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
type NodeIdsDeps = HeldNumberDeps & {
  readonly closing: AbortSignal
}

/** The ids of one snowflake in this client: its node number, and the calls that wait, which are served in their order. */
export class NodeIds {
  readonly #name: string
  readonly #closing: AbortSignal
  readonly #held: HeldNumber
  readonly #waiting = new Set<IdRequest>()
  readonly #wakeUp = new AutoResetEvent()
  #isServing = false
  #serving = Promise.resolve()
  /** Whether a number that is taken for the calls that wait is to be given back after them. */
  #isReleased = false

  constructor(deps: NodeIdsDeps) {
    this.#name = deps.name
    this.#closing = deps.closing
    this.#held = new HeldNumber(deps, () => {
      this.#wakeUp.set()
    })
  }

  /** Resolves when no call waits, and nothing is left to be given back. */
  async settled(): Promise<void> {
    await this.#serving
    await this.#held.released
  }

  get node(): number | undefined {
    return this.#held.current?.node
  }

  /** Returns ids in a row of time, at once if there are as many. */
  next(count: number, patience: Patience): bigint[] | Promise<bigint[]> {
    const ids = this.#waiting.size === 0 ? (this.#held.current?.take(count) ?? []) : []
    return ids.length === count ? ids : this.#join({ count, patience, ids, answer: Promise.withResolvers() })
  }

  /** Gives the number back when the millisecond of its last id is over, so that the next holder need not wait. A later call takes one again. */
  release(): Promise<void> {
    this.#isReleased = this.#isServing
    return this.#held.release()
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
    const number = this.#held.current ?? (await this.#take())
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
    const taken = await this.#held.take()
    if (!('freeInMs' in taken)) return taken
    return { waitedFor: 'number', ms: Math.min(Math.max(taken.freeInMs, 1), RECHECK_MS) }
  }

  /** Rejects those that can wait no longer, and lets time go by for the others. */
  async #rest({ waitedFor, ms }: Pause): Promise<void> {
    let restMs = ms
    for (const request of this.#waiting) {
      const { waitMs, deadline } = request.patience
      if (deadline.passed)
        this.#reject(request, new SnowflakeTimeoutError({ object: this.#name, waitedFor, waitMs }))
      else restMs = deadline.within(restMs)
    }
    if (this.#waiting.size === 0) return
    await this.#wakeUp.wait(restMs, waitedFor === 'number' ? this.#closing : undefined)
  }

  #reject(request: IdRequest, error: unknown): void {
    if (!this.#waiting.delete(request)) return
    request.answer.reject(this.#explained(error instanceof Error ? sameOutage(error) : error))
  }

  /** What it means that no number could be taken. */
  #explained(error: unknown): unknown {
    const isOfRequest = error instanceof Error && !(error instanceof SnowflakeTimeoutError)
    return isOfRequest && !this.#closing.aborted ? this.#held.lossBy(error) : error
  }
}
