import type { FaultEntry } from '../history.js'

/** Faults, by a part of their kind, that can stop a client between its last look at its hold and its write. */
export const STOPS_CLIENTS = ['client-stall', 'client-freeze'] as const

/** Faults, by a part of their kind, by which another server follows a master. */
export const FAILOVERS = ['failover', 'master-kill'] as const

/** Faults, by a part of their kind, after which the holder may not know what was confirmed: some may become failovers. */
export const FORGETS = [...FAILOVERS, 'server-kill', 'server-freeze', 'server-sleep'] as const

/** From its begin to its end; without an end it went on for good. */
export interface Fault {
  readonly kind: string
  readonly begin: FaultEntry
  end?: FaultEntry
}

/** What was done to a run. */
export class Faults {
  /** In the order in which they began. */
  readonly all: readonly Fault[]

  constructor(entries: readonly FaultEntry[]) {
    const faults = new Map<number, Fault>()
    for (const entry of entries) {
      const known = faults.get(entry.fault)
      if (known === undefined) faults.set(entry.fault, { kind: entry.kind, begin: entry })
      else known.end = entry
    }
    this.all = [...faults.values()]
  }

  /** When the last one was over. */
  get overAtMs(): number {
    return Math.max(0, ...this.all.map(({ begin, end = begin }) => end.at))
  }

  of(kinds: readonly string[]): readonly Fault[] {
    return this.all.filter(({ kind }) => kinds.some((part) => kind.includes(part)))
  }

  /** Those that were going on at some moment of a time. */
  during(fromMs: number, toMs: number): readonly Fault[] {
    return this.all.filter(({ begin, end }) => begin.at <= toMs && (end === undefined || end.at >= fromMs))
  }
}
