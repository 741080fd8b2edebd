import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { ClientClosedError } from '../../src/errors/client-errors.js'
import type { Seat } from '../../src/pubsub/seat.js'
import { Subscriptions } from '../../src/pubsub/subscriptions.js'
import { WakeUps, type WakesOf } from '../../src/pubsub/wake-ups.js'
import { FakeSubscriber, settled } from './fake-subscriber.js'

/** Wakes as many as the message says. */
const asManyAsSaid: WakesOf = (message) => Number(message)

describe('wake-ups', () => {
  let subscriber: FakeSubscriber
  let wakeUps: WakeUps
  beforeEach(() => {
    subscriber = new FakeSubscriber()
    wakeUps = new WakeUps(new Subscriptions(subscriber))
  })

  const sit = (channel = 'a') => wakeUps.sit(channel, asManyAsSaid)
  const sitConfirmed = async (count: number, channel = 'a'): Promise<Seat[]> => {
    const seats = Array.from({ length: count }, () => sit(channel))
    await subscriber.confirm(channel)
    for (const seat of seats) seat.takeWakeUp()
    return seats
  }
  const wokenAmong = (seats: readonly Seat[]) => seats.map(({ woken }) => woken)

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

  it('let everybody look again when the channel is confirmed', async () => {
    const seats = [sit(), sit()]
    await subscriber.confirm('a')
    expect(wokenAmong(seats)).toEqual([true, true])
  })

  it('have nothing to catch up with for whoever comes later', async () => {
    await sitConfirmed(1)
    const late = sit()
    expect([late.confirmed, late.woken]).toEqual([true, false])
  })

  it.each([
    ['0', [false, false, false]],
    ['1', [true, false, false]],
    ['2', [true, true, false]],
    ['3', [true, true, true]],
    ['9', [true, true, true]],
    ['-1', [false, false, false]],
  ])('wake as many as the message %s says, those who came first', async (message, woken) => {
    const seats = await sitConfirmed(3)
    subscriber.message('a', message)
    expect(wokenAmong(seats)).toEqual(woken)
  })

  it('pass over those who are awake already', async () => {
    const seats = await sitConfirmed(3)
    subscriber.message('a', '1')
    subscriber.message('a', '1')
    expect(wokenAmong(seats)).toEqual([true, true, false])
  })

  it('wake all after a gap, because nobody knows what was missed', async () => {
    const seats = await sitConfirmed(3)
    subscriber.resumed('a')
    expect(wokenAmong(seats)).toEqual([true, true, true])
  })

  it('wake nobody at another channel', async () => {
    const seats = await sitConfirmed(1)
    const others = await sitConfirmed(1, 'b')
    subscriber.message('b', '9')
    expect([wokenAmong(seats), wokenAmong(others)]).toEqual([[false], [true]])
  })

  it('go to the next when whoever has one leaves without using it', async () => {
    const [first, second, third] = await sitConfirmed(3)
    subscriber.message('a', '1')
    first?.leave()
    expect([second?.woken, third?.woken]).toEqual([true, false])
  })

  it('are used up by whoever has slept for it', async () => {
    const [first, second] = await sitConfirmed(2)
    subscriber.message('a', '1')
    await first?.sleep(1_000)
    first?.leave()
    expect(second?.woken).toBe(false)
  })

  it('wait for somebody who does not sleep yet', async () => {
    const [seat] = await sitConfirmed(1)
    subscriber.message('a', '1')
    expect(await seat?.sleep(1_000)).toBe(true)
  })

  it('come back to a channel that was left while it was being subscribed', async () => {
    sit().leave()
    await setImmediate()
    const seat = sit()
    expect(subscriber.asked).toEqual(['+a', '-a', '+a'])
    await subscriber.confirm('a')
    expect([seat.confirmed, seat.woken]).toEqual([true, true])
  })

  it('tell a refusal to all who sit there, and ask again for the next', async () => {
    const seats = [sit(), sit()]
    await subscriber.refuse('a', new Error('no permission'))
    for (const seat of seats) {
      await expect(seat.sleep(1_000)).rejects.toThrow('no permission')
      seat.leave()
    }
    const next = sit()
    await settled()
    expect(subscriber.asked).toEqual(['+a', '+a'])
    expect(next.woken).toBe(false)
  })

  it('send everybody home when they are closed, and let nobody in any more', async () => {
    const seats = await sitConfirmed(2)
    wakeUps.close()
    for (const seat of seats) {
      await expect(seat.sleep(1_000)).rejects.toBeInstanceOf(ClientClosedError)
      seat.leave()
    }
    await setImmediate()
    expect(() => sit()).toThrow(ClientClosedError)
    expect(subscriber.asked).toEqual(['+a', '-a'])
  })
})
