import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChannelWaiter } from '../../../src/pubsub/channel-waiter.js'

describe('a seat', () => {
  let left: boolean[]
  let subscription: { confirmed: boolean; refusal: Error | undefined }
  beforeEach(() => {
    vi.useFakeTimers()
    left = []
    subscription = { confirmed: false, refusal: undefined }
  })
  afterEach(() => void vi.useRealTimers())

  const sit = (): ChannelWaiter => new ChannelWaiter('channel', subscription, (unused) => left.push(unused))

  it('knows its channel', () => {
    expect(sit().channel).toBe('channel')
  })

  it('at a channel that is listened to already is confirmed, and has nothing to catch up with', async () => {
    subscription.confirmed = true
    const seat = sit()
    expect([seat.confirmed, seat.isSet]).toEqual([true, false])
    expect(await seat.settle(100)).toBe(true)
  })

  it('is confirmed when Redis says so', () => {
    const seat = sit()
    expect(seat.confirmed).toBe(false)
    subscription.confirmed = true
    expect(seat.confirmed).toBe(true)
  })

  it('knows why it is not', () => {
    subscription.refusal = new Error('busy')
    expect(sit().refusal).toBe(subscription.refusal)
  })

  it('settles when it is confirmed, which wakes it', async () => {
    const seat = sit()
    const settling = seat.settle(100)
    subscription.confirmed = true
    seat.set()
    expect(await settling).toBe(true)
    expect(seat.isSet).toBe(false)
  })

  it('settles when something else wakes it, though nothing is confirmed', async () => {
    const seat = sit()
    const settling = seat.settle(100)
    seat.set()
    expect(await settling).toBe(true)
    expect(seat.confirmed).toBe(false)
  })

  it('does not settle when nothing comes in time', async () => {
    const settling = sit().settle(100)
    await vi.advanceTimersByTimeAsync(100)
    expect(await settling).toBe(false)
  })

  it('ends its sleep with the error when Redis refuses', async () => {
    const seat = sit()
    const settling = seat.settle(100)
    seat.fail(new Error('no permission'))
    await expect(settling).rejects.toThrow('no permission')
    await expect(seat.wait(100)).rejects.toThrow('no permission')
  })

  it('rises with the reason of a signal', async () => {
    const abort = new AbortController()
    const settling = sit().settle(100, abort.signal)
    abort.abort(new Error('enough'))
    await expect(settling).rejects.toThrow('enough')
  })

  it('gives a wake-up away with the place if it was not used', async () => {
    subscription.confirmed = true
    const [unused, used, none] = [sit(), sit(), sit()]
    unused.set()
    used.set()
    await used.wait(100)
    for (const seat of [unused, used, none]) seat.leave()
    expect(left).toEqual([true, false, false])
  })
})
