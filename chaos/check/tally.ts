/** How often each word comes. */
export function tally(words: Iterable<string>): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return Object.fromEntries(counts)
}
