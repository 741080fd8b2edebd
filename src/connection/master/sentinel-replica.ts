import type { Redis } from 'ioredis'
import type { RedissonEvents } from '../../api/events.js'
import type { Config } from '../../config/config.js'
import type { Emitter } from '../../util/emitter.js'
import { Listeners } from '../../util/listeners.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import {
  connectAgain,
  disconnectNode,
  forwardEvents,
  guardHandshake,
  rememberAddress,
  startPing,
} from '../node/node-link.js'
import { joinWrites } from '../node/write-coalescing.js'

interface Opening {
  /** Makes the connection, which does not connect by itself. */
  readonly open: () => Redis
  /** Sends a PING. */
  readonly ping: (redis: Redis) => Promise<unknown>
  readonly config: Config
  readonly events: Emitter<RedissonEvents>
}

/**
 * The connection to one of the replicas that sentinels consider healthy.
 *
 * It is made when it is first needed. When it breaks, ioredis asks the sentinels again. It does not use a server that is no replica.
 */
export class SentinelReplica {
  readonly #how: Opening
  #redis: Redis | undefined
  #master: string | undefined
  #ping: Disposable | undefined

  constructor(how: Opening) {
    this.#how = how
  }

  /** The connection, ready or not. */
  get connection(): Redis {
    return (this.#redis ??= this.#connect())
  }

  /** Looks for a replica again if the master has changed. The present one may be the new master, or still have the data of the old one. */
  follow(master: string): void {
    const isAnother = this.#master !== undefined && this.#master !== master
    this.#master = master
    if (this.#redis !== undefined && isAnother) connectAgain(this.#redis)
  }

  async close(): Promise<void> {
    this.#ping?.[Symbol.dispose]()
    if (this.#redis !== undefined) await disconnectNode(this.#redis)
  }

  #connect(): Redis {
    const { open, ping, config, events } = this.#how
    const redis = withoutAsyncContext(open)
    rememberAddress(redis, new Listeners())
    forwardEvents(redis, 'commands', events)
    guardHandshake(redis, config.timeoutMs)
    joinWrites(redis)
    this.#ping = startPing(redis, config.pingIntervalMs, () => ping(redis))
    withoutAsyncContext(() => redis.connect()).catch(() => undefined) // it goes on trying by itself
    return redis
  }
}
