import type { Stopwatch } from '../clock.js'
import type {
  AnswerEntry,
  BeginEntry,
  CallEntry,
  ClosingEntry,
  EndEntry,
  LookEntry,
  StepEntry,
} from '../history.js'
import type { EntryLog } from '../journal.js'

/** A request. */
export type Question = Pick<BeginEntry, 'flow' | 'op' | 'side' | 'name' | 'hold'> & {
  readonly within?: string | undefined
}

/** A call of a data object that is under way. */
export interface Called {
  ok(result: unknown): void
  failed(error: string, mayHaveRun: boolean): void
}

/** Writes down what one process does. */
export class Recorder {
  readonly #journal: EntryLog
  readonly #clock: Stopwatch
  readonly #process: string
  #ids = 0

  constructor(journal: EntryLog, clock: Stopwatch, process: string) {
    this.#journal = journal
    this.#clock = clock
    this.#process = process
  }

  now(): number {
    return this.#clock.now()
  }

  /** A text that is unique over the run. */
  id(): string {
    this.#ids += 1
    return `${this.#process}-${this.#ids}`
  }

  /** Writes down that something is asked for. */
  ask({ within, ...question }: Question): Asked {
    const id = this.id()
    const where = { at: this.now(), id, process: this.#process }
    this.#journal.write({ type: 'begin', ...where, ...question, ...(within !== undefined && { within }) })
    return new Asked((answer) => {
      this.#journal.write({ type: 'end', at: this.now(), id, ...answer })
    })
  }

  /** Writes down that a method of a data object is called. */
  call(call: Omit<CallEntry, 'type' | 'at' | 'id' | 'process'>): Called {
    const id = this.id()
    this.#journal.write({ type: 'call', at: this.now(), id, process: this.#process, ...call })
    const answer = (answer: Omit<AnswerEntry, 'type' | 'at' | 'id'>) => {
      this.#journal.write({ type: 'answer', at: this.now(), id, ...answer })
    }
    return {
      ok: (result) => {
        answer({ outcome: 'ok', ...(result !== undefined && { result }) })
      },
      failed: (error, mayHaveRun) => {
        answer({ outcome: 'failed', error, mayHaveRun })
      },
    }
  }

  step(step: Omit<StepEntry, 'type'>): void {
    this.#journal.write({ type: 'step', ...step })
  }

  look(look: Omit<LookEntry, 'type' | 'at'>): void {
    this.#journal.write({ type: 'look', at: this.now(), ...look })
  }

  rejected(what: string, error: string): void {
    this.#journal.write({ type: 'rejected', at: this.now(), process: this.#process, what, error })
  }

  closing(
    phase: ClosingEntry['phase'],
    { drainMs, release }: Pick<ClosingEntry, 'drainMs' | 'release'>,
  ): void {
    const at = this.now()
    this.#journal.write({ type: 'closing', at, process: this.#process, phase, drainMs, release })
  }

  trouble(what: string): void {
    this.#journal.write({ type: 'trouble', at: this.now(), where: this.#process, what })
  }
}

type Answer = Pick<EndEntry, 'outcome' | 'error' | 'token'>

/** Something that was asked for. */
export class Asked {
  #write: ((answer: Answer) => void) | undefined

  constructor(write: (answer: Answer) => void) {
    this.#write = write
  }

  /** Whether it was answered. */
  get answered(): boolean {
    return this.#write === undefined
  }

  ok(token?: number): void {
    this.#answer({ outcome: 'ok', ...(token !== undefined && { token }) })
  }

  refused(): void {
    this.#answer({ outcome: 'refused' })
  }

  failed(error: unknown): void {
    this.failedWith(codeOf(error))
  }

  failedWith(code: string): void {
    this.#answer({ outcome: REFUSALS.has(code) ? 'refused' : 'failed', error: code })
  }

  #answer(answer: Answer): void {
    const write = this.#write
    if (write === undefined) throw new Error(`Expected one answer, got a second: ${JSON.stringify(answer)}`)
    this.#write = undefined
    write(answer)
  }
}

/** Rejections that mean no: not in time, or never to its own holder. */
const REFUSALS = new Set(['LOCK_TIMEOUT', 'PERMIT_TIMEOUT', 'LOCK_REENTRY'])

/** The code of an error, of any copy of the library, or else its name. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
