import type { Chance } from '../chance.js'
import type { Connection } from './connection.js'

/**
 * What happens to bytes between a process and a server that cannot reach each other.
 *
 * - `lose`: they vanish, and connections that have lost some never work again.
 * - `hold`: they wait, and arrive when the partition is over, as TCP has it: even those of a process that has given up meanwhile.
 * - `refuse`: connections break, and new ones are refused.
 */
export type PartitionMode = 'lose' | 'hold' | 'refuse'

/** The way between a process and a server. */
export class Link {
  readonly host: string
  readonly address: string
  readonly chance: Chance
  readonly connections = new Set<Connection>()
  /** How much longer messages take than usual. */
  slowness = 1
  /** Undefined while both can reach each other. */
  partition: PartitionMode | undefined

  constructor(host: string, address: string, chance: Chance) {
    this.host = host
    this.address = address
    this.chance = chance
  }

  /** Separates the two ends, or brings them together again. */
  divide(partition: PartitionMode | undefined): void {
    this.partition = partition
    for (const connection of [...this.connections]) connection.partitionChanged()
  }
}
