/** The lines of those in this process who wait, by what they wait for. Each is made for its first and dropped with its last. */
export class Lines<L extends { readonly isEmpty: boolean }> {
  readonly #lines = new Map<string, L>()

  /** The line for a thing, if anybody waits for it. */
  of(name: string): L | undefined {
    return this.#lines.get(name)
  }

  /** Stands in line, and waits. */
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
