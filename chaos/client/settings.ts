import type { HostAndPort, RedissonOptions } from '../../src/index.js'
import type { LockName } from '../history.js'

/** The settings of a client process on its command line, as JSON. */
export interface ClientSettings {
  /** Its name in the history. */
  readonly process: string
  /** What the machine's clock said when the run began. */
  readonly origin: string
  /** The file to which it writes what it does. */
  readonly journal: string
  /** How to connect: once, or for a red lock once for every server. */
  readonly connections: readonly RedissonOptions[]
  /** The server of the resource that the locks guard. */
  readonly resource: HostAndPort
  readonly lock: LockName
  /** The names of the locks. */
  readonly names: readonly string[]
  readonly syncedReplicas: number
  readonly leaseMs: number
  readonly flows: number
  readonly seed: number
}
