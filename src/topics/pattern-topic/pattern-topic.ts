import type { Codec } from '../../api/codec.js'
import type { PatternMessage, RPatternTopic } from './pattern-topic.api.js'
import type { ListenOptions, MessagesOptions, Subscription } from '../shared/subscription.api.js'
import type { MessageListener } from '../topic/topic.api.js'
import { decodeAt } from '../../codec/encoding.js'
import type { Channel } from '../../connection/connection.js'
import { demandFunction, demandName } from '../../core/arguments/arguments.js'
import { checkedListening } from '../../core/arguments/listening.js'
import type { ObjectContext } from '../../core/context/object-context.js'
import { refuseSurplus } from '../../core/arguments/options.js'
import { messagesOf } from '../../pubsub/message-stream.js'
import { checkedMessages } from '../shared/listen-options.js'
import type { TopicListeners } from '../shared/topic-listeners.js'
import * as commands from './pattern-topic.commands.js'
import { CLIENTS } from '../../util/refused-calls.js'

/** What a pattern topic is made with. */
export interface PatternTopicDeps<M> {
  readonly context: ObjectContext
  readonly listeners: TopicListeners
  readonly pattern: string
  readonly codec: Codec<M>
}

/** All channels that match a pattern. */
export class RedissonPatternTopic<M> implements RPatternTopic<M> {
  static {
    refuseSurplus(this, {
      removeListener: 'it removes one listener',
      removeAllListeners: 'removeListener() removes one',
    })
  }

  readonly pattern: string
  readonly #codec: Codec<M>
  readonly #context: ObjectContext
  readonly #listeners: TopicListeners
  readonly #channel: Channel

  constructor({ context, listeners, pattern, codec }: PatternTopicDeps<M>) {
    demandName('`pattern` to be', pattern)
    this.pattern = pattern
    this.#codec = codec
    this.#context = context
    this.#listeners = listeners
    this.#channel = { kind: 'pattern', name: pattern }
  }

  get codec(): Codec<M> {
    return this.#codec
  }

  get [CLIENTS](): readonly AbortSignal[] {
    return [this.#context.closing]
  }

  async addListener(listener: MessageListener<M>, options?: ListenOptions): Promise<Subscription> {
    demandFunction(listener, 'listener')
    const receive = ({ message, channel }: PatternMessage<M>) => listener(message, channel)
    const receiver = { decode: this.#decode, receive }
    return await this.#listeners.add(this.#channel, receiver, listener, checkedListening(options))
  }

  messages(options?: MessagesOptions): AsyncIterable<PatternMessage<M>, undefined> {
    const { signal } = this.#context.executor
    return messagesOf(this.#context, this.#channel, this.#decode, checkedMessages(options), signal)
  }

  async removeListener(listener: MessageListener<M>): Promise<void> {
    demandFunction(listener, 'listener')
    await this.#listeners.remove(this.#channel, listener)
  }

  async removeAllListeners(): Promise<void> {
    await this.#listeners.remove(this.#channel)
  }

  countListeners(): number {
    return this.#listeners.count(this.#channel)
  }

  async getActiveTopics(): Promise<string[]> {
    const call = { keys: { pattern: this.pattern }, args: {} }
    const found = await this.#context.executor.run(commands.channels, call)
    return found.map((name) => this.#context.config.unmapName(name))
  }

  readonly #decode = (payload: Buffer, name: string): PatternMessage<M> => {
    const channel = this.#context.config.unmapName(name)
    return { channel, message: decodeAt(this.codec, payload, { object: channel }) }
  }
}
