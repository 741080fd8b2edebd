import { lockChannel } from '../core/names.js'
import type { ObjectContext } from '../core/object-context.js'
import type { Attempt } from '../pubsub/wait-until.js'
import type { RenewalKind } from '../renewal/lease.js'
import { LockLine, type Heir } from './lock-line.js'
import type { Acquired, Claim, Inspection, LockProtocol, Return, Won } from './lock-protocol.js'
import { acquire, forceRelease, inspect, release, undo } from './lock.scripts.js'
import { requestKey } from '../core/names.js'

/** The lines of waiters that this client has, by the name of the lock. */
export type LockLines = Map<string, LockLine>

interface Shared {
  readonly renewal: RenewalKind
  readonly lines: LockLines
}

/** The wire of an `RLock`: a hash of owner to hold count, and one channel for all who wait. */
export class ReentrantProtocol implements LockProtocol {
  readonly renewal: RenewalKind
  readonly #context: ObjectContext
  readonly #lock: string
  readonly #channel: string
  readonly #lines: LockLines

  constructor(context: ObjectContext, lock: string, { renewal, lines }: Shared) {
    this.renewal = renewal
    this.#context = context
    this.#lock = lock
    this.#channel = lockChannel(lock)
    this.#lines = lines
  }

  async acquire(claim: Claim, request: string): Promise<Acquired> {
    const [taken, number] = await this.#context.executor.run(
      acquire,
      this.#acquiring(claim, request),
      asked(claim),
    )
    return outcome(taken, number)
  }

  async acquireSynced(
    claim: Claim,
    request: string,
    replicas: number,
  ): Promise<Acquired & { replicas: number }> {
    const { executor } = this.#context
    const synced = await executor.runSynced(acquire, this.#acquiring(claim, request), replicas, asked(claim))
    return { ...outcome(...synced.result), replicas: synced.replicas }
  }

  async undo({ owner, holds }: Claim, request: string): Promise<void> {
    const keys = { lock: this.#lock, channel: this.#channel, request }
    await this.#context.executor.run(
      undo,
      { keys, args: { owner, holds, publish: this.#publish } },
      { remember: true },
    )
  }

  async release(given: Return): Promise<number> {
    const line = this.#lines.get(this.#lock)
    const heir = given.holds === 1 ? line?.heir() : undefined
    const sentAt = performance.now()
    try {
      const { remaining, inherited, heard } = await this.#release(given, heir)
      if (heir !== undefined && inherited) this.#handOver(heir, sentAt)
      else heir?.disinherit()
      if (remaining === 0 && !inherited) line?.freed(heard)
      return remaining
    } catch (error) {
      heir?.disinherit() // it asks for itself, and finds the lock its own if it came to that
      throw error
    }
  }

  async forceRelease(): Promise<boolean> {
    const call = { keys: this.#requestKeys(), args: { publish: this.#publish } }
    return (await this.#context.executor.run(forceRelease, call, { remember: true })) === 1
  }

  async inspect(): Promise<Inspection> {
    const [leftMs, owner, holds] = await this.#context.executor.run(inspect, {
      keys: { lock: this.#lock },
      args: {},
    })
    return { leftMs, owner, holds }
  }

  /** Whoever finds nobody in line tries at once, and so does whoever will not wait, or may be inside already. */
  async wait(claim: Claim, attempt: () => Promise<Attempt<Won>>): Promise<Won | undefined> {
    if (!this.#lines.has(this.#lock) || claim.waitMs === 0 || claim.holds === 0) {
      const first = await attempt()
      if (first.done) return first.value
    }
    if (claim.deadline.passed) return undefined
    return await this.#waitInLine(claim, attempt)
  }

  async #waitInLine(claim: Claim, attempt: () => Promise<Attempt<Won>>): Promise<Won | undefined> {
    const line = this.#lines.get(this.#lock) ?? new LockLine(this.#context, this.#channel)
    this.#lines.set(this.#lock, line)
    try {
      return await line.wait(claim, attempt)
    } finally {
      if (line.isEmpty && this.#lines.get(this.#lock) === line) this.#lines.delete(this.#lock)
    }
  }

  async #release({ owner, holds, leaseMs }: Return, heir: Heir | undefined) {
    const args = {
      owner,
      holds,
      leaseMs,
      heir: heir?.owner ?? '',
      heirLeaseMs: heir?.leaseMs ?? 0,
      publish: this.#publish,
    }
    const options = { remember: holds === 0 }
    const call = { keys: this.#requestKeys(), args }
    const [remaining, inherited, heard] = await this.#context.executor.run(release, call, options)
    return { remaining, inherited: inherited === 1, heard }
  }

  #handOver(heir: Heir, sentAt: number): void {
    if (heir.inherit(sentAt)) return
    // Nobody is waiting any more. What cannot be given back now ends with its lease, since nobody renews it.
    this.release({ owner: heir.owner, holds: 1, leaseMs: 0 }).catch(() => undefined)
  }

  #acquiring({ owner, holds, leaseMs }: Claim, request: string) {
    return { keys: { lock: this.#lock, request }, args: { leaseMs, owner, holds } }
  }

  #requestKeys() {
    const request = requestKey(this.#lock, this.#context.requestIds.next())
    return { lock: this.#lock, channel: this.#channel, request }
  }

  get #publish(): string {
    return this.#context.servers.publishCommand
  }
}

/** Where the count cannot tell whether a request has run, it leaves its answer in Redis from the first time on. */
function asked({ deadline, holds }: Claim) {
  return { deadline, remember: holds === 0 }
}

function outcome(taken: number, number: number): Acquired {
  return taken === 1 ? { taken: true, holds: number } : { taken: false, leftMs: number }
}
