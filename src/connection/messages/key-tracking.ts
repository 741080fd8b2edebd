import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { Memoized } from '../../util/collections/memoized.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import type { ListeningConfig } from './channel-requests.js'
import { isReply } from '../login/ioredis-errors.js'
import { addressOf, disconnectNode, dropWhenSilent, goTo, startPing } from '../node/node-link.js'
import { joinWrites } from '../node/write-coalescing.js'

/** The channel on which Redis tells a connection which keys have changed since they were read. */
export const INVALIDATIONS = '__redis__:invalidate'

/** The reply to a redirection whose target does not exist, as when the two connections lead to two servers. */
const NO_SUCH_CONNECTION = /client ID you want redirect to does not exist/

/** The message on that channel: the keys, or null if all of them may have changed. */
type Invalidated = readonly Buffer[] | null

/** The listener of a {@link KeyTracking}. */
export interface TrackingListener {
  /** Keys can be tracked; none is tracked yet. */
  ready(): void
  /** No key is tracked any more. It may be called more than once. */
  interrupted(): void
  /** A key that was tracked has changed, and is not tracked any more. */
  changed(key: string): void
  /** Every key may have changed. None is tracked any more. */
  allChanged(): void
}

/**
 * Notices the next change of a key at one node, by client-side caching: a key is read over one connection, and Redis notifies another one
 * when it has changed. Java and the program's own commands change keys as well, without a message.
 *
 * There are two connections because ioredis drops notifications on one that also sends commands.
 */
export class KeyTracking {
  readonly #reader: Redis
  readonly #hearer: Redis
  readonly #pings: readonly Disposable[]
  readonly #listener: TrackingListener
  /** A channel that nothing else listens to. A server that counts a listener there has the connection that is notified. */
  readonly #mark = `redisson_key_changes:${randomUUID()}`
  #closed = false
  /** The id of the connection that is notified, once it listens. */
  readonly #hearing = new Memoized(() => this.#hear())
  /** Resolved once Redis tracks keys that are read. */
  readonly #begun = new Memoized(() => this.#begin())

  /**
   * @param open - makes a connection to the node, which speaks version 2 of the protocol and does not connect by itself
   */
  constructor(open: () => Redis, config: ListeningConfig, listener: TrackingListener) {
    this.#reader = open()
    this.#hearer = open()
    this.#listener = listener
    const both = [this.#reader, this.#hearer]
    this.#pings = both.map((redis) => startPing(redis, config.pingIntervalMs))
    this.#hearer.on('messageBuffer', (channel: Buffer, keys: Invalidated) => {
      if (channel.toString() !== INVALIDATIONS) return
      if (keys === null) listener.allChanged()
      else for (const key of keys) listener.changed(key.toString())
    })
    this.#hearer.on('close', () => {
      this.#hearing.forget()
    })
    for (const redis of both) {
      dropWhenSilent(redis, config.timeoutMs)
      this.#connect(redis)
    }
  }

  /** Whether keys can be tracked. */
  get isReady(): boolean {
    return this.#reader.status === 'ready' && this.#hearer.status === 'ready'
  }

  /** Where the node is, as `host:port`. */
  get address(): string {
    return addressOf(this.#reader)
  }

  /** Resolves when the listener will be notified of the next change of a key. */
  async track(key: string): Promise<void> {
    try {
      await this.#begun.get()
      await this.#reader.exists(key)
    } catch (error) {
      if (isReply(error) && error.message.startsWith('MOVED ')) this.#reader.emit('moved') // as ioredis does where it listens
      throw error
    }
  }

  /** Reconnects the connections that lead to another address. */
  follow(address: string): void {
    for (const redis of [this.#reader, this.#hearer]) goTo(redis, address)
    if (!this.isReady) this.#listener.interrupted() // the end of a connection may not be noticed before long
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const ping of this.#pings) ping[Symbol.dispose]()
    await Promise.all([disconnectNode(this.#reader), disconnectNode(this.#hearer)])
  }

  #connect(redis: Redis): void {
    joinWrites(redis)
    redis.on('ready', () => {
      if (this.isReady && !this.#closed) this.#listener.ready()
    })
    redis.on('close', () => {
      this.#begun.forget()
      if (!this.#closed) this.#listener.interrupted()
    })
    withoutAsyncContext(() => redis.connect()).catch(() => undefined) // it goes on trying by itself
  }

  /**
   * Makes Redis track keys that are read. If the address leads to another server by now, the two connections may be at two servers. Then
   * both are made anew.
   */
  async #begin(): Promise<void> {
    const id = await this.#hearing.get()
    try {
      await this.#reader.client('TRACKING', 'ON', 'REDIRECT', id)
    } catch (error) {
      if (!isReply(error) || !NO_SUCH_CONNECTION.test(error.message)) throw error
      this.#reconnectApart()
    }
    if (!(await this.#isHeardHere())) this.#reconnectApart()
  }

  /**
   * Returns whether the connection that is notified is at this server. At another server, its id may be that of another connection. True if
   * the user may not ask.
   */
  async #isHeardHere(): Promise<boolean> {
    try {
      const [, listeners] = await this.#reader.pubsub('NUMSUB', this.#mark)
      return Number(listeners) > 0
    } catch (error) {
      if (isReply(error)) return true
      throw error
    }
  }

  #reconnectApart(): never {
    for (const redis of [this.#reader, this.#hearer]) if (redis.status === 'ready') redis.disconnect(true)
    throw new Error('The two connections that notice changes of keys have led to two servers')
  }

  /** Listens for changes. Asks for the id first, because a connection that listens cannot be asked any more. */
  async #hear(): Promise<string> {
    const id = await this.#hearer.client('ID')
    await this.#hearer.subscribe(INVALIDATIONS, this.#mark)
    return String(id)
  }
}
