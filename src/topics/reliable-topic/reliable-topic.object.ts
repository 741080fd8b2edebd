import type { TopicObjects } from '../topics.api.js'
import { valueSettings } from '../../core/arguments/object-settings.js'
import type { Factory } from '../../core/context/factories.js'
import { RedissonReliableTopic } from './reliable-topic.js'

/** How a client and a batch make one. */
export const getReliableTopic: Factory<TopicObjects['getReliableTopic']> = (
  { context, shared },
  name,
  options,
) => new RedissonReliableTopic({ context, shared, name, settings: valueSettings(options, context) })
