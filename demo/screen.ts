import type { WriteStream } from 'node:tty'

/** Between two lines of progress, where lines cannot be written over. */
const PLAIN_EVERY_MS = 1_000

/** Where a terminal does not say how wide it is. */
const COLUMNS = 80

const CLEAR_LINE = '\r\x1b[K'

/** Lines that stay, and on a terminal one below them that changes. */
export class Screen {
  readonly #out: WriteStream
  #plainAgainAt = 0

  constructor(out: WriteStream) {
    this.#out = out
  }

  /** Writes a line that stays. */
  say(line = ''): void {
    this.#out.write(`${this.#clear}${line}\n`)
    this.#plainAgainAt = performance.now() + PLAIN_EVERY_MS
  }

  /** Shows how far it has come; `text` is asked for only when it is shown. */
  progress(text: () => string): void {
    if (this.#out.isTTY) {
      this.#out.write(this.#clear + text().slice(0, (this.#out.columns || COLUMNS) - 1))
    } else if (performance.now() >= this.#plainAgainAt) {
      this.say(text())
    }
  }

  get #clear(): string {
    return this.#out.isTTY ? CLEAR_LINE : ''
  }
}

/** Lays cells out in columns: the first and the last to the left, those between to the right. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return column === 0 || column === row.length - 1 ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  ')
      .trimEnd(),
  )
}
