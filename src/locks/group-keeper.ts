import type { ObjectContext } from '../core/object-context.js'
import { MultiUnlockError, type MemberFailure } from '../errors/group-errors.js'
import { LockNotHeldError } from '../errors/lock-errors.js'
import { isRedissonError } from '../errors/redisson-error.js'
import type { Thread } from '../ownership/thread.js'
import { settledWithin } from '../util/settled-within.js'
import { GroupHold, type Member } from './group-hold.js'
import type { Entry, Hold } from './hold.js'
import type { Keeper, Taken } from './keeper.js'
import type { LocalHolds } from './local-holds.js'
import { FREE, type Inspection } from './lock-protocol.js'
import type { LockRequest } from './lock-request.js'

/** How members are taken. */
export const AS_MEMBER = { byUnlock: false, ofGroup: true } as const

/** What a group of locks is made of. */
export interface GroupFacts {
  /** Of the client that is asked who is asking. */
  readonly context: ObjectContext
  /** What tells its holds from those of other groups. */
  readonly key: string
  readonly members: readonly Keeper[]
  /** What the client holds of groups. */
  readonly holds: LocalHolds
}

/** Takes a group of locks as one: what multi-locks and red locks share. */
export abstract class GroupKeeper implements Keeper {
  readonly name: string
  readonly place: string
  protected readonly members: readonly Keeper[]
  protected readonly quorum: number
  readonly #context: ObjectContext
  readonly #key: string
  readonly #holds: LocalHolds

  constructor({ context, key, members, holds }: GroupFacts, quorum: number) {
    this.name = [...new Set(members.map(({ name }) => name))].join(',')
    this.place = members[0]?.place ?? ''
    this.members = members
    this.quorum = quorum
    this.#context = context
    this.#key = key
    this.#holds = holds
  }

  /** Takes enough members, or none. */
  protected abstract collect(thread: Thread, request: LockRequest): Promise<Member[]>

  /** How long those members are waited for that are not needed, in milliseconds. */
  protected abstract patienceMs(leaseMs?: number): number

  holdOf(thread: Thread): Hold | undefined {
    const hold = this.#holds.get(this.#key, thread.owner)
    return hold?.lost === undefined ? hold : undefined
  }

  async take(thread: Thread, request: LockRequest, how: Omit<Entry, 'renewed'>): Promise<Taken> {
    const entry: Entry = { ...how, renewed: false } // its members are
    const members = await this.collect(thread, request)
    const hold = asGroup(this.holdOf(thread) ?? this.#newHold(thread))
    hold.enterBy(entry, members)
    return { hold, entry }
  }

  async relet({ hold, entry }: Taken, leaseMs: number): Promise<void> {
    await reletAll(asGroup(hold).membersOf(entry), leaseMs)
  }

  abandon({ hold, entry }: Taken): void {
    for (const member of asGroup(hold).membersOf(entry)) member.keeper.abandon(member)
  }

  async giveBack(hold: Hold, entry: Entry): Promise<void> {
    if (!hold.has(entry)) throw await this.notHeld(hold.thread.owner, 'It was given back already.')
    const group = asGroup(hold)
    const members = group.leaveBy(entry)
    if (hold.count === 0) this.#holds.remove(this.#key, hold)
    const failures = await this.#settle(members.map(giveBack), members)
    if (members.length - failures.length >= this.quorum) return
    if (wereLost(failures)) group.giveUp('not-held')
    throw await this.#refusal(hold.thread, failures, hold.lost)
  }

  async giveBackFor(thread: Thread): Promise<void> {
    const { members } = this
    const failures = await this.#settle(
      members.map((member) => member.giveBackFor(thread)),
      members.map((keeper) => ({ keeper })),
    )
    if (members.length - failures.length >= this.quorum) return
    throw await this.#refusal(thread, failures, this.#holds.lossOf(this.#key, thread))
  }

  async forceRelease(): Promise<boolean> {
    const freed = await Promise.all(this.members.map((member) => member.forceRelease()))
    return freed.some(Boolean)
  }

  /** A thread holds the group as often as it holds the member that it holds least, among those that count. */
  async inspect(thread?: Thread): Promise<Inspection> {
    const asked = this.members.map((member) => member.inspect(thread))
    const results = await settledWithin(asked, this.quorum, this.patienceMs())
    const found = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const failed = results.find((result) => result.status === 'rejected')
    if (found.length < this.quorum && failed !== undefined) throw failed.reason
    const ranked = found.sort((one, other) => other.holds - one.holds)
    return ranked[this.quorum - 1] ?? FREE
  }

  async notHeld(owner: string | undefined, hint: string, cause?: Error): Promise<LockNotHeldError> {
    const { leftMs, holder } = await this.inspect().catch(() => FREE)
    const facts = { lock: this.name, owner, hint }
    const by = holder === undefined ? undefined : { owner: holder, remainingMs: leftMs }
    return new LockNotHeldError({ ...facts, holder: by }, cause && { cause })
  }

  /** Waits until enough has been given back, and for the rest no longer than there is patience; answers what went wrong. */
  async #settle(
    givenBack: readonly Promise<unknown>[],
    members: readonly Pick<Member, 'keeper'>[],
  ): Promise<MemberFailure[]> {
    const results = await settledWithin(givenBack, this.quorum, this.patienceMs())
    return results.flatMap((result, index) => failureOf(result, members[index]?.keeper))
  }

  async #refusal(thread: Thread, failures: readonly MemberFailure[], lost?: Error): Promise<Error> {
    const error = new MultiUnlockError(failures, this.members.length)
    if (!wereLost(failures)) return error
    return await this.notHeld(thread.owner, 'Too few of its members were held.', lost ?? error)
  }

  #newHold(thread: Thread): GroupHold {
    const hold = new GroupHold({
      name: this.name,
      thread,
      quorum: this.quorum,
      onLost: (lost, error) => {
        this.#holds.removeLost(this.#key, lost, error)
        const { reason } = error
        const event = { lock: this.name, owner: thread.owner, threadId: thread.id, reason, error }
        this.#context.events.emit('lockLost', event)
      },
    })
    this.#holds.add(this.#key, hold)
    return hold
  }
}

function asGroup(hold: Hold): GroupHold {
  if (hold instanceof GroupHold) return hold
  throw new TypeError('Expected a hold of a group of locks, got one of a single lock')
}

function wereLost(failures: readonly MemberFailure[]): boolean {
  return failures.every(({ error }) => isRedissonError(error, 'NOT_HELD'))
}

export function giveBack({ keeper, hold, entry }: Member): Promise<void> {
  return keeper.giveBack(hold, entry)
}

/** Gives every member a lease. Rejects if one of them cannot be given it, when all have been asked. */
export async function reletAll(members: readonly Member[], leaseMs: number): Promise<void> {
  const results = await Promise.allSettled(members.map((member) => member.keeper.relet(member, leaseMs)))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

export function failureOf(
  result: PromiseSettledResult<unknown>,
  keeper: Keeper | undefined,
): MemberFailure[] {
  return result.status === 'rejected' ? [{ lock: keeper?.name ?? '', error: result.reason as Error }] : []
}
