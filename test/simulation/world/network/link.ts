import type { Chance } from '../chance.js'
import type { Clock } from '../clock.js'
import type { Connection } from './connection.js'
import { Lane } from './lane.js'

/**
 * What happens to bytes between a process and a server that cannot reach each other.
 *
 * - `lose`: they vanish, and connections that have lost some never work again.
 * - `hold`: they wait, and arrive when the partition is over, as TCP has it: even those of a process that has given up meanwhile.
 * - `refuse`: connections break, and new ones are refused.
 */
export type PartitionMode = 'lose' | 'hold' | 'refuse'

export interface LinkOptions {
  readonly host: string
  readonly address: string
  readonly chance: Chance
  readonly clock: Clock
  /** What fits through every link, in bytes a second. */
  readonly most: () => number
}

/** The way between a process and a server. */
export class Link {
  readonly host: string
  readonly address: string
  readonly chance: Chance
  readonly connections = new Set<Connection>()
  /** How much longer messages take than usual. */
  slowness = 1
  /** What fits through it in each direction, in bytes a second. */
  bandwidth = Infinity
  /** From the process to the server. */
  readonly up: Lane
  /** From the server to the process. */
  readonly down: Lane
  /** Undefined while both can reach each other. */
  partition: PartitionMode | undefined

  constructor({ host, address, chance, clock, most }: LinkOptions) {
    this.host = host
    this.address = address
    this.chance = chance
    const bytesPerSecond = () => Math.min(this.bandwidth, most())
    this.up = new Lane(clock, `${host} to ${address}`, bytesPerSecond)
    this.down = new Lane(clock, `${address} to ${host}`, bytesPerSecond)
  }

  /** Limits the bytes a second, in each direction. */
  limit(bandwidth: number): void {
    this.bandwidth = bandwidth
    for (const lane of [this.up, this.down]) lane.changed()
  }

  /** Separates the two ends, or brings them together again. */
  divide(partition: PartitionMode | undefined): void {
    this.partition = partition
    for (const lane of [this.up, this.down]) {
      if (partition === 'hold') lane.hold()
      else lane.release()
    }
    for (const connection of [...this.connections]) connection.partitionChanged()
  }
}
