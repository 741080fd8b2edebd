import type { TopicObjects } from '../topics.api.js'
import type { Factory } from '../../core/context/factories.js'
import { codecSettings } from '../../core/arguments/object-settings.js'
import { TopicListeners } from '../shared/topic-listeners.js'
import { RedissonPatternTopic } from './pattern-topic.js'

/** How a client and a batch make one. */
export const getPatternTopic: Factory<TopicObjects['getPatternTopic']> = (
  { context, shared },
  pattern,
  options,
) => {
  const codec = codecSettings(options, context)
  return new RedissonPatternTopic({ context, listeners: shared.get(TopicListeners), pattern, codec })
}
