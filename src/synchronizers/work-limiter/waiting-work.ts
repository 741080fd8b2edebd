import { sameOutage } from '../../core/holds/outage.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import { LinkedList } from '../../util/collections/linked-list.js'
import type { Deadline } from '../../util/time/deadline.js'
import type { Comer } from '../../waiting/own-time.js'
import { AHEAD_MS, type WorkRequest } from './settings.js'

/** Places that a function may begin with. */
export interface Granted {
  /** The request that has taken them, the number of the first, and how many there are. */
  readonly id: string
  readonly first: number
  readonly count: number
  /** From when on the lease lasts at least, on the monotonic clock: when the request was sent, and later by the time that is reserved. */
  readonly leaseFrom: number
  /** When a function may begin with them, by the rate. */
  readonly due: Deadline
}

/** A function that waits. */
export class WaitingWork implements Comer {
  readonly cameAt = performance.now()
  readonly request: WorkRequest
  /** How many came before it and with it, ever. */
  readonly number: number
  /** Wakes when it may begin. */
  readonly served = new AutoResetEvent()
  granted: Granted | undefined
  /** Whether Redis has said that it has to wait. */
  isRefused = false

  constructor(request: WorkRequest, number: number) {
    this.request = request
    this.number = number
  }
}

/** Functions that wait, those of a higher priority first, and those of the same in the order in which they came. */
export class WaitingWorks implements Iterable<WaitingWork> {
  /** The highest priority first. None of them is empty. */
  readonly #levels: { readonly priority: number; readonly list: LinkedList<WaitingWork> }[] = []
  #size = 0
  #comers = 0

  get size(): number {
    return this.#size
  }

  get first(): WaitingWork | undefined {
    return this.#levels[0]?.list.first
  }

  /** How many have ever come. */
  get comers(): number {
    return this.#comers
  }

  *[Symbol.iterator](): Iterator<WaitingWork> {
    for (const { list } of [...this.#levels]) yield* list // one that is empty leaves meanwhile
  }

  add(request: WorkRequest): WaitingWork {
    const work = new WaitingWork(request, (this.#comers += 1))
    this.#levelOf(request.priority).add(work)
    this.#size += 1
    return work
  }

  /** Returns false if it has left before. */
  delete(work: WaitingWork): boolean {
    const at = this.#levels.findIndex(({ priority }) => priority === work.request.priority)
    const level = this.#levels[at]
    if (level?.list.delete(work) !== true) return false
    this.#size -= 1
    if (level.list.size === 0) this.#levels.splice(at, 1)
    return true
  }

  /** The first ones that one request can ask for together: of one priority, and with the same settings. */
  together(): readonly WaitingWork[] {
    const together: WaitingWork[] = []
    let places = 0
    for (const work of this.#levels[0]?.list ?? []) {
      const { settings, weight } = work.request
      const [first] = together
      places += weight
      if (first !== undefined && !isSame(first.request, work.request)) break
      if (first !== undefined && work.request.deadline.within(AHEAD_MS) < AHEAD_MS) break
      if (together.length > 0 && places > Math.min(settings.concurrency, MOST_TOGETHER)) break
      together.push(work)
    }
    return together
  }

  /** Ends the waiting of one that may begin. Returns false if it has left. */
  serve(work: WaitingWork, granted: Granted): boolean {
    if (!this.delete(work)) return false
    work.granted = granted
    work.served.set()
    return true
  }

  /** Ends the waiting of some with an error. */
  dismiss(works: Iterable<WaitingWork>, error: Error): void {
    for (const work of works) {
      this.delete(work)
      work.served.fail(sameOutage(error))
    }
  }

  #levelOf(priority: number): LinkedList<WaitingWork> {
    const at = this.#levels.findIndex((level) => level.priority <= priority)
    const level = this.#levels[at]
    if (level?.priority === priority) return level.list
    const list = new LinkedList<WaitingWork>()
    this.#levels.splice(at === -1 ? this.#levels.length : at, 0, { priority, list })
    return list
  }
}

/** How many places one request asks for at most, unless the first function needs more. */
const MOST_TOGETHER = 100

function isSame({ settings: one }: WorkRequest, { settings: other }: WorkRequest): boolean {
  return one === other || (one.concurrency === other.concurrency && one.limits === other.limits)
}
