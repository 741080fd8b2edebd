import type { TopicObjects } from '../topics.api.js'
import type { Factory } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { TopicListeners } from '../shared/topic-listeners.js'
import { RedissonShardedTopic } from './sharded-topic.js'

/** How a client and a batch make one. */
export const getShardedTopic: Factory<TopicObjects['getShardedTopic']> = (
  { context, shared },
  name,
  options,
) => {
  const settings = valueSettings(options, context)
  return new RedissonShardedTopic({ context, listeners: shared.get(TopicListeners), name, settings })
}
