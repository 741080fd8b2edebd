import type { ObjectContext } from '../../core/context/object-context.js'
import type { EvictionTask } from '../../eviction/eviction-service.js'
import { sweep } from './reliable-topic.scripts.js'
import type { TopicKeys } from './topic-requests.js'

/** Ends the sweeping of topics that the program does not refer to any more. */
const unused = new FinalizationRegistry<() => void>((end) => {
  end()
})

/** Removes subscribers whose process has died, where this client publishes: there may be nobody who reads. */
export class TopicSweeping {
  readonly #context: Pick<ObjectContext, 'executor' | 'eviction'>

  constructor(context: Pick<ObjectContext, 'executor' | 'eviction'>) {
    this.#context = context
  }

  /** Sweeps a topic until it is garbage-collected; not in a batch, which is over soon. */
  hold(topic: object, keys: TopicKeys): void {
    const { executor } = this.#context
    if (executor.isBatch) return
    const task: EvictionTask = async (signal) => await executor.run(sweep, { keys, args: {} }, { signal })
    unused.register(topic, this.#context.eviction.hold(keys.stream, task))
  }
}
