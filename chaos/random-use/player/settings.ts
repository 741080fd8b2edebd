import type { HostAndPort, RedissonOptions } from '../../../src/index.js'
import type { SharedObject } from '../objects.js'
import type { Program } from '../program.js'

/** A server that stands for itself. */
export interface OtherServer {
  /** How to connect. */
  readonly connection: RedissonOptions
  /** Where it is, past its proxy. */
  readonly server: HostAndPort
}

/** The settings of a process on its command line, as JSON. */
export interface PlayerSettings extends ProcessSettings {
  /** What the machine's clock said when the run began. */
  readonly origin: string
  /** The file to which it writes what it does. */
  readonly journal: string
  /** The file of the library, or nothing for the sources. */
  readonly library?: string
  /** Where Redis is, past all proxies: the master, or the masters of a cluster. */
  readonly servers: readonly HostAndPort[]
  /** Servers that stand for themselves; each client of the process has one for each of them. */
  readonly others: readonly OtherServer[]
}

/** What a process does in a round, and how it connects. */
export interface ProcessSettings {
  /** Its name in the history. */
  readonly process: string
  /** How to connect, and how many clients to have. */
  readonly connection: RedissonOptions
  readonly clients: number
  /** How to connect to servers that stand for themselves; each client of the process has one for each of them. */
  readonly others: readonly { readonly connection: RedissonOptions }[]
  /** The watchdog's lease. */
  readonly watchdogMs: number
  /** Whether requests, replies and connections get lost. */
  readonly faulty: boolean
  readonly objects: readonly SharedObject[]
  /** The names of objects that are forced open: what their holds claim may be wrong. */
  readonly forced: readonly string[]
  /** How often holders are compared with Redis. */
  readonly shareOfLooks: number
  readonly flows: readonly FlowSettings[]
  readonly seed: number
}

export interface FlowSettings {
  /** Which of the clients it uses. */
  readonly client: number
  readonly program: Program
}
