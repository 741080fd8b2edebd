import type { TopicObjects } from '../topics.api.js'
import type { Factories } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { TopicListeners } from '../shared/topic-listeners.js'
import { RedissonTopic } from './topic.js'

/** How a client and a batch make one. */
export const topicFactories: Factories<Pick<TopicObjects, 'getTopic'>> = {
  getTopic: ({ context, shared }, name, options) => {
    const settings = valueSettings(options, context)
    return new RedissonTopic({ context, listeners: shared.get(TopicListeners), name, settings })
  },
}
