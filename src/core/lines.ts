import type { Attempt } from '../pubsub/wait-until.js'
import type { Deadline } from '../util/deadline.js'

/** Someone who wants a thing for which others of this process may be waiting. */
export interface Visitor<T> {
  readonly deadline: Deadline
  readonly attempt: () => Promise<Attempt<T>>
  /** Whether it tries at once even if others wait: because it will not wait, or need not stand behind them. */
  readonly passesBy: boolean
}

/** The lines of those in this process who wait, by what they wait for. Each is made for its first and dropped with its last. */
export class Lines<L extends { readonly isEmpty: boolean }> {
  readonly #lines = new Map<string, L>()

  /** The line for a thing, if anybody waits for it. */
  of(name: string): L | undefined {
    return this.#lines.get(name)
  }

  /**
   * Tries, then waits in line; answers undefined when the deadline has passed.
   *
   * Whoever finds nobody in line tries at once.
   */
  async visit<T>(
    name: string,
    { deadline, attempt, passesBy }: Visitor<T>,
    open: () => L,
    wait: (line: L) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    if (passesBy || !this.#lines.has(name)) {
      const first = await attempt()
      if (first.done) return first.value
    }
    if (deadline.passed) return undefined
    return await this.stand(name, open, wait)
  }

  /** Waits in line without trying first. */
  async stand<T>(name: string, open: () => L, wait: (line: L) => Promise<T>): Promise<T> {
    const line = this.#lines.get(name) ?? open()
    this.#lines.set(name, line)
    try {
      return await wait(line)
    } finally {
      if (line.isEmpty && this.#lines.get(name) === line) this.#lines.delete(name)
    }
  }
}
