import { setImmediate } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { PERMITS } from '../../contenders/contender.js'

/** What is done while something is held. */
export type Inside =
  /** Reads a number and writes it back, increased by one: correct only without concurrency. */
  | 'count'
  /** Looks how many of this process are inside, of those that permits let in. */
  | 'permits'
  /** Reads the number. */
  | 'read'
  | 'nothing'

/** Where the number is that sections count up. */
export const COUNTER = 'bench:counter'

/** What each of them is, made for one process and its tally. */
export const actions = {
  count: (redis: Redis) => async () => {
    const seen = Number(await redis.get(COUNTER))
    await redis.set(COUNTER, seen + 1)
  },
  permits: (_: Redis, tally: { tooMany: number }) => {
    let there = 0
    return async () => {
      there += 1
      if (there > PERMITS) tally.tooMany += 1
      await setImmediate()
      there -= 1
    }
  },
  read: (redis: Redis) => async () => {
    await redis.get(COUNTER)
  },
  nothing: () => () => Promise.resolve(),
} as const satisfies Record<Inside, unknown>
