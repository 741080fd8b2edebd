import type {
  AggregateOptions,
  CountIntersectionOptions,
  SetNames,
} from '../../api/collections/scored-sorted-set.js'
import { FROM_ANY_NODE } from '../../command/command-executor.js'
import { valuesOf } from '../../core/entries.js'
import { demandSupported } from '../../core/unsupported.js'
import type { ObjectAccess } from '../shared/object-access.js'
import * as commands from './scored-sorted-set.commands.js'
import type { ScoredBytes } from './scored-reader.js'
import { countLimit } from './scored-set-options.js'
import { combiningClauses, demandSources, sourcesOf } from './set-sources.js'

/** Makes one sorted set of several. */
export class Combinations {
  readonly #access: ObjectAccess
  readonly #keyOf: (name: string) => string

  /**
   * @param access - the set for which it is done
   * @param keyOf - the key of another set; it throws if that is not in the same slot
   */
  constructor(access: ObjectAccess, keyOf: (name: string) => string) {
    this.#access = access
    this.#keyOf = keyOf
  }

  /** Stores what others make. Returns its size. */
  async store(
    command: typeof commands.union,
    names: SetNames,
    options: AggregateOptions = {},
  ): Promise<number> {
    const { executor, key, run } = this.#access
    const sources = sourcesOf(names)
    const clauses = combiningClauses(sources, options)
    demandSources(sources)
    const keys = { set: key, sets: sources.map(({ name }) => this.#keyOf(name)) }
    return await executor.run(command, { keys, args: { clauses } }, run)
  }

  /** Stores the first of others without the values of the rest. Returns its size. */
  async storeDiff(names: Iterable<string>): Promise<number> {
    const { executor, key, run } = this.#access
    const sets = this.#keysOf(names)
    demandSources(sets)
    return await executor.run(commands.diff, { keys: { set: key, sets }, args: {} }, run)
  }

  /** What this set, with weight 1, and others make. */
  async read(
    command: typeof commands.readUnion,
    names: SetNames,
    options: AggregateOptions = {},
  ): Promise<readonly ScoredBytes[]> {
    const { executor, key } = this.#access
    const others = sourcesOf(names)
    const clauses = combiningClauses([{ weight: 1 }, ...others], options)
    const sets = [key, ...others.map(({ name }) => this.#keyOf(name))]
    return await executor.run(command, { keys: { sets }, args: { clauses } }, FROM_ANY_NODE)
  }

  /** This set without the values of others. */
  async readDiff(names: Iterable<string>): Promise<readonly ScoredBytes[]> {
    const { executor, key } = this.#access
    const sets = [key, ...this.#keysOf(names)]
    return await executor.run(commands.readDiff, { keys: { sets }, args: {} }, FROM_ANY_NODE)
  }

  /** How many values are in this set and in all others. */
  async countIntersection(names: Iterable<string>, options: CountIntersectionOptions = {}): Promise<number> {
    const { executor, key } = this.#access
    const sets = [key, ...this.#keysOf(names)]
    const call = { keys: { sets }, args: { limit: countLimit(options) } }
    const counted = executor.run(commands.countIntersection, call, FROM_ANY_NODE)
    return await demandSupported(counted, 'countIntersection()', 'Redis 7')
  }

  #keysOf(names: Iterable<string>): string[] {
    return valuesOf('names', names).map((name) => this.#keyOf(name))
  }
}
