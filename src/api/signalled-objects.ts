import type { CollectionObjects } from './collections/objects.js'
import type { CounterObjects } from './counters/objects.js'
import type { ValueObjects } from './objects/objects.js'
import type { ProbabilisticObjects } from './probabilistic/objects.js'
import type { TopicObjects } from './topics/objects.js'

/** The data objects of a client, with a signal that ends their calls: see {@link RedissonClient.withSignal}. */
export interface SignalledObjects
  extends ValueObjects, ProbabilisticObjects, CounterObjects, CollectionObjects, TopicObjects {}
