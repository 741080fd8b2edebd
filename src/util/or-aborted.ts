/** Waits for an answer, and rejects with the signal's reason as soon as that aborts; the answer is then nobody's. */
export async function orAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await answer
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
