import { semaphoreChannel } from '../core/names.js'
import type { Patience } from '../core/arguments.js'
import { Lines } from '../core/lines.js'
import type { ObjectContext } from '../core/object-context.js'
import { Place, WaitingLine, type Waiter } from '../core/waiting-line.js'

/** A message wakes the first in line. If there is more than it needs, it is the next one's turn at once. */
const wakeOne = (): number => 1

/** Those in this process who wait for permits, by the key of the semaphore. */
export class PermitLines {
  readonly #context: ObjectContext
  readonly #lines = new Lines<WaitingLine>()

  constructor(context: ObjectContext) {
    this.#context = context
  }

  /**
   * Tries until there are permits; answers undefined when the time is over.
   *
   * Whoever finds nobody in line tries at once, and so does whoever will not wait.
   */
  async obtain<T>(key: string, waiter: Waiter<T> & Patience): Promise<T | undefined> {
    if (waiter.waitMs === 0 || this.#lines.of(key) === undefined) {
      const first = await waiter.attempt()
      if (first.done) return first.value
    }
    if (waiter.deadline.passed) return undefined
    const open = () => new WaitingLine(this.#context, semaphoreChannel(key), wakeOne)
    return await this.#lines.stand(key, open, (line) => line.wait(new Place(), waiter))
  }
}
