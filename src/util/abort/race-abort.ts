import { onAbort } from './abort-listeners.js'

/** Waits for a reply, and rejects with the signal's reason as soon as that aborts; the reply is then dropped. */
export function raceAbort<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal === undefined ? answer : orReason(answer, signal)
}

async function orReason<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>()
  const giveUp = () => {
    reject(signal.reason as Error)
  }
  const stopListening = onAbort(signal, giveUp)
  if (signal.aborted) giveUp()
  try {
    return await Promise.race([answer, givenUp])
  } finally {
    stopListening()
  }
}
