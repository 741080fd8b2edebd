import type * as Library from '../../../src/index.js'
import type { FATES } from './circumstances.js'
import { SWITCHED, switchMessage, type Endpoint, type Watch } from '../server/sentinel.js'
import type { World } from '../world/world.js'
import { SimulatedRedis, type RedisOptions } from './simulated-redis.js'

const MASTER_NAME = 'mymaster'

/** Where servers and sentinels listen. */
export interface SentinelHosts {
  /** The first one is the master at first. */
  readonly servers: readonly string[]
  readonly sentinels: readonly string[]
}

/** How a master is replaced. */
export interface Failover {
  /**
   * Whether the new master lacks what was on its way to it. Replication is asynchronous, so what a client was told may be gone.
   *
   * @defaultValue false
   */
  readonly loses?: boolean
  /**
   * What the old master is meanwhile: a replica of the new one that its clients stay connected to (`demoted`), gone (`away`), standing still
   * (`frozen`), or a master still, with which nobody speaks any more who asks the sentinels (`apart`, until {@link SimulatedSentinels.join}).
   *
   * @defaultValue 'demoted'
   */
  readonly old?: (typeof FATES)[number] | 'apart'
  /**
   * For how long it is away, or stands still.
   *
   * @defaultValue 5 000
   */
  readonly oldMs?: number
  /**
   * How much later than the failover each sentinel knows of it.
   *
   * @defaultValue 0 for each
   */
  readonly knownAfterMs?: readonly number[]
  /**
   * Its number, which is lower than that of the last one where sentinels were set up anew.
   *
   * @defaultValue one more than the last one
   */
  readonly epoch?: number
}

/** A master with replicas, and sentinels that tell which of them is the master. */
export class SimulatedSentinels {
  readonly servers: readonly SimulatedRedis[]
  readonly sentinels: readonly SimulatedRedis[]
  readonly #world: World
  #master: SimulatedRedis
  #epoch = 0

  constructor(world: World, hosts: SentinelHosts, options: RedisOptions) {
    this.#world = world
    this.servers = hosts.servers.map((host) => new SimulatedRedis(world, host, options))
    this.#master = this.servers[0] as SimulatedRedis
    for (const replica of this.#others) this.#master.addReplica(replica, options.replication)
    this.sentinels = hosts.sentinels.map(
      (host) => new SimulatedRedis(world, host, { scriptNames: new Map() }),
    )
    for (const sentinel of this.sentinels) sentinel.server.watch = this.#watchOf(sentinel)
  }

  /** The server that is the master by now, whatever sentinels tell. */
  get master(): SimulatedRedis {
    return this.#master
  }

  /** The settings of a client. */
  get config(): Library.SentinelServersOptions {
    const sentinelAddresses = this.sentinels.map(({ address }) => `redis://${address}`)
    return { masterName: MASTER_NAME, sentinelAddresses }
  }

  /** Has a replica take the place of the master: the first one, or another. */
  failOver(how: Failover = {}, to = this.#others[0] as SimulatedRedis): void {
    const { loses = false, old: fate = 'demoted', oldMs = 5_000, knownAfterMs = [] } = how
    const { epoch = this.#epoch + 1 } = how
    const old = this.#master
    old.endReplication({ loses })
    to.promote()
    this.#master = to
    this.#epoch = epoch
    for (const replica of this.#others) if (replica !== old) to.addReplica(replica)
    if (fate !== 'apart') this.join(old)
    if (fate === 'away') this.#world.network.away(old.address, oldMs)
    if (fate === 'frozen') this.#world.network.freeze(old.address, oldMs)
    for (const [n, sentinel] of this.sentinels.entries())
      this.#after(knownAfterMs[n] ?? 0, () => this.#tell(sentinel, old))
  }

  /** Has a server that was the master become a replica of the present one. It loses what it has written since. */
  join(old: SimulatedRedis): void {
    this.#master.addReplica(old)
  }

  get #others(): readonly SimulatedRedis[] {
    return this.servers.filter((server) => server !== this.#master)
  }

  #watchOf(sentinel: SimulatedRedis): Watch {
    return {
      masterName: MASTER_NAME,
      master: endpointOf(this.#master),
      replicas: this.#others.map(endpointOf),
      epoch: this.#epoch,
      sentinels: this.sentinels.filter((other) => other !== sentinel).map(endpointOf),
    }
  }

  #tell({ server }: SimulatedRedis, old: SimulatedRedis): void {
    server.watch = this.#watchOf(this.sentinels.find((each) => each.server === server) as SimulatedRedis)
    server.publish(SWITCHED, switchMessage(server.watch, endpointOf(old), server.watch.master), false)
  }

  #after(ms: number, run: () => void): void {
    const { clock } = this.#world
    clock.schedule({ at: clock.now + ms, loop: clock.outside, kind: 'timer', what: 'failover is known', run })
  }
}

function endpointOf({ host }: SimulatedRedis): Endpoint {
  return { host, port: SimulatedRedis.PORT }
}
