import type { DataObjects } from './data-objects.js'
import type { RequestObjects } from '../services/services.api.js'
import type { TopicObjects } from '../topics/topics.api.js'

/** The data objects, keys, scripts and functions of a client, with a signal that ends their calls: see {@link RedissonClient.withSignal}. */
export interface SignalledObjects extends DataObjects, TopicObjects, RequestObjects {}
