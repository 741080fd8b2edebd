import type { Codec } from '../../api/codec.js'
import type { ListenOptions, MessagesOptions, Subscription } from '../shared/subscription.api.js'
import type { MessageListener, RTopic } from './topic.api.js'
import { decodeAt, encodeAt } from '../../codec/encoding.js'
import type { Argument, Channel } from '../../connection/connection.js'
import { demandFunction, mappedName } from '../../core/arguments/arguments.js'
import { checkedListening } from '../../core/arguments/listening.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import type { ValueSettings } from '../../core/arguments/object-settings.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import { messagesOf } from '../../pubsub/message-stream.js'
import { checkedMessages } from '../shared/listen-options.js'
import type { TopicListeners } from '../shared/topic-listeners.js'
import { publish, subscribers } from './topic.commands.js'
import { CLIENTS } from '../../util/refused-calls.js'

/** What a topic is in Redis: a kind of channels, and the commands about them. */
interface TopicKind {
  readonly kind: Exclude<Channel['kind'], 'pattern'>
  readonly publish: typeof publish
  readonly subscribers: typeof subscribers
}

/** What a topic is made with. */
export interface TopicDeps<M> {
  readonly context: ObjectContext
  readonly listeners: TopicListeners
  readonly name: string
  readonly settings: ValueSettings<M>
}

const PLAIN: TopicKind = { kind: 'plain', publish, subscribers }

/** One channel. */
export class RedissonTopic<M> implements RTopic<M> {
  static {
    refuseSurplus(this, {
      publish: 'each message is published by itself',
      removeListener: 'it removes one listener',
      removeAllListeners: 'removeListener() removes one',
    })
  }

  readonly name: string
  readonly #deps: TopicDeps<M>
  readonly #kind: TopicKind
  readonly #channel: Channel

  constructor(deps: TopicDeps<M>, kind = PLAIN) {
    this.name = deps.name
    this.#deps = deps
    this.#kind = kind
    this.#channel = { kind: kind.kind, name: mappedName(deps.context, deps.name) }
  }

  get codec(): Codec<M> {
    return this.#deps.settings.codec
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#deps.context.closing]
  }

  async publish(message: M): Promise<number> {
    const { context, settings } = this.#deps
    const call = { keys: this.#keys, args: { message: this.#encode(message) } }
    return await context.executor.run(this.#kind.publish, call, settings.run)
  }

  async addListener(listener: MessageListener<M>, options?: ListenOptions): Promise<Subscription> {
    demandFunction(listener, 'listener')
    const receiver = { decode: this.#decode, receive: (message: M) => listener(message, this.name) }
    return await this.#deps.listeners.add(this.#channel, receiver, listener, checkedListening(options))
  }

  messages(options?: MessagesOptions): AsyncIterable<M, undefined> {
    const { context } = this.#deps
    return messagesOf(context, this.#channel, this.#decode, checkedMessages(options), context.executor.signal)
  }

  async removeListener(listener: MessageListener<M>): Promise<void> {
    demandFunction(listener, 'listener')
    await this.#deps.listeners.remove(this.#channel, listener)
  }

  async removeAllListeners(): Promise<void> {
    await this.#deps.listeners.remove(this.#channel)
  }

  countListeners(): number {
    return this.#deps.listeners.count(this.#channel)
  }

  async countSubscribers(): Promise<number> {
    const call = { keys: this.#keys, args: {} }
    const [, subscribers] = await this.#deps.context.executor.run(this.#kind.subscribers, call)
    return subscribers
  }

  get #keys() {
    return { channel: this.#channel.name }
  }

  #encode(message: M): Argument {
    if (message === undefined) throw new TypeError('Expected a message, got undefined')
    return encodeAt(this.codec, message, { object: this.name })
  }

  readonly #decode = (payload: Buffer): M => decodeAt(this.codec, payload, { object: this.name })
}
