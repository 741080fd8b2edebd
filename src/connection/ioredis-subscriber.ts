import type { Redis } from 'ioredis'
import type { Subscriber, SubscriberListener } from './connection.js'
import { hangUp, keepInTouch } from './node-link.js'
import { ClientClosedError } from '../errors/client-errors.js'
import { CommandError } from '../errors/reply-errors.js'
import { chunk } from '../util/chunk.js'
import { outside } from '../util/outside.js'

/** How many channels one SUBSCRIBE names when all of them are subscribed again. */
const CHANNELS_PER_COMMAND = 500

/** Ordinary channels, or those that belong to a hash slot of a cluster. */
export type ChannelKind = 'subscribe' | 'ssubscribe'

interface Channel {
  readonly confirmation: PromiseWithResolvers<void>
  /** Whether Redis has ever confirmed it: then a later confirmation ends a gap. */
  confirmed: boolean
}

/**
 * A connection to one node that only listens.
 *
 * It subscribes again by itself after it has reconnected. ioredis could do so too, but would not tell when the server has
 * confirmed, and until then every message is lost.
 */
export class IoredisSubscriber implements Subscriber {
  readonly #redis: Redis
  readonly #kind: ChannelKind
  readonly #channels = new Map<string, Channel>()
  readonly #touch: Disposable
  #listener: SubscriberListener | undefined

  constructor(redis: Redis, kind: ChannelKind, pingIntervalMs: number) {
    this.#redis = redis
    this.#kind = kind
    this.#touch = keepInTouch(redis, pingIntervalMs)
    redis.on('ready', () => {
      this.#requestAll()
    })
    redis.on(kind === 'subscribe' ? 'message' : 'smessage', (channel: string, message: string) => {
      if (this.#channels.has(channel)) this.#listener?.message(channel, message)
    })
  }

  listen(listener: SubscriberListener): void {
    this.#listener = listener
  }

  subscribe(channel: string): Promise<void> {
    const known = this.#channels.get(channel)
    if (known !== undefined) return known.confirmation.promise
    const wanted: Channel = { confirmation: Promise.withResolvers(), confirmed: false }
    wanted.confirmation.promise.catch(() => undefined) // whoever asked may have left
    this.#channels.set(channel, wanted)
    if (this.#redis.status === 'wait') outside(() => this.#redis.connect()).catch(() => undefined) // it retries by itself
    if (this.#redis.status === 'ready') void this.#request([channel])
    return wanted.confirmation.promise
  }

  unsubscribe(channel: string): void {
    if (!this.#channels.delete(channel) || this.#redis.status !== 'ready') return
    const unsubscribed =
      this.#kind === 'subscribe' ? this.#redis.unsubscribe(channel) : this.#redis.sunsubscribe(channel)
    unsubscribed.catch(() => undefined) // a connection that broke has no subscriptions
  }

  /** Subscribes to everything once more, where the server may have dropped channels on its own. */
  renew(): void {
    if (this.#redis.status === 'ready') this.#requestAll()
  }

  /** Connects once more, to whichever node it leads to now. */
  reconnect(): void {
    if (this.#redis.status === 'ready') this.#redis.disconnect(true)
  }

  async close(): Promise<void> {
    this.#touch[Symbol.dispose]()
    for (const { confirmation } of this.#channels.values()) confirmation.reject(new ClientClosedError())
    this.#channels.clear()
    await hangUp(this.#redis)
  }

  #requestAll(): void {
    const size = this.#kind === 'subscribe' ? CHANNELS_PER_COMMAND : 1 // channels of one SSUBSCRIBE must share a slot
    for (const channels of chunk([...this.#channels.keys()], size)) void this.#request(channels)
  }

  /** Never rejects: a request that a broken connection took along is made again when it is back. */
  async #request(names: readonly string[]): Promise<void> {
    const asked = names.flatMap((name) => this.#wanted(name))
    try {
      await (this.#kind === 'subscribe' ? this.#redis.subscribe(...names) : this.#redis.ssubscribe(...names))
    } catch (error) {
      this.#refuse(asked, error)
      return
    }
    this.#confirm(asked)
  }

  #wanted(name: string): [string, Channel][] {
    const channel = this.#channels.get(name)
    return channel === undefined ? [] : [[name, channel]]
  }

  #confirm(asked: readonly [string, Channel][]): void {
    const standing = asked.filter(([name, channel]) => this.#channels.get(name) === channel)
    const resumed = standing.filter(([, channel]) => channel.confirmed).map(([name]) => name)
    for (const [, channel] of standing) {
      channel.confirmed = true
      channel.confirmation.resolve()
    }
    if (resumed.length > 0) this.#listener?.resumed(resumed)
  }

  /** A server that says no, say for want of a permission, would say so again. One that has moved, or is loading, would not. */
  #refuse(asked: readonly [string, Channel][], error: unknown): void {
    if (!(error instanceof Error) || error.name !== 'ReplyError') return
    if (/^(MOVED|LOADING|CLUSTERDOWN|MASTERDOWN|TRYAGAIN) /.test(error.message)) return
    for (const [name, channel] of asked) {
      if (this.#channels.get(name) === channel) this.#channels.delete(name)
      channel.confirmation.reject(new CommandError(this.#kind, { cause: error }))
    }
  }
}
