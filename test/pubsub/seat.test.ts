import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Seat } from '../../src/pubsub/seat.js'
import { settled } from './fake-subscriber.js'

describe('a seat', () => {
  let left: boolean[]
  let subscribed: PromiseWithResolvers<void>
  beforeEach(() => {
    vi.useFakeTimers()
    left = []
    subscribed = Promise.withResolvers()
  })
  afterEach(() => void vi.useRealTimers())

  const sit = (state: Promise<void> | 'already' = subscribed.promise): Seat =>
    new Seat('channel', state, (unused) => left.push(unused))

  it('knows its channel', () => {
    expect(sit().channel).toBe('channel')
  })

  it('at a channel that is listened to already is confirmed, and has nothing to catch up with', async () => {
    const seat = sit('already')
    expect([seat.confirmed, seat.woken]).toEqual([true, false])
    expect(await seat.settle(100)).toBe(true)
  })

  it('is confirmed when Redis says so, and looks again: what was announced before was not heard', async () => {
    const seat = sit()
    expect(seat.confirmed).toBe(false)
    subscribed.resolve()
    await settled()
    expect([seat.confirmed, seat.woken]).toEqual([true, true])
  })

  it('settles when it is confirmed', async () => {
    const seat = sit()
    const settling = seat.settle(100)
    subscribed.resolve()
    expect(await settling).toBe(true)
    expect(seat.woken).toBe(false)
  })

  it('settles when something else wakes it, though nothing is confirmed', async () => {
    const seat = sit()
    const settling = seat.settle(100)
    seat.wake()
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
    subscribed.reject(new Error('no permission'))
    await expect(settling).rejects.toThrow('no permission')
    await expect(seat.sleep(100)).rejects.toThrow('no permission')
  })

  it('that is left before Redis refuses makes no noise about it', async () => {
    sit().leave()
    subscribed.reject(new Error('no permission'))
    await settled()
    expect(left).toEqual([false])
  })

  it('rises with the reason of a signal', async () => {
    const abort = new AbortController()
    const settling = sit().settle(100, abort.signal)
    abort.abort(new Error('enough'))
    await expect(settling).rejects.toThrow('enough')
  })

  it('gives a wake-up away with the place if it was not used', async () => {
    const [unused, used, none] = [sit('already'), sit('already'), sit('already')]
    unused.wake()
    used.wake()
    await used.sleep(100)
    for (const seat of [unused, used, none]) seat.leave()
    expect(left).toEqual([true, false, false])
  })
})
