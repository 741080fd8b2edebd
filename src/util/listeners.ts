import type { EventEmitter } from 'node:events'

type Listener = Parameters<EventEmitter['on']>[1]

/** Listeners on what lives longer than they do: they are taken off together. */
export class Listeners implements Disposable {
  readonly #removals = new Set<() => void>()

  on(source: EventEmitter, event: string, listener: Listener): void {
    source.on(event, listener)
    this.add(() => source.off(event, listener))
  }

  /** Adds something else to undo along with them. */
  add(removal: () => void): void {
    this.#removals.add(removal)
  }

  /**
   * Listeners on something that may end before these are taken off. They are taken off together with these, or with the event that ends it:
   * nothing of it is kept after that.
   */
  until(source: EventEmitter, event: string): Listeners {
    const own = new Listeners()
    const dispose = () => {
      own[Symbol.dispose]()
    }
    own.on(source, event, dispose)
    own.add(() => this.#removals.delete(dispose))
    this.add(dispose)
    return own
  }

  [Symbol.dispose](): void {
    const removals = [...this.#removals]
    this.#removals.clear()
    for (const remove of removals) remove()
  }
}
