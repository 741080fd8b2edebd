import type { RunOptions } from '../../command/operation/command-executor.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { Deadline } from '../../util/time/deadline.js'
import type { CacheKeys } from './cache-keys.js'
import { absenceOf, type CacheMessages, type MessageKind } from './cache-messages.js'
import { TAG_LIFE_MS } from './cache-settings.js'
import type { Stamp } from './record.js'
import * as scripts from './cache.scripts.js'

/** How long the mark of a load lasts that is not renewed, in milliseconds: after that another process may load. */
export const LEASE_MS = 5000

/** What Redis has of an entry: the record, and for how many milliseconds it lasts; -1 for as long as it is not removed. */
export type Found = readonly [record: Buffer | undefined, leftMs: number, ...rest: readonly unknown[]]

/** The same, then the times of tags. */
export type Read = readonly [
  record: Buffer | undefined,
  leftMs: number,
  times: readonly (Buffer | undefined)[],
]

/** What Redis has of an entry, then the token of the load that is under way, which is empty if the entry is fresh, and for how many milliseconds its mark lasts. */
export type Led = readonly [record: Buffer | undefined, leftMs: number, leader: string, leaseMs: number]

/** What is stored. */
export interface Stored {
  readonly record: string | Buffer
  readonly lifeMs: number
}

/** What a load stores, and the times of its tags when it began. */
export interface LoadStored extends Stored {
  readonly stamp: Stamp
}

/** The requests of one cache. */
export class CacheStore {
  readonly #executor: ObjectContext['executor']
  readonly #keys: CacheKeys
  readonly #messages: CacheMessages

  constructor({ executor }: Pick<ObjectContext, 'executor'>, keys: CacheKeys, messages: CacheMessages) {
    this.#executor = executor
    this.#keys = keys
    this.#messages = messages
  }

  /** @param times - keys with the times of tags, in the slot of the entry */
  read(entry: string, times: readonly string[], how: RunOptions): Promise<Read> {
    return this.#executor.run(scripts.read, { keys: { entry, times }, args: {} }, how)
  }

  /** Asks for any key, to know whether its node replies in time. */
  async ask(key: string, redisTimeoutMs: number, how: RunOptions): Promise<void> {
    const inTime = { ...how, replyBy: Deadline.after(redisTimeoutMs) }
    await this.#executor.run(scripts.times, { keys: { times: [key] }, args: {} }, inTime)
  }

  lead(key: string, token: string, always: 0 | 1, how: RunOptions): Promise<Led> {
    const call = { keys: this.#keys.of(key), args: { token, leaseMs: LEASE_MS, always } }
    return this.#executor.run(scripts.lead, call, how)
  }

  /** Returns whether the load's mark was still there, so that its value was stored. */
  async store(
    key: string,
    token: string,
    { record, lifeMs, stamp }: LoadStored,
    how: RunOptions,
  ): Promise<boolean> {
    const tidings =
      lifeMs === 0
        ? this.#tidings('absent', key, absenceOf(token, stamp))
        : this.#tidings('entry', key, token)
    const args = { token, record, lifeMs, ...tidings }
    return (await this.#executor.run(scripts.store, { keys: this.#keys.of(key), args }, how)) === 1
  }

  async put(key: string, { record, lifeMs }: Stored): Promise<void> {
    const args = { record, lifeMs, ...this.#tidings('entry', key) }
    await this.#executor.run(scripts.put, { keys: this.#keys.of(key), args })
  }

  async remove(key: string): Promise<boolean> {
    const args = this.#tidings('entry', key)
    return await this.#executor.run(scripts.remove, { keys: this.#keys.of(key), args })
  }

  /** Removes an entry that is old, in the background. The next read of it tries again. */
  purge(key: string, line: Buffer): void {
    const { entry } = this.#keys.of(key)
    const call = { keys: { entry }, args: { line } }
    void this.#executor.run(scripts.purge, call, { failFast: true }).catch(() => undefined)
  }

  async abandon(key: string, token: string, how?: RunOptions): Promise<void> {
    const { mark } = this.#keys.of(key)
    const args = { token, ...this.#tidings('entry', key, token) }
    await this.#executor.run(scripts.abandon, { keys: { mark }, args }, how)
  }

  async renew(key: string, token: string, how: RunOptions): Promise<void> {
    const { mark } = this.#keys.of(key)
    await this.#executor.run(scripts.renew, { keys: { mark }, args: { token, leaseMs: LEASE_MS } }, how)
  }

  /** @param tag - empty for all entries */
  async invalidate(tag: string, what: 'deleted' | 'expired'): Promise<void> {
    const kind = tag === '' ? 'clear' : 'tag'
    const args = { what, lifeMs: tag === '' ? 0 : TAG_LIFE_MS, ...this.#tidings(kind, tag) }
    await this.#executor.run(scripts.invalidate, { keys: { times: this.#keys.timesOf(tag) }, args })
  }

  #tidings(kind: MessageKind, subject: string, token?: string) {
    return { channel: this.#keys.channel, message: this.#messages.text(kind, subject, token) }
  }
}
