import type { BeginEntry, Entry } from '../../history.js'

/** Something that was asked for and granted. */
export interface Grant {
  readonly begin: BeginEntry
  /** When it was asked for. */
  readonly fromMs: number
  /** When it was answered. */
  readonly toMs: number
}

export function grantsOf(entries: readonly Entry[], name: string): Grant[] {
  const begins = new Map(
    entries.flatMap((entry) =>
      entry.type === 'begin' && entry.op === 'acquire' && entry.name === name
        ? [[entry.id, entry] as const]
        : [],
    ),
  )
  return entries.flatMap((entry) => {
    const begin = entry.type === 'end' && entry.outcome === 'ok' ? begins.get(entry.id) : undefined
    return begin === undefined || entry.type !== 'end' ? [] : [{ begin, fromMs: begin.at, toMs: entry.at }]
  })
}
