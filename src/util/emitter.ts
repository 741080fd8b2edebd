import { EventEmitter } from 'eventemitter3'
import { callSafely } from './call-safely.js'
import { withoutAsyncContext } from './time/without-async-context.js'

/** Events by name, and their data. */
type Events = object
type Listener<E extends Events, K extends keyof E> = (event: E[K]) => void

/**
 * An emitter whose listeners cannot silence each other.
 *
 * A listener that throws stops no other; its error surfaces as an uncaught exception, as it would from any callback.
 */
export class Emitter<E extends Events> {
  /** Its functions are nevertheless one: a listener is what that is called on. */
  readonly #emitter = new EventEmitter()
  #held: (() => void)[] | undefined

  on<K extends keyof E & string>(name: K, listener: Listener<E, K>): void {
    this.#emitter.on(name, callListener, listener)
  }

  once<K extends keyof E & string>(name: K, listener: Listener<E, K>): void {
    this.#emitter.once(name, callListener, listener)
  }

  listenerCount(name: keyof E & string): number {
    return this.#emitter.listenerCount(name)
  }

  off<K extends keyof E & string>(name: K, listener: Listener<E, K>): void {
    this.#emitter.off(name, callListener, listener)
  }

  emit<K extends keyof E & string>(name: K, event: E[K]): void {
    if (this.#held !== undefined) {
      this.#held.push(() => {
        this.emit(name, event)
      })
      return
    }
    withoutAsyncContext(() => this.#emitter.emit(name, event))
  }

  /** Keeps events back, until there can be a listener. */
  hold(): void {
    this.#held ??= []
  }

  /** Emits what was kept back, and from now on every event at once. */
  flush(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const tell of held) tell()
  }

  removeAll(): void {
    this.#emitter.removeAllListeners()
  }
}

function callListener<T>(this: (event: T) => void, event: T): void {
  callSafely(() => {
    this(event)
  })
}
