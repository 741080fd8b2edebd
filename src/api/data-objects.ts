import type { CollectionObjects } from '../collections/collections.api.js'
import type { CounterObjects } from '../counters/counters.api.js'
import type { ValueObjects } from '../objects/objects.api.js'
import type { ProbabilisticObjects } from '../probabilistic/probabilistic.api.js'
import type { QueueObjects } from '../queues/queues.api.js'
import type { StreamObjects } from '../streams/streams.api.js'

/** Objects that are data and nothing else: a client hands them out, with or without a signal, and so does a batch. */
export interface DataObjects
  extends
    ValueObjects,
    ProbabilisticObjects,
    CounterObjects,
    CollectionObjects,
    QueueObjects,
    StreamObjects {}
