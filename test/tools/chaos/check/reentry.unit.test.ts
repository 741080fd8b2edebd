import { describe, expect, it } from 'vitest'
import type { RunEntry } from '../../../../chaos/history.js'
import { kindsOf, Tale } from './tale.js'

describe('entering again', () => {
  const nested = (run: Partial<RunEntry>) =>
    new Tale(run)
      .acquires('a/0', 'h1', [1, 2])
      .acquires('a/0', 'h2', [3, 4], { within: 'h1' })
      .releases('h2', [6, 7])
      .releases('h1', [8, 9]).verdict

  it('is right for a reentrant lock', () => {
    expect(nested({ lock: 'rlock' }).violations).toEqual([])
  })

  it('is wrong for a lock that is not', () => {
    expect(nested({ lock: 'non-reentrant' }).violations).toEqual([
      expect.objectContaining({ kind: 'entered-again', got: 'a/0 inside twice, as h1 and h2' }),
    ])
  })

  it('is no entering again if it was refused', () => {
    const { violations } = new Tale({ lock: 'non-reentrant' })
      .acquires('a/0', 'h1', [1, 2])
      .acquires('a/0', 'h2', [3, 4], { within: 'h1', outcome: 'refused', error: 'LOCK_REENTRY' })
      .releases('h1', [8, 9]).verdict
    expect(violations).toEqual([])
  })

  it('is no entering again if the lock may have been lost before', () => {
    const { violations } = new Tale({ lock: 'non-reentrant' })
      .acquires('a/0', 'h1', [1, 2])
      .step('h1', 3)
      .acquires('a/0', 'h2', [4, 5], { within: 'h1' })
      .step('h1', 6, 'lost').verdict
    expect(violations).toEqual([])
  })
})

describe('giving back', () => {
  it('is right once for every hold, in any order', () => {
    const { violations } = new Tale()
      .acquires('a/0', 'h1', [1, 2])
      .acquires('a/0', 'h2', [3, 4], { within: 'h1' })
      .releases('h1', [6, 7])
      .releases('h2', [8, 9]).verdict
    expect(violations).toEqual([])
  })

  it('is right when it is rejected, for any owner', () => {
    const rejected = { outcome: 'failed', error: 'NOT_HELD' } as const
    const { violations } = new Tale()
      .releases('h1', [1, 2], rejected)
      .visits('a/0', 'h2', [4, 5])
      .releases('h2', [7, 8], rejected).verdict
    expect(violations).toEqual([])
  })

  it.each([
    ['it was given back before', new Tale().visits('a/0', 'h1', [2, 5]).releases('h1', [7, 8])],
    ['it was never requested', new Tale().releases('h1', [7, 8])],
    [
      'its acquisition was refused',
      new Tale().acquires('a/0', 'h1', [1, 2], { outcome: 'refused' }).releases('h1', [7, 8]),
    ],
    ['its acquisition was never answered', new Tale().acquires('a/0', 'h1', [1]).releases('h1', [7, 8])],
    ['it was granted only later', new Tale().acquires('a/0', 'h1', [1, 9]).releases('h1', [7, 8])],
    ["it was a/0's", new Tale().acquires('a/0', 'h1', [1, 2]).releases('h1', [7, 8], { by: 'b/0' })],
  ])('is wrong if %s', (reason, tale) => {
    const { violations } = tale.verdict
    expect(kindsOf(violations)).toEqual(['released-without-hold'])
    expect(violations[0]?.got).toBe(`the release of h1 answered ok, though ${reason}`)
    expect(violations[0]?.window.filter(({ type }) => type === 'end').length).toBeGreaterThan(0)
  })
})
