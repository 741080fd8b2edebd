/** A table in Markdown: the first columns are words, and to the left; the others are numbers, and to the right. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { words }: { readonly words: number },
): string {
  const widths = head.map((cell, column) =>
    Math.max(3, cell.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0, column < words)).join(' | ')} |`
  const rule = widths.map((width, column) =>
    column < words ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

function pad(cell: string, width: number, isWord: boolean): string {
  return isWord ? cell.padEnd(width) : cell.padStart(width)
}
