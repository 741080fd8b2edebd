import type { RedissonEvents } from '../api/events.js'
import { ClientClosedError } from '../errors/client-errors.js'
import type { Emitter } from '../util/emitter.js'
import type { ClusterNodes } from './cluster-nodes.js'
import type { Subscriber, SubscriberListener } from './connection.js'
import { hashSlot } from './hash-slot.js'
import { IoredisSubscriber, type ChannelKind } from './ioredis-subscriber.js'
import { announce } from './node-link.js'

interface Settings {
  readonly kind: ChannelKind
  readonly pingIntervalMs: number
  readonly events: Emitter<RedissonEvents>
}

interface Channel {
  readonly confirmation: PromiseWithResolvers<void>
  /** The node where it is subscribed, or asked for. */
  home: string | undefined
  confirmed: boolean
}

/**
 * Listens to a cluster: sharded channels at the owners of their slots, ordinary ones at some master.
 *
 * It follows slots and failovers: whenever the cluster tells its shape, channels move to where they belong now, and
 * whoever listens hears that there was a gap.
 */
export class ClusterSubscriber implements Subscriber {
  readonly #nodes: ClusterNodes
  readonly #settings: Settings
  readonly #channels = new Map<string, Channel>()
  readonly #links = new Map<string, IoredisSubscriber>()
  #listener: SubscriberListener | undefined

  constructor(nodes: ClusterNodes, settings: Settings) {
    this.#nodes = nodes
    this.#settings = settings
    nodes.onRefresh(() => {
      this.#settle()
    })
  }

  listen(listener: SubscriberListener): void {
    this.#listener = listener
  }

  subscribe(name: string): Promise<void> {
    const known = this.#channels.get(name)
    if (known !== undefined) return known.confirmation.promise
    const channel: Channel = { confirmation: Promise.withResolvers(), home: undefined, confirmed: false }
    channel.confirmation.promise.catch(() => undefined) // whoever asked may have left
    this.#channels.set(name, channel)
    this.#place(name, channel)
    return channel.confirmation.promise
  }

  unsubscribe(name: string): void {
    const channel = this.#channels.get(name)
    this.#channels.delete(name)
    if (channel?.home !== undefined) this.#links.get(channel.home)?.unsubscribe(name)
  }

  async close(): Promise<void> {
    for (const { confirmation } of this.#channels.values()) confirmation.reject(new ClientClosedError())
    this.#channels.clear()
    await Promise.all(Array.from(this.#links.values(), (link) => link.close()))
  }

  /** Brings every channel to where it belongs, and hangs up on nodes that have left. */
  #settle(): void {
    for (const [name, channel] of this.#channels) this.#place(name, channel)
    for (const [key, link] of this.#links) {
      if (this.#nodes.has(key)) continue
      this.#links.delete(key)
      void link.close()
    }
  }

  #place(name: string, channel: Channel): void {
    const home = this.#homeOf(name)
    if (home === undefined) this.#nodes.refresh()
    if (home === undefined || home === channel.home) return
    if (channel.home !== undefined) this.#links.get(channel.home)?.unsubscribe(name)
    channel.home = home
    void this.#confirm(name, channel, home)
  }

  async #confirm(name: string, channel: Channel, home: string): Promise<void> {
    try {
      await this.#link(home).subscribe(name)
    } catch (error) {
      if (this.#isAt(name, channel, home)) {
        this.#channels.delete(name)
        channel.confirmation.reject(error)
      }
      return
    }
    if (!this.#isAt(name, channel, home)) return
    if (channel.confirmed) this.#listener?.resumed([name])
    channel.confirmed = true
    channel.confirmation.resolve()
  }

  #isAt(name: string, channel: Channel, home: string): boolean {
    return this.#channels.get(name) === channel && channel.home === home
  }

  /** An ordinary channel stays where others are, because every node hears every message. */
  #homeOf(name: string): string | undefined {
    if (this.#settings.kind === 'ssubscribe') return this.#nodes.ownerOf(hashSlot(name))
    const [current] = this.#links.keys()
    return current !== undefined && this.#nodes.has(current) ? current : this.#nodes.anyone
  }

  #link(key: string): IoredisSubscriber {
    const known = this.#links.get(key)
    if (known !== undefined) return known
    const { kind, pingIntervalMs, events } = this.#settings
    const redis = this.#nodes.open(key, {})
    announce(redis, 'messages', events)
    const link = new IoredisSubscriber(redis, kind, pingIntervalMs)
    link.listen({
      message: (channel, message) => this.#listener?.message(channel, message),
      resumed: (channels) => this.#listener?.resumed(channels),
    })
    // A node that is gone, or a slot that has moved, shows here before the next scan.
    redis.on('close', () => {
      this.#nodes.refresh()
    })
    redis.on('moved', () => {
      this.#nodes.refresh()
      this.#nodes.afterRefresh(() => {
        link.renew()
      })
    })
    this.#links.set(key, link)
    return link
  }
}
