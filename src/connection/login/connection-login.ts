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

/** Members of ioredis that its types keep private. */
interface Inside {
  readonly connector: {
    connect: (...args: unknown[]) => Promise<unknown>
    /** Finds out to which server to connect, if other servers tell it. */
    resolve?: (...args: unknown[]) => Promise<HostAndPort | null | undefined>
    disconnect: () => void
  }
  silentEmit(event: 'error', error: Error): void
  /** Rejects the commands that wait for a connection. */
  flushQueue(error: Error, options: { readonly commandQueue: boolean }): void
}

/** The reply to `AUTH` on a connection that listens, in RESP2. ioredis may not know that it still listens. */
const LISTENS = /^ERR Can't execute 'auth'/i

/** A login, and where it was used. */
interface Used {
  readonly address: string
  readonly login: Login
}

/**
 * Logs a connection in with the credentials that the program returns at the time.
 *
 * The program is asked before each attempt to connect, as soon as the destination is known. ioredis does not try again after a connector
 * that throws. So a failed call of the program is repeated here, with the pauses between attempts to connect.
 *
 * Before the credentials expire, the connection logs in again. One that listens in RESP2 cannot, and is made anew.
 */
export class ConnectionLogin {
  readonly #redis: Redis
  readonly #cache: CredentialsCache
  readonly #renewal = new Alarm(() => void this.#renew())
  /** Aborts when the connection is closed. */
  #closing = new AbortController()
  #used: Used | undefined
  /** How often the renewal has failed in succession. */
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

  /** Discards the last login of the connection, because the server has refused it. */
  refused(): void {
    if (this.#used !== undefined) this.#cache.forget(this.#used.address, this.#used.login)
  }

  /** Obtains credentials for this address, with which ioredis logs in. */
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

  /** Reports an error. Requests that wait for the connection fail as if the server could not be reached. */
  #report(error: Error): void {
    const inside = this.#redis as unknown as Inside
    inside.silentEmit('error', error) // first, so that requests that wait find the reason
    inside.flushQueue(error, { commandQueue: false })
  }

  #renewInTime(): void {
    const { renewAt = Infinity } = this.#used?.login ?? {}
    if (renewAt < Infinity) this.#renewal.setFor(renewAt)
  }

  /** Logs in again. A broken connection does so when it is made again. */
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

  /** Tries the renewal again later. The connection works for as long as the server allows. */
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
