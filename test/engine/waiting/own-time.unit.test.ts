import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Patience } from '../../../src/core/arguments/arguments.js'
import type { LockContext } from '../../../src/core/context/object-context.js'
import { SubscriptionTimeoutError } from '../../../src/errors/connection-errors.js'
import { FairQueue, QueuedFairRequest } from '../../../src/locks/fair/fair-queue.js'
import type { AcquireRequest } from '../../../src/locks/shared/engine/lock-driver.js'
import { ChannelWaiter } from '../../../src/pubsub/channel-waiter.js'
import { LatchWatchers } from '../../../src/synchronizers/count-down-latch/latch-watchers.js'
import { PermitQueue } from '../../../src/synchronizers/shared/permit-queue.js'
import { Deadline } from '../../../src/util/time/deadline.js'
import { QueuedWaiter, WaitQueue } from '../../../src/waiting/wait-queue.js'

const TIMEOUT_MS = 7_500

interface Subscription {
  confirmed: boolean
  refusal: Error | undefined
}

/** Where those wait who differ only in when they came. */
interface Line {
  readonly line: string
  /** Begins a line. Returns how one more waits in it; what is waited for is there as soon as anybody asks. */
  readonly open: (context: LockContext) => (signal?: AbortSignal) => Promise<unknown>
}

const patience = (signal?: AbortSignal): Patience => ({
  waitMs: Infinity,
  deadline: Deadline.never,
  signal,
})

const lines: readonly Line[] = [
  {
    line: 'a lock',
    open: (context) => {
      const queue = new WaitQueue(context.config, () => context.wakeUps.join('channel', () => 1))
      const attempt = () => Promise.resolve({ done: true, value: 'had' } as const)
      return (signal) =>
        queue.wait(new QueuedWaiter(), { ...patience(signal), attempt, retryNextInMs: () => undefined })
    },
  },
  {
    line: 'a fair lock',
    open: (context) => {
      const queue = new FairQueue(context, {
        channelOf: (owner) => `channel:${owner}`,
        heldForMs: () => 0,
      })
      let owners = 0
      const value = { sentAt: 0, holds: 1 }
      return (signal) => {
        const claim: AcquireRequest = {
          ...patience(signal),
          owner: String((owners += 1)),
          holds: 1,
          leaseMs: 30_000,
          replyBy: Deadline.never,
          settleBy: Deadline.never,
          takesLate: false,
          inside: false,
          confirmed: false,
        }
        return queue.wait(new QueuedFairRequest(claim, () => Promise.resolve({ done: true, value })))
      }
    },
  },
  {
    line: 'permits',
    open: (context) => {
      const queue = new PermitQueue<Patience & { permits: number; initial: undefined }, number>(context, {
        channel: 'channel',
        mostPermits: Infinity,
        ask: (claims) => Promise.resolve({ got: claims.map(() => 1), retryInMs: 5_000, there: true }),
        compensate: () => undefined,
      })
      return (signal) => queue.wait({ ...patience(signal), permits: 1, initial: undefined })
    },
  },
  {
    line: 'a latch',
    open: (context) => {
      const watchers = new LatchWatchers(context)
      const target = { key: 'latch', channel: 'channel', isOpen: () => Promise.resolve(true) }
      return (signal) => watchers.wait(target, patience(signal))
    },
  },
]

describe.each(lines)('those who wait for $line at a channel that is not confirmed', ({ open }) => {
  let subscriptions: Map<string, Subscription>
  let waiters: Set<ChannelWaiter>
  let wait: (signal?: AbortSignal) => Promise<unknown>

  beforeEach(() => {
    vi.useFakeTimers()
    subscriptions = new Map()
    waiters = new Set()
    const join = (channel: string) => {
      const subscription = subscriptions.get(channel) ?? { confirmed: false, refusal: undefined }
      subscriptions.set(channel, subscription)
      const waiter = new ChannelWaiter(channel, subscription, () => {
        waiters.delete(waiter)
      })
      waiters.add(waiter)
      return waiter
    }
    const context = {
      wakeUps: { join },
      config: { subscriptionTimeoutMs: TIMEOUT_MS },
      closing: new AbortController().signal,
    }
    wait = open(context as unknown as LockContext)
  })
  afterEach(() => {
    expect(waiters.size).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  /** Has one more wait. What comes of it is noted with how long it took. */
  const come = (signal?: AbortSignal) => {
    const cameAt = performance.now()
    const came: { outcome?: unknown; tookMs?: number } = {}
    const end = (outcome: unknown) => Object.assign(came, { outcome, tookMs: performance.now() - cameAt })
    wait(signal).then(end, end)
    return came
  }

  const inTime = (ms: number): unknown =>
    expect.toSatisfy((tookMs: number) => tookMs >= ms && tookMs < ms + 10)

  const tooLate = (): unknown => ({
    outcome: expect.objectContaining({
      name: 'SubscriptionTimeoutError',
      channel: expect.stringContaining('channel') as unknown,
      elapsedMs: inTime(TIMEOUT_MS),
    }) as unknown,
    tookMs: inTime(TIMEOUT_MS),
  })

  it('learn of that after the same time, whenever they came', async () => {
    const came = [come(), come()]
    for (const ms of [2_000, 3_000, 2_400, 500]) {
      await pass(ms)
      came.push(come(), come())
    }
    await pass(3 * TIMEOUT_MS)
    expect(came).toEqual(came.map(tooLate))
    const errors = came.map(({ outcome }) => outcome)
    expect(errors.every((error) => error instanceof SubscriptionTimeoutError)).toBe(true)
    expect(new Set(errors).size).toBe(came.length)
  })

  it('learn of it in their own time although others leave before them', async () => {
    const abort = new AbortController()
    const first = come(abort.signal)
    await pass(5_000)
    const second = come()
    await pass(1_000)
    abort.abort(new Error('enough'))
    await pass(3 * TIMEOUT_MS)
    expect(first.outcome).toMatchObject({ message: 'enough' })
    expect(second).toEqual(tooLate())
  })

  it('hear what the server has refused so far', async () => {
    const came = [come()]
    await pass(3_000)
    came.push(come())
    const busy = new Error('busy')
    const refuse = () => {
      for (const subscription of subscriptions.values()) subscription.refusal = busy
    }
    refuse()
    await pass(TIMEOUT_MS - 3_000 + 1)
    refuse()
    await pass(3_000)
    expect(came.map(({ outcome }) => outcome)).toMatchObject([{ cause: busy }, { cause: busy }])
  })

  it('get what they wait for if it is confirmed after the first have given up', async () => {
    const first = come()
    await pass(5_000)
    const second = come()
    await pass(TIMEOUT_MS - 5_000 + 1)
    expect(first).toEqual(tooLate())
    expect(second.outcome).toBeUndefined()
    for (const subscription of subscriptions.values()) subscription.confirmed = true
    for (const waiter of waiters) waiter.set()
    await pass(10)
    expect(second.tookMs).toBeLessThan(TIMEOUT_MS)
    expect(second.outcome).not.toBeInstanceOf(Error)
  })

  it('learn from others who were refused for as long only if they have waited as long', async () => {
    const first = come()
    await pass(5_000)
    const second = come()
    await pass(TIMEOUT_MS - 5_000 - 10)
    const refused = new SubscriptionTimeoutError('channel', TIMEOUT_MS, { cause: new Error('busy') })
    await pass(10)
    for (const waiter of waiters) if (waiter.cameAt + TIMEOUT_MS <= performance.now()) waiter.fail(refused)
    await pass(1)
    expect(first.outcome).toBeInstanceOf(SubscriptionTimeoutError)
    expect(second.outcome).toBeUndefined()
    await pass(3 * TIMEOUT_MS)
    expect(second).toEqual(tooLate())
  })
})
