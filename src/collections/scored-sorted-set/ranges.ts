import { FROM_ANY_NODE } from '../../command/command-executor.js'
import type { ObjectAccess } from '../shared/object-access.js'
import * as commands from './scored-sorted-set.commands.js'
import type { ScoredBytes } from './scored-reader.js'
import { rangeArguments, type Direction, type GivenRange } from './scores.js'

/** Reads parts of one sorted set, in its order. */
export class Ranges {
  readonly #access: ObjectAccess

  constructor(access: ObjectAccess) {
    this.#access = access
  }

  /** The entry at a rank, which counts from behind if it is negative. */
  async entryAt(rank: number): Promise<ScoredBytes | undefined> {
    const [found] = await this.entries([rank, rank], 'forward')
    return found
  }

  async values(given: GivenRange, direction: Direction): Promise<readonly Buffer[]> {
    const { executor, key } = this.#access
    const call = { keys: { set: key }, args: rangeArguments(given, direction) }
    return await executor.run(commands.range, call, FROM_ANY_NODE)
  }

  async entries(given: GivenRange, direction: Direction): Promise<readonly ScoredBytes[]> {
    const { executor, key } = this.#access
    const call = { keys: { set: key }, args: rangeArguments(given, direction) }
    return await executor.run(commands.rangeEntries, call, FROM_ANY_NODE)
  }

  /** Stores a part under another key. Returns its size. */
  async store(target: string, given: GivenRange, direction: Direction): Promise<number> {
    const { executor, key, run } = this.#access
    const call = { keys: { target, set: key }, args: rangeArguments(given, direction) }
    return await executor.run(commands.rangeTo, call, run)
  }
}
