import type { Clock } from './clock.js'
import type { Network } from './network.js'

/** What replaces time, chance and sockets. */
export interface Simulation {
  readonly clock: Clock
  readonly network: Network
}

let active: Simulation | undefined

/** The simulation that runs in this process, if one does. */
export function activeSimulation(): Simulation | undefined {
  return active
}

/** Makes a simulation the one of this process. Returns how to end that. */
export function activate(simulation: Simulation): () => void {
  if (active !== undefined) throw new Error('Another world is still open: close() it first')
  active = simulation
  return () => {
    if (active === simulation) active = undefined
  }
}
