import type { TopicObjects } from '../topics.api.js'
import type { Factory } from '../../core/context/factories.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import { TopicListeners } from '../shared/topic-listeners.js'
import { RedissonTopic } from './topic.js'

/** How a client and a batch make one. */
export const getTopic: Factory<TopicObjects['getTopic']> = ({ context, shared }, name, options) => {
  const settings = valueSettings(options, context)
  return new RedissonTopic({ context, listeners: shared.get(TopicListeners), name, settings })
}
