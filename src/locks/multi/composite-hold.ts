import type { Sending } from '../../connection/connection.js'
import type { LockLostError } from '../../errors/lock-errors.js'
import type { Thread } from '../../ownership/thread.js'
import { endlessLease, type LeaseEnd } from '../../renewal/lease.js'
import type { ReentrantScopes } from '../shared/hold/reentrant-scopes.js'
import { Hold, type Entry } from '../shared/hold/hold.js'
import type { LockEngine, Acquisition } from '../shared/engine/lock-engine.js'
import { isNews } from '../shared/hold/loss-report.js'

/** One member of a group, as it was taken. */
export interface Member extends Acquisition {
  readonly engine: LockEngine
}

/** A member with a pending request. */
export interface Late {
  readonly engine: LockEngine
  readonly taking: Promise<Acquisition>
  /** Which acquisition of a group asked for it. */
  readonly group: number
  readonly sending: Sending
}

/** A late member, once it has come in; undefined if it was not wanted any more. */
type Joining = Promise<Member | undefined>

/** What an entry came in by. */
interface Share {
  members: readonly Member[]
  /** Those that may still come in. */
  readonly late: Map<Late, Joining>
}

interface CompositeHoldOptions {
  readonly name: string
  readonly thread: Thread
  /** How many members have to be held. */
  readonly quorum: number
  readonly onLost: (hold: CompositeHold, error: LockLostError) => void
}

/** What one owner has of a group of locks. It lasts as long as enough of its members do, which are renewed each by itself. */
export class CompositeHold extends Hold {
  readonly #quorum: number
  readonly #onLost: CompositeHoldOptions['onLost']
  readonly #shares = new Map<Entry, Share>()
  readonly #onMemberLost = () => {
    this.#look()
  }

  constructor({ name, thread, quorum, onLost }: CompositeHoldOptions) {
    const options = { lock: name, thread, since: performance.now() }
    super(options, (holder) => endlessLease(holder)) // its members' leases decide
    this.#quorum = quorum
    this.#onLost = onLost
  }

  /** Its own lease is never lost. */
  onLeaseLost(): void {
    return
  }

  loseIfForced(): Promise<void> {
    return Promise.resolve()
  }

  override loss(): LockLostError | undefined {
    if (super.loss() === undefined) this.#look()
    return super.loss()
  }

  /** A flow that comes in again takes every member again, each of which a flow beside it may be inside. */
  override get allBranches(): readonly ReentrantScopes[] {
    return [this.branches, ...[...this.#memberHolds()].flatMap(({ allBranches }) => allBranches)]
  }

  /** Comes in by some members, and by the late ones as soon as they are there. */
  enterBy(entry: Entry, members: readonly Member[], late: readonly Late[]): void {
    const share: Share = { members, late: new Map() }
    this.#shares.set(entry, share)
    this.enter(entry)
    for (const member of members) this.#bind(entry, member)
    for (const one of late) {
      const joining = this.#takeIn(entry, share, one)
      share.late.set(one, joining)
      one.engine.waitFirstFor(this.thread, joining, one.group)
    }
  }

  override isRenewed(entry: Entry): boolean {
    return this.membersOf(entry).some((member) => member.hold.isRenewed(member.entry))
  }

  /** Those that may still come in by an entry. */
  lateOf(entry: Entry): readonly Joining[] {
    return [...(this.#shares.get(entry)?.late.values() ?? [])]
  }

  /** By which members an entry came in. */
  membersOf(entry: Entry): readonly Member[] {
    return this.#shares.get(entry)?.members ?? []
  }

  /** Leaves; returns by which members it entered. */
  leaveBy(entry: Entry): readonly Member[] {
    const members = this.membersOf(entry)
    this.#shares.delete(entry)
    this.leave(entry)
    if (entry.branch !== undefined) for (const { hold } of members) hold.branches.leave(entry.branch)
    const others = this.#memberHolds()
    for (const { hold } of members) if (!others.has(hold)) hold.offLoss(this.#onMemberLost)
    return members
  }

  /** The members that are not lost, of every entry. */
  get survivors(): readonly Member[] {
    return [...this.#shares.values()]
      .flatMap(({ members }) => members)
      .filter(({ hold }) => hold.loss() === undefined)
  }

  /** Leaves by every entry. */
  leaveForGood(): void {
    for (const entry of this.#shares.keys()) this.leaveBy(entry)
  }

  /** The group is lost, and its listeners are notified. */
  giveUp(end: LeaseEnd): void {
    const error = this.lose(end)
    if (error === undefined) return
    this.#abandon()
    this.#onLost(this, error)
  }

  /** Adds a member to the others once it has replied, or releases its grant if it is not needed any more. */
  async #takeIn(entry: Entry, share: Share, one: Late): Promise<Member | undefined> {
    let taken: Acquisition
    try {
      taken = await one.taking
    } finally {
      share.late.delete(one)
    }
    const member = { ...taken, engine: one.engine }
    if (this.#shares.get(entry) === share && this.loss() === undefined) {
      share.members = [...share.members, member]
      this.#bind(entry, member)
      return member
    }
    await releaseMember(member)
    return undefined
  }

  #memberHolds(): ReadonlySet<Hold> {
    const holds = new Set<Hold>()
    for (const { members } of this.#shares.values()) for (const { hold } of members) holds.add(hold)
    return holds
  }

  #bind({ branch }: Entry, { hold }: Member): void {
    hold.onLoss(this.#onMemberLost)
    if (branch !== undefined) hold.branches.enter(branch)
  }

  #look(): void {
    for (const { members } of this.#shares.values()) {
      const losses = members.map(({ hold }) => hold.loss()).filter((loss) => loss !== undefined)
      if (members.length - losses.length >= this.#quorum) continue
      const news = losses.filter(isNews)
      const isNew = members.length - news.length < this.#quorum // without those whose lease was just over
      const loss = isNew ? news[0] : losses.find((other) => !isNews(other))
      if (loss !== undefined) this.giveUp(endOf(loss))
      return
    }
  }

  /** What is left of a group that was lost is renewed no more, because no caller may be left to release it. */
  #abandon(): void {
    for (const { members } of this.#shares.values())
      for (const member of members) member.engine.stopRenewal(member)
  }
}

export function releaseMember({ engine, hold, entry }: Member): Promise<void> {
  return engine.release(hold, entry)
}

/** How a lease ended, by the error that reported it. */
export function endOf({ reason, leaseMs }: LockLostError): LeaseEnd {
  return { reason, ...(leaseMs !== undefined && { leaseMs }) }
}
