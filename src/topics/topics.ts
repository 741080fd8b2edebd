import type { CodecOptions, ValueOptions } from '../api/object-options.js'
import type { RPatternTopic } from '../api/topics/pattern-topic.js'
import type { RShardedTopic } from '../api/topics/sharded-topic.js'
import type { RTopic } from '../api/topics/topic.js'
import type { ObjectContext } from '../core/object-context.js'
import { codecSettings, valueSettings } from '../core/object-settings.js'
import { RedissonPatternTopic } from './pattern-topic/pattern-topic.js'
import { TopicListeners } from './shared/topic-listeners.js'
import { RedissonShardedTopic } from './sharded-topic/sharded-topic.js'
import { RedissonTopic } from './topic/topic.js'

/** Makes the topics of a client. The listeners that they have are kept here. */
export class Topics {
  readonly #context: ObjectContext
  readonly #listeners: TopicListeners

  /** @param others - those of the same client, whose listeners it has */
  constructor(context: ObjectContext, others?: Topics) {
    this.#context = context
    this.#listeners = others === undefined ? new TopicListeners(context) : others.#listeners
  }

  getTopic<M>(name: string, options: ValueOptions<M> = {}): RTopic<M> {
    return new RedissonTopic(this.#depsOf(name, options))
  }

  getPatternTopic<M>(pattern: string, options: CodecOptions<M> = {}): RPatternTopic<M> {
    const codec = codecSettings(options, this.#context)
    return new RedissonPatternTopic({ context: this.#context, listeners: this.#listeners, pattern, codec })
  }

  getShardedTopic<M>(name: string, options: ValueOptions<M> = {}): RShardedTopic<M> {
    return new RedissonShardedTopic(this.#depsOf(name, options))
  }

  #depsOf<M>(name: string, options: ValueOptions<M>) {
    const settings = valueSettings(options, this.#context)
    return { context: this.#context, listeners: this.#listeners, name, settings }
  }
}
