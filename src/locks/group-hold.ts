import type { LockLossReason, LockLostError } from '../errors/lock-errors.js'
import type { Thread } from '../ownership/thread.js'
import { Lease, type LeaseHolder } from '../renewal/lease.js'
import { Hold, type Entry, type HoldKeeper } from './hold.js'
import type { Keeper, Taken } from './keeper.js'

/** One member of a group, as it was taken. */
export interface Member extends Taken {
  readonly keeper: Keeper
}

interface Facts {
  readonly name: string
  readonly thread: Thread
  /** How many members have to be held. */
  readonly quorum: number
  readonly onLost: (hold: GroupHold, error: LockLostError) => void
}

/** What one owner has of a group of locks. It lasts as long as enough of its members do, which are renewed each by itself. */
export class GroupHold extends Hold {
  readonly #quorum: number
  readonly #onLost: Facts['onLost']
  readonly #members = new Map<Entry, readonly Member[]>()
  readonly #onMemberLost = () => {
    this.#look()
  }

  constructor({ name, thread, quorum, onLost }: Facts) {
    super(name, thread, NOBODY, (holder) => endlessLease(holder, name, thread))
    this.#quorum = quorum
    this.#onLost = onLost
  }

  override get lost(): LockLostError | undefined {
    if (super.lost === undefined) this.#look()
    return super.lost
  }

  /** Comes in by so many members. */
  enterBy(entry: Entry, members: readonly Member[]): void {
    this.#members.set(entry, members)
    this.enter(entry)
    for (const { hold } of members) hold.onLoss(this.#onMemberLost)
  }

  /** By which members an entry came in. */
  membersOf(entry: Entry): readonly Member[] {
    return this.#members.get(entry) ?? []
  }

  /** Leaves; answers by which members it came in. */
  leaveBy(entry: Entry): readonly Member[] {
    const members = this.membersOf(entry)
    this.#members.delete(entry)
    this.leave(entry)
    const others = new Set([...this.#members.values()].flat().map(({ hold }) => hold))
    for (const { hold } of members) if (!others.has(hold)) hold.offLoss(this.#onMemberLost)
    return members
  }

  /** The group is lost, and whoever has to know is told. */
  giveUp(reason: LockLossReason): void {
    const error = this.lose(reason)
    if (error === undefined) return
    this.#abandon()
    this.#onLost(this, error)
  }

  #look(): void {
    for (const members of this.#members.values()) {
      const losses = members.map(({ hold }) => hold.lost).filter((loss) => loss !== undefined)
      const [first] = losses
      if (first === undefined || members.length - losses.length >= this.#quorum) continue
      this.giveUp(first.reason)
      return
    }
  }

  /** What is left of a group that was lost is renewed no more, because nobody may be there to give it back. */
  #abandon(): void {
    for (const members of this.#members.values()) for (const member of members) member.keeper.abandon(member)
  }
}

/** Its lease is never lost. */
const NOBODY: HoldKeeper = { lose: () => undefined }

/** A group has no lease of its own: its members' decide. */
function endlessLease(holder: LeaseHolder, name: string, { owner }: Thread): Lease {
  const kind = { name: 'group', renew: () => Promise.resolve([]) }
  const lease = new Lease({ kind, name, owner, slot: 0 }, holder)
  lease.confirm(performance.now(), Infinity)
  return lease
}
