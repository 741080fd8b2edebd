import type { RunOptions } from '../../../command/operation/command-executor.js'
import type { Topology } from '../../../core/context/object-context.js'
import { ServerNotReadyError } from '../../../errors/connection-errors.js'
import type { RedissonError } from '../../../errors/redisson-error.js'
import { isTransient } from '../../../errors/transient.js'

/** How often a node is asked that is down, in milliseconds, while there are calls. */
const PROBE_MS = 1000

/** What an {@link Outage} is made with. */
export interface OutageDeps {
  readonly topology: Pick<Topology, 'ownerOf' | 'placeOf'>
  /** Asks for a key in the background. Without it a call asks again, after that time. */
  readonly ask?: (key: string, how: RunOptions) => Promise<unknown>
  /** The first node is down. */
  readonly begun?: (error: RedissonError) => void
  /** All nodes reply again. */
  readonly ended?: () => void
  /** The node of a key has done what it was asked, whether it was down or not. */
  readonly replied?: (key: string) => void
}

/** A node that is down. */
export interface DownNode {
  readonly error: RedissonError
  /** A key that it has. */
  readonly key: string
  /** From when on it is asked again, on the monotonic clock. */
  askAt: number
}

/**
 * The nodes that do not do in time what a cache asks of them. Requests to them reject at once, and no call waits for them. Each is asked
 * about once in a second while there are calls.
 */
export class Outage {
  readonly #deps: OutageDeps
  readonly #nodes = new Map<string, DownNode>()
  /** The nodes that are asked whether they are down. */
  readonly #doubted = new Set<string>()

  constructor(deps: OutageDeps) {
    this.#deps = deps
  }

  get isAny(): boolean {
    return this.#nodes.size > 0
  }

  /** Where a key is, as `host:port` or in words. */
  placeOf(key: string): string {
    return this.#deps.topology.placeOf(key)
  }

  /** The first node that is down among those of these keys. */
  of(keys: Iterable<string>): DownNode | undefined {
    if (this.#nodes.size === 0) return undefined
    this.#askAgain()
    for (const key of keys) {
      const node = this.#nodes.get(this.#deps.topology.ownerOf(key))
      if (node !== undefined) return node
    }
    return undefined
  }

  /** Takes note that the node of a key has done what it was asked. */
  over(key: string): void {
    const { topology, ended, replied } = this.#deps
    replied?.(key)
    if (this.#nodes.size === 0) return
    this.#nodes.delete(topology.ownerOf(key))
    // Another node has taken over what this one had.
    for (const [owner, node] of this.#nodes)
      if (topology.ownerOf(node.key) !== owner) this.#nodes.delete(owner)
    if (this.#nodes.size === 0) ended?.()
  }

  /** Takes note that it has replied to something else. That ends what it has said nothing about; what it has refused, it may refuse again. */
  heard(key: string): void {
    if (this.#nodes.size === 0) return
    const node = this.#nodes.get(this.#deps.topology.ownerOf(key))
    if (node !== undefined && !(node.error instanceof ServerNotReadyError)) this.over(key)
  }

  /** Takes note that it has not. */
  begin(key: string, error: RedissonError): void {
    const { topology, begun } = this.#deps
    const owner = topology.ownerOf(key)
    if (this.#nodes.has(owner)) return
    this.#nodes.set(owner, { error, key, askAt: performance.now() + PROBE_MS })
    if (this.#nodes.size === 1) begun?.(error)
  }

  /** A call has not waited for it as long as others would: it is asked in the background, for as long as these. */
  doubt(key: string): void {
    const { topology, ask } = this.#deps
    const owner = topology.ownerOf(key)
    if (ask === undefined || this.#nodes.has(owner) || this.#doubted.has(owner)) return
    this.#doubted.add(owner)
    void ask(key, {}).then(
      () => {
        this.#doubted.delete(owner)
      },
      (error: unknown) => {
        this.#doubted.delete(owner)
        if (isTransient(error)) this.begin(key, error)
      },
    )
  }

  #askAgain(): void {
    const now = performance.now()
    for (const node of this.#nodes.values()) {
      if (now < node.askAt) continue
      node.askAt = now + PROBE_MS
      const over = () => {
        this.over(node.key)
      }
      if (this.#deps.ask === undefined) over()
      else void this.#deps.ask(node.key, { failFast: true }).then(over, () => undefined)
    }
  }
}
