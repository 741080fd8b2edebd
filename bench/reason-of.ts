/** Why something failed, in one line: the one that names the error, where a process wrote down all that it knew. */
export function reasonOf(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).split('\n')
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.join().slice(0, LONGEST_REASON)
}

const LONGEST_REASON = 100
