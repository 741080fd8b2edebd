import type { Argument } from '../../connection/connection.js'
import { sendInTurn } from '../../core/context/parts.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { chunk } from '../../util/collections/chunk.js'
import { sumOf } from '../../util/collections/sum-of.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import * as commands from './scored-sorted-set.commands.js'
import type { EntryArguments } from './scored-codec.js'
import { scoreText } from './scores.js'

/** The commands that give one value a score, and those that give many values theirs. */
type AddCommand = (typeof commands)['add' | 'addIfAbsent' | 'addIfExists' | 'addIfGreater' | 'addIfLess']
type AddAllCommand = (typeof commands)[
  'addAll' | 'addAllIfAbsent' | 'addAllIfExist' | 'addAllIfGreater' | 'addAllIfLess']

/** Gives values of one sorted set their scores, and reads these. */
export class Scoring {
  readonly #requests: ObjectRequests

  constructor(requests: ObjectRequests) {
    this.#requests = requests
  }

  async of(values: readonly Argument[]): Promise<(number | undefined)[]> {
    const found = await Promise.all(
      chunk(values, MOST_ENTRIES).map((part) => this.#requests.ask(commands.scores, { values: part })),
    )
    return found.flat()
  }

  async add(command: AddCommand, score: number, value: Argument): Promise<boolean> {
    const args = { score: scoreText('score', score), value }
    return await this.#requests.ask(command, args)
  }

  /** Returns how many were added or changed. */
  async addAll(command: AddAllCommand, entries: readonly EntryArguments[]): Promise<number> {
    const what = `Adding more than ${String(MOST_ENTRIES)} values`
    const send = (part: readonly EntryArguments[]) => this.#requests.ask(command, { entries: part.flat() })
    return sumOf(await sendInTurn(this.#requests, what, chunk(entries, MOST_ENTRIES), send, 'always'))
  }
}
