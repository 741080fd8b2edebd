import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Runs a function outside every asynchronous context of the user.
 *
 * Sockets, timers and listeners keep the context that they are made in for as long as they live. Made inside a request,
 * they would hold on to that request, and user code that they call would take the wrong owner for its own.
 */
export const outside: <T>(fn: () => T) => T = AsyncLocalStorage.snapshot()
