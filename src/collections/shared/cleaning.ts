import type { ObjectContext } from '../../core/context/object-context.js'
import type { EvictionTask } from '../../eviction/eviction-service.js'
import { isRedissonError } from '../../errors/redisson-error.js'

/** For how long other clients do not clean the same object, at most. */
const LONGEST_LATCH_SECONDS = 30

/** How many entries each further part of a run removes at most, so that Redis does not stand still for long; and how many parts there are. */
const PART = 500
const MOST_PARTS = 200

/** Ends the cleaning for objects that the program does not refer to any more. */
const unused = new FinalizationRegistry<() => void>((end) => {
  end()
})

/** What is cleaned: an object of one kind, as objects of other kinds may have had its key before. */
export interface Cleaned {
  readonly kind: 'map-cache' | 'set-cache' | 'time-series' | 'set-multimap-cache' | 'list-multimap-cache'
  readonly key: string
}

/**
 * Cleans what has this key until the object is garbage-collected; in a batch, which is over soon, it is not cleaned.
 *
 * @param task - does not refer to the object
 */
export function cleanWhileUsed(
  context: Pick<ObjectContext, 'executor' | 'eviction'>,
  object: object,
  { kind, key }: Cleaned,
  task: EvictionTask,
): void {
  if (!context.executor.isBatch) unused.register(object, context.eviction.hold(key, thorough(task), kind))
}

/** A run that goes on at once where it removes all that it may: more entries may end in a while than Redisson removes in that time. */
export function thorough(task: EvictionTask): EvictionTask {
  return async (signal, run) => {
    const first = await task(signal, run).catch(noneOfOthers)
    let isFull = first !== undefined && first >= run.limit
    for (let part = 0; isFull && part < MOST_PARTS && !signal.aborted; part += 1) {
      const count = await task(signal, { limit: PART, delaySeconds: 0 })
      isFull = count !== undefined && count >= PART
    }
    return first
  }
}

/**
 * A task that one client does at a time.
 *
 * @param clean - removes at most `most` entries, and returns how many it was; -1 where another client cleans. With a latch of 0 seconds it goes on
 * with what this client has begun
 */
export function taskInTurns(
  clean: (args: { most: number; latchSeconds: number }, signal: AbortSignal) => Promise<number>,
): EvictionTask {
  return async (signal, { limit, delaySeconds }) => {
    const latchSeconds = Math.min(delaySeconds, LONGEST_LATCH_SECONDS)
    const count = await clean({ most: limit, latchSeconds }, signal)
    return count < 0 ? undefined : count
  }
}

/** Where another object has the name by now, nothing is to be cleaned. */
function noneOfOthers(error: unknown): number {
  if (isRedissonError(error, 'WRONG_TYPE')) return 0
  throw error
}
