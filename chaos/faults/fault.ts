import type { Arena } from '../arena/arena.js'
import type { Crew } from '../crew.js'
import type { TopologyName } from '../history.js'
import type { Random } from '../random.js'

/** What can be harmed. Faults of two realms may overlap; those of one would undo each other. */
export type Realm = 'servers' | 'network' | 'clients'

/** All that can be harmed. */
export interface Ground {
  readonly arena: Arena
  readonly crew: Crew
  /** The names of the locks. */
  readonly names: readonly string[]
  readonly leaseMs: number
}

/** One kind of fault. */
export interface Fault {
  readonly kind: string
  readonly realm: Realm
  /** Where it can be done. */
  readonly suits: readonly TopologyName[]
  /** How long it lasts, at least and at most, in milliseconds. */
  readonly lastsMs: readonly [least: number, most: number]
  /** Chooses the target, and the fault. */
  aim(ground: Ground, random: Random): Promise<Aim> | Aim
}

export interface Aim {
  /** Whom, and what else there is to know. */
  readonly target: string
  /** Does it. Returns how to undo it, after that number of milliseconds. */
  begin(lastsMs: number): Promise<Undo> | Undo
}

export type Undo = () => Promise<void> | void

export const EVERYWHERE: readonly TopologyName[] = ['single', 'sentinel', 'cluster', 'redlock5']
export const WITHOUT_REPLICAS: readonly TopologyName[] = ['single', 'redlock5']
export const WITH_REPLICAS: readonly TopologyName[] = ['sentinel', 'cluster']
