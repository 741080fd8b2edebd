import { Command, type Redis } from 'ioredis'
import { neededFor } from '../../errors/missing-right.js'
import { withoutAsyncContext } from '../../util/time/without-async-context.js'
import { ChannelRequests, type ListeningConfig, type Requested } from './channel-requests.js'
import type { Channel, ChannelKind, SubscriberListener } from '../connection.js'
import { isReply, translateReply } from '../login/ioredis-errors.js'
import { addressOf, disconnectNode, dropWhenSilent, goTo, startPing } from '../node/node-link.js'
import type { NodeSubscriber } from './node-subscriber.js'
import { joinWrites } from '../node/write-coalescing.js'

/** The commands that begin and end a subscription. */
const COMMANDS = {
  plain: { subscribe: 'subscribe', unsubscribe: 'unsubscribe' },
  pattern: { subscribe: 'psubscribe', unsubscribe: 'punsubscribe' },
  sharded: { subscribe: 'ssubscribe', unsubscribe: 'sunsubscribe' },
} as const satisfies Record<ChannelKind, object>

/**
 * A connection to one node that only listens: to sharded channels, or to all others.
 *
 * When its last sharded channel has gone, ioredis assumes that a connection no longer listens, and loses messages of other channels.
 * ioredis could subscribe again by itself after a reconnect, but would not report when the server has confirmed. Until then every message
 * is lost. So that is done here, with one command for each channel: its confirmation separates earlier messages from later ones.
 */
export class IoredisSubscriber implements NodeSubscriber {
  readonly #redis: Redis
  readonly #listener: SubscriberListener
  readonly #requests: ChannelRequests
  readonly #ping: Disposable

  constructor(redis: Redis, config: ListeningConfig, listener: SubscriberListener) {
    this.#redis = redis
    this.#listener = listener
    this.#requests = new ChannelRequests(config, listener, this)
    this.#ping = startPing(redis, config.pingIntervalMs)
    joinWrites(redis)
    dropWhenSilent(redis, config.timeoutMs)
    redis.on('ready', () => {
      this.#requests.beginAll()
    })
    redis.on('close', () => {
      this.#requests.interruptAll()
    })
    redis.on('messageBuffer', (name: Buffer, payload: Buffer) => {
      this.#receive('plain', name.toString(), payload)
    })
    redis.on('smessageBuffer', (name: Buffer, payload: Buffer) => {
      this.#receive('sharded', name.toString(), payload)
    })
    redis.on('pmessageBuffer', (pattern: string, name: Buffer, payload: Buffer) => {
      this.#receive('pattern', pattern, payload, name.toString())
    })
  }

  subscribe(channel: Channel): void {
    if (this.#requests.get(channel) !== undefined) return
    if (this.#redis.status === 'wait') withoutAsyncContext(() => this.#redis.connect()).catch(() => undefined) // it retries by itself
    this.#requests.add(channel)
  }

  unsubscribe(channel: Channel): void {
    if (!this.#requests.delete(channel) || !this.isReady) return
    const command = new Command(COMMANDS[channel.kind].unsubscribe, [channel.name])
    void this.#redis.sendCommand(command)
    command.promise.catch(() => undefined) // a connection that broke has no subscriptions
  }

  get isReady(): boolean {
    return this.#redis.status === 'ready'
  }

  refusalOf(channel: Channel): Error | undefined {
    return this.#requests.get(channel)?.refusal
  }

  /** Subscribes again to the sharded channels that the node has dropped on its own, as when their slot has moved. */
  renew(): void {
    const subscriber = this.#redis.condition?.subscriber
    const kept = new Set(subscriber ? subscriber.channels('ssubscribe') : [])
    for (const requested of this.#requests) {
      if (!requested.confirmed || kept.has(requested.channel.name)) continue
      this.#requests.interrupt(requested)
      this.#requests.begin(requested)
    }
  }

  follow(address: string): void {
    goTo(this.#redis, address)
  }

  async close(): Promise<void> {
    this.#ping[Symbol.dispose]()
    this.#requests.clear()
    await disconnectNode(this.#redis)
  }

  /** Sends one request for a channel. If the connection breaks, it is sent again after the reconnect. */
  ask(requested: Requested): void {
    const { channel } = requested
    const command = new Command(COMMANDS[channel.kind].subscribe, [channel.name])
    const { resolve, reject } = command
    // Called while the reply is read, and so before the messages that follow it. The promise would be settled after them.
    command.resolve = (reply) => {
      this.#requests.confirm(requested)
      resolve(reply)
    }
    command.reject = (error) => {
      if (isReply(error)) this.#requests.refuse(requested, error)
      reject(error)
    }
    void this.#redis.sendCommand(command)
    command.promise.catch(() => undefined)
  }

  errorOf(reply: Error, channel: Channel): Error {
    const needs = neededFor(reply, { keys: [], commands: [], channels: [channel.name] })
    return translateReply(reply, COMMANDS[channel.kind].subscribe, addressOf(this.#redis), needs)
  }

  /** Passes a message on. One that comes before the confirmation belongs to an earlier subscription of the same channel. */
  #receive(kind: ChannelKind, name: string, payload: Buffer, publishedAt = name): void {
    const requested = this.#requests.get({ kind, name })
    if (requested?.confirmed === true) this.#listener.message(requested.channel, payload, publishedAt)
  }
}
