import { isPassing, wordsOf } from '../errors/lasting-failure.js'
import { onAbort } from '../util/abort/abort-listeners.js'
import { Alarm } from '../util/time/alarm.js'
import { warnOnce } from '../util/warn-once.js'
import { AdaptiveDelay, type DelayBounds } from './adaptive-delay.js'
import { DueHeap, type Due } from './due-heap.js'

/** The arguments of a run. */
export interface EvictionRun {
  /** How many entries it removes at most, of each sorted set. */
  readonly limit: number
  /** How long after it the next one comes, unless what it removes changes that. */
  readonly delaySeconds: number
}

/**
 * Removes expired entries of an object. Resolves with how many there were; with undefined where another client does it at the moment.
 * The signal aborts when nothing holds the object any more, or the client closes. It has to settle in any case: the next run waits for it.
 */
export type EvictionTask = (signal: AbortSignal, run: EvictionRun) => Promise<number | undefined>

/** As Redisson's `minCleanUpDelay`, `maxCleanUpDelay` and `cleanUpKeysAmount` are by default. */
const DEFAULTS: DelayBounds = { minSeconds: 5, maxSeconds: 1_800, limit: 100 }

/** The number of concurrent runs, so that a process that was suspended does not send all requests at once. */
const MOST_AT_ONCE = 100

/** One object whose entries expire. */
interface Schedule extends Due {
  readonly id: string
  readonly name: string
  readonly task: EvictionTask
  readonly delay: AdaptiveDelay
  /** How many hold the object; without any of them it is not cleaned any more. */
  holders: number
  dueAt: number
  /** Ends the run that is under way. */
  running: AbortController | undefined
}

/**
 * Cleans objects whose entries expire, because Redis knows no time to live for an element: one timer for all objects of a client.
 *
 * An object is cleaned for as long as anything holds it. Runs follow each other after a delay that adapts to what they find; a run that
 * fails changes nothing, and is followed by another. An error that will not pass is reported to the process as well.
 */
export class EvictionService {
  readonly #closing: AbortSignal
  readonly #bounds: DelayBounds
  readonly #schedules = new Map<string, Schedule>()
  readonly #waiting = new DueHeap<Schedule>()
  readonly #alarm = new Alarm(() => {
    this.#runDue()
  })
  #running = 0

  /** @param closing - aborts when the client closes: then nothing is cleaned any more */
  constructor(closing: AbortSignal, bounds = DEFAULTS) {
    this.#closing = closing
    this.#bounds = bounds
    onAbort(closing, () => {
      this.#close()
    })
  }

  /** How many objects are cleaned. */
  get size(): number {
    return this.#schedules.size
  }

  /**
   * Cleans an object until the returned function is called, and as long as anything else holds it. Of several
   * tasks of one name and kind, the first is run: it must not refer to the object, which could not be
   * garbage-collected then.
   *
   * @param kind - of the object, without spaces: a name may belong to objects of several kinds, one after the other
   */
  hold(name: string, task: EvictionTask, kind = ''): () => void {
    if (this.#closing.aborted) return nothing
    const id = `${kind} ${name}`
    const schedule = this.#schedules.get(id) ?? this.#begin(id, name, task)
    schedule.holders += 1
    let holds = true
    return () => {
      if (holds) this.#release(schedule)
      holds = false
    }
  }

  #begin(id: string, name: string, task: EvictionTask): Schedule {
    const delay = new AdaptiveDelay(this.#bounds)
    const unplaced = { dueAt: Infinity, position: undefined, running: undefined }
    const schedule: Schedule = { id, name, task, delay, holders: 0, ...unplaced }
    this.#schedules.set(id, schedule)
    this.#schedule(schedule)
    this.#wake()
    return schedule
  }

  #close(): void {
    this.#alarm.clear()
    for (const schedule of this.#schedules.values()) this.#end(schedule)
  }

  #release(schedule: Schedule): void {
    schedule.holders -= 1
    if (schedule.holders === 0) this.#end(schedule)
  }

  #end(schedule: Schedule): void {
    this.#schedules.delete(schedule.id)
    this.#waiting.remove(schedule)
    schedule.running?.abort()
  }

  /** Whether it is still to be cleaned. One that has ended may have been followed by another of the same name and kind. */
  #isCurrent(schedule: Schedule): boolean {
    return this.#schedules.get(schedule.id) === schedule
  }

  /** Starts the next run after the delay. */
  #schedule(schedule: Schedule): void {
    schedule.dueAt = performance.now() + schedule.delay.seconds * 1_000
    this.#waiting.add(schedule)
  }

  #wake(): void {
    const { first } = this.#waiting
    if (first !== undefined && this.#running < MOST_AT_ONCE) this.#alarm.setFor(first.dueAt)
  }

  #runDue(): void {
    const now = performance.now()
    for (let first = this.#waiting.first; first !== undefined; first = this.#waiting.first) {
      if (first.dueAt > now || this.#running >= MOST_AT_ONCE) break
      this.#waiting.remove(first)
      void this.#run(first)
    }
    this.#wake()
  }

  /** Never rejects. */
  async #run(schedule: Schedule): Promise<void> {
    const { name, task, delay } = schedule
    const running = new AbortController()
    schedule.running = running
    this.#running += 1
    try {
      const count = await task(running.signal, { limit: this.#bounds.limit, delaySeconds: delay.seconds })
      if (count !== undefined) delay.note(count)
    } catch (error) {
      if (!running.signal.aborted && !isPassing(error)) report(name, error)
    }
    this.#running -= 1
    schedule.running = undefined
    if (this.#isCurrent(schedule)) this.#schedule(schedule)
    this.#wake() // also for those that had to wait for this one
  }
}

function nothing(): void {}

function report(name: string, error: unknown): void {
  const words = wordsOf(error)
  warnOnce(
    'REDISSON_EVICTION_FAILED',
    `${name} ${words}`,
    `Expired entries of ${name} cannot be removed: ${words}`,
  )
}
