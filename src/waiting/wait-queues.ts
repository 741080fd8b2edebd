/** The queues of this process, by what their waiters wait for. Each is made for its first and dropped with its last. */
export class WaitQueues<L extends { readonly isEmpty: boolean }> {
  readonly #lines = new Map<string, L>()

  /** The queue for a thing, if it has waiters. */
  of(name: string): L | undefined {
    return this.#lines.get(name)
  }

  /** Joins the queue, and waits. */
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
