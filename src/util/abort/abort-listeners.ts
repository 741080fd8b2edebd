/** What is to be called when a signal aborts, by signal. */
const listenersOf = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls a function when a signal aborts, and returns the function that ends this.
 *
 * Node searches all listeners of a target each time that one is added or removed. Thousands of calls may wait with one signal, and so
 * they share one listener.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  let listeners = listenersOf.get(signal)
  if (listeners === undefined) {
    listeners = new Set()
    listenersOf.set(signal, listeners)
    signal.addEventListener('abort', callAll, { once: true })
  }
  const own = listeners
  own.add(listener)
  return () => {
    own.delete(listener)
    if (own.size > 0 || listenersOf.get(signal) !== own) return
    listenersOf.delete(signal)
    signal.removeEventListener('abort', callAll)
  }
}

function callAll(this: AbortSignal): void {
  const listeners = listenersOf.get(this) ?? []
  listenersOf.delete(this)
  for (const listener of listeners) listener()
}
