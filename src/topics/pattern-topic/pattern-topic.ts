import type { Codec } from '../../api/codec.js'
import type { PatternMessage, RPatternTopic } from '../../api/topics/pattern-topic.js'
import type { ListenOptions, MessagesOptions, Subscription } from '../../api/topics/subscription.js'
import type { MessageListener } from '../../api/topics/topic.js'
import { decodeAt } from '../../codec/encoding.js'
import type { Channel } from '../../connection/connection.js'
import { demandFunction, demandName } from '../../core/arguments.js'
import { checkedListening } from '../../core/listening.js'
import type { ObjectContext } from '../../core/object-context.js'
import { ALONE, demandNoMore } from '../../core/options.js'
import { messagesOf } from '../../pubsub/message-stream.js'
import { checkedMessages } from '../shared/listen-options.js'
import type { TopicListeners } from '../shared/topic-listeners.js'
import * as commands from './pattern-topic.commands.js'

/** What a pattern topic is made with. */
export interface PatternTopicDeps<M> {
  readonly context: ObjectContext
  readonly listeners: TopicListeners
  readonly pattern: string
  readonly codec: Codec<M>
}

/** All channels that match a pattern. */
export class RedissonPatternTopic<M> implements RPatternTopic<M> {
  readonly pattern: string
  readonly codec: Codec<M>
  readonly #context: ObjectContext
  readonly #listeners: TopicListeners
  readonly #channel: Channel

  constructor({ context, listeners, pattern, codec }: PatternTopicDeps<M>) {
    demandName('`pattern` to be', pattern)
    this.pattern = pattern
    this.codec = codec
    this.#context = context
    this.#listeners = listeners
    this.#channel = { kind: 'pattern', name: pattern }
  }

  async addListener(
    listener: MessageListener<M>,
    options: ListenOptions = {},
    surplus?: unknown,
  ): Promise<Subscription> {
    demandFunction(listener, 'listener')
    demandNoMore(surplus)
    const receive = ({ message, channel }: PatternMessage<M>) => listener(message, channel)
    const receiver = { decode: this.#decode, receive }
    return await this.#listeners.add(this.#channel, receiver, listener, checkedListening(options))
  }

  messages(options: MessagesOptions = {}, surplus?: unknown): AsyncIterable<PatternMessage<M>, undefined> {
    demandNoMore(surplus)
    return messagesOf(this.#context, this.#channel, this.#decode, checkedMessages(options))
  }

  async removeListener(listener: MessageListener<M>, surplus?: unknown): Promise<void> {
    demandNoMore(surplus, 'it removes one listener')
    demandFunction(listener, 'listener')
    await this.#listeners.remove(this.#channel, listener)
  }

  async removeAllListeners(surplus?: unknown): Promise<void> {
    demandNoMore(surplus, 'removeListener() removes one')
    await this.#listeners.remove(this.#channel)
  }

  countListeners(surplus?: unknown): number {
    demandNoMore(surplus, ALONE)
    return this.#listeners.count(this.#channel)
  }

  async getActiveTopics(surplus?: unknown): Promise<string[]> {
    demandNoMore(surplus, ALONE)
    const call = { keys: { pattern: this.pattern }, args: {} }
    const found = await this.#context.executor.send(commands.channels, call)
    return found.map((name) => this.#context.config.unmapName(name))
  }

  readonly #decode = (payload: Buffer, name: string): PatternMessage<M> => {
    const channel = this.#context.config.unmapName(name)
    return { channel, message: decodeAt(this.codec, payload, { object: channel }) }
  }
}
