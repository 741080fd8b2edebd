import { onAbort } from './abort-listeners.js'

/** Aborts a controller as soon as one of several signals aborts, and with its reason. Returns the function that ends this. */
export function followAborts(
  controller: AbortController,
  signals: readonly (AbortSignal | undefined)[],
): () => void {
  const ends = signals.map((signal) => signal && follow(controller, signal))
  return () => {
    for (const end of ends) end?.()
  }
}

function follow(controller: AbortController, signal: AbortSignal): () => void {
  const abort = () => {
    controller.abort(signal.reason)
  }
  if (signal.aborted) abort()
  return onAbort(signal, abort)
}
