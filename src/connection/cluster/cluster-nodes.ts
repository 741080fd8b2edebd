import type { Cluster, Redis } from 'ioredis'
import type { Config } from '../../config/config.js'
import { NotSentError } from '../../errors/not-sent.js'
import type { RedissonError } from '../../errors/redisson-error.js'
import { wasNotSent } from '../../errors/transient.js'
import { Listeners } from '../../util/listeners.js'
import { afterRunning } from '../../util/time/after-running.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import type { Failures } from '../login/failures.js'
import { openLike } from '../login/handshake.js'
import { baseOptions, OWN_REPLIES, type NodeOptions } from '../login/ioredis-options.js'

/** The pause before the topology is requested again, in milliseconds, so that one fault causes one request. */
const REFRESH_DELAY_MS = 100

/** The events of ioredis with which an attempt to connect has begun, or has failed before that. */
const BEGINS = ['+node', 'close', 'end'] as const

/** The known topology of a cluster, and our own connections to its nodes. */
export class ClusterNodes {
  readonly #cluster: Cluster
  readonly #config: Config
  readonly #failures: Failures
  readonly #listeners = new Listeners()
  #begun: Promise<void> | undefined
  #stopWaiting = (): void => undefined
  #refreshing: NodeJS.Timeout | undefined
  #scanning: NodeJS.Timeout | undefined

  constructor(cluster: Cluster, config: Config, failures: Failures) {
    this.#cluster = cluster
    this.#config = config
    this.#failures = failures
  }

  /** Returns the master that owns a slot, as `host:port`, if it is known and can be reached by that address. */
  ownerOf(slot: number): string | undefined {
    const key = this.lastOwnerOf(slot)
    return key !== undefined && this.has(key) ? key : undefined
  }

  /** Returns the last known owner of a slot, whether or not there is a connection to it. */
  lastOwnerOf(slot: number): string | undefined {
    return this.#cluster.slots[slot]?.[0]
  }

  /** Returns why there is no connection to a node, if that is known; otherwise an error with these words. */
  absence(words: string, key: string | undefined): RedissonError {
    return this.#failures.unreachable(key) ?? new NotSentError(words)
  }

  /** Returns whether a node is one of the cluster's masters. */
  has(key: string): boolean {
    return this.find(key) !== undefined
  }

  /** Returns whether the connection for commands to a master works. */
  isConnected(key: string): boolean {
    return this.find(key)?.status === 'ready'
  }

  /** Any master; a connected one, if there is one. */
  get anyone(): string | undefined {
    const masters = this.#cluster.nodes('master')
    const chosen = masters.find(isReady) ?? masters[0]
    return chosen && keyOf(chosen)
  }

  /** A slot for commands that any node can run: the first whose owner is connected. */
  get anySlot(): number {
    const ready = new Set(this.#cluster.nodes('master').filter(isReady).map(keyOf))
    const slots = this.#cluster.slots as readonly (readonly string[] | undefined)[] // one that has no owner is missing
    return Math.max(
      slots.findIndex((keys) => keys?.[0] !== undefined && ready.has(keys[0])),
      0,
    )
  }

  /**
   * Waits until ioredis has begun to connect, for no longer than for a reply. Before that it knows no node, as it looks up the names of the
   * hosts first. Returns undefined if a node is known, or why none can be reached.
   */
  begun(): Promise<void> | undefined {
    if (this.#cluster.nodes().length > 0 || this.#failures.unreachable(undefined) !== undefined)
      return undefined
    return (this.#begun ??= this.#untilBegun())
  }

  /**
   * Asks all masters, and resolves with the first reply. Asks replicas if no master replies.
   *
   * @throws the reasons of all nodes, if none can be reached; otherwise the error of the first that was asked, if none of them replies
   */
  async firstReply<T>(ask: (node: Redis) => Promise<T>): Promise<T> {
    const errors: Error[] = []
    for (const role of ['master', 'slave'] as const) {
      try {
        return await Promise.any(this.#cluster.nodes(role).map(ask))
      } catch (error) {
        errors.push(...((error as AggregateError).errors as Error[]))
      }
    }
    const reasons = errors.every(wasNotSent) ? this.#failures.unreachable(undefined) : undefined
    throw reasons ?? errors[0] ?? new NotSentError('No node of the cluster is known')
  }

  /** The owners of all slots, as far as they are known. */
  get masters(): readonly string[] {
    const owners = new Set<string>()
    let last: string | undefined // neighbours mostly have the same owner
    this.#cluster.slots.forEach(([owner]) => {
      if (owner !== undefined && owner !== last) owners.add((last = owner))
    })
    return [...owners]
  }

  /** The masters in the pool of ioredis, with or without a connection. Unlike {@link ClusterNodes.masters}, this looks at no slots. */
  get pooledMasters(): readonly string[] {
    return this.#cluster.nodes('master').map(keyOf)
  }

  /** Returns ioredis's connections to the replicas of the owner of a slot, as far as they are known. They connect when they are first needed. */
  replicasOf(slot: number): readonly Redis[] {
    const [, ...keys] = this.#cluster.slots[slot] ?? []
    const replicas = this.#cluster.nodes('slave').filter((node) => keys.includes(keyOf(node)))
    for (const replica of replicas)
      if (replica.status === 'wait') withoutAsyncContext(() => replica.connect()).catch(() => undefined)
    return replicas
  }

  /** Opens another connection to a node, with the settings that reach it. It reconnects by itself. */
  open(key: string, overrides: NodeOptions): Redis {
    const node = this.find(key)
    if (node === undefined) throw new Error(`Expected ${key} to be a master of the cluster`)
    const redis = openLike(node, {
      ...baseOptions(this.#config),
      ...OWN_REPLIES,
      ...overrides,
    })
    this.#failures.watchHandshake(redis)
    return redis
  }

  /** Calls back whenever the cluster has reported its topology. */
  onRefresh(listener: () => void): void {
    this.#listeners.on(this.#cluster, 'refresh', listener)
  }

  /**
   * Requests the topology periodically while some node can be reached. Otherwise ioredis connects to the cluster anyway.
   *
   * @param intervalMs - 0 for never
   */
  scan(intervalMs: number): void {
    if (intervalMs === 0) return
    this.#scanning = withoutAsyncContext(() =>
      setInterval(() => {
        if (this.#cluster.status === 'ready') this.#cluster.refreshSlotsCache()
      }, intervalMs).unref(),
    )
  }

  /** Stops all callbacks and requests. */
  close(): void {
    this.#stopWaiting()
    clearInterval(this.#scanning)
    this.#listeners[Symbol.dispose]()
    clearTimeout(this.#refreshing)
  }

  /** Requests the topology soon. */
  refresh(): void {
    this.#refreshing ??= withoutAsyncContext(() =>
      setTimeout(() => {
        this.#refreshing = undefined
        this.#cluster.refreshSlotsCache()
      }, REFRESH_DELAY_MS).unref(),
    )
  }

  /** Requests the topology now. Resolves afterwards, even if no node has replied. */
  refreshed(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    withoutAsyncContext(() => {
      this.#cluster.refreshSlotsCache(() => {
        resolve()
      })
    })
    return promise
  }

  /** Returns ioredis's connection to a master. */
  find(key: string): Redis | undefined {
    return this.#cluster.nodes('master').find((node) => keyOf(node) === key)
  }

  #untilBegun(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const end = (): void => {
      stopTimer()
      for (const event of BEGINS) this.#cluster.off(event, end)
      resolve()
    }
    for (const event of BEGINS) this.#cluster.on(event, end)
    const stopTimer = afterRunning(this.#config.timeoutMs, end)
    this.#stopWaiting = end
    return promise
  }
}

function isReady({ status }: Redis): boolean {
  return status === 'ready'
}

function keyOf({ options }: Redis): string {
  return `${options.host ?? ''}:${String(options.port ?? '')}`
}
