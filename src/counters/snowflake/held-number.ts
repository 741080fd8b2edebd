import { setTimeout as sleep } from 'node:timers/promises'
import type { LockLossReason } from '../../errors/lock-errors.js'
import { NodeIdLostError } from './snowflake.errors.js'
import type { NodeNumber, TakenNumber } from './node-number.js'
import type { NodeRequests, NoneFree } from './node-requests.js'
import { ServerClock } from './server-clock.js'

/** What the number of a snowflake is taken and held with. */
export interface HeldNumberDeps {
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
}

/** The node number of one snowflake that this client has, if it has one. */
export class HeldNumber {
  readonly #deps: HeldNumberDeps
  readonly #onLoss: () => void
  #number: NodeNumber | undefined
  /** The number that was lost, until there is another. */
  #lost: Pick<NodeIdLostError, 'object' | 'node' | 'reason'> | undefined
  /** How far the ids of this client are; undefined before the first. */
  #clock: ServerClock | undefined
  /** The millisecond of the last id, of whatever number. */
  #usedMs = 0
  /** Numbers that are given back: the next one is taken after them, so that ids rise. */
  #releasing = Promise.resolve()

  /** @param onLoss - called when the number was lost */
  constructor(deps: HeldNumberDeps, onLoss: () => void) {
    this.#deps = deps
    this.#onLoss = onLoss
  }

  /** Undefined where there is none, or its lease has ended. */
  get current(): NodeNumber | undefined {
    return this.#number?.isHeld === true ? this.#number : undefined
  }

  /** Resolves when nothing is left to be given back. */
  get released(): Promise<void> {
    return this.#releasing
  }

  /** Takes a number, unless none is free. */
  async take(): Promise<NodeNumber | NoneFree> {
    const { requests, numberOf, track } = this.#deps
    await this.#releasing
    const taken = await requests.acquire(this.#usedMs)
    if ('freeInMs' in taken) return taken
    const number = numberOf(taken, this.#clockAt(taken), (reason) => {
      this.#lose(number, reason)
    })
    this.#number = number
    this.#lost = undefined
    track(number)
    return number
  }

  /** Gives the number back when the millisecond of its last id is over, so that the next holder need not wait. */
  release(): Promise<void> {
    const number = this.#number
    this.#number = undefined
    if (number !== undefined) this.#end(number)
    this.#releasing = this.#releasing.then(() => this.#giveBack(number))
    return this.#releasing
  }

  /** The error of a call that got no number because of another error: that a number was lost, if one was. */
  lossBy(cause: Error): Error {
    return this.#lost === undefined ? cause : new NodeIdLostError(this.#lost, { cause })
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

  #clockAt({ serverMs }: TakenNumber): ServerClock {
    const at = performance.now()
    this.#clock ??= new ServerClock(serverMs, at)
    this.#clock.learn(serverMs, at)
    return this.#clock
  }

  #lose(number: NodeNumber, reason: LockLossReason): void {
    if (this.#number !== number) return
    this.#onLoss()
    if (reason === 'closed') return // it is given back when the client closes
    this.#end(number)
    this.#number = undefined
    const why = reason === 'forced' ? 'not-held' : reason
    this.#lost = { object: this.#deps.name, node: number.node, reason: why }
  }
}
