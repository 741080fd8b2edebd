import { setImmediate } from 'node:timers/promises'
import { isPassing, wordsOf } from '../errors/lasting-failure.js'
import { isBetweenNodes } from '../errors/transient.js'
import { chunk } from '../util/collections/chunk.js'
import { Deadline } from '../util/time/deadline.js'
import { warnOnce } from '../util/warn-once.js'
import type { Lease, RenewalKind } from './lease.js'

/** The calls of one burst take some milliseconds to send. */
const CALLS_PER_BURST = 100

/** How leases are renewed. */
export interface RenewalSettings {
  /** How long a lease lasts that the watchdog renews, in milliseconds. */
  readonly leaseMs: number
  /** How many leases one call renews. */
  readonly batchSize: number
}

/** What is done with the leases that are renewed. */
interface LeaseTracker {
  isTracked(lease: Lease): boolean
  /** Ends a lease that Redis does not have any more. */
  notHeld(lease: Lease): void
}

/** A call that renews leases. */
interface Renewal {
  readonly leases: readonly Lease[]
  /** Resolves when it is neither answered nor sent any more. */
  readonly over: Promise<unknown>
}

/** The calls that renew leases, by kind and slot, a batch to a call. */
export class Renewals {
  readonly periodMs: number
  readonly #settings: RenewalSettings
  readonly #tracker: LeaseTracker
  /** Calls that are not answered yet, or may be sent again. */
  readonly #underWay = new Set<Renewal>()

  constructor(settings: RenewalSettings, tracker: LeaseTracker) {
    this.periodMs = settings.leaseMs / 3
    this.#settings = settings
    this.#tracker = tracker
  }

  /**
   * Renews those leases that want it. Never rejects.
   *
   * No batch waits for another's answer, because a slot whose node is silent must not hold up the others. But there may be
   * thousands of them, and so the event loop gets a turn in between.
   */
  async renew(leases: readonly Lease[]): Promise<void> {
    const calls: Promise<void>[] = []
    for (const burst of chunk([...batchesOf(leases, this.#settings.batchSize)], CALLS_PER_BURST)) {
      if (calls.length > 0) await setImmediate()
      for (const batch of burst) calls.push(this.#renewBatch(batch))
    }
    await Promise.all(calls)
  }

  /** Waits until no renewal of a lease is under way. */
  async quiet(lease: Lease): Promise<void> {
    const all = [...this.#underWay].filter(({ leases }) => leases.includes(lease))
    await Promise.all(all.map(({ over }) => over))
  }

  async #renewBatch(planned: readonly Lease[]): Promise<void> {
    const batch = planned.filter((lease) => lease.renewed && this.#tracker.isTracked(lease)) // no more, maybe, since it was planned
    const [first] = batch
    if (first === undefined) return
    const sentAt = performance.now()
    const isOver = () => batch.some(({ renewed }) => !renewed)
    const deadline = Deadline.after(this.periodMs).or(isOver)
    let held: readonly boolean[]
    try {
      held = await this.#note(batch, first.kind.renew(batch, this.#settings.leaseMs, deadline))
    } catch (error) {
      if (batch.length > 1 && concernsSome(first.kind, error)) {
        await Promise.all(batch.map((lease) => this.#renewBatch([lease])))
        return
      }
      if (isOver()) {
        await this.#renewBatch(batch) // the others
        return
      }
      // The next turn tries again; the clock ends what cannot be renewed.
      if (!isPassing(error)) report(first.kind, error)
      return
    }
    batch.forEach((lease, index) => {
      if (!this.#tracker.isTracked(lease)) return // released meanwhile
      if (held[index] === true) lease.confirm(sentAt, this.#settings.leaseMs)
      else this.#tracker.notHeld(lease)
    })
  }

  /** Keeps in mind that leases are being renewed. */
  async #note<T>(leases: readonly Lease[], answer: Promise<T>): Promise<T> {
    const renewal = { leases, over: answer.catch(() => undefined) }
    this.#underWay.add(renewal)
    try {
      return await answer
    } finally {
      this.#underWay.delete(renewal)
    }
  }
}

function* batchesOf(leases: readonly Lease[], size: number): Generator<Lease[]> {
  const renewed = leases.filter((lease) => lease.renewed)
  for (const sameKind of Map.groupBy(renewed, ({ kind }) => kind).values()) {
    for (const sameSlot of Map.groupBy(sameKind, ({ slot }) => slot).values()) yield* chunk(sameSlot, size)
  }
}

/** Whether leases of a batch may do better alone: one of them has failed the others, or their slot is moving. */
function concernsSome({ divisible = false }: RenewalKind, error: unknown): boolean {
  return isBetweenNodes(error) ? divisible : !isPassing(error)
}

function report({ name }: RenewalKind, error: unknown): void {
  const words = wordsOf(error)
  warnOnce(
    'REDISSON_RENEWAL_FAILED',
    `${name} ${words}`,
    `Leases of the kind ${name} cannot be renewed, and end unless that changes: ${words}`,
  )
}
