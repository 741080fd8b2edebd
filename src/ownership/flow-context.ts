import { AsyncLocalStorage, AsyncResource, executionAsyncResource } from 'node:async_hooks'

/** What a flow carries with it, through everything that it awaits and starts. */
export class FlowContext<T extends object> {
  readonly #storage = new AsyncLocalStorage<T>()
  /** Where Node keeps the value, if it keeps it in the resource whose callback is running. */
  readonly #property: symbol | undefined
  /** What the flows that entered a value in the callback that is running had before. */
  readonly #before = new Map<T, T | undefined>()

  /** @param probe - any value that is never a flow's own */
  constructor(probe: T) {
    this.#property = new AsyncResource('IOREDISSON_PROBE').runInAsyncScope(() => {
      this.#storage.enterWith(probe)
      const resource = runningResource()
      return Object.getOwnPropertySymbols(resource).find((property) => resource[property] === probe)
    })
  }

  get value(): T | undefined {
    return this.#storage.getStore()
  }

  run<R>(value: T, fn: () => R): R {
    return this.#storage.run(value, fn)
  }

  /**
   * Gives the running flow a value from here on, and its caller up to where that one awaits.
   *
   * Before Node 24, `enterWith()` writes into the resource whose callback is running. A promise runs once, but a timer or a
   * socket keeps what was written for its later callbacks, which are other flows. So it is taken out again when this
   * callback has ended; by then all that it has started has a copy.
   */
  enter(value: T): void {
    const before = this.value
    this.#storage.enterWith(value)
    const property = this.#property
    if (property === undefined) return
    this.#before.set(value, before)
    const resource = runningResource()
    queueMicrotask(() => {
      resource[property] = this.#withoutEntered(resource[property] as T | undefined)
      this.#before.delete(value)
    })
  }

  /** Another value may have been entered in the same callback, on top of the one that is to be taken out. */
  #withoutEntered(value: T | undefined): T | undefined {
    let outer = value
    while (outer !== undefined && this.#before.has(outer)) outer = this.#before.get(outer)
    return outer
  }
}

function runningResource(): Record<symbol, unknown> {
  return executionAsyncResource() as Record<symbol, unknown>
}
