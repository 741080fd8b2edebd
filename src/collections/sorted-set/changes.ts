import { demandTurns } from '../../command/operation/command-executor.js'
import { partsTogether, sendParts } from '../../core/context/parts.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { afterEffect } from '../../errors/after-effect.js'
import { chunk } from '../../util/collections/chunk.js'
import { sumOf } from '../../util/collections/sum-of.js'
import { demandComparable, type Elements, type Form } from './elements.js'
import * as scripts from './sorted-set.scripts.js'
import type { Held, Turns } from './turns.js'

/** How many values one request compares and moves: each of them takes a walk through the list. */
const MOST_MOVED = 100

/**
 * How many elements a request about several values may come by on those walks: Redis takes some 40 ms for them. Of the elements with which it compares
 * values it may read four bytes for each of these steps.
 */
const MOST_STEPS = 1_000_000

/** Where it would be more, the next request has this part of the values. */
const FEWER = 10

/** What a change is given. */
interface ChangeArgs {
  readonly held: Held
  readonly form: Form
  readonly most: number | ''
  readonly elements: readonly Buffer[]
}

/** A change by values. Returns how many were changed, {@link scripts.LOCKED}, {@link scripts.MIXED} or {@link scripts.TOO_FAR}. */
export type Change = (
  requests: ObjectRequests,
  args: ChangeArgs,
  keys: { readonly comparator: string; readonly lock: string },
) => Promise<number>

interface ChangesDeps {
  readonly requests: ObjectRequests
  /** The name of the object, for errors. */
  readonly name: string
  readonly turns: Turns
  /** The key of its order. */
  readonly comparator: string
  /** The key of the lock of Java. */
  readonly lock: string
}

/** Changes and looks for values of one sorted list. */
export class Changes {
  readonly #deps: ChangesDeps

  constructor(deps: ChangesDeps) {
    this.#deps = deps
  }

  /** Returns how many values were changed; {@link scripts.TOO_FAR} only for several. */
  async make(change: Change, { form, bytes }: Elements): Promise<number> {
    const { requests, name, turns, comparator, lock } = this.#deps
    const args = { form, most: this.#mostSteps, elements: bytes }
    const changed = await turns.take(async (held) => {
      const reply = await change(requests, { held, ...args }, { comparator, lock })
      return reply === scripts.LOCKED ? undefined : reply
    })
    return demandComparable(name, changed)
  }

  /** One part after the other: what comes between two of them is not held up for long. */
  async makeInParts(change: Change, what: string, { form, bytes }: Elements): Promise<number> {
    if (bytes.length > MOST_MOVED)
      demandTurns(this.#deps.requests, `${what} of more than ${String(MOST_MOVED)} values`)
    let changed = 0
    let most = MOST_MOVED
    for (let start = 0; start < bytes.length;) {
      const part = bytes.slice(start, start + most)
      const count = await this.make(change, { form, bytes: part }).catch((error: unknown) => {
        throw changed > 0 ? afterEffect(error) : error
      })
      if (count === scripts.TOO_FAR) {
        most = Math.ceil(part.length / FEWER)
      } else {
        changed += count
        start += part.length
      }
    }
    return changed
  }

  /** Returns how many of these values are there. */
  async countThere(elements: Elements): Promise<number> {
    const { requests } = this.#deps
    const parts = partsOf(elements, MOST_MOVED)
    const together = partsTogether(requests, parts)
    return sumOf(await sendParts(parts, (part) => this.#countPart(part), { together, changes: 'never' }))
  }

  async #countPart(part: Elements): Promise<number> {
    const { requests, name, comparator } = this.#deps
    const args = { form: part.form, most: this.#mostSteps, elements: part.bytes }
    const counted = await requests.ask(scripts.contains, args, { comparator })
    const found = demandComparable(name, counted)
    if (found !== scripts.TOO_FAR) return found
    const fewer = partsOf(part, Math.ceil(part.bytes.length / FEWER))
    return sumOf(await sendParts(fewer, (some) => this.#countPart(some), { together: 1, changes: 'never' }))
  }

  /** In a batch each call is one step, however far it goes. */
  get #mostSteps(): number | '' {
    return this.#deps.requests.isBatch ? '' : MOST_STEPS
  }
}

function partsOf({ form, bytes }: Elements, most: number): Elements[] {
  return chunk(bytes, most).map((part) => ({ form, bytes: part }))
}
