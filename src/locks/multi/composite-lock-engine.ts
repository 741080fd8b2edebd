import type { LockContext } from '../../core/context/object-context.js'
import { ClientClosedError } from '../../errors/client-errors.js'
import { MultiUnlockError, QuorumError, type MemberFailure } from './group.errors.js'
import { ReplyTimeoutError } from '../../errors/connection-errors.js'
import { LockLostError, LockTimeoutError, type LockNotHeldError } from '../../errors/lock-errors.js'
import { isRedissonError } from '../../errors/redisson-error.js'
import type { Thread } from '../../ownership/thread.js'
import { settledInTime, settlingDeadline } from '../../waiting/settled-in-time.js'
import { onAbort } from '../../util/abort/abort-listeners.js'
import { AutoResetEvent } from '../../util/auto-reset-event.js'
import type { Deadline } from '../../util/time/deadline.js'
import { followAborts } from '../../util/abort/follow-aborts.js'
import { NotInTime, settledWithin, type Settled } from '../../util/time/settled-within.js'
import type { LeaseEnd } from '../../renewal/lease.js'
import { endOf, CompositeHold, releaseMember, type Late, type Member } from './composite-hold.js'
import { endHold } from '../shared/engine/end-of-hold.js'
import { entryOf, type Entry, type Hold } from '../shared/hold/hold.js'
import type { LockEngine, Acquisition } from '../shared/engine/lock-engine.js'
import type { LocalHolds } from '../shared/hold/local-holds.js'
import type { LockIdentity, LockName } from '../shared/hold/lock-names.js'
import { FREE, type Inspection } from '../shared/engine/lock-driver.js'
import type { LockRequest } from '../shared/engine/lock-request.js'
import { isNews, reportLoss } from '../shared/hold/loss-report.js'
import { lossInWords, notHeldError, RELEASED_ALREADY } from '../shared/engine/not-held.js'

/** The pause before everything is tried anew is up to this number of milliseconds long, at random, so that competitors do not collide again. */
const LONGEST_PAUSE_MS = 200

/** How members are taken. */
export const AS_MEMBER = { byUnlock: false, ofGroup: true } as const

/** What a group of locks is made of. */
export interface CompositeDeps {
  /** Of the client that is asked who is asking. */
  readonly context: LockContext
  readonly identity: LockIdentity
  readonly members: readonly LockEngine[]
  /** What the client holds of groups. */
  readonly holds: LocalHolds
}

/** What a group is held by: enough members, and those that may still join them. */
export interface Collected {
  readonly members: readonly Member[]
  readonly late: readonly Late[]
}

/** What went wrong at members; not made out where enough have done what they were asked for. */
export interface Failed {
  readonly failures: readonly MemberFailure[]
  /** Whether a member may have done what it was asked for. */
  readonly mayHaveRun: boolean
}

/** What a caller asks of a group, with a signal that also aborts when too many clients close for the rest to be enough. */
export type EndingRequest = LockRequest & { readonly signal: AbortSignal }

/** Takes a group of locks as one: what multi-locks and red locks share. */
export abstract class CompositeLockEngine implements LockEngine {
  abstract readonly kind: string
  readonly name: LockName
  readonly keys: string
  readonly orderKey = undefined
  readonly redisOrderKey = undefined
  readonly closing: readonly AbortSignal[]
  protected readonly members: readonly LockEngine[]
  protected readonly quorum: number
  readonly #context: LockContext
  readonly #identity: LockIdentity
  readonly #holds: LocalHolds

  constructor({ context, identity, members, holds }: CompositeDeps, quorum: number) {
    this.name = [...new Set(members.map(({ name }) => name))].join(',') as LockName
    this.keys = members.map(({ keys }) => keys).join(',')
    this.closing = [...new Set(members.flatMap(({ closing }) => closing))]
    this.members = members
    this.quorum = quorum
    this.#context = context
    this.#identity = identity
    this.#holds = holds
  }

  /** Takes enough members, or none. Rejects with the reason of the signal as soon as that aborts. */
  protected abstract collect(thread: Thread, request: EndingRequest): Promise<Collected>

  /** How long those members are waited for that are not needed, in milliseconds. */
  protected abstract patienceMs(leaseMs?: number): number

  /** The same where they are released, and go on with that by themselves. */
  protected abstract get releasePatienceMs(): number

  get place(): string {
    return [...new Set(this.members.map(({ place }) => place))].join(',')
  }

  get isClosing(): boolean {
    return this.members.filter(({ isClosing }) => !isClosing).length < this.quorum
  }

  get isBehind(): boolean {
    return this.members.some(({ isBehind }) => isBehind)
  }

  holdOf(thread: Thread): Hold | undefined {
    const hold = this.#holds.get(this.#identity, thread.owner)
    return hold?.loss() === undefined ? hold : undefined
  }

  owesUnlock(thread: Thread): boolean {
    return this.#holds.owesUnlock(this.#identity, thread)
  }

  async acquire(thread: Thread, request: LockRequest, how: Omit<Entry, 'renewed'>): Promise<Acquisition> {
    const entry = entryOf(how, request, false) // its members are renewed
    const lost = this.#holds.lostBy(this.#identity, thread)
    if (lost !== undefined) {
      const deadline = this.settlingDeadline(request)
      const leaving = this.#leaveForGood(asComposite(lost))
      if (!(await settledInTime(leaving, { deadline, signal: request.signal })))
        throw this.unanswered(request)
    }
    const { members, late } = await this.#collectUntilClosing(thread, request)
    const hold = asComposite(this.holdOf(thread) ?? this.#newHold(thread))
    hold.enterBy(entry, members, late)
    return { hold, entry }
  }

  async setLease({ hold, entry }: Acquisition, leaseMs: number): Promise<void> {
    const done = forAll(asComposite(hold), entry, reletting(leaseMs))
    const outcome = await this.#settle(done, this.patienceMs())
    if (!outcome.isEnough) throw hold.loss() ?? this.tooFew(outcome)
  }

  /** Enough members have to confirm it. Some of them may last longer. */
  async extend({ hold, entry }: Acquisition, leaseMs: number | undefined): Promise<void> {
    const extend = (member: Member) => extendMember(hold, member, leaseMs)
    const done = hold.loss() === undefined ? forAll(asComposite(hold), entry, extend) : []
    const outcome = await this.#settle(done, this.patienceMs())
    if (hold.loss() === undefined && outcome.isEnough) return
    if (!hold.has(entry)) throw await this.#releasedAlready(hold)
    if (hold.loss() !== undefined) await this.#releaseSurvivors(asComposite(hold)) // which may last for longer now
    throw hold.loss() ?? this.tooFew(outcome)
  }

  stopRenewal({ hold, entry }: Acquisition): void {
    for (const member of asComposite(hold).membersOf(entry)) member.engine.stopRenewal(member)
  }

  async release(hold: Hold, entry: Entry): Promise<void> {
    if (!hold.has(entry)) throw await this.#releasedAlready(hold)
    const group = asComposite(hold)
    const known = group.loss()
    const members = group.leaveBy(entry)
    if (hold.count === 0) this.#holds.remove(this.#identity, hold)
    const done = members.map((member) => ({ engine: member.engine, done: releaseMember(member) }))
    const { isEnough, failures } = await this.#settle(done, this.releasePatienceMs)
    if (isEnough) return
    const lost = failures.filter(isNotHeld)
    if (members.length - lost.length < this.quorum) group.giveUp(endOfAll(lost))
    throw await this.#refusal(hold.thread, failures, wereLost(failures) ? hold.loss() : known)
  }

  end(taken: Acquisition, waitMs?: number): Promise<LockLostError | undefined> {
    return endHold(this.#context, this, taken, waitMs)
  }

  async releaseFor(thread: Thread): Promise<void> {
    const lost = this.#holds.lostBy(this.#identity, thread)
    const entry = lost?.lastByUnlock
    if (lost !== undefined && entry !== undefined) return this.release(lost, entry)
    const { members } = this
    // What the thread holds of its members by themselves is not the group's to release.
    if (!thread.chosen || members.some((member) => member.holdOf(thread) !== undefined))
      throw await this.#notHeldBy(thread, this.#holds.lossOf(this.#identity, thread))
    const done = members.map((engine) => ({ engine, done: engine.releaseFor(thread) }))
    const { isEnough, failures } = await this.#settle(done, this.patienceMs())
    if (isEnough) return
    throw await this.#refusal(thread, failures)
  }

  async forceRelease(): Promise<boolean> {
    const freed = await this.#ofEnough(this.members.map((member) => member.forceRelease()))
    return freed.some(Boolean)
  }

  waitFirstFor(thread: Thread, open: Promise<unknown>, group: number): void {
    for (const member of this.members) member.waitFirstFor(thread, open, group)
  }

  /**
   * What enough members confirm: the thread has at least that number of holds at each of them. Where different majorities have let it in, that may be
   * less than the number of its own holds, but not 0 while all of their members reply.
   */
  async inspect(thread?: Thread): Promise<Inspection> {
    const found = await this.#ofEnough(this.members.map((member) => member.inspect(thread)))
    const ranked = found.sort((one, other) => other.holds - one.holds)
    return ranked[this.quorum - 1] ?? FREE
  }

  notHeld(owner: string | undefined, hint: string, cause?: Error): Promise<LockNotHeldError> {
    return notHeldError(this, { owner, clientId: this.#context.owners.clientId, hint, cause })
  }

  /** Until when members are waited for that are released or given their leases. */
  protected settlingDeadline(request: LockRequest): Deadline {
    return settlingDeadline(request, this.#context.config)
  }

  /** Leaves it to others to take what was not free, before everything is tried anew. */
  protected async pause({ deadline, signal }: EndingRequest): Promise<void> {
    await new AutoResetEvent().wait(deadline.within(Math.random() * LONGEST_PAUSE_MS), signal)
  }

  /** The error that says that a member was not free in time. */
  protected timeout({ waitMs }: LockRequest, { holder }: LockTimeoutError): LockTimeoutError {
    return new LockTimeoutError(this.name, waitMs, { holder, clientId: this.#context.owners.clientId })
  }

  /** The error that says that a reply did not come in time. */
  protected unanswered({ waitMs }: LockRequest): Error {
    const { config, topology } = this.#context
    return topology.outage ?? new ReplyTimeoutError(this.place, waitMs || config.timeoutMs)
  }

  /** The error that says that too few members could be reached: that of a shutdown, where nothing else was the matter. */
  protected tooFew({ failures, mayHaveRun }: Failed): Error {
    const closed = failures.filter(isClosed)
    if (closed.length === failures.length && closed[0] !== undefined) return closed[0].error
    return new QuorumError(failures, { members: this.members.length, quorum: this.quorum, mayHaveRun })
  }

  /** Each member's call ends with its own client. The waiting for the others, and the pause, end with any client without which there are too few. */
  async #collectUntilClosing(thread: Thread, request: LockRequest): Promise<Collected> {
    const end = new AbortController()
    const look = () => {
      if (this.isClosing) end.abort(new ClientClosedError())
    }
    look()
    const stops = [
      followAborts(end, [request.signal]),
      ...this.closing.map((closing) => onAbort(closing, look)),
    ]
    try {
      return await this.collect(thread, { ...request, signal: end.signal })
    } finally {
      for (const stop of stops) stop()
    }
  }

  #releasedAlready({ thread }: Hold): Promise<LockNotHeldError> {
    return this.notHeld(thread.owner, RELEASED_ALREADY)
  }

  /** The results of members, of which enough have to succeed; the rest is waited for up to the time limit. */
  async #ofEnough<T>(asked: readonly Promise<T>[]): Promise<T[]> {
    const results = await settledWithin(asked, this.quorum, this.patienceMs())
    const found = results.filter(isFulfilled).map(({ value }) => value)
    const failed = results.find((result) => result?.status === 'rejected')
    if (found.length < this.quorum && failed !== undefined) throw failed.reason
    return found
  }

  /** Waits until enough members have done something, and for the rest no longer than there is patience. */
  async #settle(asked: readonly Asked[], patienceMs: number): Promise<Outcome> {
    const done = asked.map((one) => one.done)
    const results = await settledWithin(done, this.quorum, patienceMs)
    if (results.filter(isFulfilled).length >= this.quorum) return ENOUGH
    const failures = results.flatMap((result, index) => failuresOf(result, asked[index]?.engine, patienceMs))
    const mayHaveRun = failures.length < asked.length || failures.some(mayHaveRunThere)
    return { isEnough: false, failures, mayHaveRun }
  }

  /** A loss that was known is reported, whatever became of the members that are left. */
  async #refusal(thread: Thread, failures: readonly MemberFailure[], lost?: LockLostError): Promise<Error> {
    const error = new MultiUnlockError(failures, this.members.length)
    const closed = failures.find(isClosed)
    if (closed !== undefined && failures.every((one) => isClosed(one) || isNotHeld(one))) return closed.error
    if (lost === undefined && !wereLost(failures)) return error
    return await this.#notHeldBy(thread, lost, error)
  }

  #notHeldBy({ owner }: Thread, lost?: LockLostError, cause?: Error): Promise<LockNotHeldError> {
    const hint = lost === undefined ? 'Too few of its members were held.' : lossInWords(lost)
    return this.notHeld(owner, hint, lost ?? cause)
  }

  /** What was left when a thread lost the group would otherwise outlast what it takes now. */
  async #leaveForGood(lost: CompositeHold): Promise<void> {
    const released = this.#releaseSurvivors(lost)
    lost.leaveForGood()
    await released
  }

  /** Releases what is left of a group that was lost. The program may still end its hold, and the call then rejects with the loss. */
  async #releaseSurvivors({ survivors }: CompositeHold): Promise<void> {
    await settledWithin(survivors.map(releaseMember), 0, this.patienceMs())
  }

  #newHold(thread: Thread): CompositeHold {
    const hold = new CompositeHold({
      name: this.name,
      thread,
      quorum: this.quorum,
      onLost: (lost, error) => {
        this.#holds.removeLost(this.#identity, lost, error)
        reportLoss(this.#context, lost, error)
      },
    })
    this.#holds.add(this.#identity, hold)
    return hold
  }
}

/** What was asked of one member. */
interface Asked {
  readonly engine: LockEngine | undefined
  readonly done: Promise<unknown>
}

/** The results of asking members. */
interface Outcome extends Failed {
  readonly isEnough: boolean
}

const ENOUGH: Outcome = { isEnough: true, failures: [], mayHaveRun: true }

/** Does something for all members by which an entry came in, as soon as they have. */
function forAll(hold: CompositeHold, entry: Entry, run: (member: Member) => Promise<void>): Asked[] {
  const runIfThere = (member: Member | undefined) => run(member ?? missing())
  return [
    ...hold.membersOf(entry).map((member) => ({ engine: member.engine, done: run(member) })),
    ...hold.lateOf(entry).map((joined) => ({ engine: undefined, done: joined.then(runIfThere) })),
  ]
}

/** The entry has left, or all is lost. */
function missing(): never {
  throw new LockTimeoutError('', 0)
}

function asComposite(hold: Hold): CompositeHold {
  if (hold instanceof CompositeHold) return hold
  throw new TypeError('Expected a hold of a group of locks, got one of a single lock')
}

function wereLost(failures: readonly MemberFailure[]): boolean {
  return failures.every(isNotHeld)
}

function isNotHeld({ error }: MemberFailure): boolean {
  return isRedissonError(error, 'NOT_HELD')
}

/** Whether a member may have done what it was asked for. One that is late may. */
export function mayHaveRunThere({ error }: MemberFailure): boolean {
  return error instanceof NotInTime || (isRedissonError(error) && error.mayHaveRun)
}

/** Whether a member's client was shut down. */
function isClosed({ error }: MemberFailure): boolean {
  return isRedissonError(error, 'CLOSED')
}

/** How a group has ended whose members turned out to be lost. */
function endOfAll(failures: readonly MemberFailure[]): LeaseEnd {
  const losses = failures
    .map(({ error: { cause } }) => cause)
    .filter((cause) => cause instanceof LockLostError)
  const loss = losses.find(isNews) ?? losses[0]
  return loss === undefined ? { reason: 'not-held' } : endOf(loss)
}

/** A member of a group that was lost meanwhile is not renewed any more, despite other requests. */
async function extendMember(group: Hold, member: Member, leaseMs: number | undefined): Promise<void> {
  await member.engine.extend(member, leaseMs)
  if (group.loss() !== undefined) member.engine.stopRenewal(member)
}

/** Gives members a lease each. */
export function reletting(leaseMs: number): (member: Member) => Promise<void> {
  return (member) => member.engine.setLease(member, leaseMs)
}

function isFulfilled<T>(result: Settled<T>): result is PromiseFulfilledResult<T> {
  return result?.status === 'fulfilled'
}

function failuresOf(
  result: Settled<unknown>,
  engine: LockEngine | undefined,
  patienceMs: number,
): MemberFailure[] {
  if (result?.status === 'fulfilled') return []
  const error = result === undefined ? new NotInTime(patienceMs) : (result.reason as Error)
  return [{ lock: engine?.name ?? '', error }]
}
