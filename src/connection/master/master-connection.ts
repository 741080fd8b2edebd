import type { Redis } from 'ioredis'
import type { RedissonEvents } from '../../api/events.js'
import type { Config } from '../../config/config.js'
import { syncedTimeoutMs } from '../../config/synced-timeout.js'
import type { Emitter } from '../../util/emitter.js'
import { Listeners } from '../../util/listeners.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { warnOnce } from '../../util/warn-once.js'
import { closeLogins, type Logins } from '../login/credentials-cache.js'
import type { RedissonError } from '../../errors/redisson-error.js'
import { wasNotSent } from '../../errors/transient.js'
import type { Failures } from '../login/failures.js'
import { asOvertakable, isCongested } from '../requests/congestion.js'
import type { InitialConnection } from '../login/initial-connection.js'
import type { Apart, Command, Connection, Key, Outcome, Reply, SyncedReply } from '../connection.js'
import { COMMANDS, TRACKING, type NodeOptions } from '../login/ioredis-options.js'
import { IoredisSubscriber } from '../messages/ioredis-subscriber.js'
import { KeySubscriber } from '../messages/key-subscriber.js'
import { MasterSubscriber } from '../messages/master-subscriber.js'
import { joinWrites } from '../node/write-coalescing.js'
import {
  addressOf,
  connectAgain,
  destinationOf,
  placeOf,
  forwardEvents,
  guardHandshake,
  disconnectNode,
  startPing,
} from '../node/node-link.js'
import { PendingCommands } from '../requests/pending-commands.js'
import { ReplicaReads } from '../requests/replica-reads.js'
import { SentinelReplica } from './sentinel-replica.js'
import { demandServerOf, rememberServer } from './same-server.js'
import { SharedGuard } from '../requests/shared-guard.js'
import { SideConnections } from '../requests/side-connections.js'

/** Opens another connection to the present master. */
export type OpenMaster = (overrides: NodeOptions) => Redis

/** The dependencies of a connection. */
export interface Surroundings {
  readonly config: Config
  readonly events: Emitter<RedissonEvents>
  readonly failures: Failures
  readonly contact: InitialConnection
  readonly logins: Logins
}

/** The name of the only master, whichever server it is at the time. */
const MASTER = 'master'

/** The command for idle connections. */
const PING: Command = { name: 'ping', args: [] }

/** The command that reports the state into which the program has brought a shared connection before. */
const CLIENT_INFO: Command = { name: 'client', args: ['info'] }

/** The connection to Redis where one master has all data: a single server, or one that sentinels or a provider replace. */
export class MasterConnection implements Connection {
  readonly publishCommand = 'publish'
  readonly countsAllListeners = true
  readonly masters = [MASTER]
  readonly subscriber: MasterSubscriber
  readonly keyChanges: MasterSubscriber
  readonly #open: OpenMaster
  readonly #failures: Failures
  readonly #logins: Logins
  readonly #contact: InitialConnection
  readonly #commands: Redis
  /** Undefined unless commands go over a connection of the program. */
  readonly #guard: SharedGuard | undefined
  readonly #listeners = new Listeners()
  readonly #touch: Disposable
  readonly #pending: PendingCommands
  readonly #confirming: PendingCommands
  readonly #beside: SideConnections
  #replica: SentinelReplica | undefined
  #reads: ReplicaReads | undefined

  /**
   * @param shared - a connection of the program for the commands
   */
  constructor(open: OpenMaster, { config, events, failures, contact, logins }: Surroundings, shared?: Redis) {
    this.#open = open
    this.#failures = failures
    this.#logins = logins
    this.#contact = contact
    this.#pending = new PendingCommands(config.timeoutMs, failures, shared !== undefined)
    this.#confirming = new PendingCommands(syncedTimeoutMs(config), failures)
    this.#beside = new SideConnections(() => this.#openBeside(), config, this.#confirming)
    failures.onDown(() => {
      this.#pending.failWaiting()
      this.#confirming.failWaiting()
    })
    this.#commands = shared ?? withoutAsyncContext(() => open(COMMANDS))
    failures.watch(this.#commands, this.#listeners)
    this.#listeners.on(this.#commands, 'ready', () => {
      this.#haveOthersFollow(addressOf(this.#commands))
    })
    this.#guard = shared && SharedGuard.of(shared, this.#listeners)
    if (shared !== undefined) {
      this.#listeners.on(shared, 'close', () => {
        this.#pending.settleCut()
      })
    } else {
      failures.demandMaster(this.#commands)
      rememberServer(this.#commands)
      joinWrites(this.#commands)
      guardHandshake(this.#commands, config.timeoutMs)
    }
    this.#touch = startPing(this.#commands, config.pingIntervalMs, () => this.send(PING))
    forwardEvents(this.#commands, 'commands', events, this.#listeners)
    const listen = (overrides: NodeOptions) => {
      const redis = this.#openBeside(overrides)
      forwardEvents(redis, 'messages', events)
      return redis
    }
    const unreachable = () => failures.unreachable(undefined)
    this.subscriber = new MasterSubscriber(
      (listener) => new IoredisSubscriber(listen({}), config, listener),
      unreachable,
    )
    this.keyChanges = new MasterSubscriber(
      (listener) => new KeySubscriber(() => listen(TRACKING), 'plain', config, listener),
      unreachable,
    )
    if (config.readMode === 'MASTER') return
    const ping = (redis: Redis) => this.#pending.send(redis, PING)
    const replica = new SentinelReplica({ open: () => open({ role: 'slave' }), ping, config, events })
    this.#replica = replica
    this.#reads = new ReplicaReads(config, failures, {
      replicasOf: () => [replica.connection],
      askOwner: (command) => this.send(command),
      close: () => replica.close(),
    })
  }

  get isConnected(): boolean {
    return this.#commands.status === 'ready'
  }

  get outage(): RedissonError | undefined {
    return this.#failures.outage(this.#commands, destinationOf(this.#commands))
  }

  get hopeUntil(): number {
    return Math.max(this.#pending.hopeUntil, this.#confirming.hopeUntil)
  }

  async connect(): Promise<void> {
    await this.#contact.make(this.#commands)
    if (this.#guard !== undefined) await this.#introduce(this.#guard)
    void this.#warnOfCluster()
  }

  opening(): undefined {
    return undefined
  }

  send(command: Command): Promise<Reply> {
    return this.#pending.send(this.#commands, command)
  }

  sendAhead(command: Command): Promise<Reply> {
    if (this.#guard !== undefined) return this.send(command)
    return isCongested(this.#commands) ? this.#sendPast(command) : this.send(asOvertakable(command))
  }

  read(command: Command, key: Key): Promise<Reply> {
    return this.#reads === undefined ? this.send(command) : this.#reads.send(command, key)
  }

  sendAll(
    commands: readonly Command[],
    _key: Key | undefined,
    timeoutMs?: number,
  ): Promise<readonly Outcome[]> {
    return this.#pending.sendAll(this.#commands, commands, { timeoutMs })
  }

  sendSynced(command: Command, replicas: number): Promise<SyncedReply> {
    return this.#beside.sendSynced(command, replicas)
  }

  apart(_key: Key | undefined, replicas: number): Promise<Apart> {
    return this.#beside.apart(replicas)
  }

  refreshMasters(): Promise<void> {
    return Promise.resolve()
  }

  sendTo(_: string, command: Command): Promise<Reply> {
    return this.send(command)
  }

  sessionOf(): object | undefined {
    return this.#commands.stream
  }

  /** Makes the connection for commands look for the master again, unless it leads there. */
  protected reconnectUnless(leadsThere: (commands: Redis) => boolean): void {
    if (!leadsThere(this.#commands)) connectAgain(this.#commands)
  }

  slotOf(): number {
    return 0
  }

  ownerOf(): string {
    return ''
  }

  placeOf(): string {
    return placeOf(this.#commands)
  }

  async close(): Promise<void> {
    this.#touch[Symbol.dispose]()
    if (this.#guard !== undefined) this.#listeners[Symbol.dispose]()
    this.#failures.close()
    closeLogins(this.#logins)
    this.#pending.close()
    this.#confirming.close()
    await Promise.all([
      this.subscriber.close(),
      this.keyChanges.close(),
      this.#reads?.close(),
      this.#guard !== undefined ? undefined : disconnectNode(this.#commands),
      this.#beside.close(),
    ])
  }

  /**
   * Asks Redis for the state of a shared connection. Older servers do not report it, and not every user may ask. Then the state that
   * ioredis knows is used.
   *
   * @throws {@link ConfigError} if the program has moved it to another database
   */
  async #introduce(guard: SharedGuard): Promise<void> {
    const info = await this.send(CLIENT_INFO).catch(() => undefined)
    if (info !== undefined) guard.learn(String(info))
  }

  /** Warns if the server is a node of a cluster. It serves only its own slots, and reports that only for keys of others. */
  async #warnOfCluster(): Promise<void> {
    const about = await this.send({ name: 'info', args: ['cluster'] }).catch(() => undefined)
    if (!String(about).includes('cluster_enabled:1')) return
    const address = addressOf(this.#commands)
    const message =
      `Redis at ${address} is a node of a cluster, and this client uses only that node: ` +
      'names whose slots are elsewhere are refused. For the whole cluster there is `clusterServersConfig`'
    warnOnce('REDISSON_CLUSTER_NODE', address, message)
  }

  /** Sends a command past data. Without another connection it waits behind the data. */
  async #sendPast(command: Command): Promise<Reply> {
    try {
      return await this.#pending.send(this.#beside.ahead, { ...command, failFast: true })
    } catch (error) {
      if (!wasNotSent(error)) throw error
      return await this.send(command)
    }
  }

  /** Makes the other connections follow that for commands: it alone is notified of another master, or looks for it. */
  #haveOthersFollow(address: string): void {
    this.#beside.follow(address)
    this.subscriber.follow(address)
    this.keyChanges.follow(address)
    this.#replica?.follow(address)
  }

  #openBeside(overrides: NodeOptions = {}): Redis {
    const redis = withoutAsyncContext(() => this.#open(overrides))
    demandServerOf(this.#commands, redis)
    this.#failures.watch(redis)
    return redis
  }
}
