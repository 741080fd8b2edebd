import type { RunEntry } from '../history.js'
import type { Span } from './spans.js'

/** Who is inside one lock at a moment. */
export class Occupancy {
  readonly spans = new Set<Span>()
  readonly #owners = new Map<string, number>()
  readonly #writers = new Map<string, number>()

  enter(span: Span): void {
    this.spans.add(span)
    count(this.#owners, span.owner, 1)
    if (span.begin.side === 'write') count(this.#writers, span.owner, 1)
  }

  leave(span: Span): void {
    this.spans.delete(span)
    count(this.#owners, span.owner, -1)
    if (span.begin.side === 'write') count(this.#writers, span.owner, -1)
  }

  get owners(): number {
    return this.#owners.size
  }

  /** How many of the owners hold the side that excludes. */
  get writers(): number {
    return this.#writers.size
  }
}

/** How a kind of lock counts those inside, and whom it lets in together. */
export interface Rule {
  readonly expected: string
  readonly holders: (inside: Occupancy) => number
  readonly isBroken: (inside: Occupancy) => boolean
}

export function ruleOf({ lock, permits }: RunEntry): Rule {
  switch (lock) {
    case 'semaphore':
      return {
        expected: `at most ${String(permits)} inside`,
        holders: ({ spans }) => spans.size,
        isBroken: ({ spans }) => spans.size > permits,
      }
    case 'rw':
      return {
        expected: 'no other holder beside a writer',
        holders: ({ owners }) => owners,
        isBroken: ({ owners, writers }) => writers > 0 && owners > 1,
      }
    default:
      return {
        expected: 'one holder at a time',
        holders: ({ owners }) => owners,
        isBroken: ({ owners }) => owners > 1,
      }
  }
}

function count(counts: Map<string, number>, key: string, change: number): void {
  const next = (counts.get(key) ?? 0) + change
  if (next === 0) counts.delete(key)
  else counts.set(key, next)
}
