import type { Round } from './draw.js'
import { smallerThan } from './smaller.js'

/** Whether a round still shows what is looked for. */
export type Shows = (round: Round) => Promise<boolean>

export interface ShrinkOptions {
  /**
   * How many seeds are tried for each smaller round. What is left out shifts all that follows, so that most seeds miss it.
   *
   * @defaultValue 10
   */
  readonly seeds?: number
  /**
   * How many rounds are simulated in all.
   *
   * @defaultValue 1 500
   */
  readonly most?: number
}

/** Takes from a round what it does not need to show something: processes, flows, steps, faults and time. */
export async function shrink(
  round: Round,
  shows: Shows,
  { seeds = 10, most = 1_500 }: ShrinkOptions = {},
): Promise<Round> {
  let left = most
  const showing = async (smaller: Round): Promise<Round | undefined> => {
    for (const seeded of withSeeds(smaller, seeds)) {
      if (left <= 0) return undefined
      left -= 1
      if (await shows(seeded)) return seeded
    }
    return undefined
  }
  let smallest = round
  for (;;) {
    const smaller = await firstOf(smallerThan(smallest), showing)
    if (smaller === undefined) return smallest
    smallest = smaller
  }
}

async function firstOf<T>(
  items: Iterable<T>,
  find: (item: T) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const item of items) {
    const found = await find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** The same round with its own seed, and with others. */
function* withSeeds(round: Round, count: number): Generator<Round> {
  yield round
  for (let n = 1; n < count; n += 1) yield { ...round, seed: `${round.name}, ${String(n)}` }
}
