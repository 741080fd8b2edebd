import type { Thread } from './thread.js'

/** A function that runs as a thread, together with all that it awaits. */
export class Scope {
  readonly thread: Thread
  readonly parent: Scope | undefined
  #ended = false
  #onEnd: (() => void)[] | undefined

  constructor(thread: Thread, parent: Scope | undefined) {
    this.thread = thread
    this.parent = parent
  }

  /** Whether the function has settled. Whatever it left behind may no longer act as its thread. */
  get ended(): boolean {
    return this.#ended
  }

  end(): void {
    this.#ended = true
    this.#onEnd?.forEach((callback) => {
      callback()
    })
  }

  /** Calls back when the function has settled. */
  onEnd(callback: () => void): void {
    this.#onEnd ??= []
    this.#onEnd.push(callback)
  }

  /** Whether this scope is another one, or runs somewhere inside it. */
  isWithin(other: Scope): boolean {
    return this === other || this.parent?.isWithin(other) === true
  }
}
