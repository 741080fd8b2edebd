import type { RankedEntry } from '../../api/collections/scored-sorted-set.js'
import { FROM_ANY_NODE, type RunOptions } from '../../command/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { MOST_ENTRIES } from '../../core/scan-settings.js'
import { afterEffect } from '../../errors/after-effect.js'
import { isRedissonError, type RedissonError } from '../../errors/redisson-error.js'
import { CommandError } from '../../errors/reply-errors.js'
import { chunk } from '../../util/chunk.js'
import type { ObjectAccess } from '../shared/object-access.js'
import * as commands from './scored-sorted-set.commands.js'
import * as scripts from './scored-sorted-set.scripts.js'
import { scoreText } from './scores.js'
import type { EntryArguments } from './scored-codec.js'
import type { Scoring } from './scoring.js'

/** The command that finds a rank: from the front, or from behind. */
export type RankCommand = 'zrank' | 'zrevrank'

/** A replica may still lack what was added. */
const FROM_MASTER: RunOptions = Object.freeze({ from: 'master' })

/** Finds the ranks of values of one sorted set. */
export class Ranks {
  readonly #access: ObjectAccess
  readonly #scoring: Scoring

  constructor(access: ObjectAccess, scoring: Scoring) {
    this.#access = access
    this.#scoring = scoring
  }

  async of(command: typeof commands.rank, value: Argument): Promise<number | undefined> {
    const { executor, key } = this.#access
    return await executor.run(command, { keys: { set: key }, args: { value } }, FROM_ANY_NODE)
  }

  async entryOf(rank: RankCommand, value: Argument): Promise<RankedEntry | undefined> {
    const { executor, key } = this.#access
    const call = { keys: { set: key }, args: { rank, value } }
    const found = await executor.run(scripts.rankEntry, call, FROM_ANY_NODE)
    return found && { rank: found[0], score: found[1] }
  }

  /** The ranks of many values from behind. */
  async revRanks(
    values: readonly Argument[],
    options: RunOptions = FROM_ANY_NODE,
  ): Promise<(number | undefined)[]> {
    const { executor, key } = this.#access
    const found = await Promise.all(
      chunk(values, MOST_ENTRIES).map((part) =>
        executor.run(scripts.revRanks, { keys: { set: key }, args: { values: part } }, options),
      ),
    )
    return found.flat()
  }

  async afterAdd(rank: RankCommand, score: number, value: Argument): Promise<number> {
    const { executor, key, run } = this.#access
    const args = { rank, score: scoreText('score', score), value }
    return await executor.run(scripts.addAndGetRank, { keys: { set: key }, args }, run)
  }

  async afterAddScore(rank: RankCommand, value: Argument, delta: number): Promise<number> {
    const { executor, key, run } = this.#access
    const args = { rank, delta: scoreText('delta', delta), value }
    const ranked = executor.run(scripts.addScoreAndGetRank, { keys: { set: key }, args }, run)
    return await ranked.catch((error: unknown) => {
      throw hasNoSum(error) ? new CommandError('ZINCRBY', { cause: error.cause }) : error
    })
  }

  /** The ranks from behind. More than one request can have are added first, and then looked up. */
  async afterAddAll(entries: readonly EntryArguments[]): Promise<number[]> {
    if (entries.length === 0) return []
    if (entries.length > MOST_ENTRIES) {
      await this.#scoring.addAll(commands.addAll, entries)
      const values = entries.map(([, value]) => value)
      const ranks = this.revRanks(values, FROM_MASTER).catch((error: unknown) => {
        throw afterEffect(error)
      })
      return (await ranks) as number[] // they have just been added
    }
    const { executor, key, run } = this.#access
    const call = { keys: { set: key }, args: { entries: entries.flat() } }
    return await executor.run(scripts.addAllAndGetRevRank, call, run)
  }
}

/** Whether Redis has refused to add, and so changed nothing. */
function hasNoSum(error: unknown): error is RedissonError & { readonly cause: Error } {
  return (
    isRedissonError(error, 'SCRIPT') &&
    error.cause instanceof Error &&
    /resulting score is not a number/.test(error.cause.message)
  )
}
