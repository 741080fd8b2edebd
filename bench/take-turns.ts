import type { Cell, Client } from './cell.js'
import { orTimeout } from './or-timeout.js'
import { reasonOf } from './reason-of.js'
import type { Figures, Result } from './outcome.js'
import type { Measurement } from './workloads/workload.js'

/**
 * Measures contenders that take turns: each is warm before any is measured, and each has its turn at each measurement, the first
 * being the last in the next turn. Returns one result for each turn, for each cell. Never rejects.
 */
export async function takeTurns(
  cells: readonly Cell[],
  measurements: readonly Measurement[],
): Promise<readonly (readonly Result[])[]> {
  const entrants = cells.map((cell) => new Entrant(cell))
  for (const entrant of entrants) await entrant.warmUp(measurements)
  const turns = Math.max(...cells.map(({ sizes }) => sizes.turns))
  for (let turn = 0; turn < turns; turn += 1) {
    const ordered = turn % 2 === 0 ? entrants : entrants.toReversed()
    for (const measurement of measurements) for (const entrant of ordered) await entrant.measure(measurement)
    for (const entrant of entrants) entrant.endTurn()
  }
  return entrants.map(({ results }) => results)
}

/** One contender among those that take turns. Once something of it has failed, nothing more is asked of it. */
class Entrant {
  readonly results: Result[] = []
  readonly #cell: Cell
  #client: Client | undefined
  #failure: string | undefined
  #figures: Figures = {}
  #lost = 0

  constructor(cell: Cell) {
    this.#cell = cell
  }

  async warmUp(measurements: readonly Measurement[]): Promise<void> {
    await this.#attempt(async () => {
      this.#client = await this.#cell.client()
    })
    const forMs = this.#cell.sizes.warmUpMs / measurements.length
    for (const measurement of measurements)
      await this.#ask(async (client) => {
        await measurement.run(client, forMs)
      })
  }

  async measure(measurement: Measurement): Promise<void> {
    await this.#ask(async (client) => {
      const { figures, lost } = await measurement.run(client, this.#cell.sizes.turnMs)
      this.#figures = { ...this.#figures, ...figures }
      this.#lost += lost
    })
  }

  endTurn(): void {
    this.results.push(
      this.#failure === undefined
        ? { figures: this.#figures, lost: this.#lost, waitsMs: [] }
        : { failure: this.#failure },
    )
    this.#figures = {}
    this.#lost = 0
  }

  /** Does something with its process, unless something has failed before. */
  async #ask(step: (client: Client) => Promise<void>): Promise<void> {
    const client = this.#client
    if (client === undefined || this.#failure !== undefined) return
    await this.#attempt(() => step(client))
  }

  async #attempt(step: () => Promise<void>): Promise<void> {
    try {
      await orTimeout(step(), this.#cell.sizes.deadlineMs)
    } catch (error) {
      this.#failure = reasonOf(error)
    }
  }
}
