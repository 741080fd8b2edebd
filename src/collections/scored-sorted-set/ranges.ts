import type { ObjectRequests } from '../../core/object-requests.js'
import * as commands from './scored-sorted-set.commands.js'
import type { ScoredBytes } from './scored-reader.js'
import { rangeArguments, type Direction, type GivenRange } from './scores.js'

/** Reads parts of one sorted set, in its order. */
export class Ranges {
  readonly #requests: ObjectRequests

  constructor(requests: ObjectRequests) {
    this.#requests = requests
  }

  /** The entry at a rank, which counts from behind if it is negative. */
  async entryAt(rank: number): Promise<ScoredBytes | undefined> {
    const [found] = await this.entries([rank, rank], 'forward')
    return found
  }

  async values(given: GivenRange, direction: Direction): Promise<readonly Buffer[]> {
    return await this.#requests.ask(commands.range, rangeArguments(given, direction))
  }

  async entries(given: GivenRange, direction: Direction): Promise<readonly ScoredBytes[]> {
    return await this.#requests.ask(commands.rangeEntries, rangeArguments(given, direction))
  }

  /** Stores a part under another key. Returns its size. */
  async store(target: string, given: GivenRange, direction: Direction): Promise<number> {
    const keys = { target, set: this.#requests.key }
    return await this.#requests.run(commands.rangeTo, { keys, args: rangeArguments(given, direction) })
  }
}
