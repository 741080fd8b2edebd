import type { RunOptions } from '../../command/operation/command-executor.js'
import { notSent } from '../../command/requests/caller-wait.js'
import type { Sending } from '../../connection/connection.js'
import { findOrWait, type Source } from '../../collections/shared/find-or-wait.js'
import type { Patience } from '../../core/arguments/arguments.js'
import type { Topology } from '../../core/context/object-context.js'
import type { ObjectRequests } from '../../core/object-requests.js'
import { AbortError } from '../../errors/client-errors.js'
import { ReplyTimeoutError, SubscriptionTimeoutError } from '../../errors/connection-errors.js'
import { isLasting, isTransient, mayHaveRun } from '../../errors/transient.js'
import { asEnded } from '../../core/holds/ended-calls.js'
import { eitherSignal } from '../../util/abort/either-signal.js'
import { raceAbort } from '../../util/abort/race-abort.js'
import { valueOf } from '../../util/settled-values.js'
import { Deadline } from '../../util/time/deadline.js'
import type { KeyWaiters } from '../../waiting/key-waiters.js'
import { settledInTime, type Until } from '../../waiting/settled-in-time.js'
import { Receiver, type Receivers } from './receivers.js'
import { REPLY_GRACE_MS } from '../shared/reply-grace.js'
import type { DelayedTransfers } from '../delayed-queue/delayed-transfers.js'
import type { Return } from './returns.js'

/** Does not abort. A request that removes elements or puts them back is not ended by the signal of its object: its reply would be lost. */
export const NEVER: AbortSignal = new AbortController().signal

/** How long a removal takes that waits for a lock, and ends at the same time as its call, in milliseconds. */
const ENDING_MS = 50

/** One request that removes elements. */
export interface Removal<T> {
  /** Removes what there is now, or returns undefined. What it waits for before it removes anything ends with the call. */
  readonly remove: (options: RunOptions, until: Until) => Promise<T | undefined>
  /**
   * How what was removed is put back, if its caller had given up before the reply came. Undefined for a request that adds elements, which somebody
   * may have by then: the error of its call says that it may have run.
   */
  readonly returnOf?: ((found: T) => Return) | undefined
}

/** Where elements come from. */
export interface Removals<T> {
  /** The removals that may find something now, in the order in which they are tried. */
  readonly all: (options: RunOptions) => readonly Removal<T>[] | Promise<readonly Removal<T>[]>
  /** Whether there is anything. */
  readonly hasAny: (options: RunOptions) => Promise<boolean>
}

/** What queues wait with. */
export interface WaitingServices {
  readonly requests: ObjectRequests
  readonly waiters: Pick<KeyWaiters, 'wait'>
  readonly receivers: Receivers
  /** Puts back what a removal finds that has no caller any more. Never rejects. */
  readonly putBack: (finding: Promise<Return | undefined>) => Promise<void>
  /** Looks for elements that are to get to the queues later. */
  readonly delays: Pick<DelayedTransfers, 'watch'>
  /** Whether a call rejects at once while Redis cannot be reached. */
  readonly failFast: boolean
  readonly topology: Pick<Topology, 'placeOf'>
}

/** One call that waits. */
export interface WaitingCall<T> {
  /** What wakes it when it changes. */
  readonly keys: readonly string[]
  readonly removals: Removals<T>
  readonly patience: Patience
  /** The line of those calls for which what this one finds is as good; undefined if it is for this one alone. */
  readonly line?: string | undefined
  /** Whether a call that gives up rejects only when what it removes is back. */
  readonly endsWhenBack?: boolean | undefined
  /** A name of the call, for errors; undefined for a poll. */
  readonly request?: string
}

/**
 * Removes elements as soon as there are any; returns undefined if there are none in time.
 *
 * Each removal takes effect once. Redis may be out of reach for any time meanwhile, as in a failover: as long as no removal is left without a reply,
 * the waiting continues. A removal that has none is the error of its own caller, and not of those who wait behind it.
 *
 * A call tries at once, so that any number of them are served side by side. What it finds belongs to the call of its line that has waited for longest,
 * and then it tries again. So no call overtakes those who wait.
 */
export async function removeOrWait<T>(
  services: WaitingServices,
  call: WaitingCall<T>,
): Promise<T | undefined> {
  return await new WaitingRemoval(services, call).run()
}

class WaitingRemoval<T> {
  readonly #services: WaitingServices
  readonly #call: WaitingCall<T>
  /** Of the caller. */
  readonly #signal: AbortSignal | undefined
  readonly #receiver = new Receiver()
  #isWaiting = false
  #hasEnded = false
  #stopWatching: (() => void) | undefined

  constructor(services: WaitingServices, call: WaitingCall<T>) {
    this.#services = services
    this.#call = call
    this.#signal = eitherSignal(call.patience.signal, services.requests.signal)
  }

  async run(): Promise<T | undefined> {
    const { requests, receivers } = this.#services
    const { line } = this.#call
    try {
      this.#signal?.throwIfAborted()
      const outcome = await this.#wait()
      return this.#received ?? (outcome && valueOf(outcome))
    } catch (error) {
      if (this.#received !== undefined) return this.#received
      throw asEnded(error, { signal: requests.signal, request: this.#request, mayHaveRun: () => false })
    } finally {
      this.#hasEnded = true
      this.#stopWatching?.()
      if (line !== undefined) receivers.delete(line, this.#receiver)
    }
  }

  /** A channel that is refused for long ends no waiting: those who wait check every few seconds without messages. */
  async #wait(): Promise<PromiseSettledResult<T> | undefined> {
    const { requests, waiters } = this.#services
    const { keys, patience } = this.#call
    const signal = eitherSignal(this.#signal, this.#receiver.signal)
    const source: Source<PromiseSettledResult<T>> = {
      remove: (bounds) =>
        this.#isWaiting ? this.#receiver.remove(() => this.#attempt(bounds)) : this.#beginOrWatch(bounds),
      hasAny: (bounds) => this.#hasAny(bounds, signal),
    }
    for (;;) {
      try {
        return await findOrWait(requests, waiters, keys, source, { ...patience, signal })
      } catch (error) {
        if (!(error instanceof SubscriptionTimeoutError && this.#mayWaitOn)) throw error
      }
    }
  }

  /** Tries for the first time. If nothing is there, what the queues are to get later concerns this call from now on. */
  async #beginOrWatch(bounds: RunOptions): Promise<PromiseSettledResult<T> | undefined> {
    const found = await this.#begin(bounds)
    if (found === undefined && !this.#hasEnded)
      this.#stopWatching = this.#services.delays.watch(this.#call.keys)
    return found
  }

  /** Tries for the first time. The calls that wait in the same line have come before this one. */
  async #begin(bounds: RunOptions): Promise<PromiseSettledResult<T> | undefined> {
    const { line } = this.#call
    const { receivers } = this.#services
    for (;;) {
      const found = await this.#attempt(bounds)
      if (line === undefined) {
        this.#isWaiting = true
        return found
      }
      if (found?.status === 'fulfilled' && (await receivers.handOver(line, found.value, this.#until)))
        continue
      this.#isWaiting = true
      if (found === undefined) receivers.add(line, this.#receiver)
      return found
    }
  }

  /** Tries once. Returns undefined even if Redis is away for now, where nothing can have been removed. */
  async #attempt(bounds: RunOptions): Promise<PromiseSettledResult<T> | undefined> {
    let isRemoving = false
    try {
      const removals = await raceAbort(Promise.resolve(this.#call.removals.all(bounds)), this.#signal)
      isRemoving = true
      const value = await this.#removeFirst(removals)
      return value === undefined ? undefined : { status: 'fulfilled', value }
    } catch (error) {
      if (this.#isOutage(error) && !(isRemoving && mayHaveRun(error))) return undefined
      if (!isTransient(error)) throw error
      return { status: 'rejected', reason: error }
    }
  }

  async #removeFirst(removals: readonly Removal<T>[]): Promise<T | undefined> {
    const { deadline } = this.#call.patience
    for (const removal of removals) {
      const found = await this.#removeInTime(removal)
      if (found !== undefined) return found
      this.#signal?.throwIfAborted()
      if (deadline.passed) return undefined
    }
    return undefined
  }

  /**
   * Removes elements for a caller that may give up. What has not been sent by then is not sent. What has been sent is waited for a moment longer; what
   * it removes after that is put back, because it would reach no caller.
   */
  async #removeInTime({ remove, returnOf }: Removal<T>): Promise<T | undefined> {
    const { endsWhenBack = false } = this.#call
    const sending = notSent(this.#place)
    const since = performance.now()
    const removing = remove({ exactlyOnce: true, sending, signal: NEVER }, this.#until)
    const reason = await whyGivenUp(removing, this.#until)
    if (reason === undefined) return await removing
    if (!sending.sent) sending.over = true
    const settles = sending.sent ? !endsWhenBack : reason === 'late'
    const graceMs = sending.sent ? REPLY_GRACE_MS : ENDING_MS
    if (settles && (await settledInTime(removing, within(graceMs)))) return await removing
    if (returnOf === undefined) {
      sending.over = true
    } else {
      const isBack = this.#services.putBack(removing.then((found) => found && returnOf(found)))
      if (endsWhenBack) await isBack
    }
    if (reason === 'late') throw lateError(sending, since)
    const isKnown = returnOf !== undefined || !sending.sent
    throw isKnown ? reason.error : new AbortError(this.#request, { cause: reason.error, mayHaveRun: true })
  }

  /** It only reads, so it does not matter whether a copy of it has run. */
  async #hasAny(bounds: RunOptions, signal: AbortSignal | undefined): Promise<boolean> {
    try {
      return await raceAbort(this.#call.removals.hasAny(bounds), signal)
    } catch (error) {
      if (this.#isOutage(error)) return false
      throw error
    }
  }

  #isOutage(error: unknown): boolean {
    return isTransient(error) && !isLasting(error) && this.#mayWaitOn
  }

  get #request(): string {
    const { request, keys } = this.#call
    return request ?? `a poll of ${keys.join(', ')}`
  }

  get #until(): Until {
    return { deadline: this.#call.patience.deadline, signal: this.#signal }
  }

  /** What another call has handed over, which waits for the same. */
  get #received(): T | undefined {
    return this.#receiver.received as T | undefined
  }

  get #place(): string | undefined {
    const [key] = this.#call.keys
    return key && this.#services.topology.placeOf(key)
  }

  /** A call that begins while Redis is away rejects. One that waits already goes on. */
  get #mayWaitOn(): boolean {
    return this.#isWaiting && !this.#services.failFast && !this.#call.patience.deadline.passed
  }
}

function within(ms: number): Until {
  return { deadline: Deadline.after(ms), signal: undefined }
}

/** Waits for a removal as long as its caller does. Returns undefined if it has settled in time. */
async function whyGivenUp(
  removing: Promise<unknown>,
  until: Until,
): Promise<'late' | { readonly error: unknown } | undefined> {
  try {
    return (await settledInTime(removing, until)) ? undefined : 'late'
  } catch (error) {
    return { error }
  }
}

function lateError({ sent, place, refusal, unreachable }: Sending, since: number): Error {
  const late = new ReplyTimeoutError(place, Math.round(performance.now() - since), { mayHaveRun: sent })
  return sent ? late : (unreachable() ?? refusal ?? late)
}
