import type { RedissonOptions } from '../../src/index.js'
import type { RunningNode } from '../../test/support/launch/topology.js'
import type { TcpProxy } from '../../test/support/proxy.js'

/** Where a run takes place: servers that are harmed, behind proxies that are harmed as well. */
export interface Arena {
  /** The servers that hold locks. */
  readonly nodes: readonly RunningNode[]
  /** The proxy through which clients come to a server. */
  proxyOf(node: RunningNode): TcpProxy
  /** What clients need to connect: once, or once for every server. */
  readonly connections: readonly RedissonOptions[]
  /** The servers at which a lock is at the moment. */
  homesOf(name: string): Promise<readonly RunningNode[]>
  /** Resolves when the servers are as they were at first: all of them there, in step, and with one mind. */
  untilCalm(): Promise<void>
  /** How masters are replaced, where that is done. */
  readonly replication?: Replication
  /** How slots are moved, where there are slots. */
  readonly slots?: Slots
  stop(): Promise<void>
}

/** Masters, and replicas that take over. */
export interface Replication {
  masterOf(name: string): Promise<RunningNode>
  replicasOf(name: string): Promise<readonly RunningNode[]>
  /** Has a replica take over from the master of a lock, in good order. */
  failOver(name: string): Promise<void>
  /** Resolves when another master than that one is responsible for a lock, and known to be. */
  untilReplaced(name: string, master: RunningNode): Promise<RunningNode>
}

/** Slots, which masters may hand to each other. */
export interface Slots {
  /** The masters that do not have the slot of a lock. */
  othersThan(name: string): Promise<readonly RunningNode[]>
  /** Moves the slot of a lock to another master. */
  move(name: string, target: RunningNode): Promise<void>
}
