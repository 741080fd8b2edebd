import { checkHistory, type FindingKind, type Verdict } from '../../../../chaos/check.js'
import { atOf } from '../../../../chaos/check/finding.js'
import type { BeginEntry, EndEntry, Entry, RunEntry, StepEntry } from '../../../../chaos/history.js'

/** A history that is written by hand: by owners like `a/0`, which is the flow 0 of the process `a`. */
export class Tale {
  readonly #entries: Entry[] = []
  readonly #acquisitions = new Map<string, BeginEntry>()
  readonly #run: RunEntry
  #ids = 0
  #faults = 0

  constructor(run: Partial<RunEntry> = {}) {
    this.#run = {
      type: 'run',
      seed: 7,
      lock: 'rlock',
      topology: 'single',
      syncedReplicas: 0,
      leaseMs: 2_000,
      permits: 1,
      ...run,
    }
  }

  starts(process: string, at = 0): this {
    return this.#tell({ type: 'process', at, process, phase: 'started' })
  }

  isKilled(process: string, at: number): this {
    return this.#tell({ type: 'process', at, process, phase: 'killed' })
  }

  ends(process: string, at: number): this {
    return this.#tell({ type: 'process', at, process, phase: 'ended' })
  }

  /** Asks from the first moment on, and is answered at the second, if there is one. */
  acquires(
    owner: string,
    hold: string,
    [fromMs, toMs]: readonly [number, number?],
    options: Partial<Pick<BeginEntry, 'name' | 'side' | 'within'>> &
      Partial<Pick<EndEntry, 'outcome' | 'error' | 'token'>> = {},
  ): this {
    const { name = 'lock', side = 'write', within, ...answer } = options
    const begin = this.#begin(owner, 'acquire', hold, fromMs, { name, side, ...(within && { within }) })
    this.#acquisitions.set(hold, begin)
    return this.#answer(begin, toMs, answer)
  }

  releases(
    hold: string,
    [fromMs, toMs]: readonly [number, number?],
    { by, ...answer }: { readonly by?: string } & Partial<Pick<EndEntry, 'outcome' | 'error'>> = {},
  ): this {
    const {
      process = 'unknown',
      flow = 0,
      name = 'lock',
      side = 'write',
    } = this.#acquisitions.get(hold) ?? {}
    const begin = this.#begin(by ?? `${process}/${String(flow)}`, 'release', hold, fromMs, { name, side })
    return this.#answer(begin, toMs, answer)
  }

  /** Takes, holds and gives back, without any trouble. */
  visits(owner: string, hold: string, [fromMs, toMs]: readonly [number, number], token?: number): this {
    return this.acquires(owner, hold, [fromMs - 1, fromMs], token === undefined ? {} : { token })
      .step(hold, (fromMs + toMs) / 2)
      .releases(hold, [toMs, toMs + 1])
  }

  step(hold: string, at: number, what: StepEntry['what'] = 'holds', element?: string): this {
    return this.#tell({ type: 'step', at, hold, what, ...(element !== undefined && { element }) })
  }

  fault(kind: string, fromMs: number, toMs?: number): this {
    this.#faults += 1
    const about = { type: 'fault', fault: this.#faults, kind, target: 'a server' } as const
    this.#tell({ ...about, at: fromMs, phase: 'begin' })
    return toMs === undefined ? this : this.#tell({ ...about, at: toMs, phase: 'end' })
  }

  resource(elements: readonly string[], at: number, name = 'lock'): this {
    return this.#tell({ type: 'resource', at, name, elements })
  }

  get entries(): readonly Entry[] {
    return [this.#run, ...this.#entries.toSorted((a, b) => atOf(a) - atOf(b))]
  }

  get verdict(): Verdict {
    return checkHistory(this.entries)
  }

  #begin(
    owner: string,
    op: BeginEntry['op'],
    hold: string,
    at: number,
    rest: Pick<BeginEntry, 'name' | 'side' | 'within'>,
  ): BeginEntry {
    const [process = '', flow = ''] = owner.split('/')
    this.#ids += 1
    const begin: BeginEntry = {
      type: 'begin',
      at,
      id: `op-${String(this.#ids)}`,
      process,
      flow: Number(flow),
      op,
      hold,
      ...rest,
    }
    this.#tell(begin)
    return begin
  }

  #answer({ id }: BeginEntry, at: number | undefined, answer: Partial<EndEntry>): this {
    return at === undefined ? this : this.#tell({ type: 'end', at, id, outcome: 'ok', ...answer })
  }

  #tell(entry: Entry): this {
    this.#entries.push(entry)
    return this
  }
}

export function kindsOf(findings: Verdict['violations']): FindingKind[] {
  return findings.map(({ kind }) => kind)
}
