import type { Patience } from '../core/arguments.js'
import type { ObjectContext } from '../core/object-context.js'
import { waitUntil, type Attempt } from '../pubsub/wait-until.js'
import { Deadline } from '../util/deadline.js'
import { Sleeper } from '../util/sleeper.js'
import { RECHECK_MS } from './recheck.js'

/** Messages tell what has changed, but not for whom; whatever they say, the count is read anew. */
const wakeOne = (): number => 1

/** What a gate stands before. */
export interface Guarded {
  readonly key: string
  readonly channel: string
  /** Whether the gate is open now. */
  readonly isOpen: () => Promise<boolean>
}

/** Those in this process who wait for one latch. */
interface Gate {
  readonly waiting: Set<Sleeper>
  /** Ends the watch. */
  readonly deserted: AbortController
}

/** Lets those of this process who wait for a latch go together. Only one watch per latch listens and asks Redis. */
export class LatchGates {
  readonly #context: ObjectContext
  readonly #gates = new Map<string, Gate>()

  constructor(context: ObjectContext) {
    this.#context = context
  }

  /** Waits until the gate is open; answers false when the time is over. */
  async wait(guarded: Guarded, { deadline, signal }: Patience): Promise<boolean> {
    const gate = this.#gates.get(guarded.key) ?? this.#build(guarded)
    const waiter = new Sleeper()
    gate.waiting.add(waiter)
    try {
      return await waiter.sleep(deadline.within(Infinity), signal)
    } finally {
      gate.waiting.delete(waiter)
      if (gate.waiting.size === 0) this.#remove(guarded.key, gate)
    }
  }

  #build(guarded: Guarded): Gate {
    const gate = { waiting: new Set<Sleeper>(), deserted: new AbortController() }
    this.#gates.set(guarded.key, gate)
    void this.#guard(gate, guarded) // it tells those who wait what comes of it
    return gate
  }

  async #guard(gate: Gate, guarded: Guarded): Promise<void> {
    try {
      await this.#watch(guarded, gate.deserted.signal)
      this.#remove(guarded.key, gate)
      for (const waiter of gate.waiting) waiter.wake()
    } catch (error) {
      this.#remove(guarded.key, gate)
      for (const waiter of gate.waiting) waiter.dismiss(error as Error)
    }
  }

  async #watch({ channel, isOpen }: Guarded, signal: AbortSignal): Promise<void> {
    await Promise.resolve() // whoever has had the gate built is to stand before it
    const seat = this.#context.wakeUps.sit(channel, wakeOne)
    const attempt = async (): Promise<Attempt<true>> =>
      (await isOpen()) ? { done: true, value: true } : { done: false, retryInMs: RECHECK_MS }
    try {
      const { subscriptionTimeoutMs } = this.#context.config
      await waitUntil(seat, { attempt, deadline: Deadline.never, signal, subscriptionTimeoutMs })
    } finally {
      seat.leave()
    }
  }

  /** From now on others have a gate of their own. */
  #remove(key: string, gate: Gate): void {
    if (this.#gates.get(key) === gate) this.#gates.delete(key)
    gate.deserted.abort()
  }
}
