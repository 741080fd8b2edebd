import type { RunningNode } from './topology.js'

/** A server to be started, the same wherever that is. */
export interface ServerPlan {
  readonly port: number
  /** What to pass to `redis-server`. Relative paths are seen from a folder of the server's own. */
  readonly arguments: readonly string[]
  /** What to put into that folder first, by file name. */
  readonly files?: Readonly<Record<string, string>>
}

/** Servers that were started together. */
export interface Fleet {
  /** In the order of their plans. */
  readonly nodes: readonly RunningNode[]
  /** Ends all of them and removes what they wrote. */
  readonly stop: () => Promise<void>
}

/** A place where servers run: this machine or a container. */
export interface Launcher extends Ground {
  /** What runs, for people. */
  readonly description: string
  /**
   * Starts servers that belong together; resolves when each of them replies.
   *
   * @throws PortTakenError if a port is not free; none of the servers is left then
   */
  launch(plans: readonly ServerPlan[]): Promise<Fleet>
}

/** What a plan has to know of the place. */
export interface Ground {
  /** The address to listen on, so that 127.0.0.1 of this machine leads to it. */
  readonly bind: string
  /** The major version, where it is known. */
  readonly major: number
}
