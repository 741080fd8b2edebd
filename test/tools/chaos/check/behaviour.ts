import fc from 'fast-check'
import type { Entry, LockName, RunEntry, Side } from '../../../../chaos/history.js'
import { Tale } from './tale.js'

/** What an owner may do next, or what happens to it; what it cannot do now is left out. */
export interface Deed {
  readonly who: number
  readonly does: 'go on' | 'look' | 'write' | 'enter again' | 'lose' | 'die'
  readonly side: Side
  readonly afterMs: number
}

const OWNERS = 4
const PERMITS = 2

export const deeds: fc.Arbitrary<readonly Deed[]> = fc.array(
  fc.record({
    who: fc.nat(OWNERS - 1),
    does: fc.oneof(
      { weight: 10, arbitrary: fc.constant('go on' as const) },
      { weight: 6, arbitrary: fc.constantFrom('look' as const, 'write' as const) },
      { weight: 3, arbitrary: fc.constant('enter again' as const) },
      { weight: 1, arbitrary: fc.constantFrom('lose' as const, 'die' as const) },
    ),
    side: fc.constantFrom('read' as const, 'write' as const),
    afterMs: fc.nat(3),
  }),
  { minLength: 20, maxLength: 150, size: 'max' },
)

interface Hold {
  readonly id: string
  readonly side: Side
}

/** One owner: what it waits for or has, from the outermost hold to the innermost. */
interface Owner {
  name: string
  readonly process: string
  readonly holds: Hold[]
  wishes: { readonly hold: Hold; readonly sinceMs: number } | undefined
  /** The hold is gone, and the owner has not looked since. */
  isRobbed: boolean
}

/** A lock that behaves, and its owners, which follow a script: records what they see. */
export class Behaviour {
  readonly #tale: Tale
  readonly #run: Pick<RunEntry, 'lock' | 'permits'>
  readonly #owners: Owner[]
  readonly #written: string[] = []
  #nowMs = 1
  #ids = 0
  #token = 0

  constructor(lock: LockName) {
    this.#run = { lock, permits: lock === 'semaphore' ? PERMITS : 1 }
    this.#tale = new Tale(this.#run)
    this.#owners = Array.from({ length: OWNERS }, (_, index) => this.#born(`p${String(index)}`))
  }

  /** All that was written down, when all deeds are done. */
  static of(lock: LockName, program: readonly Deed[]): readonly Entry[] {
    const behaviour = new Behaviour(lock)
    for (const deed of program) behaviour.#do(deed)
    return behaviour.#tale.resource(behaviour.#written, behaviour.#nowMs + 1).entries
  }

  #born(process: string): Owner {
    this.#tale.starts(process, this.#nowMs)
    return { name: `${process}/0`, process, holds: [], wishes: undefined, isRobbed: false }
  }

  #do({ who, does, side, afterMs }: Deed): void {
    this.#nowMs += afterMs
    const owner = this.#owners[who] as Owner
    const inner = owner.holds.at(-1)
    switch (does) {
      case 'go on':
        if (inner !== undefined) this.#leave(owner, inner)
        else if (owner.wishes === undefined)
          owner.wishes = { hold: this.#newHold(side), sinceMs: this.#nowMs }
        else if (this.#admits(owner, owner.wishes.hold))
          this.#enter(owner, owner.wishes.hold, owner.wishes.sinceMs)
        return
      case 'look':
        if (inner !== undefined) this.#look(owner, inner)
        return
      case 'write':
        if (inner?.side === 'write' && this.#run.lock !== 'semaphore') this.#write(owner, inner)
        return
      case 'enter again':
        if (inner !== undefined && !owner.isRobbed) this.#enterAgain(owner, inner, side)
        return
      case 'lose':
        if (inner !== undefined) owner.isRobbed = true
        return
      case 'die':
        this.#tale.isKilled(owner.process, this.#nowMs)
        if (owner.wishes !== undefined)
          this.#tale.acquires(owner.name, owner.wishes.hold.id, [owner.wishes.sinceMs])
        this.#ids += 1
        this.#owners[who] = this.#born(`q${String(this.#ids)}`)
    }
  }

  #newHold(side: Side): Hold {
    this.#ids += 1
    return { id: `h${String(this.#ids)}`, side: this.#run.lock === 'rw' ? side : 'write' }
  }

  #admits(asking: Owner, { side }: Hold): boolean {
    const inside = this.#owners.filter(
      (owner) => owner !== asking && owner.holds.length > 0 && !owner.isRobbed,
    )
    if (this.#run.lock === 'semaphore') return inside.length < PERMITS
    if (this.#run.lock !== 'rw' || side === 'write') return inside.length === 0
    return inside.every(({ holds }) => holds.every((hold) => hold.side === 'read'))
  }

  #enter(owner: Owner, hold: Hold, sinceMs: number): void {
    this.#token += 1
    this.#tale.acquires(owner.name, hold.id, [sinceMs, this.#nowMs], { side: hold.side, ...this.#tokenNow() })
    owner.holds.push(hold)
    owner.wishes = undefined
    owner.isRobbed = false
  }

  #enterAgain(owner: Owner, outer: Hold, side: Side): void {
    const { lock } = this.#run
    if (lock === 'semaphore') return
    const hold = this.#newHold(outer.side === 'read' ? 'read' : side)
    const about = { side: hold.side, within: outer.id }
    const time = [this.#nowMs, this.#nowMs] as const
    if (lock === 'non-reentrant') {
      this.#tale.acquires(owner.name, hold.id, time, { ...about, outcome: 'refused', error: 'LOCK_REENTRY' })
      return
    }
    this.#tale.acquires(owner.name, hold.id, time, { ...about, ...this.#tokenNow() })
    owner.holds.push(hold)
  }

  #look(owner: Owner, hold: Hold): void {
    this.#tale.step(hold.id, this.#nowMs, owner.isRobbed ? 'lost' : 'holds')
  }

  #write(owner: Owner, hold: Hold): void {
    if (owner.isRobbed) {
      this.#look(owner, hold)
      return
    }
    this.#ids += 1
    const element = `e${String(this.#ids)}`
    this.#written.push(element)
    this.#tale.step(hold.id, this.#nowMs, 'added', element)
  }

  #leave(owner: Owner, hold: Hold): void {
    const answer = owner.isRobbed ? ({ outcome: 'failed', error: 'NOT_HELD' } as const) : {}
    this.#tale.releases(hold.id, [this.#nowMs, this.#nowMs + 1], answer)
    owner.holds.pop()
    if (owner.holds.length === 0) owner.isRobbed = false
  }

  #tokenNow(): { readonly token?: number } {
    return this.#run.lock === 'fenced' ? { token: this.#token } : {}
  }
}
