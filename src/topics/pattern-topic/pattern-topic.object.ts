import type { TopicObjects } from '../topics.api.js'
import type { Factories } from '../../core/context/factories.js'
import { codecSettings } from '../../core/arguments/object-settings.js'
import { TopicListeners } from '../shared/topic-listeners.js'
import { RedissonPatternTopic } from './pattern-topic.js'

/** How a client and a batch make one. */
export const patternTopicFactories: Factories<Pick<TopicObjects, 'getPatternTopic'>> = {
  getPatternTopic: ({ context, shared }, pattern, options) => {
    const codec = codecSettings(options, context)
    return new RedissonPatternTopic({ context, listeners: shared.get(TopicListeners), pattern, codec })
  },
}
