import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { onAbort } from '../../../src/util/abort/abort-listeners.js'
import { cpuMsOf } from '../../support/cpu-time.js'

describe('onAbort', () => {
  it('calls every listener once when the signal aborts, in the order in which they came', () => {
    const controller = new AbortController()
    const called: number[] = []
    for (const number of [1, 2, 3]) onAbort(controller.signal, () => called.push(number))
    controller.abort()
    expect(called).toEqual([1, 2, 3])
  })

  it('calls no listener that was removed', () => {
    const controller = new AbortController()
    const called: number[] = []
    const remove = onAbort(controller.signal, () => called.push(1))
    onAbort(controller.signal, () => called.push(2))
    remove()
    controller.abort()
    expect(called).toEqual([2])
  })

  it('adds one listener to the signal for all, and removes it with the last', () => {
    const { signal } = new AbortController()
    const removals = Array.from({ length: 1000 }, () => onAbort(signal, () => undefined))
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    for (const remove of removals) remove()
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    onAbort(signal, () => undefined)
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  })

  it(
    'takes a time that grows with the number of listeners, and not with its square',
    { tags: ['timed'] },
    () => {
      const timeOf = (count: number): number => {
        const { signal } = new AbortController()
        return cpuMsOf(() => {
          const removals = Array.from({ length: count }, () => onAbort(signal, () => undefined))
          for (const remove of removals) remove()
        })
      }
      timeOf(3_000)
      const few = Math.min(timeOf(3_000), timeOf(3_000), timeOf(3_000))
      const many = Math.min(timeOf(30_000), timeOf(30_000), timeOf(30_000))
      expect(many / few).toBeLessThan(50) // 10 if it is linear, 100 if it is quadratic
    },
  )
})
