import type { SignalledObjects } from '../api/signalled-objects.js'
import { geoFactories } from '../collections/geo/geo.object.js'
import { lexSortedSetFactories } from '../collections/lex-sorted-set/lex-sorted-set.object.js'
import { listFactories } from '../collections/list/list.object.js'
import { mapFactories } from '../collections/map/map.object.js'
import { multimapFactories } from '../collections/multimap/multimap.object.js'
import { scoredSortedSetFactories } from '../collections/scored-sorted-set/scored-sorted-set.object.js'
import { setFactories } from '../collections/set/set.object.js'
import { sortedSetFactories } from '../collections/sorted-set/sorted-set.object.js'
import { demandTurns } from '../command/command-executor.js'
import { SignalledExecutor } from '../command/signalled-executor.js'
import { neededSignal } from '../core/arguments.js'
import { handingOut, type Factories, type FactoryContext } from '../core/factories.js'
import type { ObjectContext } from '../core/object-context.js'
import { refuseSurplus } from '../core/options.js'
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
import { topicFactories } from '../topics/topic/topic.object.js'

/** Objects that are data and nothing else: a client hands them out, with or without a signal, and so does a batch. */
export const DATA: Factories<SignalledObjects> = {
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
}

/** Hands out objects that are data and nothing else, by name: what they are made with may be a client or a batch. */
export class DataObjects extends handingOut<SignalledObjects, ObjectContext>(DATA) {
  static {
    refuseSurplus(this)
  }

  readonly #given: FactoryContext

  constructor(given: FactoryContext) {
    super(given)
    this.#given = given
  }

  withSignal(signal: AbortSignal): SignalledObjects {
    return withSignal(this.#given, signal)
  }
}

/** The same objects, whose calls a signal ends. */
export function withSignal({ context, shared }: FactoryContext, signal: AbortSignal): SignalledObjects {
  demandTurns(context.executor, 'withSignal()')
  const executor = new SignalledExecutor(context.executor, neededSignal(signal))
  return new DataObjects({ context: { ...context, executor }, shared })
}
