import { demandTurns, FROM_ANY_NODE } from '../../command/command-executor.js'
import type { Argument } from '../../connection/connection.js'
import { sendParts, UNTOLD_IN_TURN } from '../../core/parts.js'
import { MOST_ENTRIES } from '../../core/scan-settings.js'
import { chunk } from '../../util/chunk.js'
import { sumOf } from '../../util/sum-of.js'
import type { ObjectAccess } from '../shared/object-access.js'
import * as commands from './scored-sorted-set.commands.js'
import type { EntryArguments } from './scored-codec.js'
import { scoreText } from './scores.js'

/** The commands that give one value a score, and those that give many values theirs. */
type AddCommand = (typeof commands)['add' | 'addIfAbsent' | 'addIfExists' | 'addIfGreater' | 'addIfLess']
type AddAllCommand = (typeof commands)[
  'addAll' | 'addAllIfAbsent' | 'addAllIfExist' | 'addAllIfGreater' | 'addAllIfLess']

/** Gives values of one sorted set their scores, and reads these. */
export class Scoring {
  readonly #access: ObjectAccess

  constructor(access: ObjectAccess) {
    this.#access = access
  }

  async of(values: readonly Argument[]): Promise<(number | undefined)[]> {
    const { executor, key } = this.#access
    const found = await Promise.all(
      chunk(values, MOST_ENTRIES).map((part) =>
        executor.run(commands.scores, { keys: { set: key }, args: { values: part } }, FROM_ANY_NODE),
      ),
    )
    return found.flat()
  }

  async add(command: AddCommand, score: number, value: Argument): Promise<boolean> {
    const { executor, key, run } = this.#access
    const args = { score: scoreText('score', score), value }
    return await executor.run(command, { keys: { set: key }, args }, run)
  }

  /** Returns how many were added or changed. */
  async addAll(command: AddAllCommand, entries: readonly EntryArguments[]): Promise<number> {
    const { executor, key, run } = this.#access
    const parts = chunk(entries, MOST_ENTRIES)
    if (parts.length > 1) demandTurns(executor, `Adding more than ${String(MOST_ENTRIES)} values`)
    const send = (part: readonly EntryArguments[]) =>
      executor.run(command, { keys: { set: key }, args: { entries: part.flat() } }, run)
    return sumOf(await sendParts(parts, send, UNTOLD_IN_TURN))
  }
}
