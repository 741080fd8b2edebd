import type { Asked, Recorder } from '../../client/recorder.js'
import type { Resource } from '../objects.js'
import type { Scope } from './scope.js'
import { wordFor, wordForWait } from './word-for.js'

/** One hold of one resource, in the history. */
interface Part {
  readonly resource: Resource
  readonly hold: string
  readonly asked: Asked
  leaving: Asked | undefined
}

export interface VisitFacts {
  readonly recorder: Recorder
  /** The number of the owner in the history. */
  readonly owner: number
  /** All that is taken at once; several permits of a semaphore are several of them. */
  readonly resources: readonly Resource[]
  /** How long the acquisition waits, in milliseconds; undefined for as long as it takes. */
  readonly waitMs?: number | undefined
  /** The lease; undefined for that of the watchdog. */
  readonly leaseMs: number | undefined
  /** Where the owner has what it took before, if it may enter again. */
  readonly scope: Scope | undefined
}

/** One acquisition, and all that follows from it, as it is written to the history. */
export class Visit {
  readonly #facts: VisitFacts
  readonly #parts: readonly Part[]
  #lost = false
  /** When the lease is over for certain. */
  #overAt = Infinity

  constructor(facts: VisitFacts) {
    this.#facts = facts
    const { recorder, owner, resources, scope } = facts
    this.#parts = resources.map((resource) => {
      const hold = recorder.id()
      const { name, side } = resource
      const within = scope?.innermost(name)
      const asked = recorder.ask({ flow: owner, op: 'acquire', side, name, hold, within })
      return { resource, hold, asked, leaving: undefined }
    })
  }

  /** The first of the holds, which stands for all. */
  get hold(): string {
    return this.#parts[0]?.hold ?? ''
  }

  /** Whether it is known what became of the acquisition. */
  get answered(): boolean {
    return this.#parts.every(({ asked }) => asked.answered)
  }

  /** Whether its holder knows that it was lost. */
  get isLost(): boolean {
    return this.#lost
  }

  /** Its lease has been extended. */
  extended(leaseMs: number): void {
    const overAt = leaseMs === 0 ? Infinity : this.#facts.recorder.now() + leaseMs
    this.#overAt = Math.max(this.#overAt, overAt)
  }

  granted(token?: number): void {
    const { recorder, leaseMs = Infinity } = this.#facts
    this.#overAt = recorder.now() + leaseMs
    for (const { asked, resource, hold } of this.#parts) {
      asked.ok(resource.rules === 'fenced' ? token : undefined)
      this.#facts.scope?.enter(resource.name, hold)
    }
  }

  refused(): void {
    for (const { asked } of this.#parts) asked.refused()
  }

  /** Writes down what the holder knows at a moment: that it has all of it, or that it was lost. */
  note(at: number, isHeld: boolean): void {
    if (this.#lost) return
    this.#lost = !isHeld
    for (const { hold } of this.#parts)
      this.#facts.recorder.step({ at, hold, what: isHeld ? 'holds' : 'lost' })
  }

  leaving(): void {
    const { recorder, owner, scope } = this.#facts
    for (const part of this.#parts) {
      const { resource, hold } = part
      part.leaving = recorder.ask({
        flow: owner,
        op: 'release',
        side: resource.side,
        name: resource.name,
        hold,
      })
      scope?.leave(resource.name, hold)
    }
  }

  left(): void {
    for (const { leaving } of this.#parts) leaving?.ok()
  }

  /** What was asked last was rejected. */
  failed(error: unknown, word = wordFor(error)): void {
    // A release that comes when the lease is over finds nothing, and says so: that is the end of the lease, and no other loss.
    const over = this.#facts.recorder.now() > this.#overAt
    const code = over ? word.replaceAll(':not-held', ':expired') : word
    const { waitMs } = this.#facts
    const asking = waitMs === undefined ? code : wordForWait(code)
    for (const { asked, leaving } of this.#parts)
      if (leaving === undefined) asked.failedWith(asking)
      else leaving.failedWith(code)
  }
}
