/** What a promise resolves with, or the error that it rejects with. */
export function outcomeOf<T, E extends Error = Error>(promise: Promise<T>): Promise<T | E> {
  return promise.catch((error: unknown) => error as E)
}
