import type { Redis } from 'ioredis'
import type { RedissonEvents } from '../../api/events.js'
import type { Emitter } from '../../util/emitter.js'
import { ChannelMap } from '../messages/channel-map.js'
import type { ClusterNodes } from './cluster-nodes.js'
import type { Channel, Subscriber, SubscriberListener } from '../connection.js'
import { hashSlot } from '../requests/hash-slot.js'
import type { NodeOptions } from '../login/ioredis-options.js'
import { forwardEvents } from '../node/node-link.js'
import type { NodeSubscriber } from '../messages/node-subscriber.js'

/** Channels on which a node reports events of its own keys. It passes them on to no other node. */
const EVENTS_OF_KEY = /^__keyspace@\d+__:(.+)$/s

/** A channel, and where it is requested. */
interface Placed {
  readonly channel: Channel
  /** Undefined while the node that it belongs to is not known. */
  link: NodeSubscriber | undefined
}

/** Returns why there is no connection to a node, if there is none; undefined stands for all nodes. */
type Unreachable = (node: string | undefined) => Error | undefined

/** Makes a connection to a node. */
type OpenAt = (overrides: NodeOptions) => Redis

/** Makes the subscriber for a node, over such connections. */
type ListenAt = (open: OpenAt, listener: SubscriberListener) => NodeSubscriber

/** Where a {@link ClusterSubscriber} listens, and how. */
interface Surroundings {
  readonly nodes: ClusterNodes
  readonly events: Emitter<RedissonEvents>
  readonly listenAt: ListenAt
  readonly unreachable: Unreachable
}

/** The connections that listen to sharded channels, or to all others, by their nodes. */
type Links = Map<string, NodeSubscriber>

/**
 * Listens to a cluster: to sharded channels and events of keys at the owners of their slots, to all others at some master, because every
 * node passes their messages on.
 *
 * It follows slots and failovers: whenever the cluster reports its topology, channels move to their present nodes, and the
 * listener is notified when they are subscribed there.
 */
export class ClusterSubscriber implements Subscriber {
  readonly #nodes: ClusterNodes
  readonly #events: Emitter<RedissonEvents>
  readonly #listenAt: ListenAt
  readonly #unreachable: Unreachable
  readonly #placed = new ChannelMap<Placed>()
  readonly #sharded: Links = new Map()
  readonly #others: Links = new Map()
  /** The node for channels that belong to no particular one. */
  #common: string | undefined
  /** Subscribers whose node has dropped channels on its own. */
  readonly #stale = new Set<NodeSubscriber>()
  #listener: SubscriberListener | undefined
  #announcements: Subscriber['announcements']

  constructor({ nodes, events, listenAt, unreachable }: Surroundings) {
    this.#nodes = nodes
    this.#events = events
    this.#listenAt = listenAt
    this.#unreachable = unreachable
    nodes.onRefresh(() => {
      this.#settle()
    })
  }

  get announcements(): Subscriber['announcements'] {
    return this.#announcements
  }

  /** Notifies the listener how changes are published in this cluster. */
  begin(announcements: NonNullable<Subscriber['announcements']>): void {
    this.#announcements = announcements
    this.#listener?.announcementsKnown()
  }

  listen(listener: SubscriberListener): void {
    this.#listener = listener
  }

  subscribe(channel: Channel): void {
    if (this.#listener === undefined || this.#placed.get(channel) !== undefined) return
    const placed: Placed = { channel, link: undefined }
    this.#placed.set(channel, placed)
    this.#place(placed, this.#listener)
  }

  unsubscribe(channel: Channel): void {
    this.#placed.get(channel)?.link?.unsubscribe(channel)
    this.#placed.delete(channel)
  }

  refusalOf(channel: Channel): Error | undefined {
    const link = this.#placed.get(channel)?.link
    const refusal = link?.refusalOf(channel)
    if (refusal !== undefined || link?.isReady === true) return refusal
    return this.#unreachable(this.#homeOf(channel))
  }

  /** Stops listening. */
  async close(): Promise<void> {
    this.#listener = undefined
    this.#placed.clear()
    const links = [...this.#sharded.values(), ...this.#others.values()]
    await Promise.all(links.map((link) => link.close()))
  }

  /** Disconnects from nodes that have left, moves every channel to the node that it belongs to, and renews what nodes have dropped. */
  #settle(): void {
    if (this.#listener === undefined) return
    this.#hangUp(this.#sharded)
    this.#hangUp(this.#others)
    for (const placed of this.#placed.values()) this.#place(placed, this.#listener)
    for (const link of this.#stale) link.renew?.()
    this.#stale.clear()
  }

  #hangUp(links: Links): void {
    for (const [key, link] of links) {
      if (this.#nodes.has(key) && (link.isReady || this.#isUsed(link))) continue
      links.delete(key)
      void link.close()
      this.#displace(link)
    }
  }

  /** Notes that channels are requested nowhere, since the connection of their node is closed. */
  #displace(link: NodeSubscriber): void {
    for (const placed of this.#placed.values()) {
      if (placed.link !== link) continue
      placed.link = undefined
      this.#listener?.interrupted(placed.channel)
    }
  }

  #isUsed(link: NodeSubscriber): boolean {
    for (const placed of this.#placed.values()) if (placed.link === link) return true
    return false
  }

  #place(placed: Placed, listener: SubscriberListener): void {
    const { channel } = placed
    const links = channel.kind === 'sharded' ? this.#sharded : this.#others
    const home = this.#homeOf(channel)
    if (home === undefined) {
      this.#nodes.refresh()
      return
    }
    const link = links.get(home) ?? this.#open(home, links, listener)
    if (placed.link === link) return
    if (placed.link !== undefined) {
      placed.link.unsubscribe(channel)
      listener.interrupted(channel)
      if (this.#placed.get(channel) !== placed) return // nothing listens any more
    }
    placed.link = link
    link.subscribe(channel)
  }

  /** Returns the node that a channel belongs to. Those that are not sharded stay together, except for events of keys. */
  #homeOf({ kind, name }: Channel): string | undefined {
    if (kind === 'sharded') return this.#nodes.ownerOf(hashSlot(name))
    const key = kind === 'plain' ? EVENTS_OF_KEY.exec(name)?.[1] : undefined
    if (key !== undefined) return this.#nodes.ownerOf(hashSlot(key))
    return (this.#common = this.#stays(this.#common) ? this.#common : this.#nodes.anyone)
  }

  /** Returns whether channels stay at a node: as long as it can be reached, or no other can. A node that has died may have no successor. */
  #stays(key: string | undefined): boolean {
    if (key === undefined || !this.#nodes.has(key)) return false
    if (this.#others.get(key)?.isReady === true || this.#nodes.isConnected(key)) return true
    const other = this.#nodes.anyone
    return other === undefined || !this.#nodes.isConnected(other)
  }

  #open(key: string, links: Links, listener: SubscriberListener): NodeSubscriber {
    const open: OpenAt = (overrides) => {
      const redis = this.#nodes.open(key, overrides)
      forwardEvents(redis, 'messages', this.#events)
      // A node that is gone, or a slot that has moved, shows here before the next scan.
      redis.on('close', () => {
        this.#nodes.refresh()
      })
      redis.on('moved', () => {
        this.#stale.add(link)
        this.#nodes.refresh()
      })
      return redis
    }
    const link = this.#listenAt(open, {
      ...listener,
      refused: (channel, error) => {
        this.#placed.delete(channel)
        listener.refused(channel, error)
      },
    })
    links.set(key, link)
    return link
  }
}
