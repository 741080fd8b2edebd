import type { Limit } from '../shared/limits.js'
import type { Rest, Verdict } from './decision.js'

/** When the levels of a key were true, in microseconds, and the level of each limit. */
interface Levels {
  readonly atUs: number
  readonly levels: readonly number[]
}

/** More keys are not counted: the one that was used least lately is forgotten. */
const MOST_KEYS = 100_000

/**
 * The algorithm of `levels.lua`, for one process.
 *
 * It counts by the clock that it is given, which does not go back.
 */
export class LocalLimiter {
  readonly limits: readonly Limit[]
  readonly #nowUs: () => number
  /** In the order of their last changes. */
  readonly #states = new Map<string, Levels>()

  constructor(limits: readonly Limit[], nowUs = () => Math.floor(performance.now() * 1000)) {
    this.limits = limits
    this.#nowUs = nowUs
  }

  /** Counts a request, unless a limit refuses it. */
  consume(key: string, cost: number): Verdict {
    const nowUs = this.#nowUs()
    const before = this.#levelsAt(nowUs, this.#states.get(key))
    const { turn, refusing } = this.#turnOf(before, cost, nowUs)
    const passes = refusing === 0
    const levels = passes ? this.limits.map(({ cell }, index) => (before[index] ?? 0) + cost * cell) : before
    if (passes) this.#keep(key, { atUs: nowUs, levels })
    return { passes, retryMs: Math.ceil((turn - nowUs) / 1000), refusing, rests: this.#restsOf(levels) }
  }

  /** How many keys have a state. */
  get size(): number {
    return this.#states.size
  }

  #levelsAt(nowUs: number, state: Levels | undefined): readonly number[] {
    return this.limits.map(({ limit, tickUs }, index) => {
      if (state === undefined) return 0
      const ticks = Math.floor(nowUs / tickUs) - Math.floor(state.atUs / tickUs)
      return Math.max((state.levels[index] ?? 0) - ticks * limit, 0)
    })
  }

  #turnOf(levels: readonly number[], cost: number, nowUs: number) {
    let turn = nowUs
    let refusing = 0
    for (const [index, { limit, burst, cell, tickUs }] of this.limits.entries()) {
      const over = (levels[index] ?? 0) + cost * cell - burst * cell
      if (over <= 0) continue
      const own = cost > burst ? Infinity : (Math.floor(nowUs / tickUs) + upward(over, limit)) * tickUs
      if (own > turn) [turn, refusing] = [own, index + 1]
    }
    return { turn, refusing }
  }

  #restsOf(levels: readonly number[]): readonly Rest[] {
    return this.limits.map(({ limit, burst, cell, tickUs }, index) => {
      const level = levels[index] ?? 0
      const left = Math.max(burst - upward(level, cell), 0)
      return [left, Math.ceil((upward(level, limit) * tickUs) / 1000)]
    })
  }

  #keep(key: string, state: Levels): void {
    this.#states.delete(key)
    this.#states.set(key, state)
    this.#dropUnused(state.atUs)
  }

  /** Each change looks at the two oldest keys, so that there are never many of which nothing is used. */
  #dropUnused(nowUs: number): void {
    let looked = 0
    for (const [key, state] of this.#states) {
      const isUnused = this.#levelsAt(nowUs, state).every((level) => level === 0)
      if (isUnused || this.#states.size > MOST_KEYS) this.#states.delete(key)
      looked += 1
      if (looked === 2) return
    }
  }
}

/** The quotient of two whole numbers, rounded up once. */
function upward(dividend: number, divisor: number): number {
  const rest = dividend % divisor
  return (dividend - rest) / divisor + (rest > 0 ? 1 : 0)
}
