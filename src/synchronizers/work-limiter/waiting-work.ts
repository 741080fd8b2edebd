import { LinkedList } from '../../util/collections/linked-list.js'
import type { Deadline } from '../../util/time/deadline.js'
import { Waiter, Waiters } from '../../waiting/waiters.js'
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

/** A function that waits. Its turn comes when it may begin. */
export class WaitingWork extends Waiter {
  readonly request: WorkRequest
  granted: Granted | undefined
  /** Whether Redis has said that it has to wait. */
  isRefused = false

  constructor(request: WorkRequest) {
    super()
    this.request = request
  }
}

/** Functions that wait, those of a higher priority first, and those of the same in the order in which they came. */
export class WaitingWorks extends Waiters<WaitingWork> {
  constructor() {
    super(new ByPriority())
  }

  /** The first ones that one request can ask for together: of one priority, and with the same settings. */
  together(): readonly WaitingWork[] {
    const together: WaitingWork[] = []
    let places = 0
    for (const work of this) {
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
    work.turn.set()
    return true
  }
}

/** Keeps functions in the order of their priorities. */
class ByPriority implements Iterable<WaitingWork> {
  /** The highest priority first. None of them is empty. */
  readonly #levels: { readonly priority: number; readonly list: LinkedList<WaitingWork> }[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  get first(): WaitingWork | undefined {
    return this.#levels[0]?.list.first
  }

  *[Symbol.iterator](): Iterator<WaitingWork> {
    for (const { list } of [...this.#levels]) yield* list // one that is empty leaves meanwhile
  }

  add(work: WaitingWork): void {
    this.#levelOf(work.request.priority).add(work)
    this.#size += 1
  }

  delete(work: WaitingWork): boolean {
    const at = this.#levels.findIndex(({ priority }) => priority === work.request.priority)
    const level = this.#levels[at]
    if (level?.list.delete(work) !== true) return false
    this.#size -= 1
    if (level.list.size === 0) this.#levels.splice(at, 1)
    return true
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

function isSame(request: WorkRequest, next: WorkRequest): boolean {
  if (request.priority !== next.priority) return false
  const { settings: one } = request
  const { settings: other } = next
  return one === other || (one.concurrency === other.concurrency && one.limits === other.limits)
}
