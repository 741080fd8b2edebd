import { tracingChannel } from 'node:diagnostics_channel'
import type { HoldTrace } from '../api/diagnostics.js'
import type { LockLossReason } from '../errors/lock-errors.js'
import type { Lease } from './lease.js'
import type { Mutable } from '../util/mutable.js'

const channel = tracingChannel<HoldTrace>('ioredisson:hold')

/** A hold that was published to subscribers. */
interface Traced {
  readonly trace: Mutable<HoldTrace>
  readonly since: number
}

/** Tells the subscribers of the tracing channel how holds begin and end. Without a subscriber nothing is kept. */
export class HoldTraces {
  readonly #open = new Map<Lease, Traced>()

  begin(lease: Lease): void {
    if (!channel.hasSubscribers || lease.name === '') return // without a name in Redis there is nothing to hold
    const trace: HoldTrace = { kind: lease.kind.name, name: lease.name, heldMs: 0, outcome: undefined }
    this.#open.set(lease, { trace, since: performance.now() })
    channel.start.publish(trace)
    channel.end.publish(trace)
  }

  /** @param lostBy - why it was lost; undefined if it was released */
  end(lease: Lease, lostBy: LockLossReason | undefined): void {
    if (this.#open.size === 0) return
    const traced = this.#open.get(lease)
    if (traced === undefined) return
    this.#open.delete(lease)
    const { trace, since } = traced
    trace.heldMs = performance.now() - since
    trace.outcome = lostBy ?? 'released'
    channel.asyncStart.publish(trace)
    channel.asyncEnd.publish(trace)
  }
}
