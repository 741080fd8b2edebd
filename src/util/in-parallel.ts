/** Does something with each of many items, that many at a time. Once one has failed, no other begins, and it rejects when all have ended. */
export async function inParallel<T>(
  items: Iterable<T> | AsyncIterable<T>,
  most: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const open = new Set<Promise<unknown>>()
  let failure: { readonly error: unknown } | undefined
  for await (const item of items) {
    const done = work(item)
      .catch((error: unknown) => {
        failure ??= { error }
      })
      .finally(() => open.delete(done))
    open.add(done)
    if (open.size >= most) await Promise.race(open)
    if (failure !== undefined) break
  }
  await Promise.all(open)
  if (failure !== undefined) throw failure.error
}
