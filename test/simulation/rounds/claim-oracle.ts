import type { Entry } from '../../../chaos/history.js'
import { nameOf } from '../../../chaos/random-use/objects.js'
import type { OpenClaim } from '../../../chaos/random-use/player/claims.js'
import type { RawView } from '../../../chaos/random-use/player/raw.js'
import type { Clock } from '../world/clock.js'
import type { SimulatedProcess } from './simulated-process.js'

/** What the oracle looks at, and where it writes what it finds. */
export interface OracleFacts {
  readonly raw: RawView
  readonly clock: Clock
  readonly history: Entry[]
}

/**
 * Compares what processes believe to hold with what is in Redis, at the moment of a command: it finds the one that broke a promise,
 * before two holders meet.
 */
export class ClaimOracle {
  readonly #facts: OracleFacts
  /** Processes that look as soon as they run. */
  readonly #looking = new Set<SimulatedProcess>()
  readonly #found = new Set<string>()

  constructor(facts: OracleFacts) {
    this.#facts = facts
  }

  /**
   * Has each process compare, next. Its own event does it, because a hold that is asked whether it stands reads the clock of its process,
   * and may find that its lease has ended.
   */
  look(processes: readonly SimulatedProcess[]): void {
    const { clock } = this.#facts
    for (const process of processes) {
      if (process.claims.size === 0 || this.#looking.has(process)) continue
      this.#looking.add(process)
      const run = () => {
        this.#looking.delete(process)
        void this.#compare(process)
      }
      clock.schedule({
        at: clock.now,
        loop: process.host.loop,
        kind: 'message',
        what: 'look',
        run,
        isRef: false,
      })
    }
  }

  /** No event comes between the claims and the reads: readers of simulated servers return at once. */
  async #compare({ claims }: SimulatedProcess): Promise<void> {
    const held = [...claims].filter(({ claim }) => claim.isHeld())
    for (const alike of Map.groupBy(held, ownerOf).values()) {
      const [{ claim, clientIds }] = alike as [OpenClaim]
      const found = await this.#facts.raw.holdsOf(claim.object, { ...claim, clientIds })
      if (found < alike.length) this.#write(alike as [OpenClaim], found)
    }
  }

  /** A claim that Redis does not know is written down once. */
  #write(alike: readonly [OpenClaim, ...OpenClaim[]], found: number): void {
    const { hold } = alike[0].claim.visit
    if (this.#found.has(hold)) return
    this.#found.add(hold)
    const { clock, history } = this.#facts
    history.push({ type: 'look', at: clock.now, hold, claimed: alike.length, found })
  }
}

/** Whose holds Redis counts together: those of one owner, at one object. */
function ownerOf({ claim: { object, number, owner, id }, clientIds }: OpenClaim): string {
  return [clientIds[0], nameOf(object), number, owner, id].join(' ')
}
