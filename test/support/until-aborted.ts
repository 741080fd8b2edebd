import { once } from 'node:events'

/** Resolves when a signal aborts, or at once if it has: `once()` alone would wait for an event that is over. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
