import { setTimeout as sleep } from 'node:timers/promises'
import { type Redis, type RedisOptions, SentinelConnector } from 'ioredis'
import type { Delay } from '../config/config.js'
import type { Failures } from './failures.js'

interface Endpoint {
  readonly host?: string
  readonly port?: number
}

/** What is used of ioredis's connector that its types keep private. */
interface Inside {
  connectToSentinel?: (endpoint: Endpoint, options?: object) => Redis
  /** What hears of a failover, since the last time that there was a connection. */
  failoverDetector?: { cleanup(): void } | null
}

type Options = ConstructorParameters<typeof SentinelConnector>[0]
type Connect = SentinelConnector['connect']

/**
 * ioredis's own way to the master that sentinels name, which would keep to itself why one cannot be reached.
 *
 * The pauses between its rounds are ours, because those of ioredis outlive the connection.
 */
export function sentinelConnector(
  failures: Failures,
  pauseMs: Delay,
): NonNullable<RedisOptions['Connector']> {
  return class extends SentinelConnector {
    readonly #asked = new Set<Redis>()
    #pause = new AbortController()

    constructor(options: unknown) {
      super({ ...(options as Options), sentinelRetryStrategy: () => undefined })
      const inside = this as unknown as Inside
      const open = inside.connectToSentinel?.bind(this)
      if (open === undefined) return
      inside.connectToSentinel = (endpoint, settings) => this.#watch(open(endpoint, settings))
    }

    override async connect(...args: Parameters<Connect>): ReturnType<Connect> {
      this.#endDetector()
      const { signal } = (this.#pause = new AbortController())
      for (let attempt = 0; ; attempt++) {
        try {
          return await super.connect(...args)
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
      this.#pause.abort()
      for (const redis of this.#asked) redis.disconnect()
      this.#asked.clear()
    }

    /**
     * A detector that hears of the failover while a master is looked for already would end the search, and the connection with it, for good.
     *
     * It is ended once only, because each further time adds a listener and a timer to its sockets that nothing removes.
     */
    #endDetector(): void {
      const inside = this as unknown as Inside
      inside.failoverDetector?.cleanup()
      inside.failoverDetector = null
    }

    #watch(redis: Redis): Redis {
      mindRejections(redis)
      this.#asked.add(redis)
      redis.on('end', () => this.#asked.delete(redis))
      failures.watchSentinel(redis)
      return redis
    }
  }
}

/** ioredis subscribes again by itself where the connection was lost, and would let the process end if that is interrupted. */
function mindRejections(redis: Redis): void {
  const subscribe = redis.subscribe.bind(redis) as (...args: unknown[]) => Promise<unknown>
  const subscribed = (...args: unknown[]) => {
    const confirmed = subscribe(...args)
    confirmed.catch(() => undefined)
    return confirmed
  }
  Object.defineProperty(redis, 'subscribe', { value: subscribed, configurable: true, writable: true })
}
