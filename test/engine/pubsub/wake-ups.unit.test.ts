import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ClientClosedError } from '../../../src/errors/client-errors.js'
import { SubscriptionTimeoutError } from '../../../src/errors/connection-errors.js'
import type { ChannelWaiter } from '../../../src/pubsub/channel-waiter.js'
import { Subscriptions } from '../../../src/pubsub/subscriptions.js'
import { WakeUps, type WakeCountOf } from '../../../src/pubsub/wake-ups.js'
import { FakeSubscriber } from './fake-subscriber.js'

const TIMEOUT_MS = 7_500

/** Wakes as many as the message says. */
const asManyAsSaid: WakeCountOf = (message) => Number(message)

describe('wake-ups', () => {
  let subscriber: FakeSubscriber
  let wakeUps: WakeUps
  beforeEach(() => {
    subscriber = new FakeSubscriber()
    wakeUps = new WakeUps(new Subscriptions(subscriber), { subscriptionTimeoutMs: TIMEOUT_MS })
  })

  const sit = (channel = 'a') => wakeUps.join(channel, asManyAsSaid)
  const sitConfirmed = (count: number, channel = 'a'): ChannelWaiter[] => {
    const seats = Array.from({ length: count }, () => sit(channel))
    subscriber.confirm(channel)
    for (const seat of seats) seat.takeSignal()
    return seats
  }
  const wokenAmong = (seats: readonly ChannelWaiter[]) => seats.map(({ isSet: woken }) => woken)

  it('subscribe a channel for the first who sits down, before anything else happens', () => {
    sit()
    expect(subscriber.asked).toEqual(['+a'])
    sit()
    sit('b')
    expect(subscriber.asked).toEqual(['+a', '+b'])
  })

  it('let go of the channel when the last gets up', async () => {
    const seats = [sit(), sit()]
    seats[0]?.leave()
    await setImmediate()
    expect(subscriber.asked).toEqual(['+a'])
    seats[1]?.leave()
    await setImmediate()
    expect(subscriber.asked).toEqual(['+a', '-a'])
  })

  it('let all waiters check again when the channel is confirmed', () => {
    const seats = [sit(), sit()]
    subscriber.confirm('a')
    expect(wokenAmong(seats)).toEqual([true, true])
  })

  it('have nothing to catch up with for later waiters', () => {
    sitConfirmed(1)
    const late = sit()
    expect([late.confirmed, late.isSet]).toEqual([true, false])
  })

  it.each([
    ['0', [false, false, false]],
    ['1', [true, false, false]],
    ['2', [true, true, false]],
    ['3', [true, true, true]],
    ['9', [true, true, true]],
    ['-1', [false, false, false]],
  ])('wake as many as the message %s says, those who came first', (message, woken) => {
    const seats = sitConfirmed(3)
    subscriber.message('a', message)
    expect(wokenAmong(seats)).toEqual(woken)
  })

  it('pass over those who are awake already', () => {
    const seats = sitConfirmed(3)
    subscriber.message('a', '1')
    subscriber.message('a', '1')
    expect(wokenAmong(seats)).toEqual([true, true, false])
  })

  it('wake all after a gap, because messages may have been missed', () => {
    const seats = sitConfirmed(3)
    subscriber.confirm('a')
    expect(wokenAmong(seats)).toEqual([true, true, true])
  })

  it('say whether a message has woken', () => {
    const [seat] = sitConfirmed(1)
    expect(seat?.takeMessage()).toBe(false)
    subscriber.interrupt('a')
    subscriber.confirm('a')
    expect([seat?.isSet, seat?.takeMessage()]).toEqual([true, false])
    seat?.takeSignal()
    subscriber.message('a', '1')
    expect([seat?.isSet, seat?.takeMessage(), seat?.takeMessage()]).toEqual([true, true, false])
  })

  it('wake no waiter at another channel', () => {
    const seats = sitConfirmed(1)
    const others = sitConfirmed(1, 'b')
    subscriber.message('b', '9')
    expect([wokenAmong(seats), wokenAmong(others)]).toEqual([[false], [true]])
  })

  it('go to the next when a waiter leaves without using one', () => {
    const [first, second, third] = sitConfirmed(3)
    subscriber.message('a', '1')
    first?.leave()
    expect([second?.isSet, third?.isSet]).toEqual([true, false])
  })

  it('are used up by the waiter that slept', async () => {
    const [first, second] = sitConfirmed(2)
    subscriber.message('a', '1')
    await first?.wait(1_000)
    first?.leave()
    expect(second?.isSet).toBe(false)
  })

  it('wait for a waiter that does not sleep yet', async () => {
    const [seat] = sitConfirmed(1)
    subscriber.message('a', '1')
    expect(await seat?.wait(1_000)).toBe(true)
  })

  it('come back to a channel that was left while it was being subscribed', async () => {
    sit().leave()
    await setImmediate()
    const seat = sit()
    expect(subscriber.asked).toEqual(['+a', '-a', '+a'])
    subscriber.confirm('a')
    expect([seat.confirmed, seat.isSet]).toEqual([true, true])
  })

  it.each([
    ['at first', () => undefined],
    [
      'when it is made again',
      () => {
        subscriber.confirm('a')
      },
    ],
  ])('tell a refusal %s to all who sit there, and ask again for the next', async (_, before) => {
    const seats = [sit(), sit()]
    before()
    for (const seat of seats) seat.takeSignal()
    subscriber.refuse('a', new Error('no permission'))
    const next = sit()
    expect([next.confirmed, next.isSet]).toEqual([false, false])
    for (const seat of seats) {
      await expect(seat.wait(1_000)).rejects.toThrow('no permission')
      seat.leave()
    }
    await setImmediate()
    expect(subscriber.asked).toEqual(['+a', '+a'])
    subscriber.confirm('a')
    expect([next.confirmed, next.isSet]).toEqual([true, true])
    expect(sit().confirmed).toBe(true)
    expect(subscriber.asked).toEqual(['+a', '+a'])
  })

  it('tell a refusal that lasts to those who have sat there for as long, and ask again for the others', async () => {
    const clock = vi.spyOn(performance, 'now')
    const startedAt = performance.now()
    const at = (ms: number) => clock.mockReturnValue(startedAt + ms)
    at(0)
    const early = sit()
    at(5_000)
    const late = sit()
    at(TIMEOUT_MS)
    subscriber.refuse('a', new SubscriptionTimeoutError('a', TIMEOUT_MS, { cause: new Error('busy') }))
    clock.mockRestore()
    await expect(early.wait(1_000)).rejects.toMatchObject({ cause: { message: 'busy' } })
    early.leave()
    expect([late.confirmed, late.isSet]).toEqual([false, false])
    expect(subscriber.asked).toEqual(['+a', '+a'])
    subscriber.confirm('a')
    expect([late.confirmed, late.isSet]).toEqual([true, true])
    late.leave()
    await setImmediate()
    expect(subscriber.asked).toEqual(['+a', '+a', '-a'])
  })

  it('wake a waiter at several channels by a message at any of them', () => {
    const both = wakeUps.joinAll(['a', 'b'], asManyAsSaid)
    subscriber.confirm('a')
    expect(both.confirmed).toBe(false)
    subscriber.confirm('b')
    expect(both.confirmed).toBe(true)
    for (const channel of ['a', 'b']) {
      both.takeSignal()
      subscriber.message(channel, '1')
      expect(both.isSet).toBe(true)
    }
  })

  it('let go of all channels of a waiter, and pass on its wake-up at each', async () => {
    const both = wakeUps.joinAll(['a', 'b'], asManyAsSaid)
    const others = [sit('a'), sit('b')]
    subscriber.confirm('a', 'b')
    for (const waiter of others) waiter.takeSignal()
    both.leave()
    expect(wokenAmong(others)).toEqual([true, true])
    for (const waiter of others) waiter.leave()
    await setImmediate()
    expect(subscriber.asked).toEqual(['+a', '+b', '-a', '-b'])
  })

  it('tell a waiter at several channels the refusal of any', async () => {
    const both = wakeUps.joinAll(['a', 'b'], asManyAsSaid)
    subscriber.delay('b', new Error('busy'))
    expect(both.refusal).toMatchObject({ message: 'busy' })
    subscriber.refuse('b', new Error('no permission'))
    await expect(both.wait(1_000)).rejects.toThrow('no permission')
    both.leave()
    await setImmediate()
    expect(subscriber.asked).toEqual(['+a', '+b', '-a'])
  })

  it('reject all waiters when they are closed, and accept none any more', async () => {
    const seats = sitConfirmed(2)
    wakeUps.close()
    for (const seat of seats) {
      await expect(seat.wait(1_000)).rejects.toBeInstanceOf(ClientClosedError)
      seat.leave()
    }
    await setImmediate()
    expect(() => sit()).toThrow(ClientClosedError)
    expect(subscriber.asked).toEqual(['+a', '-a'])
  })
})
