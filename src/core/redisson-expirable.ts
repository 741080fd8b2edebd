import type { RExpirable } from '../api/object.js'
import { expiryTime } from './arguments/expiry-time.js'
import { IN_MILLISECONDS, refuseSurplus } from './arguments/options.js'
import * as scripts from './redisson-expirable.scripts.js'
import { EXACTLY_ONCE, RedissonObject } from './redisson-object.js'

/** What has to be so for a time to be set: see `expire.lua`. */
type Condition = '' | 'set' | 'unset' | 'later' | 'earlier'

const ONE_TIME = 'a time is one number of milliseconds, or a Date'

/** An object that can be made to expire, with all its keys. */
export abstract class RedissonExpirable extends RedissonObject implements RExpirable {
  static {
    refuseSurplus(this, {
      expire: ONE_TIME,
      expireIfSet: ONE_TIME,
      expireIfNotSet: ONE_TIME,
      expireIfGreater: ONE_TIME,
      expireIfLess: ONE_TIME,
      remainTimeToLive: IN_MILLISECONDS,
    })
  }

  async expire(time: number | Date): Promise<boolean> {
    return await this.#expire(time, '')
  }

  async expireIfSet(time: number | Date): Promise<boolean> {
    return await this.#expire(time, 'set')
  }

  async expireIfNotSet(time: number | Date): Promise<boolean> {
    return await this.#expire(time, 'unset')
  }

  async expireIfGreater(time: number | Date): Promise<boolean> {
    return await this.#expire(time, 'later')
  }

  async expireIfLess(time: number | Date): Promise<boolean> {
    return await this.#expire(time, 'earlier')
  }

  async clearExpire(): Promise<boolean> {
    const call = { keys: this.keysToPersist(), args: { kind: this.kind } }
    return (await this.requests.run(this.expiryScripts.persist, call, EXACTLY_ONCE)) === 1
  }

  async remainTimeToLive(): Promise<number> {
    const [leftMs] = await this.#expiry()
    return leftMs
  }

  async getExpireTime(): Promise<Date | undefined> {
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

  async #expire(time: number | Date, condition: Condition): Promise<boolean> {
    const { moment = '', ttlMs = 0 } = expiryTime(time)
    const args = { moment, ttlMs, condition, kind: this.kind }
    const call = { keys: this.objectKeys(), args }
    return (await this.requests.run(this.expiryScripts.expire, call, EXACTLY_ONCE)) === 1
  }

  #expiry(): Promise<readonly [number, number]> {
    return this.requests.run(scripts.expiry, { keys: this.objectKeys(), args: { kind: this.kind } })
  }
}
