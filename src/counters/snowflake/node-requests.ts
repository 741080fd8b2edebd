import type { ObjectContext } from '../../core/context/object-context.js'
import { snowflakeBounds } from '../../core/context/names.js'
import { demandStillWanted } from '../../core/context/still-wanted.js'
import type { IdempotencyIds } from '../../command/once/idempotency-ids.js'
import { SnowflakeLayoutError } from './snowflake.errors.js'
import { mayHaveRun } from '../../errors/transient.js'
import { Layout } from './layout.js'
import type { NodeNumber, TakenNumber } from './node-number.js'
import { noTime } from './no-time.js'
import { acquire, release } from './snowflake.scripts.js'

/** What the reply of {@link acquire} has in the place of a number. */
const ALL_TAKEN = -1
const OTHER_LAYOUT = -2

/** All numbers are taken. */
export interface NoneFree {
  /** When one may be free, in milliseconds. */
  readonly freeInMs: number
}

interface NodeRequestsDeps {
  readonly context: ObjectContext & { readonly requestIds: IdempotencyIds }
  /** The name of the snowflake, as the program gave it. */
  readonly name: string
  readonly key: string
  readonly layout: Layout
}

/** Takes node numbers of one snowflake, and gives them back. */
export class NodeRequests {
  readonly #deps: NodeRequestsDeps
  /** Of a request that may have taken a number although it failed: the next one asks by the same token, and gets that number. */
  #token: string | undefined

  constructor(deps: NodeRequestsDeps) {
    this.#deps = deps
  }

  /**
   * Takes a number, unless all are taken.
   *
   * @param afterMs - its window begins later
   */
  async acquire(afterMs: number): Promise<TakenNumber | NoneFree> {
    const { context, name, layout } = this.#deps
    demandStillWanted(context, undefined)
    const token = this.#token ?? context.requestIds.next()
    this.#token = undefined // it is this request's now: to give it back would take the number from those who get it
    const { result, sentAt } = await this.#ask(token, afterMs)
    const [node, from, until, serverMs, stored] = result
    if (node === ALL_TAKEN) return { freeInMs: until - serverMs }
    if (node === OTHER_LAYOUT)
      throw new SnowflakeLayoutError({ object: name, wanted: bitsOf(layout), stored: Layout.parse(stored) })
    if (node < 0) throw noTime(name, layout)
    return { node, token, from, until, serverMs, sentAt }
  }

  /** Gives a number back, and what an unanswered request may have taken. Never rejects: a number that is not given back is free when its lease ends. */
  async release(number: NodeNumber | undefined): Promise<void> {
    const token = this.#token
    this.#token = undefined
    const releases: Promise<unknown>[] = []
    if (token !== undefined) releases.push(this.#release(token, 0))
    if (number !== undefined) releases.push(this.#release(number.token, number.usedMs))
    await Promise.allSettled(releases)
  }

  async #ask(token: string, afterMs: number) {
    const { context, layout } = this.#deps
    const args = {
      layout: String(layout),
      numbers: layout.numbers,
      first: layout.epochMs,
      last: layout.lastMs,
      token,
      after: afterMs,
      leaseMs: context.config.lockWatchdogTimeoutMs,
    }
    try {
      return await context.executor.runTimed(acquire, { keys: this.#keys, args })
    } catch (error) {
      if (mayHaveRun(error)) this.#token = token
      throw error
    }
  }

  #release(token: string, used: number): Promise<unknown> {
    return this.#deps.context.executor.run(release, { keys: this.#keys, args: { token, used } })
  }

  get #keys() {
    const { key } = this.#deps
    return { hash: key, bounds: snowflakeBounds(key) }
  }
}

function bitsOf({ epochMs, nodeBits, sequenceBits }: Layout) {
  return { epochMs, nodeBits, sequenceBits }
}
