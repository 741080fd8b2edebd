import type { Cluster, Redis } from 'ioredis'
import type { HostAndPort } from '../../api/redisson-options.js'
import {
  type AuthenticationError,
  ConnectionLostError,
  CredentialsError,
} from '../../errors/connection-errors.js'
import { NotSentError } from '../../errors/not-sent.js'
import { Listeners } from '../../util/listeners.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { decideUse } from './before-use.js'
import type { Logins } from './credentials-cache.js'
import {
  asFailure,
  CLOSED,
  followsAnother,
  inWords,
  IS_SENTINEL,
  isCut,
  isRefusal,
  isRefusedLogin,
  isWrongPassword,
  isWithoutTls,
  inOurWords,
  saysNothing,
  type Attempt,
  type Failure,
  type Timeouts,
  type Tried,
} from './failure.js'
import { withoutSecrets } from '../node/foreign-errors.js'
import { addressOf, isToldWhere, rememberAddress } from '../node/node-link.js'
import { refusedLogin } from './refused-login.js'
import { RefusedStep } from './refused-step.js'
import { saidUnasked } from './said-unasked.js'

/** The message that there is no master, after each of the servers has given its reason. */
const NO_MASTER = /^(All sentinels are unreachable|None of the servers is a master)/

/** ioredis's message about one sentinel, with a reason unless the sentinel has named no master. */
const SENTINEL_SAYS = /^\w+ (?:to connect )?to sentinel (\S+) (?:because (.*)|successfully)/s
const NO_SUCH_MASTER = 'No such master'

/** The reason where a node knows no other, and no address of its own. */
const NO_ADDRESS =
  'the cluster names no node: none has slots, or it does not say at which addresses they are (see `cluster-announce-ip`)'

/** The number of attempts to connect, and how long they took. */
export interface Attempts {
  readonly attempts: number
  readonly elapsedMs: number
}

/** Records the last failure at each server, as far as its connections do not work. */
export class Failures {
  readonly #timeouts: Timeouts
  readonly #logins: Logins
  readonly #byAddress = new Map<string, Failure>()
  readonly #underway = new Map<string, Attempt>()
  /** The servers that have worked. */
  readonly #worked = new Set<string>()
  /** Connections, and addresses of nodes of a cluster, whose last attempt to connect has failed. */
  readonly #down = new Set<Redis | Cluster | string>()
  readonly #onDown: (() => void)[] = []
  /** The messages that servers send to new connections before they close them. */
  readonly #said = new Map<string, Error>()
  readonly #asking = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()

  /** @param logins - set where the program is asked for credentials, so that the next ones may be accepted */
  constructor(timeouts: Timeouts, logins: Logins = {}) {
    this.#timeouts = timeouts
    this.#logins = logins
  }

  /** Stops asking servers why they close connections. */
  close(): void {
    this.#closing.abort()
  }

  /** Calls back each time an attempt to connect has failed. */
  onDown(listener: () => void): void {
    this.#onDown.push(listener)
  }

  /** Records what keeps a connection from working. */
  watch(redis: Redis, listeners = new Listeners()): void {
    rememberAddress(redis, listeners)
    const tls = Boolean(redis.options.tls)
    let works = redis.status === 'ready'
    const failed = () => {
      if (!works) this.#attemptFailed(redis)
    }
    listeners.on(redis, 'connecting', () => {
      if (!isToldWhere(redis)) this.#begin({ address: addressOf(redis), tls })
    })
    listeners.on(redis, 'error', (error: Error) => {
      if (!NO_MASTER.test(error.message)) this.note({ address: addressOf(redis), tls }, error)
      failed()
    })
    listeners.on(redis, 'sentinelError', ({ message }: Error) => {
      const [, address = '', reason = NO_SUCH_MASTER] = SENTINEL_SAYS.exec(message) ?? []
      const known = !reason.includes(NO_SUCH_MASTER)
      const words = known ? reason : `it does not know a master called ${redis.options.name ?? ''}`
      this.note({ address, tls, sentinel: true }, new Error(words))
    })
    listeners.on(redis, 'connect', () => {
      this.#reach({ address: addressOf(redis), tls })
    })
    listeners.on(redis, 'close', () => {
      this.note({ address: addressOf(redis), tls }, new Error(CLOSED))
      failed()
      works = false
    })
    listeners.on(redis, 'end', () => {
      this.#down.delete(redis)
    })
    listeners.on(redis, 'ready', () => {
      works = true
      this.#down.delete(redis)
      if (isToldWhere(redis)) this.#byAddress.clear() // it is the master, so the others do not matter any more
      this.#work(addressOf(redis))
    })
  }

  /** Refuses to use a connection that leads to a sentinel, or to a replica in place of the master. */
  demandMaster(redis: Redis): void {
    const tls = Boolean(redis.options.tls)
    const named = redis.options.sentinels ? ', although a sentinel has named it as the master' : ''
    decideUse(redis, ({ redis_mode: mode, role }, check) => {
      const isSentinel = mode === 'sentinel'
      if (!isSentinel && check()) return true
      const problem = isSentinel ? IS_SENTINEL : `its role is ${String(role)}${named}`
      this.note({ address: addressOf(redis), tls }, new Error(problem))
      return false
    })
  }

  /** Records what keeps a sentinel from being asked. */
  watchSentinel(redis: Redis): void {
    const tried = { address: addressOf(redis), tls: Boolean(redis.options.tls), sentinel: true }
    redis.on('connecting', () => {
      this.#begin(tried)
    })
    redis.on('connect', () => {
      this.#reach(tried)
    })
    redis.on('error', (error) => {
      this.note(tried, error)
    })
  }

  /** Records that a node refuses the handshake of an additional connection. Other errors of that connection do not matter. */
  watchHandshake(redis: Redis): void {
    const tried = { address: addressOf(redis), tls: Boolean(redis.options.tls) }
    redis.on('error', (error) => {
      if (error instanceof RefusedStep) this.note(tried, error)
    })
    redis.on('ready', () => {
      if (this.#byAddress.get(tried.address)?.error.name === RefusedStep.name)
        this.#byAddress.delete(tried.address)
    })
  }

  /** Records what keeps the nodes of a cluster from working. */
  watchCluster(cluster: Cluster, listeners = new Listeners()): void {
    const tls = Boolean(cluster.options.redisOptions?.tls)
    listeners.on(cluster, 'node error', (error: Error, address: string) => {
      this.note({ address, tls }, error)
      if (!this.#isUp(cluster, address)) this.#attemptFailed(address)
    })
    let last = ''
    listeners.on(cluster, '+node', (node: Redis) => {
      const address = (last = addressOf(node))
      const own = listeners.until(node, 'end')
      own.on(node, 'connecting', () => {
        this.#begin({ address, tls })
      })
      own.on(node, 'connect', () => {
        this.#reach({ address, tls })
      })
      own.on(node, 'close', () => {
        if (this.#underway.get(address)?.reached === true) this.note({ address, tls }, new Error(CLOSED))
        if (this.#underway.has(address)) this.#attemptFailed(address)
      })
      own.on(node, 'ready', () => {
        if (cluster.nodes().includes(node)) this.#work(address)
      })
    })
    listeners.on(cluster, 'refresh', () => {
      const nodes = cluster.nodes().map((node) => addressOf(node))
      for (const known of [this.#byAddress, this.#underway, this.#worked, this.#said])
        for (const address of known.keys()) if (!nodes.includes(address)) known.delete(address)
      for (const known of this.#down)
        if (typeof known === 'string' && !nodes.includes(known)) this.#down.delete(known)
      if (nodes.length === 0) this.note({ address: last, tls }, new Error(NO_ADDRESS))
    })
    listeners.on(cluster, 'error', () => {
      this.#attemptFailed(cluster) // its nodes have said why
    })
    listeners.on(cluster, 'ready', () => {
      this.#down.delete(cluster)
    })
  }

  /** Returns whether a node of a cluster has a connection that works. */
  #isUp(cluster: Cluster, address: string): boolean {
    return cluster.nodes().some((node) => node.status === 'ready' && addressOf(node) === address)
  }

  #attemptFailed(where: Redis | Cluster | string): void {
    this.#down.add(where)
    for (const listener of this.#onDown) listener()
  }

  #begin(tried: Tried): void {
    this.#underway.set(tried.address, { ...tried, reached: false })
  }

  /** Notes that a server was reached. Earlier failures to reach it are obsolete, but it may still refuse us. */
  #reach(tried: Tried): void {
    const { address } = tried
    this.#underway.set(address, { ...tried, reached: true })
    const failure = this.#byAddress.get(address)
    if (failure !== undefined && failure.reached !== true && !isRefusal(failure.error))
      this.#byAddress.delete(address)
  }

  #work(address: string): void {
    this.#underway.delete(address)
    this.#byAddress.delete(address)
    this.#said.delete(address)
    this.#down.delete(address)
    this.#worked.add(address)
  }

  /** Records an error. One without a reason does not replace one with a reason. */
  note(tried: Tried, reason: unknown): void {
    const { address } = tried
    const error = reason instanceof CredentialsError ? reason : withoutSecrets(reason)
    const reached = this.#underway.get(address)?.reached
    const known = this.#byAddress.get(address)
    if (known !== undefined && (followsAnother(error) || repeats(error, known.error))) return
    this.#byAddress.set(address, { ...tried, error, reached })
    if (reached === true && isCut(error)) this.#askWhy(tried)
  }

  /** Finds out why a server closes new connections. One that expects TLS is not asked, because it would wait for the handshake. */
  #askWhy({ address, tls }: Tried): void {
    const { signal } = this.#closing
    const where = endpointOf(address)
    if (tls || where === undefined || signal.aborted || this.#asking.has(address)) return
    const ask = async (): Promise<void> => {
      const words = await saidUnasked(where, signal)
      if (words === undefined) this.#said.delete(address)
      else this.#said.set(address, withoutSecrets(new Error(words)))
      this.#asking.delete(address)
    }
    this.#asking.set(address, withoutAsyncContext(ask))
  }

  /** Returns why there is no connection, if an error does not say so itself. */
  causeOf(error: Error, address: string): Error {
    return saysNothing(error) ? (this.#byAddress.get(address)?.error ?? inOurWords(error)) : error
  }

  /** Whether further attempts would fail in the same way. */
  get final(): boolean {
    const all = this.#all
    return (
      all.some((failure) => isRefusal(failure.error) && !this.#mayPass(failure)) ||
      (all.length > 0 && all.every(isWithoutTls))
    )
  }

  /**
   * Returns the error for a request that was not sent for want of a connection, if the reason is known.
   *
   * Failures of other servers are no reason, except those of sentinels, because these name the master.
   *
   * @param destination - the server that the request was for; undefined if it is not known
   */
  unreachable(destination: string | undefined): AuthenticationError | ConnectionLostError | undefined {
    const telling = this.#all.filter(({ error }) => !saysNothing(error))
    const there = telling.find(({ address }) => address === destination)
    const others = telling.filter(({ sentinel }) => destination === undefined || sentinel === true)
    const reasons = there === undefined ? others : [there, ...others]
    const [first] = reasons
    if (first === undefined) return undefined
    const refused = there === undefined ? others.every(isRefusedLogin) : isRefusedLogin(there)
    if (!refused) return new NotSentError(...this.#explain(reasons))
    const error = this.#refusedLogin(first)
    if (!this.#mayPass(first)) return error
    const [problem] = this.#explain(reasons)
    return new NotSentError(problem, { cause: error })
  }

  /**
   * Returns why the last attempt to connect has failed. Undefined while the connection works, and until an attempt has failed after it broke.
   *
   * @param destination - the server that a request is for; undefined if it is not known
   */
  outage(
    redis: Redis | Cluster,
    destination: string | undefined,
  ): AuthenticationError | ConnectionLostError | undefined {
    const isDown = this.#down.has(redis) || (destination !== undefined && this.#down.has(destination))
    if (!isDown) return undefined
    const all = this.#all
    const there = all.filter(({ address }) => address === destination)
    return this.unreachable(destination) ?? new NotSentError(...this.#explain(there.length > 0 ? there : all))
  }

  /** Returns the error for the program that wanted to connect. */
  async toError(facts: Attempts): Promise<AuthenticationError | ConnectionLostError> {
    await Promise.all(this.#asking.values())
    const all = this.#all
    const refused = all.find(isRefusedLogin)
    if (refused !== undefined) return this.#refusedLogin(refused)
    const [problem, { cause }] = this.#explain(all.length > 0 ? all : this.#pending)
    return new ConnectionLostError(problem, { ...facts, cause, mayHaveRun: false })
  }

  /** Returns whether the next attempt may log in with other credentials. */
  #mayPass(failure: Failure): boolean {
    return isWrongPassword(failure) && this.#wasAsked(failure)
  }

  /** Returns whether the program was asked for the credentials that a server has refused. */
  #wasAsked({ sentinel = false }: Failure): boolean {
    return (sentinel ? this.#logins.sentinels : this.#logins.servers) !== undefined
  }

  #refusedLogin(failure: Failure): AuthenticationError {
    return refusedLogin(failure.error, { ...failure, wasAsked: this.#wasAsked(failure) })
  }

  #explain(failures: readonly Failure[]): [problem: string, ErrorOptions] {
    const reasons = failures.map((failure) => {
      return ` ${inWords(failure, this.#timeouts, this.#worked.has(failure.address))}`
    })
    return [`Could not connect to Redis${reasons.join(';')}`, { cause: failures[0]?.error }]
  }

  /** All failures. A server's own message takes precedence over the error of its connection. */
  get #all(): Failure[] {
    return Array.from(this.#byAddress.values(), (failure) => {
      const said = isCut(failure.error) ? this.#said.get(failure.address) : undefined
      return said === undefined ? failure : { ...failure, error: said }
    })
  }

  /** Servers that have not replied at all so far. */
  get #pending(): Failure[] {
    return Array.from(this.#underway.values(), asFailure)
  }
}

/** Returns whether an error only repeats the message of another, as ioredis does for a sentinel. */
function repeats(error: Error, known: Error): boolean {
  return known instanceof CredentialsError && known.message === error.message
}

/** Returns the host and port of an address; undefined for the path of a socket. */
function endpointOf(address: string): HostAndPort | undefined {
  const [, host, port] = /^(.+):(\d+)$/.exec(address) ?? []
  return host === undefined ? undefined : { host, port: Number(port) }
}
