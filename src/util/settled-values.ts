/** Waits until all of them have settled, and only then throws the error of the first that rejected. Returns their values. */
export async function settledValues<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  return (await Promise.allSettled(promises)).map(valueOf)
}

/** @throws what it rejected with */
export function valueOf<T>(outcome: PromiseSettledResult<T>): T {
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}
