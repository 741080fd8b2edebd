import type { CodecOptions, ValueOptions } from '../api/object-options.js'
import type { RPatternTopic } from './pattern-topic/pattern-topic.api.js'
import type { RReliableTopic } from './reliable-topic/reliable-topic.api.js'
import type { RShardedTopic } from './sharded-topic/sharded-topic.api.js'
import type { RTopic } from './topic/topic.api.js'

export type * from './pattern-topic/pattern-topic.api.js'
export type * from './reliable-topic/reliable-topic.api.js'
export type * from './sharded-topic/sharded-topic.api.js'
export type * from './shared/subscription.api.js'
export type * from './topic/topic.api.js'

/** The topics that a client hands out. */
export interface TopicObjects {
  /**
   * A channel by its name, for messages that reach all current listeners. Nothing is sent until it is used, and nothing is kept of the topic
   * here.
   *
   * @param name - a non-empty string without lone surrogates
   * @throws TypeError for a name that is none, or an option that is unknown or wrong
   */
  getTopic<M = unknown>(name: string, options?: ValueOptions<M>): RTopic<M>

  /** All topics whose names match a pattern. */
  getPatternTopic<M = unknown>(pattern: string, options?: CodecOptions<M>): RPatternTopic<M>

  /** A topic whose messages stay with one node of a cluster. It takes Redis 7 or later. */
  getShardedTopic<M = unknown>(name: string, options?: ValueOptions<M>): RShardedTopic<M>

  /**
   * A topic whose messages are stored until each subscriber has acknowledged them, by its name. Nothing is sent until it is used.
   *
   * @param name - a non-empty string without lone surrogates
   */
  getReliableTopic<M = unknown>(name: string, options?: ValueOptions<M>): RReliableTopic<M>
}
