/**
 * Does something with each of many items, that many at a time. Once one has failed, or no further item could be had, no other begins, and it rejects when
 * all have ended.
 */
export async function inParallel<T>(
  items: Iterable<T> | AsyncIterable<T>,
  most: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const open = new Set<Promise<unknown>>()
  // A race of all that are open would leave reactions at one that lasts, for each that ends meanwhile.
  let oneEnded = (): void => undefined
  const failures: unknown[] = []
  const note = (error: unknown) => {
    failures.push(error)
  }
  try {
    for await (const item of items) {
      if (failures.length > 0) break // while this item was waited for
      const done = work(item)
        .catch(note)
        .finally(() => {
          open.delete(done)
          oneEnded()
        })
      open.add(done)
      if (open.size >= most)
        await new Promise<void>((resolve) => {
          oneEnded = resolve
        })
      if (failures.length > 0) break
    }
  } catch (error) {
    note(error)
  }
  await Promise.all(open)
  if (failures.length > 0) throw failures[0]
}
