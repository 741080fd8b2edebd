import type { EventEmitter } from 'node:events'

type Listener = Parameters<EventEmitter['on']>[1]

/** Listeners on what lives longer than they do: they are taken off together. */
export class Listeners implements Disposable {
  readonly #removals: (() => void)[] = []

  on(source: EventEmitter, event: string, listener: Listener): void {
    source.on(event, listener)
    this.#removals.push(() => source.off(event, listener))
  }

  /** Has something else undone along with them. */
  add(removal: () => void): void {
    this.#removals.push(removal)
  }

  [Symbol.dispose](): void {
    for (const remove of this.#removals.splice(0)) remove()
  }
}
