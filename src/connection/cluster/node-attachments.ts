import type { Redis } from 'ioredis'
import type { Config } from '../../config/config.js'
import type { Listeners } from '../../util/listeners.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { hearAsking } from '../requests/asking.js'
import { readDigits } from '../login/exact-integers.js'
import type { Logins } from '../login/credentials-cache.js'
import { demandHandshake } from '../login/handshake.js'
import type { NodeEvents } from './node-events.js'
import { guardHandshake, startPing } from '../node/node-link.js'
import type { PendingCommands } from '../requests/pending-commands.js'
import { SharedGuard } from '../requests/shared-guard.js'
import { joinWrites } from '../node/write-coalescing.js'

interface Attaching {
  readonly config: Config
  readonly events: NodeEvents
  readonly listeners: Listeners
  /** Whether the connections belong to the program, and are to be left as they were. */
  readonly shared: boolean
  readonly logins: Logins
}

/** Adds events, pings, and other ways to read and write to each connection that a `Cluster` of ioredis makes to a node. */
export class NodeAttachments {
  readonly #pending: PendingCommands
  readonly #attaching: Attaching
  readonly #pings = new Set<Disposable>()
  readonly #hearings = new Set<Disposable>()

  constructor(pending: PendingCommands, attaching: Attaching) {
    this.#pending = pending
    this.#attaching = attaching
  }

  add(node: Redis): void {
    const { config, events, shared, logins } = this.#attaching
    const listeners = this.#attaching.listeners.until(node, 'end')
    events.watch(node, listeners)
    const ping = startPing(node, config.pingIntervalMs, () =>
      this.#pending.send(node, { name: 'ping', args: [] }),
    )
    this.#pings.add(ping)
    const hearing = hearAsking(node)
    this.#hearings.add(hearing)
    listeners.on(node, 'end', () => {
      ping[Symbol.dispose]()
      this.#pings.delete(ping)
      this.#hearings.delete(hearing) // but its ASKING stays handled: a request may still be sent its way
    })
    if (shared) {
      SharedGuard.of(node, listeners)
      return
    }
    demandHandshake(node, logins)
    readDigits(node)
    joinWrites(node)
    guardHandshake(node, config.timeoutMs)
    // Made here, outside the context of the first caller; replicas are never asked.
    if (node.options.readOnly !== true) withoutAsyncContext(() => node.connect()).catch(() => undefined)
  }

  close(): void {
    for (const ping of this.#pings) ping[Symbol.dispose]()
    if (this.#attaching.shared) for (const hearing of this.#hearings) hearing[Symbol.dispose]()
  }
}
