import type { CollectionObjects } from '../collections/collections.api.js'
import type { CounterObjects } from '../counters/counters.api.js'
import type { ValueObjects } from '../objects/objects.api.js'
import type { ProbabilisticObjects } from '../probabilistic/probabilistic.api.js'
import type { QueueObjects } from '../queues/queues.api.js'
import type { RequestObjects } from '../services/services.api.js'
import type { TopicObjects } from '../topics/topics.api.js'

/** The data objects, keys, scripts and functions of a client, with a signal that ends their calls: see {@link RedissonClient.withSignal}. */
export interface SignalledObjects
  extends
    ValueObjects,
    ProbabilisticObjects,
    CounterObjects,
    CollectionObjects,
    QueueObjects,
    TopicObjects,
    RequestObjects {}
