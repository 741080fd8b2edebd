import type { LockContext } from '../../core/context/object-context.js'
import { Lease, type RenewalKind } from '../../renewal/lease.js'
import { HeldPermit, type HeldPermits } from './permit-handle.js'
import type { PermitRequests, Taken } from './permit-requests.js'
import type { PermitsRequest } from './permits-request.js'

interface PermitHoldsOptions {
  readonly context: LockContext
  /** The name of the semaphore, as the program gave it. */
  readonly name: string
  readonly key: string
  readonly renewal: RenewalKind
  /** All permits that the client watches, of every semaphore. */
  readonly held: HeldPermits
  readonly requests: PermitRequests
}

/** The permits of one semaphore that this client watches. */
export class PermitHolds {
  readonly #options: PermitHoldsOptions

  constructor(options: PermitHoldsOptions) {
    this.#options = options
  }

  /** Acquires one permit, and watches it from then on; undefined where there was none in time. */
  async acquire(request: PermitsRequest): Promise<HeldPermit | undefined> {
    const { context, requests } = this.#options
    const taken = await requests.acquire(request, request.leaseMs ?? context.config.lockWatchdogTimeoutMs)
    return taken && this.#begin(taken, request)
  }

  /** The hold of this client that watches a permit. */
  of(id: string): HeldPermit | undefined {
    const { held, key } = this.#options
    const hold = held.get(id.toLowerCase())
    return hold?.lease.name === key ? hold : undefined
  }

  /** Changes the semaphore so that the permits of this client are not lent any more, unless the result says otherwise. */
  async losing<T>(change: () => Promise<T>, isLost: (result: T) => boolean = () => true): Promise<T> {
    const { held, key } = this.#options
    const before = [...held.values()].filter(({ lease }) => lease.name === key) // later ones may be of a new semaphore
    const result = await change()
    if (isLost(result)) for (const { lease } of before) lease.lose('not-held')
    return result
  }

  #begin({ ids: [id], sentAt }: Taken, { leaseMs, watched }: PermitsRequest): HeldPermit {
    const { context, name: semaphore, key, renewal: kind, held, requests } = this.#options
    const { renewal, topology, config } = context
    const facts = { kind, name: key, owner: id, slot: topology.slotOf(key) }
    return new HeldPermit({
      semaphore,
      id,
      sentAt,
      leaseMs,
      leaseOf: (holder) => new Lease(facts, holder),
      watchdogMs: config.lockWatchdogTimeoutMs,
      renewal,
      context,
      held,
      watched,
      giveBack: (insistMs) => requests.releaseHeld(id, insistMs),
    })
  }
}
