import * as list from '../../collections/list/list.commands.js'
import { FROM_MASTER } from '../../command/operation/command-executor.js'
import { notSent } from '../../command/requests/caller-wait.js'
import type { Sending } from '../../connection/connection.js'
import { transferChannel, transferConsumers } from '../../core/context/names.js'
import type { LockContext } from '../../core/context/object-context.js'
import { demandStillWanted, endOfWaiting } from '../../core/context/still-wanted.js'
import { asEnded } from '../../core/holds/ended-calls.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { AbortError } from '../../errors/client-errors.js'
import { ReplyTimeoutError } from '../../errors/connection-errors.js'
import { isTransient, mayHaveRun } from '../../errors/transient.js'
import { eitherSignal } from '../../util/abort/either-signal.js'
import { raceAbort } from '../../util/abort/race-abort.js'
import { valueOf } from '../../util/settled-values.js'
import { Deadline } from '../../util/time/deadline.js'
import { outcomeWithin } from '../../util/time/outcome-within.js'
import { Compensations } from '../../waiting/compensations.js'
import { RECHECK_MS } from '../../waiting/recheck.js'
import { settledInTime } from '../../waiting/settled-in-time.js'
import { NEVER } from '../blocking-queue/removals.js'
import { REPLY_GRACE_MS } from '../shared/reply-grace.js'
import { Handovers, type Handover } from './handover.js'
import * as scripts from './transfer-queue.scripts.js'

/** How long a consumer that waits may take to come for its element, in milliseconds. It needs a round trip, unless it has died or is held up. */
const HANDOVER_MS = 1_000

/** For how long an element is withdrawn whose call has ended, in milliseconds, where Redis cannot be reached. */
const WITHDRAW_MS = 60_000

/** How an element is transferred. */
export interface Transfer {
  readonly requests: ObjectRequests
  /** The id with which the record begins. */
  readonly id: string
  readonly record: Buffer
  /** When the element is withdrawn; undefined if it is only for a consumer that waits already. */
  readonly deadline: Deadline | undefined
  readonly signal: AbortSignal | undefined
}

/** A transfer that is under way. */
interface Begun extends Transfer {
  readonly sending: Sending
  /** Whether the element was added. */
  readonly adding: Promise<boolean>
  /** The end of its withdrawal, once that has begun. */
  withdrawing?: Promise<End>
}

/** What became of an element that was withdrawn. */
type End = 'taken' | 'withdrawn' | 'unknown'

/**
 * The transfers of a client.
 *
 * The design has one fact: an element waits for its hand-off exactly as long as its record is in the list. A record begins with the id of its call, so
 * that no two are equal. For that reason
 *
 * - what takes an element needs to do nothing else than to remove its record. A take of which the reply is lost is repeated like any other request
 *   that counts, and finds the hand-off made by its first copy;
 * - the end of a call is one `LREM`. It removes the record, or finds none, because it was taken: never both, and never neither;
 * - a lost message delays a producer and does no harm, since it looks for its record every few seconds;
 * - a producer that dies leaves an ordinary element behind. Nothing has to be renewed for it or cleaned up after it;
 * - `remove()`, `clear()` and `delete()` end the transfers of the elements that they remove, as in `java.util.concurrent.LinkedTransferQueue`.
 *
 * A consumer that waits does not own the element of `tryTransfer(value)`: it may give up in that moment. So that call waits for the hand-off too, and
 * withdraws the element if no consumer comes for it.
 */
export class Transfers {
  readonly #context: LockContext
  readonly #compensations: Compensations
  readonly #handovers: Handovers

  constructor(context: LockContext) {
    this.#context = context
    this.#compensations = new Compensations(context)
    this.#handovers = new Handovers(context)
  }

  nextId(): string {
    return this.#context.requestIds.next()
  }

  /** Adds an element, and waits until it is taken. Returns false if it was not, and is not in the queue any more. */
  async run({ signal: given, ...rest }: Transfer): Promise<boolean> {
    const { requests, id } = rest
    const own = eitherSignal(given, requests.signal)
    try {
      demandStillWanted(this.#context, own)
    } catch (error) {
      throw this.#ended(requests, error, false)
    }
    const transfer = { ...rest, signal: endOfWaiting(this.#context, own) }
    const channel = transferChannel(requests.key)
    const handover = this.#handovers.join(channel, id)
    try {
      return await this.#handOver(this.#begin(transfer), handover)
    } finally {
      this.#handovers.leave(channel, id)
    }
  }

  /** Adds the element. If that fails, no copy of the request which is still under way adds it later. */
  #begin(transfer: Transfer): Begun {
    const { requests, record, deadline } = transfer
    const sending = notSent(this.#context.topology.placeOf(requests.key))
    const options = { exactlyOnce: true, withdrawable: true, sending, signal: NEVER }
    const adding =
      deadline === undefined
        ? requests.ask(
            scripts.offerToWaiting,
            { record },
            { consumers: transferConsumers(requests.key) },
            options,
          )
        : requests.ask(list.add, { values: [record] }, {}, options).then((size) => size > 0)
    return { ...transfer, sending, adding }
  }

  async #handOver(transfer: Begun, handover: Handover): Promise<boolean> {
    const deadline = transfer.deadline ?? Deadline.after(HANDOVER_MS)
    try {
      if (!(await this.#isAdded(transfer))) return false
      if (await this.#isTaken(transfer, handover, deadline)) return true
      return await this.#withdrawInTime(transfer)
    } catch (error) {
      return await this.#giveUp(transfer, error)
    }
  }

  /** Whether the element was added. The reply may come a moment after the time of the call, since only then it is known what to withdraw. */
  async #isAdded({ adding, deadline = Deadline.never, sending, signal }: Begun): Promise<boolean> {
    const leftMs = deadline.within(Infinity) + REPLY_GRACE_MS
    if (await settledInTime(adding, { deadline: Deadline.after(leftMs), signal })) return await adding
    sending.over = true // no further copy is sent
    const outcome = await outcomeWithin(adding, REPLY_GRACE_MS)
    if (outcome === undefined) throw new ReplyTimeoutError(sending.place, Math.round(leftMs))
    return valueOf(outcome)
  }

  /** Ends a call that was aborted or has failed. Returns true if its element turns out to be taken. */
  async #giveUp(transfer: Begun, error: unknown): Promise<boolean> {
    const { sending, requests } = transfer
    sending.over = true
    const outcome = await outcomeWithin(this.#withdraw(transfer), REPLY_GRACE_MS)
    const end = outcome?.status === 'fulfilled' ? outcome.value : 'unknown'
    if (end === 'taken') return true
    const isReason = error === transfer.signal?.reason
    if (end === 'unknown' && isReason)
      throw new AbortError(requestOf(requests), { cause: error, mayHaveRun: true })
    throw this.#ended(requests, error, end === 'unknown')
  }

  #ended(requests: ObjectRequests, error: unknown, mayHaveRun: boolean): unknown {
    const { signal } = requests
    return asEnded(error, { signal, request: requestOf(requests), mayHaveRun: () => mayHaveRun })
  }

  /** Waits until the element is taken. Returns false if it was there when the time was over. */
  async #isTaken(transfer: Begun, handover: Handover, deadline: Deadline): Promise<boolean> {
    for (;;) {
      await handover.wait(deadline.within(RECHECK_MS), transfer.signal)
      if (handover.isDone) return true
      if (deadline.passed) return false
      if (!(await this.#isThere(transfer, deadline))) return true
    }
  }

  /** Whether the element is still in the queue, as far as Redis can be reached. */
  async #isThere({ requests, record, signal }: Begun, deadline: Deadline): Promise<boolean> {
    const options = { ...FROM_MASTER, replyBy: deadline, signal: NEVER }
    try {
      const looking = requests.ask(list.indexOf, { value: record, rank: 1 }, {}, options)
      return (await raceAbort(looking, signal)) !== undefined
    } catch (error) {
      if (isTransient(error)) return true
      throw error
    }
  }

  /** Removes the element because its time is over. Returns whether it was taken before. */
  async #withdrawInTime(transfer: Begun): Promise<boolean> {
    const { config, topology } = this.#context
    const { timeoutMs } = config
    const withdrawing = outcomeWithin(this.#withdraw(transfer), timeoutMs)
    const outcome = await raceAbort(withdrawing, transfer.signal)
    if (outcome === undefined) throw new ReplyTimeoutError(topology.placeOf(transfer.requests.key), timeoutMs)
    return valueOf(outcome) === 'taken'
  }

  /**
   * Removes the element, for as long as that takes, once no copy of the request that adds it can run any more. Where the request may have added an element
   * that is not there, it is not known whether it was taken. A second call waits for the first one.
   */
  #withdraw(transfer: Begun): Promise<End> {
    transfer.withdrawing ??= this.#beginWithdrawal(transfer)
    return transfer.withdrawing
  }

  #beginWithdrawal({ requests, record, adding }: Begun): Promise<End> {
    const withdraw = async (): Promise<End> => {
      const isAdded = await adding.catch((error: unknown) => (mayHaveRun(error) ? undefined : false))
      if (isAdded === false) return 'withdrawn'
      const options = { exactlyOnce: true, insistMs: WITHDRAW_MS, signal: NEVER }
      const removed = await requests.ask(list.remove, { count: -1, value: record }, {}, options)
      if (removed > 0) return 'withdrawn'
      return isAdded === true ? 'taken' : 'unknown'
    }
    const withdrawing = withdraw()
    this.#compensations.compensate(() => withdrawing)
    return withdrawing
  }
}

/** What a call is called in errors. */
function requestOf({ key }: ObjectRequests): string {
  return `a transfer to ${key}`
}
