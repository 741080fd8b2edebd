import type { RankedEntry } from './scored-sorted-set.api.js'
import { FROM_MASTER, type RunOptions } from '../../command/operation/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { afterEffect } from '../../errors/after-effect.js'
import { isRedissonError, type RedissonError } from '../../errors/redisson-error.js'
import { CommandError } from '../../errors/reply-errors.js'
import { chunk } from '../../util/collections/chunk.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import * as commands from './scored-sorted-set.commands.js'
import * as scripts from './scored-sorted-set.scripts.js'
import { scoreText } from './scores.js'
import type { EntryArguments } from './scored-codec.js'
import type { Scoring } from './scoring.js'

/** The command that finds a rank: from the front, or from behind. */
export type RankCommand = 'zrank' | 'zrevrank'

/** Finds the ranks of values of one sorted set. */
export class Ranks {
  readonly #requests: ObjectRequests
  readonly #scoring: Scoring

  constructor(requests: ObjectRequests, scoring: Scoring) {
    this.#requests = requests
    this.#scoring = scoring
  }

  async of(command: typeof commands.rank, value: Argument): Promise<number | undefined> {
    return await this.#requests.ask(command, { value })
  }

  async entryOf(rank: RankCommand, value: Argument): Promise<RankedEntry | undefined> {
    const found = await this.#requests.ask(scripts.rankEntry, { rank, value })
    return found && { rank: found[0], score: found[1] }
  }

  /** The ranks of many values from behind. */
  async revRanks(values: readonly Argument[], options?: RunOptions): Promise<(number | undefined)[]> {
    const found = await Promise.all(
      chunk(values, MOST_ENTRIES).map((part) =>
        this.#requests.ask(scripts.revRanks, { values: part }, {}, options),
      ),
    )
    return found.flat()
  }

  async afterAdd(rank: RankCommand, score: number, value: Argument): Promise<number> {
    const args = { rank, score: scoreText('score', score), value }
    return await this.#requests.ask(scripts.addAndGetRank, args)
  }

  async afterAddScore(rank: RankCommand, value: Argument, delta: number): Promise<number> {
    const args = { rank, delta: scoreText('delta', delta), value }
    const ranked = this.#requests.ask(scripts.addScoreAndGetRank, args)
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
      // A replica may still lack what was added.
      const ranks = this.revRanks(values, FROM_MASTER).catch((error: unknown) => {
        throw afterEffect(error)
      })
      return (await ranks) as number[] // they have just been added
    }
    return await this.#requests.ask(scripts.addAllAndGetRevRank, { entries: entries.flat() })
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
