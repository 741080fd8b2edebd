import type { ObjectContext } from '../../core/context/object-context.js'
import { isTransient } from '../../errors/transient.js'
import { Alarm } from '../../util/time/alarm.js'
import { RECHECK_MS } from '../../waiting/recheck.js'
import { delayedKeys } from './keys.js'
import { IDLE_RECHECK_MS } from './transfer.js'
import * as scripts from './delayed-queue.scripts.js'

/** Of how many queues without a waiting call it is remembered when this client has looked. */
const MOST_REMEMBERED = 1_000

/** A queue for whose elements calls wait, or did a moment ago. */
interface Watched {
  callers: number
  readonly alarm: Alarm
}

/** What is done for a queue for which elements wait. */
interface Finds {
  /** Whether elements are known to wait, and are moved already. */
  knows(queue: string): boolean
  found(queue: string): void
  /** No call waits for its elements any more. */
  left(queue: string): void
}

/**
 * Looks whether elements wait that are to get to a queue later, while calls wait for elements of that queue. The program need not know of delays.
 *
 * That is one `EXISTS` when the waiting begins, and one every few seconds, for each queue and client.
 */
export class DelayLooks {
  readonly #context: Pick<ObjectContext, 'executor'>
  readonly #finds: Finds
  readonly #queues = new Map<string, Watched>()

  constructor(context: Pick<ObjectContext, 'executor'>, finds: Finds) {
    this.#context = context
    this.#finds = finds
  }

  /** Begins for a call; the returned function ends it. */
  watch(queues: readonly string[]): () => void {
    const different = [...new Set(queues)]
    for (const queue of different) (this.#queues.get(queue) ?? this.#begin(queue)).callers += 1
    return () => {
      for (const queue of different) this.#leave(queue)
    }
  }

  /** Whether calls wait for elements of a queue, or did a moment ago. */
  isWatched(queue: string): boolean {
    return this.#queues.has(queue)
  }

  close(): void {
    for (const { alarm } of this.#queues.values()) alarm.clear()
    this.#queues.clear()
  }

  #begin(queue: string): Watched {
    const watched: Watched = {
      callers: 0,
      alarm: new Alarm(() => {
        if (watched.callers > 0) this.#look(queue, watched)
        else this.#forget(queue)
      }),
    }
    this.#queues.set(queue, watched)
    this.#look(queue, watched)
    return watched
  }

  /** It is remembered for a few seconds, so that calls that wait again and again do not look each time. */
  #leave(queue: string): void {
    const watched = this.#queues.get(queue)
    if (watched === undefined) return
    watched.callers -= 1
    if (watched.callers > 0 || this.#queues.size <= MOST_REMEMBERED) return
    watched.alarm.clear()
    this.#forget(queue)
  }

  #forget(queue: string): void {
    this.#queues.delete(queue)
    this.#finds.left(queue)
  }

  #look(queue: string, { alarm }: Watched): void {
    alarm.setFor(performance.now() + RECHECK_MS)
    if (!this.#finds.knows(queue)) void this.#find(queue)
  }

  /** A user who has no right to delayed queues uses none. */
  async #find(queue: string): Promise<void> {
    const call = { keys: { dueTimes: delayedKeys(queue).dueTimes }, args: {} }
    try {
      const isAny = await this.#context.executor.run(scripts.hasAny, call)
      if (isAny && this.#queues.has(queue)) this.#finds.found(queue)
    } catch (error) {
      if (isTransient(error)) return
      const alarm = this.#queues.get(queue)?.alarm
      alarm?.clear()
      alarm?.setFor(performance.now() + IDLE_RECHECK_MS)
    }
  }
}
