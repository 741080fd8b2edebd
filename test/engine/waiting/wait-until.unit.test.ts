import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SubscriptionTimeoutError } from '../../../src/errors/connection-errors.js'
import { ChannelWaiter } from '../../../src/pubsub/channel-waiter.js'
import { waitUntil, type Attempt, type Occasion, type Waiting } from '../../../src/waiting/wait-until.js'
import { Deadline } from '../../../src/util/time/deadline.js'

const notYet = (retryInMs: number): Attempt<string> => ({ done: false, retryInMs })
const done: Attempt<string> = { done: true, value: 'had' }

describe('waiting until an attempt succeeds', () => {
  let subscription: { confirmed: boolean; refusal: Error | undefined }
  let seat: ChannelWaiter
  let attempts: number
  beforeEach(() => {
    vi.useFakeTimers()
    subscription = { confirmed: false, refusal: undefined }
    seat = new ChannelWaiter('channel', subscription, () => undefined)
    attempts = 0
  })
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  /** Redis confirms the subscription, which wakes its waiter. */
  const confirm = () => {
    subscription.confirmed = true
    seat.set()
  }
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

  /** Begins to wait, with attempts that end as given, the last for all that follow. */
  const wait = (
    outcomes: readonly (Attempt<string> | Error)[],
    waiting: Partial<Waiting<string>> = {},
  ): Promise<string | undefined> => {
    const waited = waitUntil(seat, {
      attempt: async () => {
        const outcome = outcomes[Math.min(attempts, outcomes.length - 1)]
        attempts += 1
        if (outcome === undefined || outcome instanceof Error) throw outcome ?? new Error('no outcome')
        return Promise.resolve(outcome)
      },
      deadline: Deadline.never,
      subscriptionTimeoutMs: 7_500,
      ...waiting,
    })
    waited.catch(() => undefined) // it is looked at later
    return waited
  }

  it('makes no attempt before the subscription stands, so that no news is missed after it', async () => {
    const waited = wait([done])
    await pass(1_000)
    expect(attempts).toBe(0)
    confirm()
    expect(await waited).toBe('had')
    expect(attempts).toBe(1)
  })

  it('makes one at once when it stands', async () => {
    subscription.confirmed = true
    expect(await wait([done])).toBe('had')
  })

  it('makes none at first if that is known to fail', async () => {
    subscription.confirmed = true
    const waited = wait([done], { retryInMs: 500 })
    await pass(499)
    expect(attempts).toBe(0)
    await pass(1)
    expect(await waited).toBe('had')
  })

  it('makes one all the same if there is news while the subscription is on the way', async () => {
    const waited = wait([done], { retryInMs: 500 })
    await pass(10)
    seat.set()
    await pass(0)
    expect(attempts).toBe(1)
    expect(await waited).toBe('had')
  })

  it('makes the next when there is news', async () => {
    subscription.confirmed = true
    const waited = wait([notYet(60_000), notYet(60_000), done])
    await pass(10)
    expect(attempts).toBe(1)
    seat.set()
    await pass(10)
    expect(attempts).toBe(2)
    seat.set()
    expect(await waited).toBe('had')
  })

  it('makes the next at once when the news came during an attempt', async () => {
    subscription.confirmed = true
    const waited = wait([notYet(60_000), done], {})
    seat.set()
    await pass(1)
    seat.set()
    await pass(1)
    expect(await waited).toBe('had')
  })

  it('gives an attempt its occasion: a message, or a gap or the time', async () => {
    subscription.confirmed = true
    const occasions: Occasion[] = []
    const attempt = (occasion: Occasion) => {
      occasions.push(occasion)
      return Promise.resolve(occasions.length < 5 ? notYet(1_000) : done)
    }
    const waited = wait([], { attempt })
    await pass(1)
    seat.recheck()
    await pass(1)
    seat.set()
    await pass(1)
    await pass(1_000)
    seat.recheck()
    seat.set()
    await waited
    expect(occasions).toEqual(['message', 'recheck', 'message', 'recheck', 'message'])
  })

  it('makes the next when it is time, without a message', async () => {
    subscription.confirmed = true
    const waited = wait([notYet(1_000), notYet(50), done])
    await pass(999)
    expect(attempts).toBe(1)
    await pass(1)
    expect(attempts).toBe(2)
    await pass(50)
    expect(await waited).toBe('had')
  })

  it('makes no attempt when the deadline has passed, as its reply would come too late', async () => {
    subscription.confirmed = true
    const waited = wait([notYet(60_000)], { deadline: Deadline.after(100) })
    await pass(100)
    expect(await waited).toBeUndefined()
    expect(attempts).toBe(1) // as it sat down
  })

  it('ends with nothing when the deadline passes before the subscription stands', async () => {
    const waited = wait([done], { deadline: Deadline.after(100) })
    await pass(100)
    expect(await waited).toBeUndefined()
    expect(attempts).toBe(0)
  })

  it('ends with an error when the subscription takes too long, by the time that it took', async () => {
    const waited = wait([done])
    await pass(7_500)
    await expect(waited).rejects.toBeInstanceOf(SubscriptionTimeoutError)
    await expect(waited).rejects.toMatchObject({
      code: 'SUBSCRIPTION_TIMEOUT',
      channel: 'channel',
      elapsedMs: 7_500,
    })
    await expect(waited).rejects.not.toHaveProperty('cause')
  })

  it('names as the cause of that error why Redis has refused so far', async () => {
    const waited = wait([done])
    subscription.refusal = new Error('busy')
    await pass(7_500)
    await expect(waited).rejects.toMatchObject({ code: 'SUBSCRIPTION_TIMEOUT', cause: subscription.refusal })
  })

  it('takes a deadline for one also where the timer is early by a moment', async () => {
    const startedAt = performance.now()
    const waited = wait([done], { deadline: Deadline.after(10) })
    const clock = vi.spyOn(performance, 'now').mockReturnValue(startedAt + 9.4)
    await pass(10)
    clock.mockRestore()
    expect(await waited).toBeUndefined()
    expect(attempts).toBe(0)
  })

  it('ends with the error of an attempt', async () => {
    subscription.confirmed = true
    const waited = wait([notYet(10), new Error('planted')])
    await pass(10)
    await expect(waited).rejects.toThrow('planted')
  })

  it('ends with the error of the subscription', async () => {
    const waited = wait([done])
    seat.fail(new Error('no permission'))
    await expect(waited).rejects.toThrow('no permission')
  })

  it('ends with the reason of a signal: while it subscribes', async () => {
    const abort = new AbortController()
    const waited = wait([done], { signal: abort.signal })
    abort.abort(new Error('enough'))
    await expect(waited).rejects.toThrow('enough')
    expect(attempts).toBe(0)
  })

  it('ends with the reason of a signal: while it sleeps', async () => {
    subscription.confirmed = true
    const abort = new AbortController()
    const waited = wait([notYet(60_000)], { signal: abort.signal })
    await pass(10)
    abort.abort(new Error('enough'))
    await expect(waited).rejects.toThrow('enough')
    expect(attempts).toBe(1)
  })

  it('ends with the reason of a signal that aborted before it began', async () => {
    subscription.confirmed = true
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(wait([done], { signal })).rejects.toThrow('enough')
    expect(attempts).toBe(0)
  })

  it('takes what an attempt got although the deadline passed meanwhile', async () => {
    subscription.confirmed = true
    const answer = Promise.withResolvers<Attempt<string>>()
    const waited = wait([done], { attempt: () => answer.promise, deadline: Deadline.after(100) })
    await pass(200)
    answer.resolve(done)
    expect(await waited).toBe('had')
  })
})
