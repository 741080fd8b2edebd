import { demandTurns, FROM_MASTER } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { sendInTurn } from '../../core/context/parts.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { chunk } from '../../util/collections/chunk.js'
import { sumOf } from '../../util/collections/sum-of.js'
import { inParts } from '../shared/in-parts.js'
import * as scripts from './set-cache.scripts.js'

/** Of values that are added only then: what has to be there, or when it has to end; empty for any. */
export type Condition = 'absent' | 'present' | 'less' | 'greater' | ''

/** A value to add, and after how many milliseconds it ends; 0 for never. */
export type NewValue = readonly [ttlMs: number, value: Argument]

/** The commands that store what they make of sets, with the options that follow the names: which end a value of several sets has. */
const STORING = {
  union: ['zunionstore', ['AGGREGATE', 'MAX']],
  diff: ['zdiffstore', []],
  intersection: ['zinterstore', ['AGGREGATE', 'MIN']],
} as const

/** Those that only return it. */
const READING = { union: 'zunion', diff: 'zdiff', intersection: 'zinter' } as const

export type Combination = keyof typeof STORING

/** Sends the requests about the values of one set cache: about 5 000 at a time. */
export class SetCacheRequests {
  readonly #requests: ObjectRequests

  constructor(requests: ObjectRequests) {
    this.#requests = requests
  }

  /** Returns whether any value is new; with a condition, whether any met it. */
  async add(condition: Condition, values: readonly NewValue[]): Promise<boolean> {
    const script = condition === 'absent' ? scripts.addAbsent : scripts.add
    const add = (part: readonly NewValue[]) => this.#requests.ask(script, { condition, entries: part.flat() })
    return (await this.#inParts(values, add)).includes(true)
  }

  /** Returns how many. */
  async addCounted(condition: Condition, values: readonly NewValue[]): Promise<number> {
    const add = (part: readonly NewValue[]) =>
      this.#requests.ask(scripts.addCounted, { condition, entries: part.flat() })
    return sumOf(await this.#inParts(values, add))
  }

  tryAdd(values: readonly NewValue[]): Promise<boolean> {
    return this.#requests.ask(scripts.tryAdd, { entries: values.flat() })
  }

  async contains(values: readonly Argument[]): Promise<boolean[]> {
    const parts = chunk(values, MOST_ENTRIES)
    const look = (part: readonly Argument[]) => this.#requests.ask(scripts.contains, { values: part })
    return (await Promise.all(parts.map(look))).flat()
  }

  async remove(what: string, values: readonly Argument[]): Promise<boolean> {
    return (await inParts(this.#requests, scripts.remove, what, values)).includes(true)
  }

  async removeCounted(what: string, values: readonly Argument[]): Promise<number> {
    return sumOf(await inParts(this.#requests, scripts.removeCounted, what, values))
  }

  size(): Promise<number> {
    return this.#requests.ask(scripts.size)
  }

  random(count: number): Promise<readonly Buffer[]> {
    return this.#swept(() => this.#requests.ask(scripts.random, { count }, {}, FROM_MASTER))
  }

  /** Returns the size of what was stored. */
  store(what: Combination, others: readonly string[]): Promise<number> {
    const [command, options] = STORING[what]
    const isWithoutItself = what === 'diff' && others.includes(this.#requests.key, 1)
    const script = isWithoutItself ? scripts.storeWithoutItself : scripts.store
    return this.#swept(() => this.#requests.ask(script, { command, options }, { others }))
  }

  combine(what: Combination, others: readonly string[]): Promise<readonly Buffer[]> {
    const args = { command: READING[what], options: [] }
    return this.#swept(() => this.#requests.ask(scripts.combine, args, { others }, FROM_MASTER))
  }

  /** @param limit - where the counting ends; 0 for nowhere */
  countIntersection(others: readonly string[], limit: number): Promise<number> {
    const args = { command: 'zintercard', options: ['LIMIT', limit] }
    return this.#swept(() => this.#requests.ask(scripts.count, args, { others }, FROM_MASTER))
  }

  /** Asks until no value is left that has ended. */
  async #swept<R>(ask: () => Promise<R | undefined>): Promise<R> {
    for (;;) {
      const found = await ask()
      if (found !== undefined) return found
      demandTurns(this.#requests, 'Reading where so many values have ended')
    }
  }

  async #inParts<R>(
    values: readonly NewValue[],
    send: (part: readonly NewValue[]) => Promise<R>,
  ): Promise<readonly R[]> {
    const what = `Adding more than ${String(MOST_ENTRIES)} values`
    return await sendInTurn(this.#requests, what, chunk(values, MOST_ENTRIES), send)
  }
}
