import type { SignalledObjects } from '../api/signalled-objects.js'
import type { RequestObjects } from '../services/services.api.js'
import { geoFactories } from '../collections/geo/geo.object.js'
import { lexSortedSetFactories } from '../collections/lex-sorted-set/lex-sorted-set.object.js'
import { listFactories } from '../collections/list/list.object.js'
import { mapFactories } from '../collections/map/map.object.js'
import { multimapFactories } from '../collections/multimap/multimap.object.js'
import { scoredSortedSetFactories } from '../collections/scored-sorted-set/scored-sorted-set.object.js'
import { setFactories } from '../collections/set/set.object.js'
import { sortedSetFactories } from '../collections/sorted-set/sorted-set.object.js'
import { timeSeriesFactories } from '../collections/time-series/time-series.object.js'
import { SignalledExecutor } from '../command/signalled-executor.js'
import { neededSignal } from '../core/arguments/arguments.js'
import { handingOut, type Factories, type FactoryContext } from '../core/context/factories.js'
import type { ObjectContext } from '../core/context/object-context.js'
import { atomicDoubleFactories } from '../counters/atomic-double/atomic-double.object.js'
import { atomicLongFactories } from '../counters/atomic-long/atomic-long.object.js'
import { idGeneratorFactories } from '../counters/id-generator/id-generator.object.js'
import { binaryStreamFactories } from '../objects/binary-stream/binary-stream.object.js'
import { bitSetFactories } from '../objects/bit-set/bit-set.object.js'
import { bucketFactories } from '../objects/bucket/bucket.object.js'
import { bucketsFactories } from '../objects/buckets/buckets.object.js'
import { bloomFilterFactories } from '../probabilistic/bloom-filter/bloom-filter.object.js'
import { hyperLogLogFactories } from '../probabilistic/hyper-log-log/hyper-log-log.object.js'
import { patternTopicFactories } from '../topics/pattern-topic/pattern-topic.object.js'
import { shardedTopicFactories } from '../topics/sharded-topic/sharded-topic.object.js'
import { functionFactories } from '../services/function/function.object.js'
import { keysFactories } from '../services/keys/keys.object.js'
import { scriptFactories } from '../services/script/script.object.js'
import { topicFactories } from '../topics/topic/topic.object.js'

/** Objects that are data and nothing else: a client hands them out, with or without a signal, and so does a batch. */
export const DATA: Factories<Omit<SignalledObjects, keyof RequestObjects>> = {
  ...bucketFactories,
  ...bucketsFactories,
  ...binaryStreamFactories,
  ...bitSetFactories,
  ...hyperLogLogFactories,
  ...bloomFilterFactories,
  ...atomicLongFactories,
  ...atomicDoubleFactories,
  ...idGeneratorFactories,
  ...topicFactories,
  ...patternTopicFactories,
  ...shardedTopicFactories,
  ...mapFactories,
  ...listFactories,
  ...setFactories,
  ...scoredSortedSetFactories,
  ...geoFactories,
  ...lexSortedSetFactories,
  ...sortedSetFactories,
  ...multimapFactories,
  ...timeSeriesFactories,
}

/** What else has calls that are requests and nothing more. */
export const REQUESTS: Factories<RequestObjects> = {
  ...keysFactories,
  ...scriptFactories,
  ...functionFactories,
}

/** Hands out objects that are data and nothing else, by name, for a batch. */
export class DataObjects extends handingOut(DATA) {}

/** Hands out the objects whose calls a signal ends, by name. */
class ObjectsWithSignal extends handingOut<SignalledObjects, ObjectContext>({ ...DATA, ...REQUESTS }) {}

/** The same objects, whose calls a signal ends. */
export function withSignal({ context, shared }: FactoryContext, signal: AbortSignal): SignalledObjects {
  const executor = new SignalledExecutor(context.executor, neededSignal(signal))
  const masters = context.masters.withSignal(executor.signal)
  return new ObjectsWithSignal({ context: { ...context, executor, masters }, shared })
}
