/** The queues of this process, by what their waiters wait for. Each is made for its first and dropped with its last. */
export class WaitQueues<Q extends { readonly isEmpty: boolean }> {
  readonly #queues = new Map<string, Q>()

  /** The queue for a thing, if it has waiters. */
  of(name: string): Q | undefined {
    return this.#queues.get(name)
  }

  /** Joins the queue, and waits. */
  join<T>(name: string, open: () => Q, wait: (queue: Q) => Promise<T>): Promise<T> {
    const queue = this.#queues.get(name) ?? open()
    this.#queues.set(name, queue)
    const waiting = wait(queue)
    const leave = (): void => {
      if (queue.isEmpty && this.#queues.get(name) === queue) this.#queues.delete(name)
    }
    waiting.then(leave, leave)
    return waiting
  }
}
