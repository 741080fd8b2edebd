import type { Chance } from '../chance.js'
import type { Clock } from '../clock.js'
import type { NetworkOptions } from './faults.js'
import type { Link } from './link.js'

/** How long messages take in one direction of a connection. */
export class Latency {
  readonly #clock: Clock
  readonly #options: () => Required<NetworkOptions>
  readonly #link: Link
  readonly #chance: Chance
  #turn = -1
  #at = 0

  constructor(clock: Clock, options: () => Required<NetworkOptions>, link: Link, chance: Chance) {
    this.#clock = clock
    this.#options = options
    this.#link = link
    this.#chance = chance
  }

  /** When a message arrives that is sent now: mostly together with others that the same event has sent. */
  arrival(): number {
    const isApart = this.#chance.chance(this.#options().split)
    if (isApart || this.#turn !== this.#clock.turn) this.#at = this.next()
    this.#turn = this.#clock.turn
    return this.#at
  }

  /** When a message arrives that is sent now and alone. */
  next(): number {
    const { latencyMs, spike, spikeMs } = this.#options()
    const usual = this.#chance.between(...latencyMs) * this.#link.slowness
    const isSpike = this.#chance.chance(spike)
    const more = this.#chance.between(...spikeMs)
    return this.#clock.now + Math.max(SHORTEST_MS, usual) + (isSpike ? more : 0)
  }
}

/** Nothing arrives before the event ends that has sent it. */
const SHORTEST_MS = 0.001
