import type { Hold } from '../shared/hold/hold.js'
import { LocalHolds } from '../shared/hold/local-holds.js'
import type { LockIdentity } from '../shared/hold/lock-names.js'
import type { AcquireRequest } from '../shared/engine/lock-driver.js'
import { ValueSet } from './value-set.js'

/** What one thread has of the values of one group. */
interface Share {
  readonly held: Map<Hold, ValueSet>
  /** What it asks for, and may have got already. */
  readonly asked: Map<AcquireRequest, ValueSet>
}

/**
 * What the threads of this client hold of the values of groups, and what they ask for.
 *
 * In Redis a value has one count and one lease for all sets by which a thread holds it. So what becomes of one set depends on what else the
 * thread holds, which is known here, unless other places can name the thread.
 */
export class HeldValues extends LocalHolds {
  readonly #shares = new Map<string, Share>()

  override add(identity: LockIdentity, hold: Hold): void {
    super.add(identity, hold)
    const set = ValueSet.of(identity)
    this.#shareOf(set, hold.thread.owner).held.set(hold, set)
  }

  override remove(identity: LockIdentity, hold: Hold): void {
    super.remove(identity, hold)
    const { owner } = hold.thread
    const { group } = ValueSet.of(identity)
    this.#shares.get(keyOf(group, owner))?.held.delete(hold)
    this.#forget(group, owner)
  }

  /** Notes that a claim is sent, which may be met from now on. */
  ask(set: ValueSet, claim: AcquireRequest): void {
    this.#shareOf(set, claim.owner).asked.set(claim, set)
  }

  /** Notes that a claim is not under way any more. What it has got is held by now. */
  endAsking({ group }: ValueSet, claim: AcquireRequest): void {
    this.#shares.get(keyOf(group, claim.owner))?.asked.delete(claim)
    this.#forget(group, claim.owner)
  }

  /** What is held of sets that have a value in common with one; of one owner, or of all. */
  *overlapping(set: ValueSet, owner?: string): Generator<Hold> {
    const shares = owner === undefined ? this.#shares.values() : [this.#shares.get(keyOf(set.group, owner))]
    for (const share of shares)
      for (const [hold, other] of share?.held ?? [])
        if (other.identity !== set.identity && other.overlaps(set)) yield hold
  }

  /** How often an owner holds each value of a set. */
  counts(set: ValueSet, owner: string): string {
    const held = this.#shares.get(keyOf(set.group, owner))?.held ?? []
    return set.map((value) => heldOf(value, held))
  }

  /** The same, if all that it asks for is met. */
  mostCounts(set: ValueSet, owner: string): string {
    const { held, asked } = this.#shares.get(keyOf(set.group, owner)) ?? NOTHING
    const claims = [...asked.values()]
    return set.map((value) => heldOf(value, held) + claims.filter((one) => one.has(value)).length)
  }

  #shareOf({ group }: ValueSet, owner: string): Share {
    const key = keyOf(group, owner)
    const share = this.#shares.get(key) ?? { held: new Map(), asked: new Map() }
    this.#shares.set(key, share)
    return share
  }

  #forget(group: string, owner: string): void {
    const key = keyOf(group, owner)
    const share = this.#shares.get(key)
    if (share?.held.size === 0 && share.asked.size === 0) this.#shares.delete(key)
  }
}

const NOTHING: Share = { held: new Map(), asked: new Map() }

function keyOf(group: string, owner: string): string {
  return `${group}\n${owner}`
}

function heldOf(value: string, held: Iterable<readonly [Hold, ValueSet]>): number {
  let count = 0
  for (const [hold, set] of held) if (set.has(value) && hold.loss() === undefined) count += hold.count
  return count
}
