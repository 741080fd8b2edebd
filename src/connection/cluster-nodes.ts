import type { Cluster, Redis } from 'ioredis'
import type { Config } from '../config/config.js'
import { outside } from '../util/outside.js'
import { behaviour, type NodeOptions } from './ioredis-options.js'

/** The pause before the cluster is asked for its shape once more, in milliseconds, so that one fault asks once. */
const REFRESH_DELAY_MS = 100

/** What is known of a cluster's shape, and connections of our own to its nodes. */
export class ClusterNodes {
  readonly #cluster: Cluster
  readonly #config: Config
  #refreshing: NodeJS.Timeout | undefined

  constructor(cluster: Cluster, config: Config) {
    this.#cluster = cluster
    this.#config = config
  }

  /** The master that owns a slot, as `host:port`, if it is known and can be reached by that address. */
  ownerOf(slot: number): string | undefined {
    const key = this.#cluster.slots[slot]?.[0]
    return key !== undefined && this.has(key) ? key : undefined
  }

  /** Whether a node is one of the cluster's masters. */
  has(key: string): boolean {
    return this.#find(key) !== undefined
  }

  /** Some master, the same as long as it is there. */
  get anyone(): string | undefined {
    const [first] = this.#cluster.nodes('master')
    return first && keyOf(first)
  }

  /** Opens one more connection to a node, with the settings that reach it, and one that comes back by itself. */
  open(key: string, overrides: NodeOptions): Redis {
    const node = this.#find(key)
    if (node === undefined) throw new Error(`Expected ${key} to be a master of the cluster`)
    const { retryStrategy } = behaviour(this.#config)
    const redis = outside(() =>
      node.duplicate({ retryStrategy, lazyConnect: true, enableReadyCheck: true, ...overrides }),
    )
    redis.on('error', () => undefined) // what waits on it says so itself
    return redis
  }

  /** Calls back whenever the cluster has told its shape. */
  onRefresh(listener: () => void): void {
    this.#cluster.on('refresh', listener)
  }

  /** Calls back once, the next time that the cluster has told its shape. */
  afterRefresh(listener: () => void): void {
    this.#cluster.once('refresh', listener)
  }

  /** Asks the cluster for its shape, soon. */
  refresh(): void {
    this.#refreshing ??= outside(() =>
      setTimeout(() => {
        this.#refreshing = undefined
        this.#cluster.refreshSlotsCache()
      }, REFRESH_DELAY_MS).unref(),
    )
  }

  #find(key: string): Redis | undefined {
    return this.#cluster.nodes('master').find((node) => keyOf(node) === key)
  }
}

function keyOf({ options }: Redis): string {
  return `${options.host ?? ''}:${String(options.port ?? '')}`
}
