/** Typing mistakes forgiven: one for each three letters of the word. */
const LETTERS_PER_MISTAKE = 3

/**
 * Returns the known word that was probably meant by a misspelt one, or undefined if none comes near.
 *
 * Upper and lower case count as the same. Of two words that are equally near, the first wins.
 */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const written = word.toLowerCase()
  let least = Math.ceil(word.length / LETTERS_PER_MISTAKE) + 1
  let found: string | undefined
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= least) continue
    const mistakes = mistakesBetween(written, candidate.toLowerCase())
    if (mistakes >= least) continue
    least = mistakes
    found = candidate
  }
  return found
}

/** The optimal string alignment distance: letters left out, added, replaced, or swapped with their neighbour. */
function mistakesBetween(written: string, meant: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: meant.length + 1 }, (_, column) => column)
  for (let row = 1; row <= written.length; row++) {
    const current = [row]
    for (let column = 1; column <= meant.length; column++) {
      const replaced = at(last, column - 1) + Number(written[row - 1] !== meant[column - 1])
      const swapped =
        written[row - 1] === meant[column - 2] && written[row - 2] === meant[column - 1]
          ? at(beforeLast, column - 2) + 1
          : Infinity
      current.push(Math.min(replaced, swapped, at(last, column) + 1, at(current, column - 1) + 1))
    }
    ;[beforeLast, last] = [last, current]
  }
  return at(last, meant.length)
}

/** Outside of the table, nothing can be aligned. */
function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}
