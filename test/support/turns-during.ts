/** Counts the turns that the event loop makes before something has settled. */
export async function turnsDuring<T>(
  fn: () => T,
): Promise<{ readonly result: Awaited<T>; readonly turns: number }> {
  let turns = 0
  let counting: NodeJS.Immediate | undefined
  const count = () => {
    turns += 1
    counting = setImmediate(count)
  }
  counting = setImmediate(count)
  try {
    return { result: await fn(), turns }
  } finally {
    clearImmediate(counting)
  }
}
