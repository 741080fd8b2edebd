import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'

const atTheTop = AsyncLocalStorage.snapshot()

/**
 * Runs a function outside every asynchronous context of the user.
 *
 * Sockets, timers and listeners keep the context that they are made in for as long as they live. Made inside a request,
 * they would hold on to that request, and user code that they call would take the wrong owner for its own.
 *
 * Every call has a resource of its own, because before Node 24 what a function enters stays with the resource.
 */
export function withoutAsyncContext<T>(fn: () => T): T {
  return atTheTop(() => new AsyncResource('IOREDISSON', { requireManualDestroy: true }).runInAsyncScope(fn))
}

/** The same for what only starts something, as a timer. It enters nothing, and so needs no resource of its own. */
export function startWithoutAsyncContext<T>(start: () => T): T {
  return atTheTop(start)
}
