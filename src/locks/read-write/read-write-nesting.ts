import type { Thread } from '../../ownership/thread.js'
import type { Hold } from '../shared/hold/hold.js'
import {
  admitsInTurn,
  holdOfTheFlow,
  sameLock,
  type BlockingHold,
  type FlowHolds,
  type Nesting,
} from '../shared/nesting.js'
import type { Scope } from '../../ownership/scope.js'

const READS_ALREADY = 'give back the read lock before taking the write lock, or begin with the write lock'

const WRITES_ALREADY = 'use withLock() on both sides, or wrap the flow in client.runAsThread()'

/** The rules of a read lock: readers let each other in, and who writes may read as well, as the same thread. */
export class ReadNesting implements Nesting {
  readonly isTakenSecond = true
  readonly #reading: FlowHolds
  readonly #writing: FlowHolds

  constructor(reading: FlowHolds, writing: FlowHolds) {
    this.#reading = reading
    this.#writing = writing
  }

  /** A flow that reads already does not wait for writers. */
  blocking(): BlockingHold | undefined {
    return this.blockingBeside()
  }

  blockingBeside(): BlockingHold | undefined {
    const hold = holdOfTheFlow(this.#writing)
    return hold && { hold, advice: WRITES_ALREADY }
  }

  blockingOf(): undefined {
    return undefined
  }

  get isInside(): boolean {
    return holdOfTheFlow(this.#reading) !== undefined
  }

  /** Who writes around the flow. */
  threadAround(): Thread | undefined {
    const { owners, engine } = this.#writing
    for (let around = owners.scope; around !== undefined; around = around.parent)
      if (!around.ended && engine.holdOf(around.thread) !== undefined) return around.thread
    return undefined
  }

  /**
   * What a writer writes by, so that it reads in turn with its other requests.
   *
   * Branches of a flow that writes may ask to read at the same time, all as one thread. Requests of one thread tell by
   * its count whether they have run, and so must not be under way together.
   */
  turnsOf(thread: Thread): Hold | undefined {
    return this.#writing.engine.holdOf(thread)
  }

  /** Branches that read do not exclude each other. */
  admits(): boolean {
    return true
  }
}

/** The rules of a write lock: who reads already waits for itself. */
export class WriteNesting implements Nesting {
  readonly isInside = false
  readonly isTakenSecond = false
  readonly #writing: FlowHolds
  readonly #reading: FlowHolds

  constructor(writing: FlowHolds, reading: FlowHolds) {
    this.#writing = writing
    this.#reading = reading
  }

  blocking(): BlockingHold | undefined {
    return sameLock(this.#writing) ?? this.blockingBeside()
  }

  blockingBeside(): BlockingHold | undefined {
    return readsAlready(holdOfTheFlow(this.#reading))
  }

  blockingOf(thread: Thread): BlockingHold | undefined {
    return readsAlready(this.#reading.engine.holdOf(thread))
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

function readsAlready(hold: Hold | undefined): BlockingHold | undefined {
  return hold && { hold, advice: READS_ALREADY }
}
