import type { Entry } from '../../history.js'

/** When processes were killed; `Infinity` for those that were not. The clients of a process end together, also those that it has opened later. */
export class Kills {
  readonly #at: ReadonlyMap<string, number>

  constructor(entries: readonly Entry[]) {
    this.#at = new Map(
      entries.flatMap((entry) =>
        entry.type === 'process' && entry.phase === 'killed'
          ? [[hostOf(entry.process), entry.at] as const]
          : [],
      ),
    )
  }

  get areNone(): boolean {
    return this.#at.size === 0
  }

  at(client: string): number {
    return this.#at.get(hostOf(client)) ?? Infinity
  }
}

/** The process of a client: `p1` of `p1.0` and of `p1.0-2`. */
function hostOf(client: string): string {
  return client.replace(/\..*/, '')
}
