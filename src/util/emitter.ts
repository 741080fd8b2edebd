import { EventEmitter } from 'eventemitter3'
import { outside } from './outside.js'

/** Events by name, and what each one tells. */
type Events = object
type Listener<E extends Events, K extends keyof E> = (event: E[K]) => void

/**
 * An emitter whose listeners cannot silence each other.
 *
 * A listener that throws stops no other; its error surfaces as an uncaught exception, as it would from any callback.
 */
export class Emitter<E extends Events> {
  readonly #emitter = new EventEmitter()
  #held: (() => void)[] | undefined

  on<K extends keyof E & string>(name: K, listener: Listener<E, K>): void {
    this.#emitter.on(name, listener)
  }

  off<K extends keyof E & string>(name: K, listener: Listener<E, K>): void {
    this.#emitter.off(name, listener)
  }

  emit<K extends keyof E & string>(name: K, event: E[K]): void {
    if (this.#held !== undefined) {
      this.#held.push(() => {
        this.emit(name, event)
      })
      return
    }
    for (const listener of this.#emitter.listeners(name) as Listener<E, K>[]) {
      outside(() => {
        callSafely(listener, event)
      })
    }
  }

  /** Keeps events back, until there can be somebody to hear them. */
  hold(): void {
    this.#held ??= []
  }

  /** Tells what was kept back, and from now on everything at once. */
  flush(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const tell of held) tell()
  }

  removeAll(): void {
    this.#emitter.removeAllListeners()
  }
}

function callSafely<T>(listener: (event: T) => void, event: T): void {
  try {
    listener(event)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
