import { setTimeout as sleep } from 'node:timers/promises'
import { type Redis, type RedisOptions, SentinelConnector } from 'ioredis'
import type { HostAndPort } from '../../api/redisson-options.js'
import type { Delay } from '../../config/config.js'
import type { Failures } from '../login/failures.js'
import { isSamePlace, valuesSoon, type SentinelReply, type MasterKnowledge } from './sentinel-replies.js'

/** How long to wait for other sentinels once one has replied, in milliseconds. They may know of a later failover. */
const OTHERS_WAIT_MS = 250

interface Endpoint {
  readonly host?: string
  readonly port?: number
}

/** Members of ioredis's connector that its types keep private. */
interface Inside {
  readonly options: { readonly name: string; readonly role?: string }
  readonly sentinelIterator: { readonly sentinels: readonly Endpoint[] }
  connectToSentinel: (endpoint: Endpoint, options?: object) => Redis
  /** Asks a sentinel where to connect. */
  resolve: (endpoint: Endpoint) => Promise<HostAndPort | null>
  resolveMaster(asked: Redis): Promise<HostAndPort | null>
  resolveSlave(asked: Redis): Promise<HostAndPort | null>
  sentinelNatResolve(place: HostAndPort): HostAndPort
  /** The detector of failovers that the last connection has started. */
  failoverDetector?: { cleanup(): void } | null
}

type Options = ConstructorParameters<typeof SentinelConnector>[0]
type Connect = SentinelConnector['connect']

/**
 * Returns a variant of ioredis's connector to the master that sentinels name. That of ioredis does not report why a sentinel cannot be
 * reached, and believes the first reply.
 *
 * The pauses between the rounds are our own, because those of ioredis outlive the connection.
 *
 * @param known - the knowledge of the master that all connections of the client share
 */
export function sentinelConnector(
  failures: Failures,
  pauseMs: Delay,
  known: MasterKnowledge,
): NonNullable<RedisOptions['Connector']> {
  return class extends SentinelConnector {
    readonly #inside = this as unknown as Inside
    readonly #asked = new Set<Redis>()
    /** The replies of the present round, by sentinel. */
    #replies: Map<Endpoint, Promise<SentinelReply | undefined>> | undefined
    /** The master that the connection leads to, or will lead to, by the newest reply. */
    #chosen: Pick<SentinelReply, 'epoch' | 'place'> | undefined
    #stopFollowing = () => undefined as unknown
    #isSearching = false
    #pause = new AbortController()

    constructor(options: unknown) {
      super({ ...(options as Options), sentinelRetryStrategy: () => undefined })
      const inside = this.#inside
      const open = inside.connectToSentinel.bind(this)
      inside.connectToSentinel = (endpoint, settings) => this.#watch(open(endpoint, settings))
      inside.resolve = (endpoint) => this.#find(endpoint)
    }

    override async connect(...args: Parameters<Connect>): ReturnType<Connect> {
      this.#endDetector()
      const { signal } = (this.#pause = new AbortController())
      this.#isSearching = true
      this.#stopFollowing = known.follow(() => {
        this.#leaveReplaced()
      })
      for (let attempt = 0; ; attempt++) {
        this.#replies = undefined
        try {
          const stream = await super.connect(...args)
          this.#isSearching = false
          this.#leaveReplaced()
          return stream
        } catch (error) {
          if (!this.connecting) throw error
          const [tell] = args
          tell('error', error as Error)
        }
        await sleep(pauseMs(attempt), undefined, { signal }).catch(() => undefined)
        if (signal.aborted) throw new Error('Connection is closed.')
      }
    }

    override disconnect(): void {
      super.disconnect()
      this.#stopFollowing()
      this.#pause.abort()
      for (const redis of this.#asked) redis.disconnect()
      this.#asked.clear()
    }

    /**
     * Ends the detector of failovers. If it reported a failover during a search for the master, the search and the connection would end for good.
     *
     * It is ended only once, because each further time adds a listener and a timer to its sockets that nothing removes.
     */
    #endDetector(): void {
      this.#inside.failoverDetector?.cleanup()
      this.#inside.failoverDetector = null
    }

    get #wantsReplica(): boolean {
      return this.#inside.options.role === 'slave'
    }

    /** Asks all sentinels at once, and uses the newest reply. ioredis calls it for one sentinel after the other, until there is a reply. */
    async #find(endpoint: Endpoint): Promise<HostAndPort | null> {
      const { sentinels } = this.#inside.sentinelIterator
      const asked = (this.#replies ??= new Map(sentinels.map((each) => [each, this.#askAt(each)])))
      const named = Array.from(asked.values(), async (reply) => (await reply) ?? Promise.reject(new Error()))
      const replies = await valuesSoon(named, OTHERS_WAIT_MS).catch(() => [])
      if (replies.length === 0) return (await asked.get(endpoint))?.place ?? null // or the error of the request says why
      if (this.#wantsReplica) return known.replicaOf(replies) ?? null
      this.#chosen = known.newestOf(replies)
      return this.#chosen?.place ?? null
    }

    /** Asks a sentinel over a connection of its own. */
    async #askAt(endpoint: Endpoint): Promise<SentinelReply | undefined> {
      const inside = this.#inside
      const redis = inside.connectToSentinel(endpoint)
      redis.on('error', () => undefined) // the request fails as well
      try {
        return await this.#ask(redis, () =>
          this.#wantsReplica ? inside.resolveSlave(redis) : inside.resolveMaster(redis),
        )
      } finally {
        redis.disconnect()
      }
    }

    /**
     * Asks a sentinel for the epoch and the address. The epoch comes first, so that it is never newer than the address. Not every user may
     * ask for it.
     */
    async #ask(redis: Redis, find: () => Promise<HostAndPort | null>): Promise<SentinelReply | undefined> {
      const about = redis.call('sentinel', 'master', this.#inside.options.name).catch(() => [])
      const [facts, place] = await Promise.all([about, find()])
      if (place === null) return undefined
      const reply = { place, epoch: epochIn(facts) }
      if (!this.#isSearching && !this.#wantsReplica) known.learn(reply) // it may show that this connection leads to a master that was replaced
      return reply
    }

    /** Ends a connection to a master that was replaced. ioredis connects again. */
    #leaveReplaced(): void {
      if (this.#isSearching || this.#wantsReplica || this.#chosen === undefined) return
      if (known.isReplaced(this.#chosen)) this.disconnect()
    }

    /** Returns whether an announcement of a sentinel concerns this connection. A sentinel may watch several masters. */
    #concerns(message: string): boolean {
      const [name, , , host = '', port] = message.split(' ')
      const inside = this.#inside
      if (name !== inside.options.name) return false
      return !isSamePlace(inside.sentinelNatResolve({ host, port: Number(port) }), this.#chosen?.place)
    }

    #watch(redis: Redis): Redis {
      this.#watchSubscription(redis)
      this.#asked.add(redis)
      redis.on('end', () => this.#asked.delete(redis))
      failures.watchSentinel(redis)
      return redis
    }

    /**
     * Watches a connection over which ioredis listens for failovers. With each subscription it asks for the master, since announcements may
     * have been missed.
     *
     * ioredis subscribes again by itself after a lost connection. If that is interrupted, the rejection would end the process.
     */
    #watchSubscription(redis: Redis): void {
      const subscribe = redis.subscribe.bind(redis) as (...args: unknown[]) => Promise<unknown>
      const { name } = this.#inside.options
      const find = async () => {
        const reply = await redis.call('sentinel', 'get-master-addr-by-name', name)
        const [host, port] = (reply ?? []) as [string?, string?]
        return host === undefined ? null : this.#inside.sentinelNatResolve({ host, port: Number(port) })
      }
      const subscribed = (...args: unknown[]) => {
        this.#ask(redis, find).catch(() => undefined)
        const confirmed = subscribe(...args)
        confirmed.catch(() => undefined)
        return confirmed
      }
      const emit = redis.emit.bind(redis)
      const emitted = (event: string, ...args: unknown[]) =>
        event !== 'message' || this.#concerns(String(args[1])) ? emit(event, ...args) : false
      for (const [key, value] of Object.entries({ subscribe: subscribed, emit: emitted }))
        Object.defineProperty(redis, key, { value, configurable: true, writable: true })
    }
  }
}

/** Returns the epoch of a master from the names and values in a sentinel's reply. */
function epochIn(facts: unknown): number {
  const words = facts as readonly unknown[]
  const at = words.indexOf('config-epoch')
  return at === -1 ? 0 : Number(words[at + 1])
}
