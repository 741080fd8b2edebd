import { setTimeout as sleep } from 'node:timers/promises'
import type * as Library from '../../../src/index.js'
import { SimulatedCluster } from '../rounds/simulated-cluster.js'
import { SimulatedRedis, type RedisOptions } from '../rounds/simulated-redis.js'
import { SimulatedSentinels } from '../rounds/simulated-sentinels.js'
import type { Host } from '../world/host.js'
import type { Network } from '../world/network.js'
import type { ClockOptions } from '../world/process-clock.js'
import type { World } from '../world/world.js'
import { Process, type ClientSettings } from './process.js'

/** How long the stage waits for what should come soon, in virtual time. */
const PATIENCE_MS = 60_000
const LOOK_EVERY_MS = 5

/** What a stage is made of. */
export interface StageOptions {
  readonly library: typeof Library
  /**
   * What scripts are called in the trace, by their hashes.
   *
   * @defaultValue their hashes
   */
  readonly scriptNames?: ReadonlyMap<string, string>
}

/** A scenario's servers, processes and network, in virtual time. */
export class Stage {
  readonly library: typeof Library
  /** The server that processes have where nothing else is said. What is asked here takes no time, and nothing disturbs it. */
  readonly redis: SimulatedRedis
  readonly #world: World
  readonly #scriptNames: ReadonlyMap<string, string>
  readonly #director: Host
  #servers = 0

  constructor(world: World, { library, scriptNames = new Map<string, string>() }: StageOptions) {
    this.library = library
    this.#world = world
    this.#scriptNames = scriptNames
    this.redis = this.server()
    this.#director = world.host('director', this.#clock)
  }

  /** Starts one more server. */
  server(): SimulatedRedis {
    return new SimulatedRedis(this.#world, this.#nextHost(), { scriptNames: this.#scriptNames })
  }

  /**
   * Starts a process with a client of the library.
   *
   * The monotonic clocks of all processes show the same, so that a hold can be looked at from outside; not so where one drifts.
   */
  process(name: string, settings: ClientSettings = {}, clock: ClockOptions = {}): Promise<Process> {
    const { library, redis } = this
    const world = this.#world
    const host = world.host(name, { ...this.#clock, ...clock })
    return Process.open({ world, library, host, redis }, settings)
  }

  /** Starts a cluster of masters, and of replicas of the first, the second, and so on. */
  cluster(
    masters: number,
    options: Partial<RedisOptions> & { readonly replicas?: number } = {},
  ): SimulatedCluster {
    const { replicas = 0, ...others } = options
    const hosts = (count: number) => Array.from({ length: count }, () => this.#nextHost())
    const settings = { scriptNames: this.#scriptNames, ...others }
    return new SimulatedCluster(this.#world, hosts(masters), settings, hosts(replicas))
  }

  /** Starts a master with two replicas, and three sentinels. */
  sentinels(options: Partial<RedisOptions> = {}): SimulatedSentinels {
    const three = () => Array.from({ length: 3 }, () => this.#nextHost())
    const hosts = { servers: three(), sentinels: three() }
    return new SimulatedSentinels(this.#world, hosts, { scriptNames: this.#scriptNames, ...options })
  }

  /** Starts a process with a client for any servers. What a {@link Process} knows of its server is that of `redis`. */
  processFor(name: string, options: Library.RedissonOptions, redis = this.redis): Promise<Process> {
    const { library } = this
    const world = this.#world
    const host = world.host(name, this.#clock)
    return Process.create({ world, library, host, redis }, options)
  }

  /** Lets time go by. */
  sleep(ms: number): Promise<void> {
    return sleep(ms)
  }

  /** The network between processes and servers. */
  get network(): Network {
    return this.#world.network
  }

  /** Virtual time, in milliseconds. */
  get now(): number {
    return this.#world.clock.now
  }

  /** Waits until a condition is true. */
  async until(condition: () => boolean, what: string, withinMs = PATIENCE_MS): Promise<void> {
    const deadline = this.now + withinMs
    while (!condition()) {
      if (this.now >= deadline) throw new Error(`Not within ${String(withinMs)} ms: ${what}`)
      await sleep(LOOK_EVERY_MS)
    }
  }

  /** Whether Redis has a key. */
  has(key: string): boolean {
    return this.redis.command('EXISTS', key) === 1
  }

  /** Waits until Redis no longer has a key. */
  gone(key: string): Promise<void> {
    return this.until(() => !this.has(key), `${key} is gone`)
  }

  /** Runs a program as the one that makes the decisions. */
  start<T>(program: () => Promise<T>): Promise<T> {
    return this.#director.start(program)
  }

  #nextHost(): string {
    this.#servers += 1
    return `10.0.0.${String(this.#servers)}`
  }

  get #clock(): ClockOptions {
    return { uptimeMs: this.now }
  }
}
