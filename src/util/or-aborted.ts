/** Waits for an answer, and rejects with the signal's reason as soon as that aborts; the answer is then nobody's. */
export function orAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal === undefined ? answer : orReason(answer, signal)
}

async function orReason<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>()
  const onAbort = () => {
    reject(signal.reason as Error)
  }
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([answer, givenUp])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
