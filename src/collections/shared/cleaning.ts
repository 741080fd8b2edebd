import type { ObjectContext } from '../../core/context/object-context.js'
import type { EvictionTask } from '../../eviction/eviction-service.js'

/** Ends the cleaning for objects that the program does not refer to any more. */
const unused = new FinalizationRegistry<() => void>((end) => {
  end()
})

/**
 * Cleans what has this key until the object is garbage-collected; in a batch, which is over soon, it is not cleaned.
 *
 * @param task - does not refer to the object
 */
export function cleanWhileUsed(
  context: Pick<ObjectContext, 'executor' | 'eviction'>,
  object: object,
  key: string,
  task: EvictionTask,
): void {
  if (!context.executor.isBatch) unused.register(object, context.eviction.hold(key, task))
}
