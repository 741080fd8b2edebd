import type { Hash } from 'node:crypto'
import { real } from './real.js'

/** Something that happened. */
export interface TraceEntry {
  /** When, in true time. */
  readonly at: number
  /** Where: the name of a process, of a connection or of a server. */
  readonly who: string
  readonly kind: string
  /** What of it counts for the hash. */
  readonly facts: string
  /** What a person reads instead of the facts. */
  readonly text?: (() => string) | undefined
}

export interface TraceOptions {
  /**
   * How many entries are kept for {@link Trace.lines}; the hash covers all.
   *
   * @defaultValue 10 000
   */
  readonly keep?: number
}

/** Facts are hashed together once they are as long as this. */
const BLOCK_CHARACTERS = 1 << 16

/** A log of all that happened in a simulation, with a hash that is the same where all of it was the same. */
export class Trace {
  readonly #keep: number
  readonly #entries: TraceEntry[] = []
  readonly #hash: Hash = real.createHash('sha256')
  readonly #listeners = new Set<(entry: TraceEntry) => void>()
  #unhashed = ''
  #count = 0

  constructor({ keep = 10_000 }: TraceOptions = {}) {
    this.#keep = keep
  }

  /** How many things have happened. */
  get count(): number {
    return this.#count
  }

  add(entry: TraceEntry): void {
    if (this.#keep > 0) this.#entries[this.#count % this.#keep] = entry
    this.#count += 1
    this.#unhashed += `${entry.at} ${entry.who} ${entry.kind} ${entry.facts}\n`
    if (this.#unhashed.length >= BLOCK_CHARACTERS) this.#flush()
    for (const listener of this.#listeners) listener(entry)
  }

  /** Calls back with every entry from now on. Returns how to stop. */
  follow(listener: (entry: TraceEntry) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The hash of everything so far, in hex. */
  get hash(): string {
    this.#flush()
    return this.#hash.copy().digest('hex')
  }

  /** The entries that are kept, the oldest first. */
  get entries(): readonly TraceEntry[] {
    if (this.#count <= this.#keep) return this.#entries.slice()
    const start = this.#count % this.#keep
    return [...this.#entries.slice(start), ...this.#entries.slice(0, start)]
  }

  /** The same as lines that a person can read. */
  get lines(): readonly string[] {
    return this.entries.map(lineOf)
  }

  #flush(): void {
    this.#hash.update(this.#unhashed, 'utf8')
    this.#unhashed = ''
  }
}

/** An entry as a line: `    12.345 a#1 request PING`. */
export function lineOf({ at, who, kind, facts, text }: TraceEntry): string {
  return `${at.toFixed(3).padStart(12)} ${who.padEnd(12)} ${kind.padEnd(8)} ${text?.() ?? facts}`
}

/** The longest text that {@link shortened} returns. */
const LONGEST_TEXT = 160

/** Bytes as text: what cannot be printed is escaped, and what is long is cut. */
export function shortened(bytes: string): string {
  const printed = bytes
    .slice(0, LONGEST_TEXT)
    .replace(/\r\n/g, ' ')
    .replace(/[^ -~]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .trimEnd()
  return bytes.length > LONGEST_TEXT ? `${printed}… (${bytes.length} bytes)` : printed
}
