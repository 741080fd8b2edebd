import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Alarm } from '../../../src/util/time/alarm.js'

describe('an alarm', () => {
  let rung: number[]
  let alarm: Alarm

  beforeEach(() => {
    vi.useFakeTimers()
    rung = []
    alarm = new Alarm(() => rung.push(performance.now()))
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  const inMs = (ms: number) => performance.now() + ms

  it('rings once, at the earliest of its moments', () => {
    const [late, early] = [inMs(300), inMs(100)]
    alarm.setFor(late)
    alarm.setFor(early)
    alarm.setFor(late)
    vi.advanceTimersByTime(1_000)
    expect(rung).toEqual([early])
  })

  it('rings again when it is set again, also by what it calls', () => {
    const moments = [inMs(100), inMs(200)]
    alarm = new Alarm(() => {
      rung.push(performance.now())
      const next = moments[rung.length]
      if (next !== undefined) alarm.setFor(next)
    })
    alarm.setFor(inMs(100))
    vi.advanceTimersByTime(1_000)
    expect(rung).toEqual(moments)
  })

  it('rings at once for a moment that has passed, and never for Infinity', () => {
    alarm.setFor(Infinity)
    expect(vi.getTimerCount()).toBe(0)
    alarm.setFor(-Infinity)
    vi.advanceTimersByTime(0)
    expect(rung).toHaveLength(1)
  })

  it('does not ring once it is cleared, and may be set again', () => {
    alarm.setFor(inMs(100))
    alarm.clear()
    vi.advanceTimersByTime(1_000)
    expect(rung).toEqual([])
    alarm.setFor(inMs(100))
    vi.advanceTimersByTime(1_000)
    expect(rung).toHaveLength(1)
  })

  it('rings early, and not at once, for a moment that no timer can wait for', () => {
    alarm.setFor(inMs(2 ** 40))
    vi.advanceTimersByTime(1_000)
    expect(rung).toEqual([])
    alarm.clear()
  })
})
