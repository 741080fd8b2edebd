import type { Owners } from '../../ownership/owners.js'
import type { Scope } from '../../ownership/scope.js'
import type { Thread } from '../../ownership/thread.js'
import type { Hold } from './hold/hold.js'
import type { LockIdentity } from './hold/lock-names.js'
import type { LockEngine } from './engine/lock-engine.js'

/** Knows the holds of a lock, and whose flow is running. */
export interface FlowHolds {
  readonly owners: Owners
  readonly identity: LockIdentity
  readonly engine: LockEngine
}

/** What a flow holds already, and would wait for. */
export interface BlockingHold {
  readonly hold: Hold
  /** What to do instead, in words. */
  readonly advice: string
}

/** What the holds of a flow mean for a lock that it asks for. Every kind of lock has its own rules, and a lock of several those of each of them. */
export interface Nesting {
  /** What the flow may hold itself, or a flow that it has forked from, so that a new owner would wait for it. */
  blocking(): BlockingHold | undefined
  /** The same, without what the flow holds of the lock itself, which its own thread enters again. */
  blockingBeside(): BlockingHold | undefined
  /** What a thread holds itself and would wait for, unless another flow releases that for it. */
  blockingOf(thread: Thread): BlockingHold | undefined
  /** Whether the flow is inside already, as whatever owner, where many owners may be. */
  readonly isInside: boolean
  /** A thread around the flow that the flow may ask as, because what it holds lets no other owner in. */
  threadAround(): Thread | undefined
  /** What else a thread holds whose requests must not be under way together with a request for this lock. */
  turnsOf(thread: Thread): Hold | undefined
  /** Whether a scope may enter a hold again now. */
  admits(outer: Hold, scope: Scope): boolean
  /** Whether it is taken after another lock at the same place, whose holder may take it as well, but not the other way round. */
  readonly isTakenSecond: boolean
}

const REENTER = 'use withLock(), which re-enters, or wrap the flow in client.runAsThread()'

/** The rules of a lock that one owner has at a time. */
export class ExclusiveNesting implements Nesting {
  readonly #own: FlowHolds

  constructor(own: FlowHolds) {
    this.#own = own
  }

  get isInside(): false {
    return false
  }

  get isTakenSecond(): false {
    return false
  }

  blocking(): BlockingHold | undefined {
    return sameLock(this.#own)
  }

  blockingBeside(): undefined {
    return undefined
  }

  blockingOf(): undefined {
    return undefined
  }

  threadAround(): undefined {
    return undefined
  }

  turnsOf(): undefined {
    return undefined
  }

  admits(outer: Hold, scope: Scope): boolean {
    return admitsInTurn(outer, scope)
  }
}

/** What a flow holds of a lock that it asks for as another owner. */
export function sameLock(own: FlowHolds): BlockingHold | undefined {
  const hold = holdOfTheFlow(own)
  return hold && { hold, advice: REENTER }
}

/** What the flow holds of a lock, as any of the threads that it acts or has acted as. */
export function holdOfTheFlow({ owners, identity, engine }: FlowHolds): Hold | undefined {
  for (const thread of owners.threadsOfTheFlow(identity)) {
    const hold = engine.holdOf(thread)
    if (hold !== undefined) return hold
  }
  return undefined
}

/** Whether a scope may enter a hold again that scopes side by side enter in turn. */
export function admitsInTurn({ allBranches }: Hold, scope: Scope): boolean {
  return allBranches.every((branches) => branches.admits(scope))
}
