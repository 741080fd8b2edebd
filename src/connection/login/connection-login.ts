import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { HostAndPort } from '../../api/redisson-options.js'
import { Alarm } from '../../util/time/alarm.js'
import { warnOnce } from '../../util/warn-once.js'
import type { CredentialsCache } from './credentials-cache.js'
import { CLOSED } from './failure.js'
import { withoutSecrets } from '../node/foreign-errors.js'
import { isReply } from './ioredis-errors.js'
import type { Login } from './login.js'
import { addressOf } from '../node/node-link.js'
import { wantsNoPassword } from './refused-login.js'

/** What is used of ioredis that its types keep private. */
interface Inside {
  readonly connector: {
    connect: (...args: unknown[]) => Promise<unknown>
    /** Finds out to which server it is going to connect, where it is told. */
    resolve?: (...args: unknown[]) => Promise<HostAndPort | null | undefined>
    disconnect: () => void
  }
  silentEmit(event: 'error', error: Error): void
  /** Rejects the commands that wait for a connection. */
  flushQueue(error: Error, options: { readonly commandQueue: boolean }): void
}

/** What a server says to a connection that listens, in the older version of the protocol. ioredis may not know that it listens still. */
const LISTENS = /^ERR Can't execute 'auth'/i

/** A login, and where it was used. */
interface Used {
  readonly address: string
  readonly login: Login
}

/**
 * Has a connection log in with what the program returns at the time.
 *
 * Credentials are asked for before each attempt to connect, as soon as it is known where it leads. ioredis does not come back after a connector
 * that throws. So they are asked for again and again where the connection would be tried again, with the same pauses.
 *
 * Before they expire, the connection logs in once more. One that listens in the older version of the protocol cannot, and is made anew.
 */
export class ConnectionLogin {
  readonly #redis: Redis
  readonly #cache: CredentialsCache
  readonly #renewal = new Alarm(() => void this.#renew())
  /** Aborts when the connection is closed. */
  #closing = new AbortController()
  #used: Used | undefined
  /** How often it could not be renewed. */
  #failures = 0

  /** @param redis - a connection that has not begun to connect */
  constructor(redis: Redis, cache: CredentialsCache) {
    this.#redis = redis
    this.#cache = cache
    const { connector } = redis as unknown as Inside
    const connect = connector.connect.bind(connector)
    const resolve = connector.resolve?.bind(connector)
    const disconnect = connector.disconnect.bind(connector)
    connector.connect = async (...args) => {
      this.#closing = new AbortController()
      if (resolve === undefined) await this.#obtain(addressOf(redis))
      return await connect(...args)
    }
    if (resolve !== undefined)
      connector.resolve = async (...args) => {
        const place = await resolve(...args)
        if (place) await this.#obtain(`${place.host}:${String(place.port)}`)
        return place
      }
    connector.disconnect = () => {
      this.#closing.abort()
      this.#renewal.clear()
      disconnect()
    }
    redis.on('ready', () => {
      this.#failures = 0
      this.#renewInTime()
    })
    redis.on('end', () => {
      this.#renewal.clear()
    })
  }

  /** The server has refused the login that the connection has tried last. */
  refused(): void {
    if (this.#used !== undefined) this.#cache.forget(this.#used.address, this.#used.login)
  }

  /** Has ioredis log in with credentials for this address. */
  async #obtain(address: string): Promise<void> {
    const { condition, options } = this.#redis
    const { signal } = this.#closing
    for (let attempt = 1; ; attempt++) {
      try {
        const login = await this.#cache.forOpening(address, signal)
        signal.throwIfAborted()
        this.#used = { address, login }
        if (condition)
          condition.auth = login.username === undefined ? login.password : [login.username, login.password]
        return
      } catch (error) {
        if (signal.aborted) throw new Error(CLOSED, { cause: error })
        const pauseMs = options.retryStrategy?.(attempt)
        if (typeof pauseMs !== 'number') throw error
        this.#report(error as Error)
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  /** Has what waits for the connection fail as where a server cannot be reached. */
  #report(error: Error): void {
    const inside = this.#redis as unknown as Inside
    inside.silentEmit('error', error) // first, so that what waits finds the reason
    inside.flushQueue(error, { commandQueue: false })
  }

  #renewInTime(): void {
    const { renewAt = Infinity } = this.#used?.login ?? {}
    if (renewAt < Infinity) this.#renewal.setFor(renewAt)
  }

  /** Logs in once more. A connection that is broken does so when it is made again. */
  async #renew(): Promise<void> {
    const { stream } = this.#redis
    if (this.#used === undefined || !this.#isOpen(stream)) return
    const { address } = this.#used
    try {
      const login = await this.#cache.renewed(address, this.#closing.signal)
      if (!this.#isOpen(stream)) return
      this.#used = { address, login }
      await this.#authenticate(login)
      this.#failures = 0
      this.#renewInTime()
    } catch (error) {
      if (this.#isOpen(stream)) this.#renewLater(address, withoutSecrets(error))
    }
  }

  async #authenticate({ username, password }: Login): Promise<void> {
    const redis = this.#redis
    if (redis.mode === 'subscriber') {
      redis.disconnect(true)
      return
    }
    try {
      await (username === undefined ? redis.auth(password) : redis.auth(username, password))
    } catch (error) {
      if (!isReply(error)) throw error
      if (wantsNoPassword(error)) return
      if (!LISTENS.test(error.message)) {
        this.refused()
        throw error
      }
      redis.disconnect(true)
    }
  }

  /** The connection works for as long as the server lets it. */
  #renewLater(address: string, { message }: Error): void {
    warnOnce(
      'REDISSON_LOGIN_NOT_RENEWED',
      address,
      `A connection to Redis at ${address} could not log in again before its credentials expire: ${message}. It tries again`,
    )
    this.#renewal.setFor(performance.now() + this.#cache.pauseMs(this.#failures))
    this.#failures += 1
  }

  #isOpen(stream: Redis['stream']): boolean {
    const { status, stream: current } = this.#redis
    return status === 'ready' && current === stream && !this.#closing.signal.aborted
  }
}
