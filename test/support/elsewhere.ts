import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'

const outside = AsyncLocalStorage.snapshot()

/**
 * Runs a function as a flow of its own, as a server runs the handler of a request: it knows nothing of the flow that the
 * test is in, and leaves nothing in it.
 */
export function elsewhere<T>(fn: () => T): T {
  // Where Node keeps contexts by resource, as version 22 does, every flow needs one of its own.
  return outside(() => new AsyncResource('flow').runInAsyncScope(fn))
}
