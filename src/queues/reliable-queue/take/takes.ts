import { setTimeout as sleep } from 'node:timers/promises'
import { requestLifeMs } from '../../../config/request-life.js'
import type { Patience } from '../../../core/arguments/arguments.js'
import { demandReachable, demandStillWanted, endOfWaiting } from '../../../core/context/still-wanted.js'
import { SubscriptionTimeoutError } from '../../../errors/connection-errors.js'
import { isLasting, isTransient } from '../../../errors/transient.js'
import { Lease, safeUntil } from '../../../renewal/lease.js'
import { onAbort } from '../../../util/abort/abort-listeners.js'
import { Deadline } from '../../../util/time/deadline.js'
import { warnOnce } from '../../../util/warn-once.js'
import { UNDO_WITHIN_MS } from '../../../waiting/compensations.js'
import { QueuedWaiter, WaitQueue } from '../../../waiting/wait-queue.js'
import type { Attempt } from '../../../waiting/wait-until.js'
import { REPLY_GRACE_MS } from '../../shared/reply-grace.js'
import { HeldDelivery, heldKey, memberOf } from '../held-delivery.js'
import type { QueueCore } from '../queue-core.js'
import type { DeliveredMessage } from '../records.js'
import * as scripts from '../reliable-queue.scripts.js'
import { DeliveryLostError } from '../reliable-queue.errors.js'
import type { Settlements } from '../settlements.js'
import { TakeSize } from './take-size.js'

/** A consumer looks again after this number of milliseconds, with or without a message: every moment at which something is due is known to it. */
const RECHECK_MS = 60_000

/** The pause of a consumer while Redis is away, in milliseconds. */
const OUTAGE_PAUSE_MS = 1_000

/** The pause of a waiter after messages that came too late, in milliseconds. */
const LATE_PAUSE_MS = 1_000

/** Which messages are taken. */
export interface TakeRequest {
  readonly count: number
  /** Undefined where the watchdog renews the deliveries. */
  readonly visibilityMs: number | undefined
  /** Whether it is one of many takes, which wait through outages from the beginning. */
  readonly isConsumer?: boolean
  /** Is called where messages came after their time was over; a warning of the process if left out. */
  readonly onLate?: (error: DeliveryLostError) => void
}

/** What one request has taken. */
interface Taken {
  readonly held: readonly HeldDelivery[]
  readonly retryInMs: number
  /** Whether messages came after their time was over. */
  readonly isLate: boolean
}

type RequestKeys = ReturnType<QueueCore['newKeys']>

const wakeOne = (): number => 1

/** Takes messages of one queue, and watches their deliveries from then on. */
export class Takes {
  readonly #queue: QueueCore
  readonly #settlements: Settlements
  readonly #size = new TakeSize()

  constructor(queue: QueueCore, settlements: Settlements) {
    this.#queue = queue
    this.#settlements = settlements
  }

  /** Takes what is ready, or waits for the first message; returns none if there is none in time. */
  async take(request: TakeRequest, patience: Patience): Promise<readonly HeldDelivery[]> {
    if (request.count === 0) return []
    const held =
      patience.waitMs === 0
        ? (await this.#ask(request, patience)).held
        : ((await this.#wait(request, patience)) ?? [])
    if (patience.signal?.aborted !== true) return held
    await this.#settlements.releaseAll(held)
    throw patience.signal.reason
  }

  /** Waits through outages and subscriptions that are not confirmed, once it has begun to wait. */
  async #wait(request: TakeRequest, patience: Patience): Promise<readonly HeldDelivery[] | undefined> {
    const { context, waiters } = this.#queue.services
    const { messages } = this.#queue.channels
    const signal = endOfWaiting(context, patience.signal)
    const state = { isWaiting: request.isConsumer === true }
    const attempt = async (): Promise<Attempt<Taken>> => {
      try {
        const taken = await this.#ask(request, { ...patience, signal })
        state.isWaiting = true
        return taken.held.length > 0 || taken.isLate
          ? { done: true, value: taken }
          : { done: false, retryInMs: taken.retryInMs }
      } catch (error) {
        if (state.isWaiting && isTransient(error) && patience.deadline.passed)
          return { done: false, retryInMs: 0 }
        if (!state.isWaiting || !this.#mayWaitOn(error, patience)) throw error
        return { done: false, retryInMs: OUTAGE_PAUSE_MS }
      }
    }
    const waiter = {
      deadline: patience.deadline,
      signal,
      attempt,
      tryFirst: attempt,
      retryNextInMs: ({ held, retryInMs }: Taken) => (held.length < request.count ? retryInMs : undefined),
    }
    const open = () => new WaitQueue(context.config, () => context.wakeUps.join(messages, wakeOne))
    for (;;) {
      try {
        const taken = await waiters.join(messages, open, (line) => line.wait(new QueuedWaiter(), waiter))
        if (taken === undefined) demandReachable(context)
        if (taken?.isLate !== true) return taken?.held
        // Behind the others: those whose deliveries last for longer may get them.
        await pause(patience.deadline.within(LATE_PAUSE_MS), signal)
        if (patience.deadline.passed) return undefined
      } catch (error) {
        if (!state.isWaiting || !this.#mayWaitOn(error, patience)) throw error
      }
    }
  }

  #mayWaitOn(error: unknown, { deadline, signal }: Patience): boolean {
    const { context } = this.#queue.services
    if (context.closing.aborted || signal?.aborted === true || deadline.passed) return false
    if (error instanceof SubscriptionTimeoutError) return true
    return isTransient(error) && !isLasting(error) && !context.config.failFast
  }

  /** What reaches no caller is given back. */
  async #ask(
    { count, visibilityMs, onLate = warnOfLate }: TakeRequest,
    until: Pick<Patience, 'deadline' | 'signal' | 'waitMs'>,
  ): Promise<Taken> {
    const { limits, rates, space, services } = this.#queue
    const { context, compensations } = services
    demandStillWanted(context, until.signal)
    const leaseMs = visibilityMs ?? context.config.lockWatchdogTimeoutMs
    const keys = this.#queue.newKeys()
    const { maxDeliveries: most, places, rate } = limits
    const asked = this.#size.of(count)
    const undoableMs = UNDO_WITHIN_MS + requestLifeMs(context.config)
    const args = { count: asked, leaseMs, most, places, space, rate, undoableMs }
    const options = {
      remember: true,
      endOfWaiting: context.closing,
      ...(until.waitMs > 0 && { replyBy: until.deadline }),
    }
    const answer = context.executor.runTimed(scripts.take, { keys: { ...keys, rates }, args }, options)
    const { result, sentAt } = await compensations.acquireOrCompensate({
      answer,
      signal: until.signal && afterGrace(until.signal, answer),
      giveBack: ({ result: late }) => this.#giveBack(keys, late.messages),
      undo: () => context.executor.run(scripts.undo, this.#undoing(keys, []), { remember: true }),
    })
    const { messages, nextMs } = result
    const [first] = messages
    const retryInMs = nextMs < 0 ? RECHECK_MS : Math.min(nextMs, RECHECK_MS)
    if (first === undefined || performance.now() < safeUntil(sentAt, leaseMs)) {
      this.#size.inTime(messages.length, { asked, hasMore: nextMs === 0 })
      const held = messages.map((message) => this.#hold(message, sentAt, visibilityMs))
      return { held, retryInMs, isLate: false }
    }
    this.#size.late(messages.length)
    compensations.compensate(() => this.#giveBack(keys, messages)) // they may be with others by now
    onLate(new DeliveryLostError({ queue: this.#queue.name, id: first.id, reason: 'late' }))
    return { held: [], retryInMs: 0, isLate: true }
  }

  /** A delivery that has ended by its time meanwhile does not count as failed. */
  async #giveBack(keys: RequestKeys, messages: readonly DeliveredMessage[]): Promise<void> {
    if (messages.length === 0) return
    const { ahead, config } = this.#queue.services.context
    const insistMs = config.lockWatchdogTimeoutMs
    await ahead.run(scripts.undo, this.#undoing(keys, messages), { insistMs, remember: true })
  }

  #undoing({ request: taken }: RequestKeys, messages: readonly DeliveredMessage[]) {
    const { limits, space, services } = this.#queue
    const deliveries = messages.map(memberOf).join(' ')
    const undoneMs = requestLifeMs(services.context.config)
    const keys = { ...this.#queue.newKeys(), taken }
    return { keys, args: { deliveries, places: limits.places, space, undoneMs } }
  }

  #hold(message: DeliveredMessage, sentAt: number, visibilityMs: number | undefined): HeldDelivery {
    const { services, requests, name } = this.#queue
    const { context, renewal: kind, held } = services
    const { topology, renewal, config } = context
    const { key } = requests
    const member = memberOf(message)
    const place = heldKey(key, member)
    const delivery = new HeldDelivery({
      queue: name,
      message,
      leaseOf: (holder) => new Lease({ kind, name: key, owner: member, slot: topology.slotOf(key) }, holder),
      sentAt,
      visibilityMs,
      watchdogMs: config.lockWatchdogTimeoutMs,
      renewal,
      giveBack: () => this.#settlements.giveBack([member]),
      onEnd: () => {
        held.delete(place)
      },
    })
    if (delivery.isHeld) held.set(place, delivery) // otherwise the client was shut down meanwhile
    return delivery
  }
}

/** Of one that waits as long as it takes. */
export function endless(signal: AbortSignal): Patience {
  return { waitMs: Infinity, deadline: Deadline.never, signal }
}

/** Never rejects: who waits looks at the signal. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, { ...(signal && { signal }) }).catch(() => undefined)
}

function warnOfLate({ queue, message }: DeliveryLostError): void {
  warnOnce('REDISSON_SHORT_LEASE', queue, message)
}

/** Aborts like a signal, but lets a reply that is on its way arrive before, for a moment. */
function afterGrace(signal: AbortSignal, answer: Promise<unknown>): AbortSignal {
  const late = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const stopListening = onAbort(signal, () => {
    timer = setTimeout(() => {
      late.abort(signal.reason)
    }, REPLY_GRACE_MS)
  })
  const end = () => {
    stopListening()
    clearTimeout(timer)
  }
  answer.then(end, end)
  return late.signal
}
