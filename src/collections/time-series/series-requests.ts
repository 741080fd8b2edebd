import { demandTurns } from '../../command/operation/command-executor.js'
import { MOST_ENTRIES } from '../../core/arguments/scan-settings.js'
import { sendInTurn } from '../../core/context/parts.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { afterEffect } from '../../errors/after-effect.js'
import { raceAbort } from '../../util/abort/race-abort.js'
import { chunk } from '../../util/collections/chunk.js'
import { identityOf } from '../shared/identity-of.js'
import type { EntryArguments, StoredEntry } from './series-codec.js'
import type { TimeRange } from './timestamps.js'
import * as scripts from './time-series.scripts.js'

/** What Redisson takes for no end: 100 years. */
const NO_END_MS = 100 * 365 * 86_400_000

/** Which end of a range comes first. */
export type Direction = 'forward' | 'reversed'

/** How many entries are removed, how many of those that have ended, and whether they are not wanted. */
interface Amount {
  readonly count: number
  readonly most: number
  readonly silent: 0 | 1
}

type Removal = ReturnType<typeof removal>

/** What a script is given that removes entries at one end of a range. */
export function removal({ min, max }: TimeRange, direction: Direction, amount: Amount) {
  return direction === 'forward'
    ? { command: 'zrangebyscore', start: min, stop: max, ...amount }
    : { command: 'zrevrangebyscore', start: max, stop: min, ...amount }
}

/** Sends the requests about the entries of one series: about 5 000 at a time. */
export class SeriesRequests {
  readonly #requests: ObjectRequests
  readonly #others: { readonly ttl: string }

  /** @param ttl - the key that has the end of each entry */
  constructor(requests: ObjectRequests, ttl: string) {
    this.#requests = requests
    this.#others = { ttl }
  }

  async add(entries: readonly EntryArguments[], ttlMs = NO_END_MS): Promise<void> {
    const add = (part: readonly EntryArguments[]) =>
      this.#requests.ask(scripts.add, { ttlMs, entries: part.flat() }, this.#others)
    await sendInTurn(this.#requests, 'Adding so many entries', chunk(entries, MOST_ENTRIES), add)
  }

  async size(): Promise<number> {
    return await this.#requests.ask(scripts.size, {}, this.#others)
  }

  /** The entries of a range, up to a number of them. */
  async read(range: TimeRange, direction: Direction, most = Infinity): Promise<readonly StoredEntry[]> {
    const found: StoredEntry[] = []
    for await (const page of this.pages(range, direction, { count: MOST_ENTRIES, most }))
      for (const entry of page) found.push(entry)
    return found
  }

  /** The same some at a time. */
  async *pages(
    range: TimeRange,
    direction: Direction,
    { count, most = Infinity, signal }: { count: number; most?: number; signal?: AbortSignal | undefined },
  ): AsyncGenerator<readonly StoredEntry[], void, undefined> {
    let bounds = range
    let after: Buffer | undefined
    const before = new Set<string>()
    for (let left = most; left > 0;) {
      signal?.throwIfAborted()
      const args = {
        direction,
        ...bounds,
        count: Math.min(left, count),
        most: MOST_ENTRIES,
        after: after ?? '',
      }
      const asked = this.#requests.ask(scripts.page, args, this.#others)
      const [record, timestamp, found] = await raceAbort(asked, signal)
      const fresh = found.filter(([each]) => !before.has(identityOf(each)))
      left -= fresh.length
      yield fresh
      if (record === undefined || timestamp === undefined) return
      if (left > 0) this.#demandTurns('Reading')
      // If that entry is removed, the next page begins with those of its timestamp once more.
      after = record
      bounds = { ...bounds, [direction === 'forward' ? 'min' : 'max']: String(timestamp) }
      const ofTimestamp = found.filter(([, each]) => each === timestamp).map(([each]) => identityOf(each))
      if (ofTimestamp.length < found.length) before.clear()
      for (const each of ofTimestamp) before.add(each)
    }
  }

  /** Removes the entries at one end of a range. Those of the end that is asked for come first. */
  async take(range: TimeRange, direction: Direction, count: number): Promise<readonly StoredEntry[]> {
    return (await this.#remove(removal(range, direction, { count, most: MOST_ENTRIES, silent: 0 })))[1]
  }

  /** Removes the entries of a range. Returns how many there were. */
  async remove(range: TimeRange): Promise<number> {
    const args = removal(range, 'forward', { count: MOST_ENTRIES, most: MOST_ENTRIES, silent: 1 })
    let sum = 0
    try {
      for (;;) {
        const [removed] = await this.#remove(args)
        sum += removed
        if (removed < MOST_ENTRIES) return sum
        this.#demandTurns('Removing')
      }
    } catch (error) {
      throw sum > 0 ? afterEffect(error) : error
    }
  }

  /** Asks again where too many had ended. */
  async #remove(args: Removal): Promise<readonly [removed: number, entries: readonly StoredEntry[]]> {
    for (;;) {
      const [ended, removed, entries] = await this.#requests.ask(scripts.remove, args, this.#others)
      if (ended < args.most) return [removed, entries]
      this.#demandTurns('Removing')
    }
  }

  #demandTurns(what: string): void {
    demandTurns(this.#requests, `${what} so many entries`)
  }
}
