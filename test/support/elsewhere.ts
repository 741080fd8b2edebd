import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Runs a function as a flow of its own, as a server runs the handler of a request: it knows nothing of the flow that the
 * test is in, and leaves nothing in it.
 */
export const elsewhere: <T>(fn: () => T) => T = AsyncLocalStorage.snapshot()
