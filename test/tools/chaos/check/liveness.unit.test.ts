import { describe, expect, it } from 'vitest'
import { RECOVERY_MS } from '../../../../chaos/check/liveness.js'
import { kindsOf, Tale } from './tale.js'

const CALM_MS = 100
const LATE_MS = CALM_MS + RECOVERY_MS

describe('after the last fault', () => {
  const tale = (run = {}) =>
    new Tale(run).starts('a').visits('a/0', 'h1', [10, 20]).fault('server-kill', 30, CALM_MS)

  it('every flow has a turn', () => {
    const { violations } = tale()
      .visits('a/0', 'h2', [CALM_MS + 5, CALM_MS + 10])
      .ends('a', LATE_MS + 1).verdict
    expect(violations).toEqual([])
  })

  it('a flow that waits for good is found', () => {
    const { violations } = tale()
      .acquires('a/0', 'h2', [25, LATE_MS + 10])
      .ends('a', LATE_MS + 20).verdict
    expect(violations).toEqual([
      expect.objectContaining({
        kind: 'not-alive',
        expected: 'a/0 to acquire and release within 30000 ms of calm',
      }),
    ])
    expect(violations[0]?.window.map(({ type }) => type)).toEqual(['begin', 'fault', 'fault', 'end'])
  })

  it('a flow that comes in and cannot leave is found', () => {
    const { violations } = tale()
      .acquires('a/0', 'h2', [CALM_MS + 5, CALM_MS + 6])
      .releases('h2', [CALM_MS + 9, CALM_MS + 10], { outcome: 'failed', error: 'NOT_HELD' })
      .ends('a', LATE_MS + 1).verdict
    expect(kindsOf(violations)).toEqual(['not-alive'])
  })

  it('a turn in the middle of the faults does not count', () => {
    const { violations } = tale()
      .visits('a/0', 'h2', [CALM_MS - 20, CALM_MS - 10])
      .ends('a', LATE_MS + 1).verdict
    expect(kindsOf(violations)).toEqual(['not-alive'])
  })

  it.each([
    [
      'its process ended',
      tale()
        .ends('a', LATE_MS - 1)
        .starts('b')
        .ends('b', LATE_MS + 1),
    ],
    [
      'its process was killed',
      tale()
        .isKilled('a', LATE_MS - 1)
        .starts('b')
        .ends('b', LATE_MS + 1),
    ],
    [
      'the run ended',
      tale()
        .starts('b')
        .ends('b', LATE_MS - 1),
    ],
    ['the lease of a dead owner had just ended', tale({ leaseMs: RECOVERY_MS }).ends('a', LATE_MS + 1)],
  ])('a flow is not blamed if %s before', (_, { verdict }) => {
    expect(verdict.violations).toEqual([])
  })

  it('a flow that began late has all its time', () => {
    const { violations } = tale()
      .visits('a/0', 'h2', [CALM_MS + 5, CALM_MS + 10])
      .starts('b', LATE_MS - 10)
      .acquires('b/0', 'h3', [LATE_MS - 5])
      .ends('a', LATE_MS + 20).verdict
    expect(violations).toEqual([])
  })
})

describe('an operation without an answer', () => {
  const open = () => new Tale().starts('a').acquires('a/0', 'h1', [5])

  it('is wrong if its process ended in order', () => {
    const { violations } = open().ends('a', 50).verdict
    expect(violations).toEqual([
      expect.objectContaining({ kind: 'never-answered', expected: 'the acquire op-1 of a/0 to be answered' }),
    ])
  })

  it('is no wonder if its process was killed, or still lives', () => {
    expect(open().isKilled('a', 50).verdict.violations).toEqual([])
    expect(open().verdict.violations).toEqual([])
  })
})
