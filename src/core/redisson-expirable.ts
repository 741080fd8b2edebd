import type { RExpirable } from '../api/object.js'
import { expiryTime } from './expiry-time.js'
import { ALONE, demandNoMore } from './options.js'
import * as scripts from './redisson-expirable.scripts.js'
import { EXACTLY_ONCE, RedissonObject } from './redisson-object.js'

/** What has to be so for a time to be set: see `expire.lua`. */
type Condition = '' | 'set' | 'unset' | 'later' | 'earlier'

const ONE_TIME = 'a time is one number of milliseconds, or a Date'

/** An object that can be made to expire, with all its keys. */
export abstract class RedissonExpirable extends RedissonObject implements RExpirable {
  async expire(time: number | Date, surplus?: unknown): Promise<boolean> {
    return await this.#expire(time, '', surplus)
  }

  async expireIfSet(time: number | Date, surplus?: unknown): Promise<boolean> {
    return await this.#expire(time, 'set', surplus)
  }

  async expireIfNotSet(time: number | Date, surplus?: unknown): Promise<boolean> {
    return await this.#expire(time, 'unset', surplus)
  }

  async expireIfGreater(time: number | Date, surplus?: unknown): Promise<boolean> {
    return await this.#expire(time, 'later', surplus)
  }

  async expireIfLess(time: number | Date, surplus?: unknown): Promise<boolean> {
    return await this.#expire(time, 'earlier', surplus)
  }

  async clearExpire(surplus?: unknown): Promise<boolean> {
    demandNoMore(surplus, ALONE)
    const call = { keys: this.keysToPersist(), args: { kind: this.kind } }
    return (await this.executor.run(this.expiryScripts.persist, call, EXACTLY_ONCE)) === 1
  }

  async remainTimeToLive(surplus?: unknown): Promise<number> {
    demandNoMore(surplus)
    const [leftMs] = await this.#expiry()
    return leftMs
  }

  async getExpireTime(surplus?: unknown): Promise<Date | undefined> {
    demandNoMore(surplus)
    const [, moment] = await this.#expiry()
    return moment < 0 ? undefined : new Date(moment)
  }

  /** What has all keys expire, or not. */
  protected get expiryScripts(): scripts.ExpiryScripts {
    return scripts.ofExpiry
  }

  /** The keys that expire no more after {@link RedissonExpirable.clearExpire}, as scripts take them. */
  protected keysToPersist(): ReturnType<RedissonExpirable['objectKeys']> {
    return this.objectKeys()
  }

  async #expire(time: number | Date, condition: Condition, surplus: unknown): Promise<boolean> {
    demandNoMore(surplus, ONE_TIME)
    const { moment = '', ttlMs = 0 } = expiryTime(time)
    const args = { moment, ttlMs, condition, kind: this.kind }
    const call = { keys: this.objectKeys(), args }
    return (await this.executor.run(this.expiryScripts.expire, call, EXACTLY_ONCE)) === 1
  }

  #expiry(): Promise<readonly [number, number]> {
    return this.executor.run(
      scripts.expiry,
      { keys: this.objectKeys(), args: { kind: this.kind } },
      this.reading,
    )
  }
}
