import type { AggregateOptions, CountIntersectionOptions, SetNames } from './scored-sorted-set.api.js'
import { valuesOf } from '../../core/entries.js'
import { demandSupported } from '../../core/unsupported.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import * as commands from './scored-sorted-set.commands.js'
import type { ScoredBytes } from './scored-reader.js'
import { countLimit } from './scored-set-options.js'
import { combiningClauses, demandSources, sourcesOf } from './set-sources.js'

/** Makes one sorted set of several. */
export class Combinations {
  readonly #requests: ObjectRequests
  readonly #keyOf: (name: string) => string

  /**
   * @param requests - the set for which it is done
   * @param keyOf - the key of another set; it throws if that is not in the same slot
   */
  constructor(requests: ObjectRequests, keyOf: (name: string) => string) {
    this.#requests = requests
    this.#keyOf = keyOf
  }

  /** Stores what others make. Returns its size. */
  async store(
    command: typeof commands.union,
    names: SetNames,
    options: AggregateOptions = {},
  ): Promise<number> {
    const sources = sourcesOf(names)
    const clauses = combiningClauses(sources, options)
    demandSources(sources)
    const sets = sources.map(({ name }) => this.#keyOf(name))
    return await this.#requests.ask(command, { clauses }, { sets })
  }

  /** Stores the first of others without the values of the rest. Returns its size. */
  async storeDiff(names: Iterable<string>): Promise<number> {
    const sets = this.#keysOf(names)
    demandSources(sets)
    return await this.#requests.ask(commands.diff, {}, { sets })
  }

  /** What this set, with weight 1, and others make. */
  async read(
    command: typeof commands.readUnion,
    names: SetNames,
    options: AggregateOptions = {},
  ): Promise<readonly ScoredBytes[]> {
    const others = sourcesOf(names)
    const clauses = combiningClauses([{ weight: 1 }, ...others], options)
    const sets = [this.#requests.key, ...others.map(({ name }) => this.#keyOf(name))]
    return await this.#requests.run(command, { keys: { sets }, args: { clauses } })
  }

  /** This set without the values of others. */
  async readDiff(names: Iterable<string>): Promise<readonly ScoredBytes[]> {
    const sets = [this.#requests.key, ...this.#keysOf(names)]
    return await this.#requests.run(commands.readDiff, { keys: { sets }, args: {} })
  }

  /** How many values are in this set and in all others. */
  async countIntersection(names: Iterable<string>, options: CountIntersectionOptions = {}): Promise<number> {
    const sets = [this.#requests.key, ...this.#keysOf(names)]
    const call = { keys: { sets }, args: { limit: countLimit(options) } }
    const counted = this.#requests.run(commands.countIntersection, call)
    return await demandSupported(counted, 'countIntersection()', 'Redis 7')
  }

  #keysOf(names: Iterable<string>): string[] {
    return valuesOf('names', names).map((name) => this.#keyOf(name))
  }
}
