import type { Chance } from './chance.js'
import type { ClockEvent } from './clock.js'
import type { ProcessClock } from './process-clock.js'

/** The event loop of one simulated process: what it runs, it runs with clocks and chance of its own. */
export class EventLoop {
  readonly name: string
  readonly time: ProcessClock
  /** What `Math.random()` and `node:crypto` draw from. */
  readonly chance: Chance
  /** Until when it stands still; undefined while it runs. */
  pausedUntil: number | undefined
  /** Whether its process has ended, so that it never runs again. */
  hasEnded = false
  /** What became due while it stood still. */
  readonly overdue: ClockEvent[] = []

  constructor(name: string, time: ProcessClock, chance: Chance) {
    this.name = name
    this.time = time
    this.chance = chance
  }
}
