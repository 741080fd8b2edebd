import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Deadline } from '../../../src/util/time/deadline.js'

describe('a deadline', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('passes when its time has gone by', () => {
    const deadline = Deadline.after(100)
    vi.advanceTimersByTime(99)
    expect(deadline.passed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(deadline.passed).toBe(true)
  })

  it.each([0, -1])('after %d ms has passed already', (ms) => {
    expect(Deadline.after(ms).passed).toBe(true)
  })

  it('tells the time left, but no more than was asked for, and never less than nothing', () => {
    const deadline = Deadline.after(100)
    expect([deadline.within(30), deadline.within(500), deadline.within(Infinity)]).toEqual([30, 100, 100])
    vi.advanceTimersByTime(80)
    expect([deadline.within(30), deadline.within(10)]).toEqual([20, 10])
    vi.advanceTimersByTime(80)
    expect(deadline.within(30)).toBe(0)
  })

  it.each([
    [99, false, false],
    [100, true, false],
    [150, true, false],
    [151, false, true],
  ])('of 100 ms: after %d ms it has passed just now (%s), or long ago (%s)', (ms, justNow, longAgo) => {
    const deadline = Deadline.after(100)
    vi.advanceTimersByTime(ms)
    expect([deadline.passedJustNow, deadline.passedLongAgo]).toEqual([justNow, longAgo])
  })

  it('may never pass', () => {
    vi.advanceTimersByTime(10 ** 12)
    expect(Deadline.never.passed).toBe(false)
    expect([Deadline.never.within(30), Deadline.never.within(Infinity)]).toEqual([30, Infinity])
    expect(Deadline.after(Infinity).passed).toBe(false)
  })

  it('does not care about the time of day', () => {
    const deadline = Deadline.after(100)
    vi.setSystemTime(Date.now() + 3_600_000)
    expect(deadline.within(Infinity)).toBe(100)
  })
})
